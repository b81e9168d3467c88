//! What the runtime sees of a model. Knows no vendor.

use std::pin::Pin;

use futures_core::Stream;
use toolwright_core::Cancel;

use crate::{ModelError, ModelEvent, Request};

/// What a model answers: events until [`ModelEvent::Finished`] or one error, then nothing. It borrows nothing, and dropping
/// it drops the connection.
pub type ModelStream = Pin<Box<dyn Stream<Item = Result<ModelEvent, ModelError>> + Send>>;

/// A model as the runtime sees it.
pub trait Model: Send + Sync {
    /// The model's name as its vendor knows it (`claude-sonnet-5`), for records and messages.
    fn name(&self) -> &str;

    /// How much fits.
    fn limits(&self) -> Limits;

    /// What it can be sent.
    fn abilities(&self) -> Abilities;

    /// Sends `request`. Its bytes are made before this returns, so that nothing of it is copied or kept; nothing is sent
    /// before the stream is first polled.
    ///
    /// The stream ends with exactly one of [`ModelEvent::Finished`] and an error. `cancel` ends it with
    /// [`ModelErrorKind::Cancelled`](crate::ModelErrorKind::Cancelled) and drops the connection at once, also in the middle of a wait. A request that failed
    /// before anything streamed is repeated by the client where that can help ([`ModelEvent::Retrying`] says so); a stream
    /// that was lost half-way is [`ModelErrorKind::Lost`](crate::ModelErrorKind::Lost), and the driver may call again, once, with [`Delivery::Whole`](crate::Delivery::Whole).
    fn stream(&self, request: Request<'_>, cancel: Cancel) -> ModelStream;
}

/// How much fits, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Everything the model reads, and its answer.
    pub context_tokens: u32,
    /// The longest answer.
    pub max_output_tokens: u32,
}

/// What a model can be sent. The driver asks before it builds a request; a client turns what is sent all the same into a
/// sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Abilities {
    /// It takes deferred tools and `Content::ToolReference`. Where it does not, deferred entries are left out of the
    /// request, and the driver appends a revealed tool to the tools as one that is not deferred.
    pub tool_references: bool,
    /// The MIME types of media it takes; `image/*` is any image.
    pub media_types: &'static [&'static str],
}

impl Abilities {
    /// Text alone.
    pub const TEXT: Self = Self { tool_references: false, media_types: &[] };

    /// Whether media of this type may be sent.
    #[must_use]
    pub fn takes(&self, media_type: &str) -> bool {
        self.media_types.iter().any(|known| match known.strip_suffix('*') {
            Some(prefix) => media_type.starts_with(prefix),
            None => *known == media_type,
        })
    }
}
