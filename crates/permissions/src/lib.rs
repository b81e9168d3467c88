//! Rules, modes and the order of decision, as pure functions on data. Knows no tool, no shell syntax, no terminal, no file.
//!
//! A [`RuleSet`] holds the rules of all layers, a [`Request`] describes one call, [`decide`] answers with a [`Decision`]
//! that names its step, rule and subject. [`PermissionAsk`] and [`Approval`] are the question to a person and its answer.

mod ask;
mod decide;
mod decision;
mod hidden;
mod mode;
mod pattern;
mod request;
mod rule;
mod rule_set;
mod source;
mod subject;
mod tool_names;

pub use ask::{Approval, PermissionAsk};
pub use decide::{decide, is_history_or_settings, protected_place};
pub use decision::{AskedPart, Decision, RuleKind, RuleRef, Ruling, Step};
pub use hidden::{HiddenPaths, denies_read};
pub use mode::{Mode, UnknownMode};
pub use request::{HookVerdict, Request, ResolvedSubject, Roots, ToolIdentity};
pub use rule::Rule;
pub use rule_set::RuleSet;
pub use source::{Folder, Scope, Source};
