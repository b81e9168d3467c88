//! A question about one call, and its answer, as data: a terminal, an editor or another program may be the one to answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright_core::View;

/// What the rules left open about one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PermissionAsk {
    /// The tool use.
    pub call_id: String,
    /// The agent that wants to make the call.
    pub agent_id: String,
    /// The tool's name.
    pub tool: String,
    /// The input as it was understood and will run.
    pub input: Value,
    /// What a person is shown: what is displayed is what runs.
    pub view: View,
    /// Why it is asked, in a sentence that names the subject.
    pub reason: String,
    /// Rules any of which would allow this call from now on, narrowest first; empty where no rule may.
    pub suggestions: Vec<String>,
}

impl PermissionAsk {
    /// The refusal for the model where nobody can be asked: says which rule would allow the call.
    #[must_use]
    pub fn nobody_to_ask(&self) -> String {
        let way = match self.suggestions.first() {
            Some(rule) => {
                format!(" A person can allow it with the rule `{rule}` or another permission mode.")
            }
            None => " No single rule can allow it, but a person who is asked can.".into(),
        };
        format!("{} was not run: {}; nobody can be asked here.{way}", self.tool, self.reason)
    }
}

/// The answer to a [`PermissionAsk`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Approval {
    /// It may run.
    Allow {
        /// Another input to run instead: parsed, validated and decided again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<Value>,
        /// Rules to keep for the session.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        remember: Vec<String>,
    },
    /// It must not run.
    Refuse {
        /// For the model: why, or what to do instead.
        message: String,
        /// Whether the whole turn ends.
        #[serde(default)]
        interrupt: bool,
    },
}

impl Approval {
    /// Allows the call as it is, this once.
    #[must_use]
    pub fn allow() -> Self {
        Self::Allow { input: None, remember: Vec::new() }
    }

    /// Refuses the call alone.
    #[must_use]
    pub fn refuse(message: impl Into<String>) -> Self {
        Self::Refuse { message: message.into(), interrupt: false }
    }
}
