//! What could not be done at all. A command that ran and failed is a `Reply`, not an error.

use serde::{Deserialize, Serialize};

/// A call that could not be done. Its message is for the model and the person: it names the thing, says what is right and
/// what to do next. The source chain is for operators alone.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ToolError {
    /// What went wrong, as one of a closed set.
    pub kind: ErrorKind,
    /// For the model and the person.
    pub message: String,
    /// For operators: never shown to the model.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl ToolError {
    /// An error with no source.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), source: None }
    }

    /// The same with what caused it.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }
}

/// What went wrong. Refused ([`Denied`](Self::Denied)) is kept apart from failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input does not fit the tool.
    InvalidInput,
    /// What the input names does not exist.
    NotFound,
    /// A rule, a hook or a person refused it.
    Denied,
    /// It was interrupted.
    Cancelled,
    /// It took longer than it may.
    TimedOut,
    /// The tool panicked; the session goes on.
    Panicked,
    /// Anything else that went wrong while it ran.
    Failed,
}

/// Why a tool or a capability is not there: for `tools --explain` and for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unavailable(pub String);
