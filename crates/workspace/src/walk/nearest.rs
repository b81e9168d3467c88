//! The names beside a missing path that it may have meant.

use std::fs;
use std::path::{Path, PathBuf};

use toolwright_services::PathPolicy;

/// Below this two names have too little in common for a guess (Jaro-Winkler, 0 to 1).
const NEAR: f64 = 0.75;
/// More guesses than this help nobody.
const MOST: usize = 3;
/// A folder larger than this is not looked through to its end.
const MOST_ENTRIES: usize = 10_000;

/// Existing paths that a missing `path` (absolute) may have meant, best first: where its first missing part was misspelt,
/// that part corrected. Denied paths are never among them.
#[must_use]
pub fn nearest_names(path: &Path, policy: &dyn PathPolicy) -> Vec<PathBuf> {
    let mut missing = path;
    while let Some(parent) = missing.parent() {
        if parent.is_dir() {
            return beside(parent, missing, path, policy);
        }
        missing = parent;
    }
    Vec::new()
}

fn beside(folder: &Path, missing: &Path, whole: &Path, policy: &dyn PathPolicy) -> Vec<PathBuf> {
    let (Some(wanted), Ok(entries)) = (missing.file_name(), fs::read_dir(folder)) else { return Vec::new() };
    let wanted = wanted.to_string_lossy().to_lowercase();
    let rest = whole.strip_prefix(missing).ok().filter(|rest| !rest.as_os_str().is_empty());
    let scored = entries.flatten().take(MOST_ENTRIES).filter_map(|entry| {
        // A link to nothing is there, and is no guess.
        let itself = entry.path() == missing;
        let score = strsim::jaro_winkler(&entry.file_name().to_string_lossy().to_lowercase(), &wanted);
        // With the rest of the path behind it the guess is whole, if that exists.
        let own = entry.path();
        let path = rest.map(|rest| own.join(rest)).filter(|path| path.exists()).unwrap_or(own);
        (score > NEAR && !itself && policy.denies_read(&path).is_none()).then_some((score, path))
    });
    let mut scored: Vec<_> = scored.collect();
    scored.sort_by(|(one_score, one), (other_score, other)| {
        other_score.total_cmp(one_score).then_with(|| one.cmp(other))
    });
    scored.into_iter().take(MOST).map(|(_, path)| path).collect()
}

/// `; did you mean /a/b or /a/c?`, or nothing.
pub(super) fn did_you_mean(near: &[PathBuf]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let names: Vec<_> = near.iter().map(|path| path.display().to_string()).collect();
    format!("; did you mean {}?", names.join(" or "))
}
