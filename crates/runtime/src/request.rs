//! What an agent sends its model: the repaired conversation and its tools, in an order that does not move.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use toolwright_core::{Cancel, ContextChange, DynCall, Label, Message, Progress, ToolContext};
use toolwright_engine::{AgentState, Delivery, RepairOptions, repair, replace_media};
use toolwright_model::{ModelStream, Request, ToolEntry};
use toolwright_permissions::Mode;

use crate::Agent;

/// Progress is for eyes: more often than this none is shown.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

impl Agent {
    /// Builds the request and hands it to the model. Nothing of the conversation is copied but what had to be repaired.
    pub(crate) fn request(&self, delivery: Delivery, cancel: Cancel) -> ModelStream {
        let state = self.state();
        self.request_for(&state, &state.messages, delivery, cancel)
    }

    /// The same with another conversation than the one of `state`.
    pub(crate) fn request_for(
        &self,
        state: &AgentState,
        messages: &[Message],
        delivery: Delivery,
        cancel: Cancel,
    ) -> ModelStream {
        let pool = self.pool();
        let repaired = repair(messages, &RepairOptions::default());
        let messages = if self.media_refused.load(Ordering::Relaxed) {
            replace_media(&repaired, "the model could not read it").into()
        } else {
            repaired
        };
        let references = self.model.abilities().tool_references;
        let tools: Vec<_> = if references {
            let entries = pool.entries().iter();
            entries
                .map(|entry| ToolEntry { definition: entry.definition(), deferred: entry.is_deferred() })
                .collect()
        } else {
            pool.visible()
                .map(|entry| ToolEntry { definition: entry.definition(), deferred: false })
                .collect()
        };
        let built_in_tools = pool.built_in_count().min(tools.len());
        let system: Vec<&str> = state.system_prompt.iter().map(String::as_str).collect();
        let delivery = match delivery {
            Delivery::Stream => toolwright_model::Delivery::Stream,
            Delivery::Whole => toolwright_model::Delivery::Whole,
        };
        let request = Request {
            system: &system,
            tools: &tools,
            built_in_tools,
            messages: &messages,
            max_output_tokens: None,
            delivery,
        };
        self.model.stream(request, cancel)
    }

    /// The context of one call: where the agent is now.
    pub(crate) fn context(
        &self,
        call_id: &str,
        cancel: Cancel,
        progress: mpsc::UnboundedSender<(String, Progress)>,
    ) -> ToolContext {
        let id = call_id.to_owned();
        let last: Mutex<Option<Instant>> = Mutex::default();
        ToolContext::new(call_id, &self.id, &self.cwd, cancel, move |report| {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL) {
                *last = Some(Instant::now());
                // Nobody listens any more: the turn is over.
                let _ = progress.send((id.clone(), report));
            }
        })
    }

    /// Says to the call that spawned this agent what it does now.
    pub(crate) fn tell_spawner(&mut self, call: &dyn DynCall) {
        self.began += 1;
        let Some(cx) = &self.spawned_by else { return };
        let message = catch_unwind(AssertUnwindSafe(|| call.label(Label::Activity))).unwrap_or_default();
        cx.report(Progress { done: self.began, message, ..Progress::default() });
    }

    /// Leaves out what a call may not change: the mode without a person's word, or beyond what the agent was given.
    pub(crate) fn keep_what_counts(&self, changes: &mut Vec<ContextChange>, agreed: bool) {
        changes.retain(|change| match change {
            ContextChange::SetMode(name) => {
                agreed && name.parse::<Mode>().is_ok_and(|mode| mode <= self.loosest_mode)
            }
            _ => true,
        });
    }

    /// Lets a change take effect for the calls that follow.
    pub(crate) fn take_effect(&mut self, change: ContextChange) {
        match change {
            ContextChange::SetCwd(path) => self.cwd = path.into(),
            ContextChange::SetMode(name) => {
                if let Ok(mode) = name.parse() {
                    self.mode.set(mode);
                }
            }
            ContextChange::RevealTools(names) => {
                let mut pool = self.pool.write().unwrap_or_else(PoisonError::into_inner);
                pool.reveal(names.iter().map(String::as_str));
            }
            // Messages join the conversation with the results; later changes mean nothing here.
            _ => {}
        }
    }

    /// What was revealed stays callable when the references to it are gone.
    pub(crate) fn settle_revealed(&self) {
        let state = self.state();
        let mut pool = self.pool.write().unwrap_or_else(PoisonError::into_inner);
        pool.settle(state.revealed.iter().take(state.settled).map(String::as_str));
    }

    /// The text of the newest message of the model, where it spoke at all since the conversation had `begun` messages.
    pub(crate) fn last_text(&self, begun: usize) -> String {
        let state = self.state();
        let mut since = state.messages.iter().skip(begun).rev();
        let last = since.find(|message| message.role == toolwright_core::Speaker::Assistant);
        last.map(Message::text).unwrap_or_default()
    }
}
