//! The words of Chat Completions.

use serde_json::{Value, json};
use toolwright_core::StopReason;
use toolwright_model::scripted::{Piece, Turn};

use super::parts::{self, Part};

pub(super) const GARBLED: &str = "data: {\"choices\":[{\"delta\":{\"conte\n\n";
pub(super) const DONE: &str = "data: [DONE]\n\n";

pub(super) fn error(kind: &str, message: &str) -> Value {
    json!({"error": {"type": kind, "message": message}})
}

pub(super) fn event(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn chunk(model: &Value, delta: &Value, finish: Option<&str>) -> Value {
    json!({"id": "chatcmpl_1", "object": "chat.completion.chunk", "model": model,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

pub(super) fn head(model: &Value) -> Value {
    chunk(model, &json!({"role": "assistant", "content": ""}), None)
}

/// `turn` tells how many calls stand before one: this wire numbers calls, not blocks.
pub(super) fn part(model: &Value, turn: &Turn, part: &Part) -> Option<Value> {
    let call = |index: usize| {
        let before = turn.reply.iter().take(index);
        before.filter(|piece| matches!(piece, Piece::Tool { .. } | Piece::RawTool { .. })).count()
    };
    let delta = match part {
        Part::Start { index, piece: Piece::Tool { tool, .. } | Piece::RawTool { tool, .. }, id } => {
            json!({"tool_calls": [{"index": call(*index), "id": id, "type": "function",
                "function": {"name": tool, "arguments": ""}}]})
        }
        Part::Delta { index, piece, text } => match piece {
            Piece::Text { .. } => json!({"content": text}),
            Piece::Thinking { .. } => json!({"reasoning_content": text}),
            Piece::Tool { .. } | Piece::RawTool { .. } => {
                json!({"tool_calls": [{"index": call(*index), "function": {"arguments": text}}]})
            }
            Piece::Vendor { .. } => return None,
        },
        Part::Start { .. } | Part::End { .. } => return None,
    };
    Some(chunk(model, &delta, None))
}

pub(super) fn tail(model: &Value, turn: &Turn) -> Value {
    chunk(model, &json!({}), Some(finish(turn)))
}

pub(super) fn usage(model: &Value, turn: &Turn) -> Value {
    json!({"id": "chatcmpl_1", "object": "chat.completion.chunk", "model": model, "choices": [],
        "usage": counted(turn)})
}

fn counted(turn: &Turn) -> Value {
    json!({"prompt_tokens": turn.usage.input_tokens + turn.usage.cache_read_input_tokens,
        "completion_tokens": turn.usage.output_tokens,
        "prompt_tokens_details": {"cached_tokens": turn.usage.cache_read_input_tokens}})
}

fn finish(turn: &Turn) -> &'static str {
    match turn.stop() {
        StopReason::ToolUse => "tool_calls",
        StopReason::MaxTokens | StopReason::ContextFull => "length",
        StopReason::Refusal => "content_filter",
        _ => "stop",
    }
}

pub(super) fn whole(number: usize, model: &Value, turn: &Turn) -> Value {
    let mut text = String::new();
    let mut thought = String::new();
    let mut calls = Vec::new();
    for (index, piece) in turn.reply.iter().enumerate() {
        match piece {
            Piece::Text { text: more } => text.push_str(more),
            Piece::Thinking { thinking, .. } => thought.push_str(thinking),
            Piece::Tool { tool, id, .. } | Piece::RawTool { tool, id, .. } => {
                let id = id.clone().unwrap_or_else(|| format!("call_{number}_{index}"));
                calls.push(json!({"id": id, "type": "function",
                    "function": {"name": tool, "arguments": parts::content(piece)}}));
            }
            Piece::Vendor { .. } => {}
        }
    }
    let mut message = json!({"role": "assistant", "content": text, "tool_calls": calls});
    if !thought.is_empty() {
        message["reasoning_content"] = thought.into();
    }
    json!({"id": "chatcmpl_1", "object": "chat.completion", "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish(turn)}], "usage": counted(turn)})
}
