//! What comes from a model while it answers: no vendor's shape.

use std::time::Duration;

use toolwright_core::{Block, StopReason, Usage};

use crate::ModelErrorKind;

/// One thing that happened. Deltas are for showing; what counts is the whole block in [`BlockFinished`](Self::BlockFinished).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ModelEvent {
    /// The answer began. Nothing is retried by the client from here on.
    Started {
        /// The model that answers, as the vendor names it.
        model: String,
    },
    /// More of a text block.
    TextDelta {
        /// The block's place in the answer, from 0.
        index: usize,
        /// The piece.
        text: String,
    },
    /// More of a thinking block.
    ThinkingDelta {
        /// The block's place in the answer.
        index: usize,
        /// The piece.
        text: String,
    },
    /// The model begins a tool use; its input follows.
    ToolUseStarted {
        /// The block's place in the answer.
        index: usize,
        /// The tool use's id.
        id: String,
        /// The tool's name as the model wrote it.
        name: String,
    },
    /// More of a tool use's input: a piece of JSON text, not JSON by itself.
    ToolInputDelta {
        /// The block's place in the answer.
        index: usize,
        /// The piece.
        json: String,
    },
    /// A block is whole. They come in the order in which they stand in the message. A tool use whose input was cut or is no
    /// JSON has `ToolInput::Malformed`, also where the cut-off piece happens to parse.
    BlockFinished {
        /// The block's place in the answer.
        index: usize,
        /// The block.
        block: Block,
    },
    /// The request failed before anything came, and will be sent again.
    Retrying {
        /// Which repetition comes next, from 1.
        attempt: u32,
        /// How long the client waits before it.
        wait: Duration,
        /// How long a server that cannot be reached is waited for from now on, this wait included; none where repetitions
        /// are counted.
        left: Option<Duration>,
        /// What failed.
        reason: ModelErrorKind,
        /// What failed, for a person.
        message: String,
    },
    /// The answer is whole. Nothing follows.
    Finished {
        /// Why it ended.
        stop: StopReason,
        /// What it cost.
        usage: Usage,
    },
}
