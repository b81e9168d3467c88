//! What a run came to, gathered from its events: the final text, the one result object, how it ended. Draws nothing.

use std::time::Duration;

use serde_json::{Map, Value, json};
use toolwright_core::{ErrorKind, Speaker, StopReason, Usage};
use toolwright_engine::event::{EventBody, MAIN_AGENT, SessionEvent};

use crate::wire;

/// How a run ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RunEnd {
    /// It has not ended, or the program was stopped before it did.
    #[default]
    Open,
    /// What was asked is done, as the model sees it.
    Done,
    /// A person interrupted it.
    Interrupted,
    /// It could not go on.
    Failed,
}

/// Gathers what a run came to. Feed it every event of one prompt; another prompt begins anew.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    session_id: String,
    text: String,
    reason: String,
    message: Option<String>,
    stop: Option<StopReason>,
    usage: Usage,
    requests: u64,
    denials: Vec<Value>,
    end: RunEnd,
}

impl Summary {
    /// Takes an event in.
    pub fn event(&mut self, event: &SessionEvent) {
        if let EventBody::ToolFinished { tool_use_id, result } = &event.body
            && result.error == Some(ErrorKind::Denied)
        {
            self.denials.push(json!({
                "tool_name": result.tool,
                "tool_use_id": tool_use_id,
                "tool_input": result.input,
            }));
        }
        if event.agent != MAIN_AGENT {
            return;
        }
        match &event.body {
            EventBody::Started { session_id, .. } => self.session_id.clone_from(session_id),
            EventBody::Prompt { .. } => {
                *self = Self { session_id: std::mem::take(&mut self.session_id), ..Self::default() };
            }
            EventBody::Message { message, stop, .. } if message.role == Speaker::Assistant => {
                let text = message.text();
                if !text.trim().is_empty() {
                    self.text = text;
                }
                self.stop = *stop;
            }
            EventBody::Finished { reason, message, usage, requests } => {
                self.reason.clone_from(reason);
                self.message.clone_from(message);
                self.usage = *usage;
                self.requests = *requests;
                self.end = match reason.as_str() {
                    "done" => RunEnd::Done,
                    "interrupted" => RunEnd::Interrupted,
                    _ => RunEnd::Failed,
                };
            }
            _ => {}
        }
    }

    /// The run ended before its events could say so: why, for a person.
    pub fn fail(&mut self, message: impl Into<String>) {
        self.end = RunEnd::Failed;
        self.reason = "failed".into();
        self.message = Some(message.into());
    }

    /// How it ended.
    #[must_use]
    pub const fn end(&self) -> RunEnd {
        self.end
    }

    /// The last text of the model: the answer.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Why it did not end well, for a person; none where it did.
    #[must_use]
    pub fn complaint(&self) -> Option<String> {
        let said = self.message.as_deref().filter(|message| !message.is_empty());
        match self.reason.as_str() {
            "done" => None,
            "" => Some("the run did not come to an end".into()),
            "max_turns" => Some(said.unwrap_or("stopped: the limit of --max-turns was reached").into()),
            "output_limit" => Some(said.unwrap_or("stopped: the model's output limit cut its answer").into()),
            "refused" => Some(said.unwrap_or("the model declined to go on").into()),
            "context_full" => {
                Some(said.unwrap_or("stopped: the conversation no longer fits the model").into())
            }
            "interrupted" => Some(said.unwrap_or("interrupted").into()),
            other => Some(said.map_or_else(|| format!("stopped: {other}"), Into::into)),
        }
    }

    /// The one result object.
    #[must_use]
    pub fn result(&self, duration: Option<Duration>) -> Value {
        let subtype = match (self.end, self.reason.as_str()) {
            (RunEnd::Done, _) => "success",
            (_, "max_turns") => "error_max_turns",
            _ => "error_during_execution",
        };
        let mut result = Map::new();
        let mut put = |key: &str, value: Value| result.insert(key.into(), value);
        put("type", "result".into());
        put("subtype", subtype.into());
        put("is_error", (self.end != RunEnd::Done).into());
        if let Some(duration) = duration {
            let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
            put("duration_ms", milliseconds.into());
            put("duration_api_ms", milliseconds.into());
        }
        put("num_turns", self.requests.into());
        put("result", self.text.as_str().into());
        put("stop_reason", self.stop.map_or(Value::Null, wire::stop_reason));
        put("terminal_reason", if self.reason.is_empty() { "open" } else { &self.reason }.into());
        put("session_id", self.session_id.as_str().into());
        put("usage", wire::usage(&self.usage));
        put("permission_denials", self.denials.clone().into());
        if let Some(complaint) = self.complaint() {
            put("errors", json!([complaint]));
        }
        Value::Object(result)
    }
}
