//! Spawning subagents. How an agent is driven is the host's matter.

use toolwright_core::{BoxFuture, ErrorKind, ToolContext, ToolError, Usage};

/// A kind of subagent that may be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentKind {
    /// The name a call gives (`Explore`).
    pub name: String,
    /// When to use it, for the model.
    pub when_to_use: String,
}

/// What a subagent should do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRequest {
    /// Three to five words for a person.
    pub description: String,
    /// The task, whole: the subagent sees nothing else.
    pub prompt: String,
    /// A kind's name; none for the general one.
    pub kind: Option<String>,
    /// A model's name; none for the parent's.
    pub model: Option<String>,
}

/// What a subagent said when it was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentReport {
    /// Its id: its events in the session carry it.
    pub agent_id: String,
    /// Its last message's text.
    pub text: String,
    /// How many tools it used.
    pub tool_uses: u64,
    /// What it cost.
    pub usage: Usage,
}

/// Runs subagents with no more rights than the agent that asks.
pub trait AgentSpawner: Send + Sync {
    /// The kinds there are.
    fn kinds(&self) -> Vec<AgentKind>;

    /// Runs one to its end. Cancelling `cx.cancel` ends it; progress goes to `cx`.
    ///
    /// # Errors
    /// When it could not be started, was interrupted, or ended without an answer.
    fn spawn<'a>(
        &'a self,
        request: AgentRequest,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, Result<AgentReport, ToolError>>;
}

/// Spawns nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoAgents;

impl AgentSpawner for NoAgents {
    fn kinds(&self) -> Vec<AgentKind> {
        Vec::new()
    }

    fn spawn<'a>(
        &'a self,
        _: AgentRequest,
        _: &'a ToolContext,
    ) -> BoxFuture<'a, Result<AgentReport, ToolError>> {
        Box::pin(async {
            Err(ToolError::new(ErrorKind::Failed, "this host runs no subagents; do the work yourself"))
        })
    }
}
