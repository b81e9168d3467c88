//! What goes into a turn and what comes out of it.

use toolwright_core::{Effects, StopReason};

use crate::repeats::MOST_REPEATS;

/// Names one call within a turn. Ids that models give may repeat; these do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallKey(pub(super) u64);

/// How often and how widely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Calls that run beside each other at most; at least 1.
    pub concurrency: usize,
    /// Requests to the model at most; none: no limit.
    pub requests: Option<u64>,
    /// How often a lost stream of one message is asked for again.
    pub retries_of_lost_streams: u32,
    /// How often a paused turn is sent back to the model.
    pub pauses: u32,
    /// Whether a conversation that no longer fits is shortened; the turn ends otherwise.
    pub compaction: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { concurrency: 10, requests: None, retries_of_lost_streams: 1, pauses: 10, compaction: true }
    }
}

/// What the driver tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The prompt is recorded: begin.
    Begin,
    /// A block of the model's message is whole. For a tool use: its effects as parsed; the cautious default where it did not
    /// parse.
    Block(BlockKind),
    /// The message is whole. The driver has every block of it.
    MessageEnded(StopReason),
    /// The stream broke off or was garbled; says how.
    StreamLost(String),
    /// The request failed for good: how the turn ends.
    ModelFailed(Ending),
    /// The conversation nears what the model takes: it is shortened before the next request. Told before `Begin` or
    /// `MessageEnded`.
    Crowded,
    /// The conversation was shortened, and that is recorded.
    Compacted,
    /// It could not be shortened.
    CompactionFailed,
    /// A decided call.
    Decided(CallKey, Decided),
    /// A running call has its result.
    Finished(CallKey),
    /// The person, or a program in their place, ends the turn.
    Interrupted,
    /// A hook ends the turn; says why.
    HookStopped(String),
}

/// What kind of block ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// Text, thought, or a vendor's own.
    Passive,
    /// A tool use, with what it may do.
    ToolUse(Effects),
}

/// How a call was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    /// It may run; with its effects, which a rewritten input may have changed.
    Run(Effects),
    /// It has its result: refused, invalid, unknown.
    Refused,
    /// It has its result, and the refusal ends the turn in this way.
    RefusedAndEnd(Ending),
    /// It cannot be decided before the message is whole (a question, a hook): ask again then.
    NotEarly,
}

/// Whether a decision may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// The message is not whole: decide without a question or a hook, or say [`Decided::NotEarly`].
    Early,
    /// The message is committed.
    Settled,
}

/// How the model's answer is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// Piece by piece.
    Stream,
    /// At once: after a lost stream.
    Whole,
}

/// Why a conversation is shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CompactionReason {
    /// It nears what the model takes.
    Crowded,
    /// The model's vendor said that it no longer fits.
    Full,
}

/// What the driver does, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Sends the conversation to the model.
    CallModel(Delivery),
    /// A tool use was taken in: the driver keeps the call under this key.
    Took(CallKey),
    /// Shortens the conversation, and says how that went.
    Compact(CompactionReason),
    /// Records the model's message: its tool uses are now owed an answer.
    Commit,
    /// Drops the blocks of the message that broke off, and its calls.
    Discard,
    /// Hooks, validation, decision.
    Decide(CallKey, Timing),
    /// Runs it.
    Run(CallKey),
    /// Cancels it. A running call still ends with `Finished`; the driver sees to it within its grace time. A call that is
    /// being decided is let go: nothing more is heard of it.
    Cancel(CallKey),
    /// Records "not run: interrupted" as its result.
    Answer(CallKey),
    /// Lets the changes of these calls take effect, in this order.
    Apply(Vec<CallKey>),
    /// The turn is over.
    Finish(Ending),
}

/// How a turn ends.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// The model said what it had to say.
    Done,
    /// The limit of requests is reached; all tool uses are answered.
    MaxRequests,
    /// The output limit cut the answer, and no call was in it.
    OutputLimit,
    /// The model declined.
    Refused,
    /// The conversation no longer fits.
    ContextFull,
    /// Interrupted.
    Interrupted,
    /// A hook ended it; says why.
    HookStopped(String),
    /// The model made one call again and again with the same result, and nobody could be asked whether to go on.
    Repeating,
    /// The model could not be reached or understood; says how.
    Failed(String),
}

impl Ending {
    /// The word the journal keeps.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::MaxRequests => "max_turns",
            Self::OutputLimit => "output_limit",
            Self::Refused => "refused",
            Self::ContextFull => "context_full",
            Self::Interrupted => "interrupted",
            Self::HookStopped(_) => "hook_stopped",
            Self::Repeating => "repeating",
            Self::Failed(_) => "failed",
        }
    }

    /// What there is to say of it beside the word: why a hook ended it, how the model failed.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        match self {
            Self::HookStopped(why) => Some(format!("a hook ended the turn: {why}")),
            Self::Repeating => Some(format!(
                "stopped: the model made the same call {MOST_REPEATS} times in a row, each time with the same result"
            )),
            Self::Failed(how) => Some(how.clone()),
            _ => None,
        }
    }
}
