//! What a call gives back: output, outcome, and what it asks the host to change.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Message;

/// The answer, whether it goes to the model as an error (exit code 1, MCP `isError`), and what it asks the host to change.
///
/// A failing command is a reply, not an error: it keeps its output and its changed directory.
///
/// ```
/// use toolwright_core::{Outcome, Reply};
/// let reply: Reply<u32> = Reply { outcome: Outcome::Failure, ..3.into() };
/// assert_eq!((reply.output, reply.outcome), (3, Outcome::Failure));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Reply<O> {
    /// The typed output.
    pub output: O,
    /// Whether the model is told that it failed.
    pub outcome: Outcome,
    /// What the host should change: applied at once after a call that ran alone, in call order after a batch.
    pub changes: Vec<ContextChange>,
}

impl<O> From<O> for Reply<O> {
    fn from(output: O) -> Self {
        Self { output, outcome: Outcome::Success, changes: Vec::new() }
    }
}

/// Whether a result goes to the model as an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It did what was asked.
    Success,
    /// It did not, or what it ran said that it failed.
    Failure,
}

impl Outcome {
    /// Whether the model is told that it failed.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Failure)
    }
}

/// A change of the session's state, as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContextChange {
    /// The agent's working directory is now this absolute path.
    SetCwd(PathBuf),
    /// Deferred tools of these names may now be called.
    RevealTools(Vec<String>),
    /// The permission mode should change. Counts only after a person agreed to the call that asks for it.
    SetMode(String),
    /// Messages that follow the result.
    AddMessages(Vec<Message>),
}
