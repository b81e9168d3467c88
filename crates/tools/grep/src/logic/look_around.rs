//! Patterns with look-around or back-references, on an engine that goes back and tries again. Only what needs it comes here:
//! its time can grow fast, so it gives up at a limit and says so.

use fancy_regex::{Error, Regex, RegexBuilder};
use grep_matcher::Match;

use super::pattern::PatternError;

/// Tries at one place after which it gives up.
const MOST_STEPS: usize = 1_000_000;

/// Such a pattern.
#[derive(Debug, Clone)]
pub(crate) struct LookAround(Regex);

impl LookAround {
    /// `^` and `$` at each line, as in the plain engine.
    pub(super) fn new(pattern: &str, ignore_case: bool, multiline: bool) -> Result<Self, PatternError> {
        let mut builder = RegexBuilder::new(pattern);
        builder.case_insensitive(ignore_case).multi_line(true).dot_matches_new_line(multiline);
        builder.backtrack_limit(MOST_STEPS);
        builder.build().map(Self).map_err(|error| match error {
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
            other => PatternError::Unusable(other.to_string()),
        })
    }

    /// The first match at or after `at`. Bytes that are no text match nothing: a match lies between them.
    pub(super) fn find_at(&self, bytes: &[u8], at: usize) -> Result<Option<Match>, String> {
        let mut start = 0;
        for chunk in bytes.utf8_chunks() {
            let (text, from) = (chunk.valid(), at.saturating_sub(start));
            if from <= text.len() && text.is_char_boundary(from) {
                let found = self
                    .0
                    .find_from_pos(text, from)
                    .map_err(|error| format!("the pattern takes too long here ({error}); make it simpler"))?;
                if let Some(found) = found {
                    return Ok(Some(Match::new(start + found.start(), start + found.end())));
                }
            }
            start += text.len() + chunk.invalid().len();
        }
        Ok(None)
    }
}
