//! Why no answer came: a closed set of kinds, and words for a person that say what to do next. Never holds a key.

use std::time::Duration;

/// Why a model gave no (whole) answer. The text names what was asked, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ModelError {
    /// What went wrong, as one of a closed set.
    pub kind: ModelErrorKind,
    /// For the person.
    pub message: String,
    /// The HTTP status, where there was one.
    pub status: Option<u16>,
    /// How long the server asked to wait.
    pub retry_after: Option<Duration>,
}

impl ModelError {
    /// An error with no status.
    #[must_use]
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), status: None, retry_after: None }
    }

    /// Whether the same request may succeed later.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        self.kind.is_retryable()
    }

    /// The request was cancelled.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new(ModelErrorKind::Cancelled, "the request to the model was interrupted")
    }

    /// The stream broke off, and `how`.
    #[must_use]
    pub fn lost(how: impl std::fmt::Display) -> Self {
        Self::new(ModelErrorKind::Lost, format!("the model's answer was lost: {how}"))
    }
}

/// What went wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The settings do not name a model that can be asked: nothing was sent.
    NotConfigured,
    /// The key is missing, wrong, or not allowed to do this.
    Unauthorised,
    /// The vendor has no such model, or the address is no model server.
    NotFound,
    /// The vendor refused the request as it is.
    BadRequest,
    /// The vendor could not read an image or document in the conversation: without it the request may pass.
    MediaRefused,
    /// The conversation does not fit the model's context: compact it first.
    ContextFull,
    /// Too many requests for now.
    RateLimited,
    /// The vendor is overloaded for now.
    Overloaded,
    /// The vendor failed.
    ServerError,
    /// No connection, or it broke before an answer began.
    Unreachable,
    /// The answer began, and was cut, garbled, stalled or ended by an error.
    Lost,
    /// It was interrupted here.
    Cancelled,
    /// A script has no answer to this request, or cannot be read.
    Script,
}

impl ModelErrorKind {
    /// Whether the same request may succeed later.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        match self {
            Self::RateLimited | Self::Overloaded | Self::ServerError | Self::Unreachable | Self::Lost => true,
            Self::NotConfigured
            | Self::Unauthorised
            | Self::NotFound
            | Self::BadRequest
            | Self::MediaRefused
            | Self::ContextFull
            | Self::Cancelled
            | Self::Script => false,
        }
    }

    /// The kind in words (`rate limited`), for a status line.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotConfigured => "no model configured",
            Self::Unauthorised => "not authorised",
            Self::NotFound => "not found",
            Self::BadRequest => "request refused",
            Self::MediaRefused => "media refused",
            Self::ContextFull => "context full",
            Self::RateLimited => "rate limited",
            Self::Overloaded => "overloaded",
            Self::ServerError => "server error",
            Self::Unreachable => "unreachable",
            Self::Lost => "answer lost",
            Self::Cancelled => "interrupted",
            Self::Script => "script",
        }
    }
}
