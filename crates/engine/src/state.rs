//! An agent's state as the fold of its events. The running program and a resumed one go the same way, so that both send the
//! same bytes. Knows no file and no clock.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;
use toolwright_core::{
    Block, Content, ContextChange, ErrorKind, Message, Outcome, Speaker, ToolInput, Usage,
};

use crate::event::{EventBody, PoolTool, ToolFinish};

/// The answer to a call that began and of which no end is recorded.
pub const INTERRUPTED_RUN: &str =
    "Interrupted while it ran; it may have taken effect. Check before you do it again.";

/// The answer to a call that never began.
pub const NOT_RUN: &str = "Not run: interrupted.";

/// One agent of a session.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct AgentState {
    /// The conversation: every message whole, every closed tool use answered.
    pub messages: Vec<Message>,
    /// The newest prompt, whether it is still among the messages or in a summary of them.
    pub prompt: Option<Message>,
    /// The tool uses whose results were shortened.
    pub shortened: BTreeSet<String>,
    /// The system prompt as it was sent.
    pub system_prompt: Vec<String>,
    /// The tools in the order they were put before the model.
    pub pool: Vec<PoolTool>,
    /// Deferred tools that were revealed, in order.
    pub revealed: Vec<String>,
    /// How many of them, from the first, were revealed in a part of the conversation that is only a summary now: their
    /// references went with it, so they are put before the model like tools that never were deferred.
    pub settled: usize,
    /// The working directory.
    pub cwd: Option<PathBuf>,
    /// The model, as it was asked for last.
    pub model: String,
    /// The permission mode.
    pub mode: String,
    /// Rules that approvals added for the session.
    pub remembered: Vec<String>,
    /// What `Files` recorded, in order.
    pub file_states: Vec<Value>,
    /// All requests together.
    pub usage: Usage,
    /// The newest request's own.
    pub last_usage: Usage,
    open: Vec<OpenCall>,
    started: BTreeSet<String>,
    finished: BTreeMap<String, Answer>,
    deferred_messages: Vec<Message>,
    used_ids: BTreeSet<String>,
    said: usize,
}

/// What is kept of a result until its message is closed.
#[derive(Debug, Clone, PartialEq)]
struct Answer {
    content: Vec<Content>,
    outcome: Outcome,
    changes: Vec<ContextChange>,
}

#[derive(Debug, Clone, PartialEq)]
struct OpenCall {
    id: String,
    name: String,
    input: Value,
}

impl AgentState {
    /// The state after these events of one agent.
    #[must_use]
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a EventBody>) -> Self {
        let mut state = Self::default();
        for event in events {
            state.apply(event);
        }
        state
    }

    /// Takes one event in. Passing events change nothing.
    pub fn apply(&mut self, event: &EventBody) {
        match event {
            EventBody::Started { cwd, model, mode, .. } => {
                self.cwd.get_or_insert_with(|| cwd.clone());
                self.model.clone_from(model);
                self.mode.clone_from(mode);
            }
            EventBody::SystemPrompt { blocks } => self.system_prompt.clone_from(blocks),
            EventBody::Pool { tools } => self.pool.clone_from(tools),
            EventBody::Prompt { message } => {
                self.close();
                self.prompt = Some(message.clone());
                self.push(message.clone());
            }
            EventBody::Message { message, usage, .. } => {
                if let Some(usage) = usage {
                    self.usage.add(usage);
                    self.last_usage = *usage;
                }
                self.message(message);
            }
            EventBody::Approval { remember, .. } => {
                for rule in remember {
                    if !self.remembered.contains(rule) {
                        self.remembered.push(rule.clone());
                    }
                }
            }
            EventBody::ToolStarted { tool_use_id, .. } => {
                self.started.insert(tool_use_id.clone());
                self.used_ids.insert(tool_use_id.clone());
            }
            EventBody::ToolFinished { tool_use_id, result } => {
                // The first result counts: there is exactly one.
                self.used_ids.insert(tool_use_id.clone());
                if result.shortened {
                    self.shortened.insert(tool_use_id.clone());
                }
                self.finished.entry(tool_use_id.clone()).or_insert_with(|| Answer::of(result));
                if !self.open.is_empty() && self.open.iter().all(|call| self.finished.contains_key(&call.id))
                {
                    self.close();
                }
            }
            EventBody::FileState { state } => self.file_states.push(state.clone()),
            EventBody::Compacted { summary, kept, usage, .. } => self.compact(summary, *kept, usage),
            EventBody::Decision { .. }
            | EventBody::Checkpoint { .. }
            | EventBody::Finished { .. }
            | EventBody::TextDelta { .. }
            | EventBody::ThinkingDelta { .. }
            | EventBody::ToolProgress { .. }
            | EventBody::Retrying { .. }
            | EventBody::Notice { .. } => {}
        }
    }

    /// The results that open tool uses still need, as they must be recorded before the session goes on.
    #[must_use]
    pub fn unanswered(&self) -> Vec<(String, ToolFinish)> {
        let missing = self.open.iter().filter(|call| !self.finished.contains_key(&call.id));
        missing.map(|call| (call.id.clone(), self.interrupted(call))).collect()
    }

    /// How many messages there ever were, those that are only a summary now included: what ids of messages are counted by.
    #[must_use]
    pub const fn message_count(&self) -> usize {
        self.said
    }

    /// Whether a tool use of this id was ever made or begun: ids of one conversation must differ, also from those of a
    /// message that never became whole.
    #[must_use]
    pub fn has_tool_use(&self, id: &str) -> bool {
        self.used_ids.contains(id)
    }

    /// Drops the result of a call that no message asked for: one that a host made itself.
    pub fn let_go(&mut self, id: &str) {
        if !self.open.iter().any(|call| call.id == id) {
            self.finished.remove(id);
            self.started.remove(id);
        }
    }

    fn interrupted(&self, call: &OpenCall) -> ToolFinish {
        let text = if self.started.contains(&call.id) { INTERRUPTED_RUN } else { NOT_RUN };
        ToolFinish::error(&call.name, call.input.clone(), ErrorKind::Cancelled, text)
    }

    fn message(&mut self, message: &Message) {
        let source_is_open =
            message.source_tool_use.as_ref().is_some_and(|id| self.open.iter().any(|call| call.id == *id));
        if source_is_open {
            self.deferred_messages.push(message.clone());
            return;
        }
        self.close();
        self.open = message.tool_uses().map(|(id, name, input)| OpenCall::new(id, name, input)).collect();
        self.used_ids.extend(self.open.iter().map(|call| call.id.clone()));
        self.push(message.clone());
        if !self.open.is_empty() && self.open.iter().all(|call| self.finished.contains_key(&call.id)) {
            self.close();
        }
    }

    /// Answers what is open, in call order, and lets what the calls changed take effect.
    fn close(&mut self) {
        let open = std::mem::take(&mut self.open);
        let Some(first) = open.first() else { return };
        let message_id = format!("results-{}", first.id);
        let mut content = Vec::with_capacity(open.len());
        let mut changes = Vec::new();
        for call in &open {
            let result = self.finished.remove(&call.id);
            let result = result.unwrap_or_else(|| Answer::of(&self.interrupted(call)));
            self.started.remove(&call.id);
            changes.extend(result.changes);
            content.push(Block::ToolResult {
                tool_use_id: call.id.clone(),
                content: result.content,
                outcome: result.outcome,
            });
        }
        self.push(Message { id: message_id, role: Speaker::User, content, source_tool_use: None });
        for message in std::mem::take(&mut self.deferred_messages) {
            self.push(Message { source_tool_use: None, ..message });
        }
        changes.into_iter().for_each(|change| self.change(change));
    }

    fn change(&mut self, change: ContextChange) {
        match change {
            ContextChange::SetCwd(path) => self.cwd = Some(path),
            ContextChange::SetMode(mode) => self.mode = mode,
            ContextChange::RevealTools(names) => {
                for name in names {
                    if !self.revealed.contains(&name) {
                        self.revealed.push(name);
                    }
                }
            }
            ContextChange::AddMessages(messages) => {
                messages.into_iter().for_each(|message| self.push(message))
            }
            // A change of a later version means nothing here.
            _ => {}
        }
    }

    fn compact(&mut self, summary: &Message, kept: usize, usage: &Usage) {
        self.close();
        let gone = self.messages.len().saturating_sub(kept);
        self.messages.splice(..gone, [summary.clone()]);
        self.said += 1;
        self.settled = self.revealed.len();
        self.usage.add(usage);
        // How much the next request reads nobody knows yet.
        self.last_usage = Usage::default();
    }

    fn push(&mut self, message: Message) {
        self.said += 1;
        self.messages.push(message);
    }
}

impl Answer {
    fn of(result: &ToolFinish) -> Self {
        let ToolFinish { answer, outcome, changes, .. } = result;
        Self { content: answer.clone(), outcome: *outcome, changes: changes.clone() }
    }
}

impl OpenCall {
    fn new(id: &str, name: &str, input: &ToolInput) -> Self {
        let input = match input {
            ToolInput::Json(value) => value.clone(),
            ToolInput::Malformed(_) => Value::Null,
        };
        Self { id: id.into(), name: name.into(), input }
    }
}
