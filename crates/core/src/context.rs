//! What every call is given. Everything that only some tools need is a capability in `Services` instead.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Authority, Cancel, DecidedPaths};

/// Per call, cheap to clone. A field enters only if most tools read it on every call.
#[derive(Clone)]
#[non_exhaustive]
pub struct ToolContext {
    /// The id of the tool use this call answers.
    pub call_id: Arc<str>,
    /// The agent the call belongs to (`main`, or a subagent's id).
    pub agent_id: Arc<str>,
    /// The agent's working directory: absolute.
    pub cwd: Arc<Path>,
    /// Cancelled when the call should end; a tool then answers with what it has within the host's grace time.
    pub cancel: Cancel,
    /// On whose authority the call runs. [`Authority::Analysis`], the strictest, until the host says otherwise.
    pub authority: Authority,
    /// Where the call's paths led when it was decided.
    pub decided: DecidedPaths,
    progress: Arc<dyn Fn(Progress) + Send + Sync>,
}

impl ToolContext {
    /// A context whose progress reports go to `progress`.
    pub fn new(
        call_id: &str,
        agent_id: &str,
        cwd: &Path,
        cancel: Cancel,
        progress: impl Fn(Progress) + Send + Sync + 'static,
    ) -> Self {
        let progress = Arc::new(progress);
        Self {
            call_id: call_id.into(),
            agent_id: agent_id.into(),
            cwd: cwd.into(),
            cancel,
            authority: Authority::default(),
            decided: DecidedPaths::default(),
            progress,
        }
    }

    /// The same context for a call that was decided by where these paths led.
    #[must_use]
    pub fn with_decided(mut self, decided: DecidedPaths) -> Self {
        self.decided = decided;
        self
    }

    /// The same context for a call that runs on `authority`.
    #[must_use]
    pub fn with_authority(mut self, authority: Authority) -> Self {
        self.authority = authority;
        self
    }

    /// Tells the host how far the call is. Cheap: the host throttles.
    pub fn report(&self, progress: Progress) {
        (self.progress)(progress);
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ToolContext")
            .field("call_id", &self.call_id)
            .field("agent_id", &self.agent_id)
            .field("cwd", &self.cwd)
            .field("cancel", &self.cancel)
            .field("authority", &self.authority)
            .field("decided", &self.decided)
            .finish_non_exhaustive()
    }
}

/// How far a call is: data, not a view, so that logic reports it, MCP carries it and `ui.rs` words it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// Units done so far, in whatever the tool counts (files, bytes, lines).
    pub done: u64,
    /// Units there will be, where known.
    pub total: Option<u64>,
    /// What is being done now, in a few words.
    pub message: Option<String>,
    /// The newest piece of output (the last lines of a command).
    pub tail: Option<String>,
}
