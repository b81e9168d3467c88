//! Session events as JSON lines under the names that programs around coding agents know: `system`, `assistant`, `user`,
//! `result`. A projection: it decides nothing and keeps nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Map, Value, json};
use toolwright_core::{Block, Message, Speaker, StopReason, Usage};
use toolwright_engine::event::{EventBody, MAIN_AGENT, Ruling, SessionEvent, ToolFinish};

use crate::summary::{RunEnd, Summary};
use crate::wire;

/// Turns events into lines. Each value is one line; write it whole and flush it.
#[derive(Debug, Clone, Default)]
pub struct StreamJson {
    summary: Summary,
    session_id: String,
    cwd: String,
    model: String,
    mode: String,
    tools: Vec<String>,
    introduced: bool,
    /// Tool uses whose `assistant` line was given.
    shown: BTreeSet<String>,
    /// Results of calls that ended before the message that holds them.
    early: Vec<(String, Value)>,
    lines: u64,
    at: u64,
}

impl StreamJson {
    /// The lines of one event.
    pub fn event(&mut self, event: &SessionEvent) -> Vec<Value> {
        self.summary.event(event);
        self.at = event.at;
        let is_main = event.agent == MAIN_AGENT;
        let parent = event.parent_tool_use_id.as_deref();
        match &event.body {
            EventBody::Started { session_id, cwd, model, mode, .. } if is_main => {
                self.session_id.clone_from(session_id);
                self.cwd = cwd.display().to_string();
                self.model.clone_from(model);
                self.mode.clone_from(mode);
                Vec::new()
            }
            EventBody::Pool { tools } if is_main => {
                self.tools = tools.iter().map(|tool| tool.name.clone()).collect();
                Vec::new()
            }
            EventBody::Prompt { .. } if is_main => {
                self.introduced = false;
                Vec::new()
            }
            EventBody::Message { message, stop, usage } if message.role == Speaker::Assistant => {
                let mut lines = self.introduction();
                lines.extend(self.assistant(message, *stop, usage.as_ref(), parent));
                let (ready, waiting) =
                    std::mem::take(&mut self.early).into_iter().partition(|(id, _)| self.shown.contains(id));
                self.early = waiting;
                lines.extend(Vec::into_iter(ready).map(|(_, line)| line));
                lines
            }
            EventBody::Message { message, .. } => {
                let content: Value = message.content.iter().map(wire::block).collect();
                let body = json!({"type": "user", "message": {"role": "user", "content": content}});
                self.with_introduction(body, parent)
            }
            EventBody::ToolFinished { tool_use_id, result } => self.tool_result(tool_use_id, result, parent),
            EventBody::Decision { tool_use_id, outcome: Ruling::Deny, reason, .. } => {
                let body = json!({
                    "type": "system",
                    "subtype": "permission_denied",
                    "tool_use_id": tool_use_id,
                    "decision_reason": reason,
                });
                self.with_introduction(body, parent)
            }
            EventBody::Compacted { tokens_before, .. } => {
                let body = json!({
                    "type": "system",
                    "subtype": "compact_boundary",
                    "compact_metadata": {"trigger": "auto", "pre_tokens": tokens_before},
                });
                self.with_introduction(body, parent)
            }
            EventBody::Retrying { attempt, wait_ms, left_ms, text } => {
                let mut body = json!({
                    "type": "system",
                    "subtype": "api_retry",
                    "attempt": attempt,
                    "retry_delay_ms": wait_ms,
                    "error": text,
                });
                if let Some(left) = left_ms {
                    body["remaining_ms"] = json!(left);
                }
                self.with_introduction(body, parent)
            }
            EventBody::Notice { text } => {
                let body = json!({"type": "system", "subtype": "notification", "text": text});
                self.with_introduction(body, parent)
            }
            _ => Vec::new(),
        }
    }

    /// The last line of a run.
    pub fn finish(&mut self, duration: Option<Duration>) -> Value {
        let result = self.summary.result(duration);
        let uuid = self.next_uuid();
        match result {
            Value::Object(mut result) => {
                result.insert("uuid".into(), uuid.into());
                Value::Object(result)
            }
            other => other,
        }
    }

    /// The run ended before its events could say so: why, for a person.
    pub fn fail(&mut self, message: impl Into<String>) {
        self.summary.fail(message);
    }

    /// How the run ended.
    #[must_use]
    pub const fn end(&self) -> RunEnd {
        self.summary.end()
    }

    /// Why it did not end well, for a person; none where it did.
    #[must_use]
    pub fn complaint(&self) -> Option<String> {
        self.summary.complaint()
    }

    fn introduction(&mut self) -> Vec<Value> {
        if std::mem::replace(&mut self.introduced, true) {
            return Vec::new();
        }
        let body = json!({
            "type": "system",
            "subtype": "init",
            "cwd": self.cwd,
            "tools": self.tools,
            "mcp_servers": [],
            "model": self.model,
            "permissionMode": self.mode,
            "slash_commands": [],
            "agents": [],
            "skills": [],
            "plugins": [],
        });
        vec![self.finished_line(body, None)]
    }

    fn with_introduction(&mut self, body: Value, parent: Option<&str>) -> Vec<Value> {
        let mut lines = self.introduction();
        lines.push(self.finished_line(body, Some(parent)));
        lines
    }

    /// One line a block, all of one message id. A subagent's words stay its own; its calls are shown.
    fn assistant(
        &mut self,
        message: &Message,
        stop: Option<StopReason>,
        usage: Option<&Usage>,
        parent: Option<&str>,
    ) -> Vec<Value> {
        self.shown.extend(message.tool_uses().map(|(id, ..)| id.to_owned()));
        let is_shown = |block: &&Block| parent.is_none() || matches!(block, Block::ToolUse { .. });
        let blocks: Vec<_> = message.content.iter().filter(is_shown).collect();
        let count = blocks.len();
        let mut lines = Vec::with_capacity(count);
        for (index, block) in blocks.into_iter().enumerate() {
            let stop = stop.filter(|_| index + 1 == count).map_or(Value::Null, wire::stop_reason);
            let body = json!({
                "type": "assistant",
                "message": {
                    "id": message.id,
                    "type": "message",
                    "role": "assistant",
                    "model": self.model,
                    "content": [wire::block(block)],
                    "stop_reason": stop,
                    "usage": usage.map_or(Value::Null, wire::usage),
                },
            });
            lines.push(self.finished_line(body, Some(parent)));
        }
        lines
    }

    fn tool_result(&mut self, id: &str, result: &ToolFinish, parent: Option<&str>) -> Vec<Value> {
        let block = wire::tool_result(id, &result.answer, result.outcome.is_failure());
        let body = json!({
            "type": "user",
            "message": {"role": "user", "content": [block]},
            "tool_use_result": result.output,
        });
        let line = self.finished_line(body, Some(parent));
        if self.shown.contains(id) {
            return vec![line];
        }
        self.early.push((id.into(), line));
        Vec::new()
    }

    /// The fields every line ends with.
    fn finished_line(&mut self, body: Value, parent: Option<Option<&str>>) -> Value {
        let uuid = self.next_uuid();
        let mut line = match body {
            Value::Object(fields) => fields,
            other => Map::from_iter([("value".into(), other)]),
        };
        if let Some(parent) = parent {
            line.insert("parent_tool_use_id".into(), parent.map_or(Value::Null, Into::into));
        }
        line.insert("session_id".into(), self.session_id.as_str().into());
        line.insert("uuid".into(), uuid.into());
        Value::Object(line)
    }

    /// Unique in the session, and the same when the session is projected again: a version 8 UUID of session, moment and line.
    fn next_uuid(&mut self) -> String {
        self.lines += 1;
        let high = fnv(&self.session_id, [self.at, self.lines]);
        let low = fnv(&self.session_id, [self.lines, self.at]);
        format!(
            "{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xfff,
            0x8000 | ((low >> 48) & 0x3fff),
            low & 0xffff_ffff_ffff
        )
    }
}

fn fnv(text: &str, numbers: [u64; 2]) -> u64 {
    let bytes = text.bytes().chain(numbers.into_iter().flat_map(u64::to_le_bytes));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
