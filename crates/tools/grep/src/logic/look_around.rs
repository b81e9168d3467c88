//! Patterns with look-around or back-references, on an engine that goes back and tries again. Only what needs it comes here:
//! its time can grow fast, so it gives up at a limit and says so.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use fancy_regex::{CompileError, Error, Regex, RegexBuilder};
use grep_matcher::Match;
use toolwright_core::Cancel;

use super::pattern::{PatternError, ends_before_carriage_return};

/// Tries at one place after which it gives up.
const MOST_STEPS: usize = 1_000_000;

/// Such a pattern.
#[derive(Debug)]
pub(crate) struct LookAround {
    regex: Regex,
    /// Once cancelled, nothing matches any more: a file of many slow lines does not hold the end of a search up.
    cancel: Cancel,
    given_up: AtomicBool,
}

impl LookAround {
    /// `^` and `$` at each line, as in the plain engine.
    pub(super) fn new(pattern: &str, ignore_case: bool, multiline: bool) -> Result<Self, PatternError> {
        let mut builder = RegexBuilder::new(pattern);
        builder.case_insensitive(ignore_case).multi_line(true).dot_matches_new_line(multiline);
        builder.crlf(ends_before_carriage_return(pattern)).backtrack_limit(MOST_STEPS);
        let regex = builder.build().map_err(|error| match error {
            Error::ParseError(at, kind) => {
                let before = pattern.get(..at).unwrap_or(pattern);
                let line = before.matches('\n').count();
                let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
                PatternError::Syntax {
                    reason: kind.to_string(),
                    line: pattern.lines().nth(line).unwrap_or_default().to_owned(),
                    caret: " ".repeat(column) + "^",
                    hint: super::pattern::ESCAPE,
                }
            }
            Error::CompileError(error)
                if matches!(
                    *error,
                    CompileError::LookBehindNotConst | CompileError::VariableLookBehindRequiresFeature
                ) =>
            {
                PatternError::LookBehind
            }
            other => PatternError::Unusable(other.to_string()),
        })?;
        Ok(Self { regex, cancel: Cancel::default(), given_up: AtomicBool::new(false) })
    }

    /// The same for one thread of a search.
    pub(super) fn for_worker(&self, cancel: &Cancel) -> Self {
        Self { regex: self.regex.clone(), cancel: cancel.clone(), given_up: AtomicBool::new(false) }
    }

    /// Whether it gave up somewhere since this was last asked.
    pub(super) fn has_given_up(&self) -> bool {
        self.given_up.swap(false, Relaxed)
    }

    /// The first match at or after `at`. Bytes that are no text match nothing: a match lies between them.
    /// Where it gives up, it matches nothing, and the search goes on.
    pub(super) fn find_at(&self, bytes: &[u8], at: usize) -> Option<Match> {
        let mut start = 0;
        for chunk in bytes.utf8_chunks() {
            if self.cancel.is_cancelled() {
                return None;
            }
            let (text, from) = (chunk.valid(), at.saturating_sub(start));
            if from <= text.len() && text.is_char_boundary(from) {
                match self.regex.find_from_pos(text, from) {
                    Ok(Some(found)) => return Some(Match::new(start + found.start(), start + found.end())),
                    Ok(None) => {}
                    Err(_) => self.given_up.store(true, Relaxed),
                }
            }
            start += text.len() + chunk.invalid().len();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_cancelled_nothing_is_tried() {
        let (pattern, cancel) =
            (LookAround::new("a(?=b)", false, false).expect("a pattern"), Cancel::default());
        let worker = pattern.for_worker(&cancel);
        assert!(worker.find_at(b"ab", 0).is_some());
        cancel.cancel();
        assert!(worker.find_at(b"ab", 0).is_none() && !worker.has_given_up());
    }
}
