//! From the pattern to a matcher; where it is no pattern, at which character and what to do.

use grep_matcher::{ByteSet, LineMatchKind, LineTerminator, Match, Matcher, NoCaptures};
use grep_regex::{ErrorKind as BuildError, RegexMatcher, RegexMatcherBuilder};
use regex_syntax::ast::ErrorKind;
use toolwright_core::Cancel;

/// What matches.
#[derive(Debug)]
pub(crate) enum Expression {
    /// Of the plain engine: in time that grows with the text alone.
    Plain(RegexMatcher),
    /// With look-around or back-references.
    #[cfg(feature = "look-around")]
    LookAround(super::look_around::LookAround),
}

impl Expression {
    /// The same with caches of its own, for one thread of a search.
    #[cfg_attr(
        not(feature = "look-around"),
        expect(unused_variables, reason = "only what goes back and tries again has to be stopped")
    )]
    pub(super) fn for_worker(&self, cancel: &Cancel) -> Self {
        match self {
            Self::Plain(matcher) => Self::Plain(matcher.clone()),
            #[cfg(feature = "look-around")]
            Self::LookAround(matcher) => Self::LookAround(matcher.for_worker(cancel)),
        }
    }

    /// Whether it gave up on some text since this was last asked.
    pub(super) fn has_given_up(&self) -> bool {
        match self {
            Self::Plain(_) => false,
            #[cfg(feature = "look-around")]
            Self::LookAround(matcher) => matcher.has_given_up(),
        }
    }
}

impl Matcher for Expression {
    type Captures = NoCaptures;
    type Error = String;

    fn find_at(&self, text: &[u8], at: usize) -> Result<Option<Match>, String> {
        match self {
            Self::Plain(matcher) => matcher.find_at(text, at).map_err(|error| error.to_string()),
            #[cfg(feature = "look-around")]
            Self::LookAround(matcher) => Ok(matcher.find_at(text, at)),
        }
    }

    fn new_captures(&self) -> Result<NoCaptures, String> {
        Ok(NoCaptures::new())
    }

    fn shortest_match_at(&self, text: &[u8], at: usize) -> Result<Option<usize>, String> {
        match self {
            Self::Plain(matcher) => matcher.shortest_match_at(text, at).map_err(|error| error.to_string()),
            #[cfg(feature = "look-around")]
            Self::LookAround(matcher) => Ok(matcher.find_at(text, at).map(|found| found.end())),
        }
    }

    fn non_matching_bytes(&self) -> Option<&ByteSet> {
        match self {
            Self::Plain(matcher) => matcher.non_matching_bytes(),
            #[cfg(feature = "look-around")]
            Self::LookAround(_) => None,
        }
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        match self {
            Self::Plain(matcher) => matcher.line_terminator(),
            #[cfg(feature = "look-around")]
            Self::LookAround(_) => None,
        }
    }

    fn find_candidate_line(&self, text: &[u8]) -> Result<Option<LineMatchKind>, String> {
        match self {
            Self::Plain(matcher) => matcher.find_candidate_line(text).map_err(|error| error.to_string()),
            #[cfg(feature = "look-around")]
            Self::LookAround(matcher) => {
                Ok(matcher.find_at(text, 0).map(|found| LineMatchKind::Confirmed(found.start())))
            }
        }
    }
}

/// Why a pattern is none.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PatternError {
    #[error("the pattern is empty; `.` matches every line that is not empty")]
    Empty,
    #[error("the pattern is not a regular expression: {reason}\n  {line}\n  {caret}\n{hint}")]
    Syntax { reason: String, line: String, caret: String, hint: &'static str },
    #[error("the pattern contains a line break, which no single line has; set `multiline` to true")]
    LineBreak,
    #[cfg(feature = "look-around")]
    #[error(
        "a look-behind must have a fixed length: without `+`, `*` and `?` in it; search for the whole, or use a fixed part of it"
    )]
    LookBehind,
    #[error("the pattern cannot be used: {0}; make it shorter or search for a plain part of it")]
    Unusable(String),
}

/// Builds the matcher, as `rg` does: Unicode, `^` and `$` at each line.
pub(crate) fn matcher(pattern: &str, ignore_case: bool, multiline: bool) -> Result<Expression, PatternError> {
    if pattern.is_empty() {
        return Err(PatternError::Empty);
    }
    let mut builder = RegexMatcherBuilder::new();
    builder.case_insensitive(ignore_case).multi_line(true).dot_matches_new_line(multiline);
    builder.crlf(ends_before_carriage_return(pattern));
    builder.line_terminator((!multiline).then_some(b'\n'));
    let error = match builder.build(pattern) {
        Ok(matcher) => return Ok(Expression::Plain(matcher)),
        Err(error) => error,
    };
    #[cfg(feature = "look-around")]
    if needs_more(pattern) {
        return super::look_around::LookAround::new(pattern, ignore_case, multiline)
            .map(Expression::LookAround);
    }
    Err(match error.kind() {
        BuildError::NotAllowed(_) => PatternError::LineBreak,
        _ => syntax(pattern).unwrap_or_else(|| PatternError::Unusable(error.to_string())),
    })
}

/// A line's end is the same whatever system its file is from. But who looks for carriage returns themselves shall find them.
pub(super) fn ends_before_carriage_return(pattern: &str) -> bool {
    pattern.contains('$') && !pattern.contains("\\r") && !pattern.contains('\r')
}

/// Whether it looks around or refers back: what the plain engine leaves out because its time would not be bounded.
#[cfg(feature = "look-around")]
fn needs_more(pattern: &str) -> bool {
    let Err(regex_syntax::Error::Parse(error)) = regex_syntax::parse(pattern) else { return false };
    match error.kind() {
        ErrorKind::UnsupportedLookAround | ErrorKind::UnsupportedBackreference => true,
        // A reference to a named group.
        ErrorKind::EscapeUnrecognized => pattern.contains("\\k<"),
        // A group that is not gone back into.
        ErrorKind::FlagUnrecognized => pattern.contains("(?>"),
        _ => false,
    }
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

pub(super) const ESCAPE: &str =
    "To match a character itself, write a backslash before it: `\\(`, `\\{`, `\\[`.";

fn hint(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::UnsupportedLookAround => {
            "This build has no look-around. Search without it and pick from the lines found; `\\b`, `^`, `$` and `[^x]` work."
        }
        ErrorKind::UnsupportedBackreference => {
            "This build has no back-references. Search for the first part alone and pick from the lines found."
        }
        _ => ESCAPE,
    }
}
