//! The JSON objects in what a hook printed.

use serde_json::{Map, Value};
use toolwright_process::Captured;

use super::text;

/// What stands on a hook's standard output.
pub(super) enum Printed {
    /// One JSON object and nothing else.
    Object(Map<String, Value>),
    /// Anything else, with the answers in it. Empty: it printed nothing.
    Text { text: String, objects: Vec<Map<String, Value>> },
    /// It was to be an answer and cannot be read as one; the answers before that.
    Unreadable { why: String, objects: Vec<Map<String, Value>> },
}

/// Fields of which an answer has one. Other objects are something that the hook logged.
const FIELDS: [&str; 6] =
    ["hookSpecificOutput", "decision", "continue", "stopReason", "systemMessage", "permissionDecision"];

pub(super) fn printed(stdout: &Captured) -> Printed {
    let text = text(stdout);
    let (why, objects) = match serde_json::from_str(&text) {
        Ok(Value::Object(object)) => return Printed::Object(object),
        Ok(other) => {
            let why = match other {
                // Words and numbers are text like any other.
                Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => None,
                _ => Some("it printed a list; print one JSON object".to_owned()),
            };
            (why, objects(&text).0)
        }
        Err(error) => {
            let (objects, broken) = objects(&text);
            let why = (broken || text.starts_with('{'))
                .then(|| format!("what it printed is no JSON: {error}"))
                .filter(|_| objects.is_empty() || broken);
            (why, objects)
        }
    };
    let cut =
        (stdout.omitted > 0).then(|| format!("it printed {} bytes, too much for an answer", stdout.total));
    match cut.or(why) {
        Some(why) => Printed::Unreadable { why, objects },
        None => Printed::Text { text, objects },
    }
}

/// The answers that stand in a text, and whether there is a piece that was to be one and is no JSON.
///
/// Objects within other objects are none of them: a hook may log the call it was asked about.
fn objects(text: &str) -> (Vec<Map<String, Value>>, bool) {
    let mut found = Vec::new();
    let mut broken = false;
    let mut rest = text;
    while let Some(begin) = rest.find('{') {
        let from = rest.get(begin..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(from).into_iter::<Value>();
        match values.next() {
            Some(Ok(Value::Object(object))) => {
                rest = from.get(values.byte_offset()..).unwrap_or_default();
                if FIELDS.iter().any(|field| object.contains_key(*field)) {
                    found.push(object);
                }
            }
            _ => {
                rest = from.get(1..).unwrap_or_default();
                broken |= FIELDS.iter().any(|field| begins_with_field(rest, field));
            }
        }
    }
    (found, broken)
}

/// Whether a text begins with the quoted name, as the first field of an object does.
fn begins_with_field(text: &str, field: &str) -> bool {
    let quoted = text.trim_start().strip_prefix('"');
    quoted.and_then(|text| text.strip_prefix(field)).is_some_and(|text| text.starts_with('"'))
}
