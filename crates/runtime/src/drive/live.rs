//! One call of a turn as the driver holds it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::task::AbortHandle;
use tokio::time::Instant;
use toolwright_core::{Authority, Cancel, ContextChange, DecidedPaths, DynCall, DynTool};
use toolwright_engine::CallHash;
use toolwright_engine::event::ToolFinish;

use crate::call::{Parsed, Taken};

/// A call, from its block to its result.
pub(super) struct Live {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) parsed: Parsed,
    /// The call as the model made it.
    pub(super) asked: CallHash,
    pub(super) cancel: Cancel,
    /// On whose authority it runs. What changes the mode counts only where a person agreed to it.
    pub(super) authority: Authority,
    /// Where its paths led when it was decided.
    pub(super) paths: DecidedPaths,
    /// What it changed and what did not take effect yet.
    pub(super) changes: Vec<ContextChange>,
    /// The task that decides or runs it.
    pub(super) task: Option<AbortHandle>,
    /// Its own result, while hooks are told: kept should they never answer.
    pub(super) ran: Option<ToolFinish>,
    /// What hooks before it want the model to read beside its answer.
    pub(super) context: Option<String>,
    stage: Stage,
    /// Its message never became whole: what it still does is waited for, and changes nothing.
    forgotten: bool,
    delegates: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Idle,
    Running,
    /// Cancelled while it ran; given up at this time, where a clock goes that far.
    Ending(Option<Instant>),
}

impl Live {
    pub(super) fn new(taken: Taken) -> Self {
        let input = match &taken.parsed {
            Parsed::Call { call, .. } => call.input(),
            Parsed::Answered(result) => &result.input,
        };
        Self {
            asked: CallHash::of(&taken.name, input),
            id: taken.id,
            name: taken.name,
            parsed: taken.parsed,
            cancel: Cancel::default(),
            authority: Authority::default(),
            paths: DecidedPaths::default(),
            changes: Vec::new(),
            task: None,
            ran: None,
            context: None,
            stage: Stage::Idle,
            forgotten: false,
            delegates: taken.effects.delegates(),
        }
    }

    pub(super) fn begin(&mut self) {
        self.stage = Stage::Running;
    }

    pub(super) fn end(&mut self) {
        self.stage = Stage::Idle;
        self.task = None;
    }

    /// Its message is dropped. What runs of it keeps its task.
    pub(super) fn forget(&mut self) {
        self.forgotten = true;
    }

    pub(super) fn is_running(&self) -> bool {
        self.stage != Stage::Idle
    }

    pub(super) fn is_forgotten(&self) -> bool {
        self.forgotten
    }

    /// Cancels it: a run is given up after `grace`, a decision at once. One that delegates waits for the calls it caused,
    /// which have their own grace time and are recorded before it ends.
    pub(super) fn let_go(&mut self, grace: Duration) {
        self.cancel.cancel();
        let grace = if self.delegates { grace.saturating_mul(2) } else { grace };
        match self.stage {
            Stage::Running => self.stage = Stage::Ending(Instant::now().checked_add(grace)),
            Stage::Idle => self.abort(),
            Stage::Ending(_) => {}
        }
    }

    pub(super) fn abort(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
        }
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.stage {
            Stage::Ending(at) => at,
            Stage::Idle | Stage::Running => None,
        }
    }

    pub(super) fn parts(&self) -> Option<(Arc<dyn DynTool>, Arc<dyn DynCall>)> {
        match &self.parsed {
            Parsed::Call { tool, call } => Some((Arc::clone(tool), Arc::clone(call))),
            Parsed::Answered(_) => None,
        }
    }

    /// The input as it would run; null where it was no JSON.
    pub(super) fn input(&self) -> Value {
        match &self.parsed {
            Parsed::Call { call, .. } => call.input().clone(),
            Parsed::Answered(result) => result.input.clone(),
        }
    }
}
