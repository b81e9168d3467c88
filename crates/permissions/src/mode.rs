//! Permission modes under the names people know. Knows no rule.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How calls are decided that no rule decides.
///
/// Ordered by what may run without a question, least first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// Only what reads.
    Plan,
    /// What is not allowed beforehand is denied; nobody is asked.
    DontAsk,
    /// Asks.
    #[default]
    Default,
    /// Edits and plain file commands inside the working directories run; the rest asks.
    AcceptEdits,
    /// Runs all that no deny or ask rule, no critical removal and no tool holds back.
    BypassPermissions,
}

impl Mode {
    /// All modes, strictest first.
    pub const ALL: [Self; 5] =
        [Self::Plan, Self::DontAsk, Self::Default, Self::AcceptEdits, Self::BypassPermissions];

    /// The name in settings and flags.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::DontAsk => "dontAsk",
            Self::Default => "default",
            Self::AcceptEdits => "acceptEdits",
            Self::BypassPermissions => "bypassPermissions",
        }
    }

    /// The mode of an agent that another one spawns: what it wants, never looser than its parent's.
    #[must_use]
    pub fn for_subagent(self, wanted: Option<Self>) -> Self {
        wanted.map_or(self, |wanted| wanted.min(self))
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<Self, UnknownMode> {
        Self::ALL.into_iter().find(|mode| mode.name() == name).ok_or_else(|| UnknownMode(name.into()))
    }
}

/// A name that is no mode's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no permission mode; use one of default, acceptEdits, plan, dontAsk, bypassPermissions")]
pub struct UnknownMode(pub String);
