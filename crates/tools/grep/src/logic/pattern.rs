//! From the pattern to a matcher; where it is no pattern, at which character and what to do.

use grep_regex::{ErrorKind as BuildError, RegexMatcher, RegexMatcherBuilder};
use regex_syntax::ast::ErrorKind;

/// Why a pattern is none.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PatternError {
    #[error("the pattern is empty; `.` matches every line that is not empty")]
    Empty,
    #[error("the pattern is not a regular expression: {reason}\n  {line}\n  {caret}\n{hint}")]
    Syntax { reason: String, line: String, caret: String, hint: &'static str },
    #[error("the pattern contains a line break, which no single line has; set `multiline` to true")]
    LineBreak,
    #[error("the pattern cannot be used: {0}; make it shorter or search for a plain part of it")]
    Unusable(String),
}

/// Builds the matcher, as `rg` does: Unicode, `^` and `$` at each line.
pub(crate) fn matcher(
    pattern: &str,
    ignore_case: bool,
    multiline: bool,
) -> Result<RegexMatcher, PatternError> {
    if pattern.is_empty() {
        return Err(PatternError::Empty);
    }
    let mut builder = RegexMatcherBuilder::new();
    builder.case_insensitive(ignore_case).multi_line(true).dot_matches_new_line(multiline);
    if !multiline {
        builder.line_terminator(Some(b'\n'));
    }
    builder.build(pattern).map_err(|error| match error.kind() {
        BuildError::NotAllowed(_) => PatternError::LineBreak,
        _ => syntax(pattern).unwrap_or_else(|| PatternError::Unusable(error.to_string())),
    })
}

/// The syntax error in it, if that is what is wrong.
fn syntax(pattern: &str) -> Option<PatternError> {
    let (reason, span, hint) = match regex_syntax::parse(pattern).err()? {
        regex_syntax::Error::Parse(error) => (error.kind().to_string(), *error.span(), hint(error.kind())),
        regex_syntax::Error::Translate(error) => (error.kind().to_string(), *error.span(), ESCAPE),
        _ => return None,
    };
    let line = pattern.lines().nth(span.start.line.saturating_sub(1)).unwrap_or(pattern);
    let before = span.start.column.saturating_sub(1);
    let width = if span.is_one_line() { span.end.column.saturating_sub(span.start.column) } else { 1 };
    Some(PatternError::Syntax {
        reason,
        line: line.to_owned(),
        caret: " ".repeat(before) + &"^".repeat(width.max(1)),
        hint,
    })
}

const ESCAPE: &str = "To match a character itself, write a backslash before it: `\\(`, `\\{`, `\\[`.";

fn hint(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::UnsupportedLookAround => {
            "Search without it and pick from the lines found; `\\b`, `^`, `$` and `[^x]` work."
        }
        ErrorKind::UnsupportedBackreference => {
            "Search for the first part alone and pick from the lines found."
        }
        _ => ESCAPE,
    }
}
