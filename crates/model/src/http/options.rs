//! The settings of the clients. Asks the environment snapshot, no file.

use serde::Deserialize;
use toolwright_core::Environment;

use crate::{ModelError, ModelErrorKind};

/// The settings under `modelOptions`; each has a default that suits a vendor's own service.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Options {
    /// Milliseconds of silence in the middle of a stream after which it is lost.
    pub idle_timeout_ms: u64,
    /// Milliseconds until an answer begins, and until one that is not streamed is whole.
    pub answer_timeout_ms: u64,
    /// How often a request is repeated that was refused for now (too many requests, overload, a fault of the server).
    pub max_retries: u32,
    /// Milliseconds for which a server that cannot be reached is tried again.
    pub outage_ms: u64,
    /// Milliseconds before the first repetition; they double from there on.
    pub first_wait_ms: u64,
    /// The model's context, where the table of models is wrong or does not know it.
    pub context_tokens: Option<u32>,
    /// The longest answer, likewise.
    pub max_output_tokens: Option<u32>,
    /// Whether a model that can think is asked to.
    pub thinking: bool,
    /// Whether deferred tools and references to them are sent; by default to the vendor's own service alone.
    pub tool_references: Option<bool>,
    /// Whether tool schemas are rewritten for the strict mode of Chat Completions.
    pub strict_tools: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            idle_timeout_ms: 120_000,
            answer_timeout_ms: 600_000,
            max_retries: 10,
            outage_ms: 120_000,
            first_wait_ms: 500,
            context_tokens: None,
            max_output_tokens: None,
            thinking: true,
            tool_references: None,
            strict_tools: false,
        }
    }
}

impl Options {
    pub(super) fn from_environment(environment: &Environment) -> Result<Self, ModelError> {
        environment
            .settings("modelOptions")
            .map_err(|error| ModelError::new(ModelErrorKind::NotConfigured, error.to_string()))
    }
}
