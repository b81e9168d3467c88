//! Images and documents beside the journal: a file of the session each, named by its hash, where a line of the journal has its
//! name. Base64 of megabytes, twice in a line (in the answer and in the output that views are made of), would be read whole for
//! each list of sessions. Knows of an event only where it may hold media.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};
use toolwright_core::{Block, Content, Message};
use toolwright_engine::event::{EventBody, SessionEvent};
use toolwright_workspace::restore::sha256;

use crate::RuntimeError;

/// Shorter data stay in the line, in bytes.
const SHORT: usize = 4_096;

/// The only field of what stands in the place of data.
const FIELD: &str = "$media";

/// The event's line with its media in `folder`; none where it has none.
pub(super) fn take_out(event: &SessionEvent, folder: &Path) -> Result<Option<String>, RuntimeError> {
    let data = media(&event.body);
    if data.is_empty() {
        return Ok(None);
    }
    let mut kept = Vec::with_capacity(data.len());
    for data in data {
        let name = format!("{}.base64", sha256(data.as_bytes()));
        super::keep_in(folder, &name, data)?;
        kept.push((data, name));
    }
    let failed = || RuntimeError::storage("cannot write", folder);
    let mut value = serde_json::to_value(event).map_err(|error| failed()(error.into()))?;
    each_string(&mut value, &mut |text| {
        let (_, name) = kept.iter().find(|(data, _)| *data == text)?;
        Some(Value::Object(Map::from_iter([(FIELD.to_owned(), Value::from(name.as_str()))])))
    });
    Ok(Some(value.to_string()))
}

/// The line with its media in it again; none where it names none. A file that is gone leaves no data, which a request says in
/// words.
pub(super) fn put_back(line: &str, folder: &Path) -> Option<String> {
    if !line.contains(&format!("\"{FIELD}\"")) {
        return None;
    }
    let mut value: Value = serde_json::from_str(line).ok()?;
    each_name(&mut value, &|name| {
        let is_ours = name
            .strip_suffix(".base64")
            .is_some_and(|hash| !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if is_ours { fs::read_to_string(folder.join(name)).unwrap_or_default() } else { String::new() }
    });
    Some(value.to_string())
}

/// The data of an event that are worth a file.
fn media(body: &EventBody) -> Vec<&str> {
    fn of_message(message: &Message) -> impl Iterator<Item = &Content> {
        message.content.iter().flat_map(|block| match block {
            Block::Content(content) => std::slice::from_ref(content),
            Block::ToolResult { content, .. } => content,
            _ => &[],
        })
    }
    let long = |content: &'_ Content| matches!(content, Content::Media { data, .. } if data.len() > SHORT);
    let contents: Vec<&Content> = match body {
        EventBody::Prompt { message } | EventBody::Message { message, .. } => of_message(message).collect(),
        EventBody::ToolFinished { result, .. } => result.answer.iter().collect(),
        _ => Vec::new(),
    };
    let data = contents.into_iter().filter(|content| long(content)).filter_map(|content| match content {
        Content::Media { data, .. } => Some(data.as_str()),
        _ => None,
    });
    data.collect()
}

fn each_string(value: &mut Value, instead: &mut impl FnMut(&str) -> Option<Value>) {
    match value {
        Value::String(text) => {
            if let Some(other) = instead(text) {
                *value = other;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_string(item, instead)),
        Value::Object(fields) => fields.values_mut().for_each(|field| each_string(field, instead)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn each_name(value: &mut Value, data: &impl Fn(&str) -> String) {
    match value {
        Value::Object(fields) => {
            let name = fields.get(FIELD).filter(|_| fields.len() == 1).and_then(Value::as_str).map(data);
            match name {
                Some(data) => *value = Value::String(data),
                None => fields.values_mut().for_each(|field| each_name(field, data)),
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_name(item, data)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolwright_core::Outcome;
    use toolwright_engine::event::ToolFinish;

    use super::*;
    use crate::journal::{Journal, read_line};

    fn finished(data: &str) -> EventBody {
        let content = Content::Media { media_type: "image/png".into(), data: data.into() };
        let result = ToolFinish {
            tool: "Read".into(),
            // Whatever looks like ours and is somebody's own stays as it is, or becomes nothing.
            input: json!({"file_path": "/a", "$media": "../../etc/passwd", "more": 1}),
            output: json!({"media": {"data": data}, "others": [data, "short"]}),
            answer: vec![Content::text("a picture"), content],
            shortened: false,
            outcome: Outcome::Success,
            changes: Vec::new(),
            error: None,
        };
        EventBody::ToolFinished { tool_use_id: "t".into(), result }
    }

    #[test]
    fn a_line_names_them_and_gives_them_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open("id".into(), folder.path().into(), 0).unwrap();
        let check = |journal: &mut Journal, length: usize, files: usize| {
            let before = journal.append("main", None, finished(&"A".repeat(length))).unwrap();
            let text = fs::read_to_string(folder.path().join("session.jsonl")).unwrap();
            let line = text.lines().last().unwrap();
            assert!(line.len() < 4 * SHORT, "{length}: {}", line.len());
            assert_eq!(read_line(line, folder.path()).unwrap(), before);
            let kept = fs::read_dir(folder.path().join("results")).map_or(0, Iterator::count);
            assert_eq!(kept, files, "{length}");
        };
        check(&mut journal, 10, 0);
        check(&mut journal, 1_000_000, 1);
        check(&mut journal, 1_000_000, 1);
        check(&mut journal, 1_000_001, 2);
    }

    #[test]
    fn a_name_leads_nowhere_else_and_a_lost_file_leaves_no_data() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("secret"), "secret").unwrap();
        let check = |name: &str| {
            let line = json!({"a": {"$media": name}}).to_string();
            assert_eq!(put_back(&line, &folder.path().join("results")).unwrap(), r#"{"a":""}"#, "{name}");
        };
        check("../secret");
        check("../secret.base64");
        check(".base64");
        check("0a1b.base64");
        check("");
        assert_eq!(put_back(r#"{"a":"media"}"#, folder.path()), None);
    }
}
