//! One line of a stored session: how it is written, and how a line of another version is read.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::SessionEvent;

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
    /// When it is torn, no event, or of a type this version does not know: the caller skips it with a warning.
    pub fn from_line(line: &str) -> Result<Self, LineError> {
        let value: Value = serde_json::from_str(line).map_err(|error| LineError::Torn(error.to_string()))?;
        let kind = value.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        Self::deserialize(value).map_err(|error| {
            let text = error.to_string();
            // serde says so of a tag alone; of anything else the line is damaged or from another hand.
            if KINDS.contains(&kind.as_str()) {
                LineError::Unfit { kind, text }
            } else {
                LineError::Unknown { kind }
            }
        })
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
