//! What a request to a model must be, whatever went before: the rules of either wire by which a vendor refuses one.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};

/// A model API.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wire {
    /// The Messages API.
    #[default]
    Messages,
    /// Chat Completions.
    Chat,
}

impl Wire {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Messages, Self::Chat];

    /// What a run needs to speak it with a server.
    #[must_use]
    pub fn environment(self, url: &str) -> Vec<(&'static str, String)> {
        let key = crate::KEY.to_owned();
        match self {
            Self::Messages => vec![("ANTHROPIC_BASE_URL", url.into()), ("ANTHROPIC_API_KEY", key)],
            Self::Chat => vec![("OPENAI_BASE_URL", format!("{url}/v1")), ("OPENAI_API_KEY", key)],
        }
    }

    /// The model to name on the command line.
    #[must_use]
    pub const fn model(self) -> &'static str {
        match self {
            Self::Messages => "sonnet",
            Self::Chat => "openai:test",
        }
    }

    /// Makes a run ask the server at `url`, with the key of tests and waits too short to be noticed.
    pub fn ask(
        self,
        command: &mut Command,
        url: &str,
        model: Option<&str>,
        options: &BTreeMap<String, Value>,
    ) {
        command.envs(self.environment(url));
        if let Some(model) = model {
            command.args(["--model", model]);
        }
        let mut all = json!({"firstWaitMs": 1});
        for (name, value) in options {
            all[name] = value.clone();
        }
        command.arg("--settings").arg(json!({"modelOptions": all}).to_string());
    }
}

/// The ids and names of the tool uses in a request, in order.
#[must_use]
pub fn tool_uses(wire: Wire, body: &Value) -> Vec<(String, String)> {
    let named = |id: &Value, name: &Value| (text(id), text(name));
    match wire {
        Wire::Messages => blocks(body)
            .filter(|block| block["type"] == "tool_use")
            .map(|block| named(&block["id"], &block["name"]))
            .collect(),
        Wire::Chat => messages(body)
            .flat_map(|message| items(&message["tool_calls"]))
            .map(|call| named(&call["id"], &call["function"]["name"]))
            .collect(),
    }
}

/// The names of the tools that a request offers, in order.
#[must_use]
pub fn tools(wire: Wire, body: &Value) -> Vec<String> {
    let name = |tool: &Value| match wire {
        Wire::Messages => text(&tool["name"]),
        Wire::Chat => text(&tool["function"]["name"]),
    };
    items(&body["tools"]).map(name).collect()
}

/// The texts of the tool results in a request with the ids they answer, in order.
#[must_use]
pub fn results(wire: Wire, body: &Value) -> Vec<(String, String)> {
    match wire {
        Wire::Messages => blocks(body)
            .filter(|block| block["type"] == "tool_result")
            .map(|block| (text(&block["tool_use_id"]), words(&block["content"])))
            .collect(),
        Wire::Chat => messages(body)
            .filter(|message| message["role"] == "tool")
            .map(|message| (text(&message["tool_call_id"]), words(&message["content"])))
            .collect(),
    }
}

/// Everything for which a vendor would refuse the request.
#[must_use]
pub fn faults(wire: Wire, body: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for (id, name) in tool_uses(wire, body) {
        if !seen.insert(id.clone()) {
            wrong.push(format!("the id `{id}` stands twice"));
        }
        if name.is_empty() {
            wrong.push(format!("the call `{id}` has no name"));
        }
    }
    match wire {
        Wire::Messages => messages_faults(body, &mut wrong),
        Wire::Chat => chat_faults(body, &mut wrong),
    }
    wrong
}

fn messages_faults(body: &Value, wrong: &mut Vec<String>) {
    let list: Vec<&Value> = messages(body).collect();
    let mut expected = "user";
    for (index, message) in list.iter().enumerate() {
        let at = format!("message {index}");
        if message["role"] != expected {
            wrong.push(format!("{at} is of {} and should be of {expected}", message["role"]));
        }
        expected = if message["role"] == "user" { "assistant" } else { "user" };
        let content: Vec<&Value> = items(&message["content"]).collect();
        if content.is_empty() && !message["content"].is_string() {
            wrong.push(format!("{at} is empty"));
        }
        let empty = |block: &&&Value| block["type"] == "text" && text(&block["text"]).trim().is_empty();
        if content.iter().any(|block| empty(&block)) {
            wrong.push(format!("{at} has an empty text"));
        }
        if message["role"] == "assistant" && content.last().is_some_and(|last| last["type"] == "thinking") {
            wrong.push(format!("{at} ends in a thought"));
        }
        let uses: Vec<String> = content
            .iter()
            .filter(|block| block["type"] == "tool_use")
            .map(|block| text(&block["id"]))
            .collect();
        if content.iter().any(|block| block["type"] == "tool_use" && !block["input"].is_object()) {
            wrong.push(format!("{at} has a call whose input is no object"));
        }
        let next =
            list.get(index + 1).map(|next| items(&next["content"]).collect::<Vec<_>>()).unwrap_or_default();
        let answers: Vec<String> = next
            .iter()
            .take_while(|block| block["type"] == "tool_result")
            .map(|block| text(&block["tool_use_id"]))
            .collect();
        let answered = next.iter().filter(|block| block["type"] == "tool_result").count();
        if message["role"] == "assistant" && (uses != answers || answered != answers.len()) {
            wrong.push(format!(
                "{at} calls {uses:?}, and what follows answers {answers:?} first of {answered}"
            ));
        }
    }
    if list.first().is_some_and(|first| items(&first["content"]).any(|block| block["type"] == "tool_result"))
    {
        wrong.push("the first message answers a call".into());
    }
    if list.last().is_none_or(|last| last["role"] != "user") {
        wrong.push("the last message is not the user's".into());
    }
}

fn chat_faults(body: &Value, wrong: &mut Vec<String>) {
    let mut open: Vec<String> = Vec::new();
    for (index, message) in messages(body).enumerate() {
        let at = format!("message {index}");
        if message["role"] == "tool" {
            let id = text(&message["tool_call_id"]);
            match open.iter().position(|call| *call == id) {
                Some(place) => drop(open.remove(place)),
                None => wrong.push(format!("{at} answers `{id}`, which is not open")),
            }
            continue;
        }
        if !open.is_empty() {
            wrong.push(format!("{at} comes before {open:?} are answered"));
            open.clear();
        }
        let calls: Vec<&Value> = items(&message["tool_calls"]).collect();
        if calls.is_empty() && words(&message["content"]).trim().is_empty() && !message["content"].is_array()
        {
            wrong.push(format!("{at} is empty"));
        }
        for call in calls {
            open.push(text(&call["id"]));
            let arguments = text(&call["function"]["arguments"]);
            if !serde_json::from_str::<Value>(&arguments).is_ok_and(|arguments| arguments.is_object()) {
                wrong.push(format!("{at} has a call whose arguments are no object: {arguments}"));
            }
        }
    }
    if !open.is_empty() {
        wrong.push(format!("{open:?} are never answered"));
    }
    if messages(body).last().is_none_or(|last| last["role"] == "assistant") {
        wrong.push("the last message is the model's".into());
    }
}

fn messages(body: &Value) -> impl Iterator<Item = &Value> {
    items(&body["messages"])
}

fn blocks(body: &Value) -> impl Iterator<Item = &Value> {
    messages(body).flat_map(|message| items(&message["content"]))
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        other => items(other).filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(wire: Wire, messages: &str, expected: &[&str]) {
        let body = serde_json::json!({"messages": serde_json::from_str::<Value>(messages).unwrap()});
        let found = faults(wire, &body);
        assert_eq!(found.len(), expected.len(), "{messages}: {found:?}");
        for part in expected {
            assert!(found.iter().any(|fault| fault.contains(part)), "{messages}: {found:?}");
        }
    }

    #[test]
    fn what_a_vendor_refuses_is_found() {
        let user = r#"{"role":"user","content":[{"type":"text","text":"a"}]}"#;
        let call =
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Read","input":{}}]}"#;
        let answer = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"r"}]}"#;
        let messages = |parts: &[&str], expected: &[&str]| {
            check(Wire::Messages, &format!("[{}]", parts.join(",")), expected);
        };
        messages(&[user], &[]);
        messages(&[user, call, answer], &[]);
        messages(&[user, call, user], &["calls"]);
        messages(&[user, user], &["message 1 is of"]);
        messages(&[user, call], &["calls", "last message"]);
        messages(&[user, call, answer, call, answer], &["twice"]);
        messages(&[r#"{"role":"user","content":[{"type":"text","text":" "}]}"#], &["empty text"]);
        let asked = r#"{"role":"user","content":"a"}"#;
        let call =
            r#"{"role":"assistant","tool_calls":[{"id":"t","function":{"name":"R","arguments":"{}"}}]}"#;
        let half =
            r#"{"role":"assistant","tool_calls":[{"id":"t","function":{"name":"R","arguments":"{"}}]}"#;
        let answer = r#"{"role":"tool","tool_call_id":"t","content":"r"}"#;
        let chat = |parts: &[&str], expected: &[&str]| {
            check(Wire::Chat, &format!("[{}]", parts.join(",")), expected);
        };
        chat(&[asked, call, answer], &[]);
        chat(&[asked, call, asked], &["before"]);
        chat(&[asked, call], &["never answered", "the model's"]);
        chat(&[asked, half, answer], &["no object"]);
        chat(&[asked, answer], &["not open"]);
    }
}
