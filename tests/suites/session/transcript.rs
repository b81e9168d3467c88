//! A conversation in the words of the Messages API as a journal of ours, damage included.

use serde_json::{Value, json};

/// The journal of a transcript of one message a line. A line that is none is taken over as it is.
pub(super) fn journal(transcript: &str, id: &str, cwd: &str) -> String {
    let mut bodies = vec![
        json!({"type": "started", "session_id": id, "cwd": cwd, "model": "test", "mode": "default"})
            .to_string(),
        json!({"type": "system_prompt", "blocks": ["You help."]}).to_string(),
    ];
    let mut names: Vec<(String, Value)> = Vec::new();
    for line in transcript.split_inclusive('\n') {
        match serde_json::from_str::<Value>(line) {
            Ok(message) => bodies.extend(events(&message, &mut names).iter().map(Value::to_string)),
            Err(_) => bodies.push(line.to_owned()),
        }
    }
    let mut text = String::new();
    for (seq, body) in bodies.iter().enumerate() {
        let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(body) else {
            text.push_str(body);
            continue;
        };
        let mut event = json!({"v": 1, "seq": seq, "at": 1_700_000_000_000_u64, "agent": "main"});
        for (name, value) in fields {
            event[name] = value;
        }
        text.push_str(&format!("{event}\n"));
    }
    text
}

fn events(message: &Value, names: &mut Vec<(String, Value)>) -> Vec<Value> {
    let content: Vec<&Value> = message["content"].as_array().into_iter().flatten().collect();
    let number = names.len();
    if message["role"] == "assistant" {
        let uses = content.iter().filter(|block| block["type"] == "tool_use");
        names.extend(uses.map(|block| (text(&block["id"]), (*block).clone())));
        let stop =
            if content.iter().any(|block| block["type"] == "tool_use") { "tool_use" } else { "end_turn" };
        let blocks: Vec<Value> = content.iter().map(|block| kept(block)).collect();
        let message = json!({"id": format!("said-{number}-{}", text(&blocks[0]["text"])), "role": "assistant", "content": blocks});
        return vec![json!({"type": "message", "message": message, "stop": stop})];
    }
    let answers = content.iter().filter(|block| block["type"] == "tool_result").map(|block| {
        let id = text(&block["tool_use_id"]);
        let call =
            names.iter().find(|(name, _)| *name == id).map(|(_, call)| call.clone()).unwrap_or_default();
        let answer = match &block["content"] {
            Value::String(text) => json!([{"type": "text", "text": text}]),
            other => other.as_array().into_iter().flatten().map(kept).collect(),
        };
        json!({"type": "tool_finished", "tool_use_id": id, "tool": call["name"], "input": call["input"],
            "output": null, "answer": answer, "outcome": "success"})
    });
    let mut events: Vec<Value> = answers.collect();
    let said: Vec<Value> =
        content.iter().filter(|block| block["type"] == "text").map(|block| kept(block)).collect();
    if !said.is_empty() {
        let id = format!("asked-{}", text(&said[0]["text"]));
        events.push(json!({"type": "prompt", "message": {"id": id, "role": "user", "content": said}}));
    }
    events
}

fn kept(block: &Value) -> Value {
    match block["type"].as_str() {
        Some("tool_use") => {
            json!({"type": "tool_use", "id": block["id"], "name": block["name"], "input": {"json": block["input"]}})
        }
        Some("thinking") => {
            json!({"type": "thinking", "text": block["thinking"], "signature": block["signature"]})
        }
        Some("image") => {
            let source = &block["source"];
            json!({"type": "media", "media_type": source["media_type"], "data": source["data"]})
        }
        _ => block.clone(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
