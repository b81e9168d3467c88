//! The words of the Messages API.

use serde_json::{Value, json};
use toolwright_core::StopReason;
use toolwright_model::scripted::{Piece, Turn};

use super::parts::{self, Part};

pub(super) const GARBLED: &str = "event: content_block_delta\ndata: {\"type\":\"content_block_de\n\n";

pub(super) fn error(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}})
}

pub(super) fn event(value: &Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or_default())
}

pub(super) fn head(model: &Value, turn: &Turn) -> Value {
    let usage = json!({
        "input_tokens": turn.usage.input_tokens,
        "cache_read_input_tokens": turn.usage.cache_read_input_tokens,
        "cache_creation_input_tokens": turn.usage.cache_creation_input_tokens,
        "output_tokens": 1,
    });
    let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": null, "usage": usage});
    json!({"type": "message_start", "message": message})
}

pub(super) fn part(part: &Part) -> Option<Value> {
    Some(match part {
        Part::Start { index, piece, id } => {
            json!({"type": "content_block_start", "index": index, "content_block": opened(piece, id)})
        }
        Part::Delta { index, piece, text } => {
            let delta = match piece {
                Piece::Text { .. } => json!({"type": "text_delta", "text": text}),
                Piece::Thinking { .. } => json!({"type": "thinking_delta", "thinking": text}),
                Piece::Tool { .. } | Piece::RawTool { .. } => {
                    json!({"type": "input_json_delta", "partial_json": text})
                }
                Piece::Vendor { .. } => return None,
            };
            json!({"type": "content_block_delta", "index": index, "delta": delta})
        }
        Part::End { index } => json!({"type": "content_block_stop", "index": index}),
    })
}

fn opened(piece: &Piece, id: &str) -> Value {
    match piece {
        Piece::Text { .. } => json!({"type": "text", "text": ""}),
        // The signature comes as a delta of its own at the vendor; a client that keeps what a block begins with has it too.
        Piece::Thinking { signature, .. } => {
            json!({"type": "thinking", "thinking": "", "signature": signature})
        }
        Piece::Tool { tool, .. } | Piece::RawTool { tool, .. } => {
            json!({"type": "tool_use", "id": id, "name": tool, "input": {}})
        }
        Piece::Vendor { value, .. } => value.clone(),
    }
}

pub(super) fn tail(turn: &Turn) -> Value {
    json!({"type": "message_delta", "delta": {"stop_reason": stop(turn), "stop_sequence": null},
        "usage": {"output_tokens": turn.usage.output_tokens}})
}

fn stop(turn: &Turn) -> &'static str {
    match turn.stop() {
        StopReason::ToolUse => "tool_use",
        StopReason::MaxTokens => "max_tokens",
        StopReason::StopSequence => "stop_sequence",
        StopReason::PauseTurn => "pause_turn",
        StopReason::Refusal => "refusal",
        StopReason::ContextFull => "model_context_window_exceeded",
        _ => "end_turn",
    }
}

pub(super) fn whole(number: usize, model: &Value, turn: &Turn) -> Value {
    let block = |(index, piece): (usize, &Piece)| match piece {
        Piece::Text { text } => json!({"type": "text", "text": text}),
        Piece::Thinking { thinking, signature } => {
            json!({"type": "thinking", "thinking": thinking, "signature": signature})
        }
        Piece::Tool { tool, input, id } => {
            let id = id.clone().unwrap_or_else(|| format!("call_{number}_{index}"));
            json!({"type": "tool_use", "id": id, "name": tool, "input": input})
        }
        Piece::RawTool { tool, id, .. } => {
            let id = id.clone().unwrap_or_else(|| format!("call_{number}_{index}"));
            json!({"type": "tool_use", "id": id, "name": tool, "input": parts::content(piece)})
        }
        Piece::Vendor { value, .. } => value.clone(),
    };
    let usage = json!({
        "input_tokens": turn.usage.input_tokens,
        "cache_read_input_tokens": turn.usage.cache_read_input_tokens,
        "cache_creation_input_tokens": turn.usage.cache_creation_input_tokens,
        "output_tokens": turn.usage.output_tokens,
    });
    let content: Vec<Value> = turn.reply.iter().enumerate().map(block).collect();
    json!({"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": content,
        "stop_reason": stop(turn), "stop_sequence": null, "usage": usage})
}
