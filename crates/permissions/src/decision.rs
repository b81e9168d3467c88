//! What was decided about one call, and by which step, rule and subject. Knows no order: that is `decide`.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use toolwright_core::{Authority, Subject};

use crate::Scope;

/// The answer to a [`Request`](crate::Request).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Run, ask or refuse. In the mode `dontAsk` every question is already a refusal.
    pub outcome: Ruling,
    /// The step of the order that decided.
    pub step: Step,
    /// The rule that decided, where one did.
    pub rule: Option<RuleRef>,
    /// The subject that decided, where one did.
    pub subject: Option<Subject>,
    /// On whose authority the call runs, if nobody is asked.
    pub authority: Authority,
    /// A sentence for a person or the model that names rule and subject.
    pub reason: String,
    /// Rules any of which would allow this call, narrowest first. Empty where no single rule may.
    pub suggestions: Vec<String>,
    /// Rules that together allow exactly this call: what "do not ask again" keeps. Empty where rules cannot help.
    pub together: Vec<String>,
    /// Rules that together allow this call and others of its kind. Empty where none are wider than `together`.
    pub of_kind: Vec<String>,
    /// For a question: the parts that keep the call from running by itself, as analysed. Empty where it is the call as a whole.
    pub parts: Vec<AskedPart>,
}

/// A part of a call that a question is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedPart {
    /// The part, for a person: a command as analysed, a path, a host.
    pub shown: String,
    /// What keeps it from running, or would let it run.
    pub needs: String,
}

/// What happens to a call. Ordered from the mildest to the strictest. Sessions store it by the names given here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Ruling {
    /// It runs.
    #[serde(rename = "allow")]
    Allow,
    /// A person is asked.
    #[serde(rename = "ask")]
    Ask,
    /// It does not run.
    #[serde(rename = "deny")]
    Deny,
}

impl fmt::Display for Ruling {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        })
    }
}

/// The steps of the order of decision. Sessions store them by the names given here; the aliases are what older versions stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Step {
    /// 1: part of the input could not be understood.
    #[serde(rename = "unreadable", alias = "Unreadable")]
    Unreadable,
    /// 2: a hook blocked.
    #[serde(rename = "blocking_hook", alias = "BlockingHook")]
    BlockingHook,
    /// 3: a deny rule, or the tool itself, refused.
    #[serde(rename = "deny_rule", alias = "DenyRule")]
    DenyRule,
    /// 4: an ask rule matched.
    #[serde(rename = "ask_rule", alias = "AskRule")]
    AskRule,
    /// 5: only a person may allow it: a critical removal, a call that needs one.
    #[serde(rename = "needs_person", alias = "NeedsPerson")]
    NeedsPerson,
    /// 6: the mode decided.
    #[serde(rename = "mode", alias = "Mode")]
    Mode,
    /// 7: a protected place would be changed, or the tool wants a person to see it.
    #[serde(rename = "protected_place", alias = "ProtectedPlace")]
    ProtectedPlace,
    /// 8: a hook or an allow rule allowed.
    #[serde(rename = "allow_rule", alias = "AllowRule")]
    AllowRule,
    /// 9: it only reads, inside the working roots.
    #[serde(rename = "read_only", alias = "ReadOnly")]
    ReadOnly,
    /// 10: the mode `acceptEdits` covers it.
    #[serde(rename = "accept_edits", alias = "AcceptEdits")]
    AcceptEdits,
    /// 11: nothing above decided.
    #[serde(rename = "nothing", alias = "Nothing")]
    Nothing,
}

impl Step {
    /// Its number in the order, from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }
}

/// A rule, as a decision names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleRef {
    /// Its text as written.
    pub text: String,
    /// The list it stands in.
    pub kind: RuleKind,
    /// The layer.
    pub scope: Scope,
    /// The file, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The line in it, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl fmt::Display for RuleRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} rule `{}` ({}", self.kind, self.text, self.scope)?;
        if let Some(file) = &self.file {
            write!(formatter, ", {}", file.display())?;
            if let Some(line) = self.line {
                write!(formatter, ":{line}")?;
            }
        }
        formatter.write_str(")")
    }
}

/// The list a rule stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleKind {
    /// Allows what it covers.
    Allow,
    /// Asks, in every mode.
    Ask,
    /// Denies, in every mode.
    Deny,
}

impl fmt::Display for RuleKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        })
    }
}
