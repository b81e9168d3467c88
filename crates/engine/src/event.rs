//! What a session is made of: events, one JSON line each. They hold data, never views, and know no file and no clock: whoever
//! writes them gives `seq` and `at`.
//!
//! Kept events are appended to the journal before they are acted on; passing ones are only shown. An older program reads a newer
//! session: lines of unknown types and of a newer format are skipped with a warning, and a word that only a newer version knows
//! does not cost the line that it stands in.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright_core::{Content, ContextChange, ErrorKind, Message, Outcome, Progress, StopReason, Usage};

use crate::turn::CompactionReason;

mod line;
#[cfg(test)]
mod tests;

pub use line::LineError;
/// What decisions are stored by.
pub use toolwright_permissions::{Ruling, Step};

/// The version of the stored format.
pub const VERSION: u32 = 1;

/// The agent a person talks to; subagents have ids of their own.
pub const MAIN_AGENT: &str = "main";

/// One line of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionEvent {
    /// The format's version.
    pub v: u32,
    /// Its place in the session, from 0, without gaps among kept events.
    pub seq: u64,
    /// Milliseconds since 1970 in UTC.
    pub at: u64,
    /// The agent it belongs to.
    pub agent: String,
    /// For a subagent: the tool use that spawned it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_tool_use_id: Option<String>,
    /// What happened.
    #[serde(flatten)]
    pub body: EventBody,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventBody {
    /// An agent began, or a stored session went on.
    Started {
        /// The session.
        session_id: String,
        /// The working directory, absolute.
        cwd: PathBuf,
        /// The model, as it was asked for.
        model: String,
        /// The permission mode.
        mode: String,
        /// For a subagent: what it is for, in a few words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
    },
    /// The system prompt as it was sent: kept, so that a resumed request has the same bytes.
    SystemPrompt {
        /// Its blocks, in order.
        blocks: Vec<String>,
    },
    /// The tools in the order they were put before the model.
    Pool {
        /// Names and definition hashes, in order.
        tools: Vec<PoolTool>,
    },
    /// What the person said.
    Prompt {
        /// The message.
        message: Message,
    },
    /// What the model said, whole; or what a tool or hook added while a call ran.
    Message {
        /// The message, signatures and unknown blocks included.
        message: Message,
        /// Why it ended; none for messages that no model wrote, and for a reason that only a newer version knows.
        #[serde(default, deserialize_with = "line::known", skip_serializing_if = "Option::is_none")]
        stop: Option<StopReason>,
        /// What it cost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// A call was decided.
    Decision {
        /// The tool use.
        tool_use_id: String,
        /// What happens to the call.
        outcome: Ruling,
        /// The step of the order of decision that settled it; none where a newer version stored a step of its own.
        #[serde(default, deserialize_with = "line::known", skip_serializing_if = "Option::is_none")]
        step: Option<Step>,
        /// The rule that did, as written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
        /// Why, in a sentence.
        reason: String,
    },
    /// A person, or a program in their place, answered a question about a call.
    Approval {
        /// The tool use.
        tool_use_id: String,
        /// Whether it may run.
        allowed: bool,
        /// Rules kept for the session.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remember: Vec<String>,
    },
    /// A call is about to run. Written before it does.
    ToolStarted {
        /// The tool use.
        tool_use_id: String,
        /// The tool's name.
        tool: String,
        /// The input as it will run.
        input: Value,
        /// The text that is handed to an interpreter, where it is not the input's own: nobody has seen that input, and what
        /// runs is a form of it printed from what was analysed. Sessions stored before this field existed have none; what
        /// ran was the input's own text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ran: Option<String>,
    },
    /// A call has its one result, whatever became of it.
    ToolFinished {
        /// The tool use.
        tool_use_id: String,
        /// What became of it.
        #[serde(flatten)]
        result: ToolFinish,
    },
    /// A file was read or written by a tool: what the read state needs after a resume.
    FileState {
        /// The state as `Files` gave it.
        state: Value,
    },
    /// A file is about to be changed by a tool: what taking the change back needs. Written before it is.
    Checkpoint {
        /// The tool use.
        tool_use_id: String,
        /// The file, absolute, links resolved.
        path: PathBuf,
        /// What it held; none: there was no file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<FileBefore>,
        /// The SHA-256 of what it holds afterwards; none: it is removed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
        /// The outermost folder that was made for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        made_folder: Option<PathBuf>,
    },
    /// The conversation was shortened: what came before is a summary now. Programs that do not know this event go on with the
    /// whole conversation.
    Compacted {
        /// Why; `Crowded` for a reason that only a newer version knows.
        #[serde(deserialize_with = "line::compaction_reason")]
        reason: CompactionReason,
        /// What stands for the messages that went.
        summary: Message,
        /// How many messages at the end stay as they are.
        kept: usize,
        /// What the request before it read, in tokens; 0: not known.
        tokens_before: u64,
        /// What writing the summary cost.
        usage: Usage,
    },
    /// The turn is over.
    Finished {
        /// How: `done`, `max_turns`, `output_limit`, `refused`, `context_full`, `interrupted`, `hook_stopped`, `repeating`,
        /// `failed`.
        reason: String,
        /// What went wrong, for a person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// All its requests together.
        usage: Usage,
        /// How many requests it made.
        requests: u64,
    },

    /// Passing: a piece of the model's text.
    TextDelta {
        /// The block in the message, from 0.
        index: usize,
        /// The piece.
        text: String,
    },
    /// Passing: a piece of the model's thought.
    ThinkingDelta {
        /// The block in the message, from 0.
        index: usize,
        /// The piece.
        text: String,
    },
    /// Passing: how far a call is.
    ToolProgress {
        /// The tool use.
        tool_use_id: String,
        /// How far.
        progress: Progress,
    },
    /// Passing: a request to the model failed, and is sent again after a wait.
    Retrying {
        /// Which repetition comes next, from 1.
        attempt: u32,
        /// Milliseconds until then.
        wait_ms: u64,
        /// Milliseconds for which a server that cannot be reached is waited for from now on; none where repetitions are
        /// counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_ms: Option<u64>,
        /// What failed.
        text: String,
    },
    /// Passing: something a person should know (a warning).
    Notice {
        /// In a sentence.
        text: String,
    },
}

/// One tool of a pool, as it was put before the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolTool {
    /// Its name.
    pub name: String,
    /// The hash of its definition.
    pub hash: String,
    /// Whether it is deferred until a search reveals it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deferred: bool,
}

/// What a file held before a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileBefore {
    /// The SHA-256 of its bytes: the name they are kept by.
    pub hash: String,
    /// How many they were.
    pub size: u64,
    /// Its permission bits, where the system has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<u32>,
    /// Why its bytes are not kept, where they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_kept: Option<String>,
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolFinish {
    /// The tool's name.
    pub tool: String,
    /// The input as it ran; null where it was no JSON.
    pub input: Value,
    /// The output: what views are rebuilt from; null where there is none.
    pub output: Value,
    /// What the model reads, already within its limits: never computed again.
    pub answer: Vec<Content>,
    /// Whether `answer` is less than the tool answered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shortened: bool,
    /// Whether the model is told that it failed. A failure where only a newer version knows what it is.
    #[serde(deserialize_with = "line::outcome")]
    pub outcome: Outcome,
    /// What was changed, as far as this version knows it.
    #[serde(default, deserialize_with = "line::changes", skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ContextChange>,
    /// For a call that could not be done: what went wrong.
    #[serde(default, deserialize_with = "line::error_kind", skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorKind>,
}

impl ToolFinish {
    /// A call that could not be done.
    #[must_use]
    pub fn error(tool: &str, input: Value, kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            tool: tool.into(),
            input,
            output: Value::Null,
            answer: vec![Content::text(message)],
            shortened: false,
            outcome: Outcome::Failure,
            changes: Vec::new(),
            error: Some(kind),
        }
    }
}

impl EventBody {
    /// Whether it belongs in the journal.
    #[must_use]
    pub const fn is_kept(&self) -> bool {
        !matches!(
            self,
            Self::TextDelta { .. }
                | Self::ThinkingDelta { .. }
                | Self::ToolProgress { .. }
                | Self::Retrying { .. }
                | Self::Notice { .. }
        )
    }

    /// What it tells a person in a sentence, if that is what it is for.
    #[must_use]
    pub fn notice(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Notice { text } => Some(Cow::Borrowed(text)),
            Self::Retrying { attempt, wait_ms, left_ms, text } => {
                let left = left_ms.map(|left| format!(", for {} s at most", left.div_ceil(1000)));
                let seconds = Duration::from_millis(*wait_ms).as_secs_f32();
                Some(Cow::Owned(format!(
                    "{text}; trying again in {seconds:.1} s (attempt {attempt}{})",
                    left.unwrap_or_default()
                )))
            }
            _ => None,
        }
    }
}
