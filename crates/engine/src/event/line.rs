//! One line of a stored session: how it is written, and how a line of another version is read.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use toolwright_core::{ContextChange, ErrorKind, Outcome};

use super::{SessionEvent, VERSION};
use crate::CompactionReason;

impl SessionEvent {
    /// The line without its line feed.
    ///
    /// # Errors
    /// When a value in it cannot be written as JSON.
    pub fn to_line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Reads one line.
    ///
    /// # Errors
    /// When it is torn, no event, or of a type or format this version does not know: the caller skips it with a warning.
    pub fn from_line(line: &str) -> Result<Self, LineError> {
        let value: Value = serde_json::from_str(line).map_err(|error| LineError::Torn(error.to_string()))?;
        let kind = value.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        if !KINDS.contains(&kind.as_str()) {
            return Err(LineError::Unknown { kind });
        }
        if let Some(version) = value.get("v").and_then(Value::as_u64).filter(|v| *v > VERSION.into()) {
            return Err(LineError::Newer { version });
        }
        Self::deserialize(value).map_err(|error| LineError::Unfit { kind, text: error.to_string() })
    }
}

/// The types a line may have.
const KINDS: [&str; 17] = [
    "started",
    "system_prompt",
    "pool",
    "prompt",
    "message",
    "decision",
    "approval",
    "tool_started",
    "tool_finished",
    "file_state",
    "checkpoint",
    "compacted",
    "finished",
    "text_delta",
    "thinking_delta",
    "tool_progress",
    "notice",
];

/// Why a line was skipped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// Not whole JSON.
    #[error("torn or no JSON ({0})")]
    Torn(String),
    /// A type of a newer version.
    #[error("unknown type `{kind}`")]
    Unknown {
        /// The type.
        kind: String,
    },
    /// A format that this version does not know.
    #[error(
        "it has the format {version} of a newer toolwright, and this one reads {VERSION}: update to go on with all of it"
    )]
    Newer {
        /// The format's version.
        version: u64,
    },
    /// A known type with fields that do not fit.
    #[error("`{kind}` does not fit: {text}")]
    Unfit {
        /// The type.
        kind: String,
        /// What does not fit.
        text: String,
    },
}

/// The value of a field, or none for one that only a newer version knows: it must not cost the whole line.
pub(super) fn known<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Value::deserialize(deserializer).map(|value| serde_json::from_value(value).ok())
}

/// What became of a call. The cautious reading of an unknown word: the model looks before it builds on the result.
pub(super) fn outcome<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
    known(deserializer).map(|outcome| outcome.unwrap_or(Outcome::Failure))
}

/// The kind of an error; none where there was none.
pub(super) fn error_kind<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ErrorKind>, D::Error> {
    let kind = Option::<Value>::deserialize(deserializer)?;
    Ok(kind.map(|kind| serde_json::from_value(kind).unwrap_or(ErrorKind::Failed)))
}

/// Why a conversation was shortened.
pub(super) fn compaction_reason<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<CompactionReason, D::Error> {
    known(deserializer).map(|reason| reason.unwrap_or(CompactionReason::Crowded))
}

/// The changes that this version knows.
pub(super) fn changes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ContextChange>, D::Error> {
    let changes = Vec::<Value>::deserialize(deserializer)?;
    Ok(changes.into_iter().filter_map(|change| serde_json::from_value(change).ok()).collect())
}
