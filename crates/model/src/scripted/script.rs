//! The script as it is written. Says nothing of how it is replayed: the local model server reads the same files.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright_core::{StopReason, Usage};

use super::matching::Asked;
use crate::ModelErrorKind;

/// A whole script: turns in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    /// The turns, as written.
    pub turns: Vec<Turn>,
}

/// The answer to one request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Turn {
    /// Must hold for the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect: Option<Condition>,
    /// Answers the first request for which it holds, whatever the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// What the model says.
    pub reply: Vec<Piece>,
    /// Why it ends; found from the reply where not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopReason>,
    /// What it cost.
    pub usage: Usage,
    /// How it goes wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail: Option<Fault>,
    /// Milliseconds between two pieces of text; none without.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace_ms: Option<u64>,
}

/// What must be true of a request. Everything given must hold; texts are looked for, not compared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Condition {
    /// In the first text of the person: tells one agent's conversation from another's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_user_text: Option<String>,
    /// In the last text of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_user_text: Option<String>,
    /// In a tool result since the model's last message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_result: Option<String>,
    /// In the system prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The name of a tool that is offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// `stream` or `whole`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery: Option<String>,
}

/// One block of a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Piece {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A thought.
    Thinking {
        /// The thought.
        thinking: String,
        /// Its signature.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// A tool use.
    Tool {
        /// The tool's name.
        tool: String,
        /// Its input.
        input: Value,
        /// Its id; made from the turn's number where not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// A tool use whose input is text as it stands: for what is no JSON.
    RawTool {
        /// The tool's name.
        tool: String,
        /// The text.
        raw: String,
        /// Its id.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// A block that only its vendor knows.
    Vendor {
        /// The vendor.
        vendor: String,
        /// The block.
        value: Value,
    },
}

/// How a turn goes wrong. The two that speak of HTTP are for the local model server; here they are the error a client would
/// make of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// No answer, and this kind of error.
    Error(ModelErrorKind),
    /// No answer, and this HTTP reply.
    Http(Http),
    /// The connection is closed before anything is said.
    Drop,
    /// The stream breaks off there.
    Cut(At),
    /// The stream says nothing more from there on, until it is cancelled.
    Stall(At),
    /// What comes there makes no sense.
    Garbled(At),
    /// The stream says there that the vendor is overloaded.
    ErrorEvent(At),
}

/// An HTTP reply that is no answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Http {
    /// The status.
    pub status: u16,
    /// Seconds, as `retry-after` says them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// The vendor's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Further headers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// The body as it stands, instead of the vendor's shape of an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// A place in a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// After so many whole blocks.
    Blocks(usize),
    /// After so many bytes of text, thought and tool input.
    Bytes(usize),
}

impl FromStr for Script {
    type Err = ScriptError;

    fn from_str(text: &str) -> Result<Self, ScriptError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Whole {
            turns: Vec<Turn>,
        }
        // Which form it is shows in its beginning, so that an error speaks of the form that was meant.
        if text.trim_start().starts_with('[') {
            return Ok(Self { turns: serde_json::from_str(text)? });
        }
        let is_lines = || {
            text.trim_start().lines().next().is_some_and(|line| serde_json::from_str::<Value>(line).is_ok())
        };
        match serde_json::from_str::<Value>(text) {
            Ok(value) if value.get("turns").is_none() => {
                return Ok(Self { turns: vec![serde_json::from_str(text)?] });
            }
            Err(_) if is_lines() => {}
            _ => return Ok(Self { turns: serde_json::from_str::<Whole>(text)?.turns }),
        }
        let mut turns = Vec::new();
        for (index, line) in text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let turn = serde_json::from_str(line);
            turns.push(turn.map_err(|error| ScriptError::Line { line: index + 1, error })?);
        }
        Ok(Self { turns })
    }
}

/// A text that is no script.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// As a whole.
    #[error("{0}; a script is {{\"turns\": [{{\"reply\": [..]}}, ..]}} or one turn a line")]
    Json(#[from] serde_json::Error),
    /// In one of its lines.
    #[error("line {line}: {error}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong there.
        error: serde_json::Error,
    },
}

impl Turn {
    /// Why it ends, whether said or found from the reply.
    #[must_use]
    pub fn stop(&self) -> StopReason {
        let calls = |piece: &Piece| matches!(piece, Piece::Tool { .. } | Piece::RawTool { .. });
        self.stop.unwrap_or(if self.reply.iter().any(calls) {
            StopReason::ToolUse
        } else {
            StopReason::EndTurn
        })
    }

    /// The turn with its placeholders filled in.
    #[must_use]
    pub fn filled(mut self, cwd: &str, asked: &Asked) -> Self {
        let fill = |text: &mut String| {
            if text.contains('{') {
                *text = text
                    .replace("{cwd}", cwd)
                    .replace("{last_result}", asked.tool_results.last().map_or("", String::as_str))
                    .replace("{last_user_text}", &asked.last_user_text);
            }
        };
        for piece in &mut self.reply {
            match piece {
                Piece::Text { text }
                | Piece::Thinking { thinking: text, .. }
                | Piece::RawTool { raw: text, .. } => {
                    fill(text);
                }
                Piece::Tool { input: value, .. } | Piece::Vendor { value, .. } => fill_value(value, &fill),
            }
        }
        self
    }
}

fn fill_value(value: &mut Value, fill: &impl Fn(&mut String)) {
    match value {
        Value::String(text) => fill(text),
        Value::Array(items) => items.iter_mut().for_each(|item| fill_value(item, fill)),
        Value::Object(fields) => fields.values_mut().for_each(|field| fill_value(field, fill)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
