//! The order of decision.

use std::path::Path;

use crate::{Decision, Request, Roots, RuleSet, Ruling, Step};

/// Decides one call. Pure: the same request and rules give the same decision. Asks, never allows, where in doubt.
#[must_use]
pub fn decide(rules: &RuleSet, request: &Request<'_>) -> Decision {
    let _ = rules;
    Decision {
        outcome: Ruling::Ask,
        step: Step::Nothing,
        rule: None,
        subject: None,
        reason: format!("no rule allows this call of {}", request.tool.name),
        suggestions: Vec::new(),
        together: Vec::new(),
    }
}

/// The text of the deny rule that hides `path` from reading, if one does. Give the spelled form and, where links are
/// involved, the resolved one in a second call: for `PathPolicy`.
#[must_use]
pub fn denies_read(rules: &RuleSet, roots: &Roots, path: &Path) -> Option<String> {
    let _ = (rules, roots, path);
    None
}
