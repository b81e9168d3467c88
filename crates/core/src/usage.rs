//! How a model's answer ended and what it cost: the words every model client shares.

use serde::{Deserialize, Serialize};

/// Why a model's message ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// It said what it had to say.
    EndTurn,
    /// It waits for the results of its tool uses.
    ToolUse,
    /// The output limit cut it: its last block may be half.
    MaxTokens,
    /// A stop sequence came.
    StopSequence,
    /// The vendor paused a long turn: sending the conversation back goes on with it.
    PauseTurn,
    /// The model declined.
    Refusal,
    /// The conversation no longer fits the model's context.
    ContextFull,
}

/// Tokens of one request, as the vendor counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Usage {
    /// Read anew, neither from nor into the cache.
    pub input_tokens: u64,
    /// Written by the model.
    pub output_tokens: u64,
    /// Read from the vendor's prompt cache.
    pub cache_read_input_tokens: u64,
    /// Written into the vendor's prompt cache.
    pub cache_creation_input_tokens: u64,
}

impl Usage {
    /// Input and output tokens, with nothing cached.
    #[must_use]
    pub const fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self { input_tokens, output_tokens, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
    }

    /// All tokens the model read.
    #[must_use]
    pub const fn context_tokens(&self) -> u64 {
        self.input_tokens
            .saturating_add(self.cache_read_input_tokens)
            .saturating_add(self.cache_creation_input_tokens)
    }

    /// Adds another request's tokens.
    pub const fn add(&mut self, other: &Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cache_read_input_tokens =
            self.cache_read_input_tokens.saturating_add(other.cache_read_input_tokens);
        self.cache_creation_input_tokens =
            self.cache_creation_input_tokens.saturating_add(other.cache_creation_input_tokens);
    }
}
