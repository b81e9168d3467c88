//! Finding files: the pattern's plain beginning is the folder to walk, the rest is matched against what is below it.

mod pattern;

use std::path::{Path, PathBuf};

use toolwright_core::DecidedPaths;
use toolwright_services::DeniedPaths;
use toolwright_workspace::walk::{
    Bounds, Entry, Order, Root, Rules, Walk, WalkError, files, hidden_by_rules,
};

use crate::Output;

pub(crate) use pattern::{Plan, plan};

/// More names than this help no model; it is told how many there are.
pub(crate) const MOST_FILES: usize = 100;
/// Hidden files are counted up to here.
pub(crate) const MOST_HIDDEN: u64 = 10_000;

/// Walks and matches. `cwd` is kept in the output, for paths in answers.
pub(crate) fn find(
    plan: &Plan,
    cwd: PathBuf,
    decided: &DecidedPaths,
    policy: &dyn DeniedPaths,
    bounds: &Bounds,
) -> Result<Output, WalkError> {
    let mut output = Output { cwd, root: plan.root.clone(), ..Output::default() };
    if plan.names_git {
        return Ok(output);
    }
    let root = Root::open(&plan.root, decided, policy)?;
    let below = plan.literal.strip_prefix(&plan.root).ok().filter(|below| !below.as_os_str().is_empty());
    let denied = below.and_then(|below| {
        policy.denies_read(&plan.literal).or_else(|| policy.denies_read(&root.real().join(below)))
    });
    if let (Some(rule), true) = (&denied, plan.is_plain) {
        return Err(WalkError::Denied { path: plan.literal.clone(), rule: rule.clone() });
    }
    // A file named outright is found whatever hides it.
    let literal = match (below, denied) {
        (Some(below), None) => root.at(below),
        // It names the root.
        (None, _) => Some(Entry::Folder),
        (Some(_), Some(_)) => None,
    };
    if literal == Some(Entry::Other) {
        output.files.push(plan.literal.clone());
        output.total = 1;
        return Ok(output);
    }
    let walk = Walk { root: &root, policy, bounds, rules: Rules::Obeyed };
    let wanted = |relative: &Path| plan.matches(relative);
    let found = files(&walk, Order::NewestFirst, MOST_FILES, wanted);
    output.total = found.total;
    output.files = found.paths;
    output.unreadable = found.walked.unreadable;
    if output.total == 0 && !found.walked.cancelled {
        output.is_folder = literal.is_some();
        output.has_comma = plan.has_comma;
        output.hidden = hidden_by_rules(&walk, &found.walked, MOST_HIDDEN, wanted);
    }
    output.interrupted = bounds.cancel.is_cancelled();
    Ok(output)
}
