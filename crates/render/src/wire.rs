//! Messages in the shape that programs around coding agents read: the blocks of the Messages API. Knows no event.

use serde_json::{Map, Value, json};
use toolwright_core::{Block, Content, StopReason, ToolInput, Usage};

/// A block of a message.
pub(crate) fn block(block: &Block) -> Value {
    match block {
        Block::Thinking { text, signature } => {
            json!({"type": "thinking", "thinking": text, "signature": signature.clone().unwrap_or_default()})
        }
        Block::ToolUse { id, name, input } => {
            json!({"type": "tool_use", "id": id, "name": name, "input": input_object(input)})
        }
        Block::ToolResult { tool_use_id, content, outcome } => {
            tool_result(tool_use_id, content, outcome.is_failure())
        }
        Block::Vendor { value, .. } => value.clone(),
        Block::Content(one) => content(one),
        _ => Value::Null,
    }
}

/// A tool's result as a block.
pub(crate) fn tool_result(tool_use_id: &str, answer: &[Content], is_error: bool) -> Value {
    let mut result = json!({"tool_use_id": tool_use_id, "type": "tool_result", "content": contents(answer)});
    if let (true, Some(result)) = (is_error, result.as_object_mut()) {
        result.insert("is_error".into(), Value::Bool(true));
    }
    result
}

/// What a tool or a person says, as a list of blocks.
#[must_use]
pub fn contents(answer: &[Content]) -> Value {
    answer.iter().map(content).collect()
}

fn content(content: &Content) -> Value {
    match content {
        Content::Text { text } => json!({"type": "text", "text": text}),
        Content::Media { media_type, data } => {
            let kind = if media_type.starts_with("image/") { "image" } else { "document" };
            json!({"type": kind, "source": {"type": "base64", "media_type": media_type, "data": data}})
        }
        Content::ToolReference { tool_name } => json!({"type": "tool_reference", "tool_name": tool_name}),
        Content::Unknown(value) => value.clone(),
        _ => Value::Null,
    }
}

/// Always an object, as readers expect: what was no JSON is under `malformed`.
fn input_object(input: &ToolInput) -> Value {
    match input {
        ToolInput::Json(value) if value.is_object() => value.clone(),
        ToolInput::Json(value) => json!({"malformed": value}),
        ToolInput::Malformed(text) => json!({"malformed": text}),
    }
}

pub(crate) fn usage(usage: &Usage) -> Value {
    serde_json::to_value(usage).unwrap_or_else(|_| Value::Object(Map::new()))
}

pub(crate) fn stop_reason(stop: StopReason) -> Value {
    serde_json::to_value(stop).unwrap_or(Value::Null)
}
