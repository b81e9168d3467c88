//! How the indentation of lines in a file relates to that of the same lines as they were asked for. One relation must hold for
//! all lines, and is then used for new ones.

use super::BLANKS;

/// From the indentation asked for to the file's.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Relation<'a> {
    /// The file's lines have this before theirs.
    Deeper(&'a str),
    /// The file's lines lack this at their start.
    Shallower(&'a str),
    /// So many of one blank stand for so many of another.
    Units { from: (usize, char), to: (usize, char) },
}

impl<'a> Relation<'a> {
    /// The one that holds for all pairs of asked and found lines; blank ones do not count.
    pub(super) fn of(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Option<Self> {
        let pairs: Vec<_> = pairs
            .filter(|(asked, _)| !asked.trim_matches(BLANKS).is_empty())
            .map(|(asked, found)| (indent(asked), indent(found)))
            .collect();
        let (asked, found) = *pairs.first()?;
        let all = |holds: &dyn Fn(&str, &str) -> bool| pairs.iter().all(|(asked, found)| holds(asked, found));
        let blank = |text: &str| !text.is_empty();
        let deeper = found.strip_suffix(asked).filter(|prefix| blank(prefix));
        if let Some(prefix) =
            deeper.filter(|prefix| all(&|asked, found| found.strip_prefix(*prefix) == Some(asked)))
        {
            return Some(Self::Deeper(prefix));
        }
        let shallower = asked.strip_suffix(found).filter(|prefix| blank(prefix));
        if let Some(prefix) =
            shallower.filter(|prefix| all(&|asked, found| asked.strip_prefix(*prefix) == Some(found)))
        {
            return Some(Self::Shallower(prefix));
        }
        Self::units(&pairs)
    }

    fn units(pairs: &[(&str, &str)]) -> Option<Self> {
        let (asked, found) = pairs.iter().find(|(asked, _)| !asked.is_empty())?;
        let (from, to) = (one_kind(asked)?, one_kind(found)?);
        if from.1 == to.1 {
            // One depth alone may as well be a shift that does not fit: two say that it is a scale.
            let mut depths: Vec<_> =
                pairs.iter().map(|(asked, _)| asked.len()).filter(|depth| *depth > 0).collect();
            depths.sort_unstable();
            depths.dedup();
            if depths.len() < 2 || from.1 != ' ' {
                return None;
            }
        } else if !from.0.is_multiple_of(to.0) && !to.0.is_multiple_of(from.0) {
            return None;
        }
        let relation = Self::Units { from, to };
        let holds = pairs.iter().all(|(asked, found)| relation.indent(asked).as_deref() == Some(found));
        holds.then_some(relation)
    }

    /// A new line as the file would have it; nothing where that cannot be known.
    pub(super) fn apply(&self, line: &str) -> Option<String> {
        if line.trim_matches(BLANKS).is_empty() {
            return Some(line.to_owned());
        }
        let asked = indent(line);
        let rest = line.strip_prefix(asked)?;
        Some(self.indent(asked)? + rest)
    }

    fn indent(&self, asked: &str) -> Option<String> {
        match self {
            Self::Deeper(prefix) => Some([prefix, asked].concat()),
            Self::Shallower(prefix) => asked.strip_prefix(prefix).map(Into::into),
            Self::Units { .. } if asked.is_empty() => Some(String::new()),
            Self::Units { from, to } => {
                let (count, kind) = one_kind(asked)?;
                let scaled = count.checked_mul(to.0)?;
                let fits = kind == from.1 && scaled.is_multiple_of(from.0);
                fits.then(|| std::iter::repeat_n(to.1, scaled / from.0).collect())
            }
        }
    }
}

/// The blanks and tabs a line begins with.
fn indent(line: &str) -> &str {
    let rest = line.trim_start_matches(BLANKS);
    line.strip_suffix(rest).unwrap_or_default()
}

/// How many of which, where it is one kind alone.
fn one_kind(indent: &str) -> Option<(usize, char)> {
    let first = indent.chars().next()?;
    indent.chars().all(|character| character == first).then_some((indent.len(), first))
}
