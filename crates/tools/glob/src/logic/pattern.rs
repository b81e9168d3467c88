//! A pattern taken apart: where to walk, what to match, and, where it is wrong, at which character.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use toolwright_workspace::walk::absolute;

/// What a pattern asks for.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The folder to walk: the base and the pattern's plain beginning. Absolute.
    pub(crate) root: PathBuf,
    /// The whole pattern as if it were a plain path. Absolute.
    pub(crate) literal: PathBuf,
    /// It has no wildcard.
    pub(crate) is_plain: bool,
    /// It asks for what lies in `.git`, which is never listed.
    pub(crate) names_git: bool,
    /// It has a comma outside of braces, where it stands for itself.
    pub(crate) has_comma: bool,
    /// The pattern, and where it has brackets the same with them as characters: frameworks have folders called `[slug]`.
    matcher: GlobSet,
    /// Without a `/` it is matched against names at any depth, as in `.gitignore`.
    names_only: bool,
}

/// Why a pattern is none.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PatternError {
    #[error("the pattern is empty; `**/*` matches every file")]
    Empty,
    #[error(
        "the pattern has `..` after a wildcard, where it matches nothing; put the folder into `path` instead"
    )]
    ParentAfterWildcard,
    #[error(
        "the pattern is not valid: {reason}\n  {pattern}\n  {caret}\nTo match the character itself, put it in brackets: `[[]`, `[{{]`"
    )]
    Invalid { reason: String, pattern: String, caret: String },
}

/// Takes `pattern` apart, relative to the absolute folder `base`.
pub(crate) fn plan(pattern: &str, base: &Path) -> Result<Plan, PatternError> {
    let pattern = pattern.trim();
    if pattern.is_empty() {
        return Err(PatternError::Empty);
    }
    let literal = absolute(base, pattern);
    let parts: Vec<&str> = pattern.split('/').collect();
    // The last part is matched even when it is plain: the folder walked is above it.
    let plain = parts.iter().take_while(|part| !is_wild(part)).count().min(parts.len().saturating_sub(1));
    let (before, rest) = parts.split_at(plain);
    if rest.contains(&"..") {
        return Err(PatternError::ParentAfterWildcard);
    }
    let before = if before == [""] { "/".to_owned() } else { before.join("/") };
    let glob = rest.join("/");
    let matcher = matcher(&glob).map_err(|error| invalid(pattern, &error))?;
    let names_git = parts.contains(&".git");
    let names_only = parts.len() == 1;
    let root = absolute(base, &before);
    let is_plain = !parts.iter().any(|part| is_wild(part));
    Ok(Plan { root, literal, is_plain, names_git, has_comma: has_comma(pattern), matcher, names_only })
}

/// A set also of one: it knows quick ways for the usual forms.
fn matcher(glob: &str) -> Result<GlobSet, globset::Error> {
    let build = |glob: &str| {
        GlobBuilder::new(glob).literal_separator(true).backslash_escape(true).empty_alternates(true).build()
    };
    let mut set = GlobSetBuilder::new();
    set.add(build(glob)?);
    if let Some(bracketed) = glob.contains('[').then(|| build(&glob.replace('[', "\\["))).and_then(Result::ok)
    {
        set.add(bracketed);
    }
    set.build()
}

impl Plan {
    /// Whether the file at `relative` (to the root) is wanted.
    pub(crate) fn matches(&self, relative: &Path) -> bool {
        let name = self.names_only.then(|| relative.file_name()).flatten();
        self.matcher.is_match(name.map_or(relative, Path::new))
    }
}

fn has_comma(pattern: &str) -> bool {
    let mut depth = 0_usize;
    pattern.chars().any(|character| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    })
}

fn is_wild(part: &str) -> bool {
    part.contains(['*', '?', '[', '{', '}', '\\'])
}

fn invalid(pattern: &str, error: &globset::Error) -> PatternError {
    let at = wrong_character(pattern);
    let reason = match at.and_then(|at| pattern.chars().nth(at)) {
        Some('[') => "this `[` is never closed, or its range runs backwards".into(),
        Some('{') => "this `{` is never closed".into(),
        Some('}') => "this `}` closes nothing".into(),
        Some('\\') => "this `\\` has nothing to escape".into(),
        _ => error.kind().to_string(),
    };
    let caret = at.map(|at| " ".repeat(at) + "^").unwrap_or_default();
    PatternError::Invalid { reason, pattern: pattern.to_owned(), caret }
}

/// The index of the first character that cannot stand where it does.
fn wrong_character(pattern: &str) -> Option<usize> {
    let characters: Vec<char> = pattern.chars().collect();
    let mut braces = Vec::new();
    let mut index = 0;
    while let Some(character) = characters.get(index) {
        match character {
            '\\' if index + 1 == characters.len() => return Some(index),
            '\\' => index += 1,
            '{' => braces.push(index),
            '}' if braces.pop().is_none() => return Some(index),
            '[' => match class_end(&characters, index) {
                Some(end) => index = end,
                None => return Some(index),
            },
            _ => {}
        }
        index += 1;
    }
    braces.first().copied()
}

/// Where the class that opens at `open` closes; none where it does not, or holds a range that runs backwards.
fn class_end(characters: &[char], open: usize) -> Option<usize> {
    let negated = matches!(characters.get(open + 1), Some('!' | '^'));
    let first = open + 1 + usize::from(negated);
    // A `]` in the first place stands for itself.
    let end = (first + 1..characters.len()).find(|index| characters.get(*index) == Some(&']'))?;
    let inner = characters.get(first..end)?;
    let backwards = inner.windows(3).any(|three| matches!(three, [from, '-', to] if from > to));
    (!backwards).then_some(end)
}
