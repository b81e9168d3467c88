//! Aids for finding the one place meant when the text itself is not there: each forgives one kind of difference. A place counts
//! only if it is the only one and the new text can be brought into the file's form without guessing. Works on views.

mod indent;
mod quotes;

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolwright_services::Splice;

/// What was forgiven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aid {
    /// The last line's end.
    LineEnd,
    /// Blanks at line ends.
    TrailingBlanks,
    /// Straight for typographic quotes, or the other way round.
    Quotes,
    /// Tabs for blanks, or lines all shifted alike.
    Indentation,
}

impl Aid {
    /// How the place was found, to stand after `found`.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::LineEnd => "without the newline at its end, which the file has not",
            Self::TrailingBlanks => "although blanks at line ends differ",
            Self::Quotes => "although its quotes differ; new quotes were written as the file has them",
            Self::Indentation => "although its indentation differs; `new_string` was indented as the file is",
        }
    }
}

/// The one place meant, and what to write there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) splice: Splice,
    pub(super) aid: Aid,
}

/// What is forgiven at the ends of lines. Other blanks are characters like any other: they look alike, and would be lost.
const BLANKS: [char; 2] = [' ', '\t'];
/// Larger texts are not searched: comparing every line would take long.
const MOST_BYTES: usize = 8 << 20;
/// With fewer letters and digits a text is like too many others.
const LEAST_LETTERS: usize = 3;

/// Finds the place where `old` is meant; the aid that forgives least comes first.
pub(super) fn find(text: &str, old: &str, new: &str) -> Option<Found> {
    let letters = old.chars().filter(|character| character.is_alphanumeric()).take(LEAST_LETTERS);
    if text.len() > MOST_BYTES || letters.count() < LEAST_LETTERS {
        return None;
    }
    let found = |aid| move |splice| Found { splice, aid };
    if let Some(splice) = without_line_end(text, old, new) {
        return Some(found(Aid::LineEnd)(splice));
    }
    let lines = Lines::of(text);
    let same_start = |one: &str, other: &str| one.trim_end_matches(BLANKS) == other.trim_end_matches(BLANKS);
    match lines.places(old, same_start).as_slice() {
        [] => {}
        [at] => {
            let splice = lines.replace(*at, old, new, |line| Some(line.to_owned()));
            return splice.map(found(Aid::TrailingBlanks));
        }
        // What a weaker aid forgives, a stronger one does too: it would find them all again.
        _ => return None,
    }
    match quotes::find(text, old, new) {
        quotes::Search::Nowhere => {}
        quotes::Search::Once(splice) => return splice.map(found(Aid::Quotes)),
        quotes::Search::Often => return None,
    }
    let places = lines.places(old, |one, other| one.trim_matches(BLANKS) == other.trim_matches(BLANKS));
    let [at] = places.as_slice() else { return None };
    let relation = indent::Relation::of(old.split('\n').zip(lines.from(*at)))?;
    lines.replace(*at, old, new, |line| relation.apply(line)).map(found(Aid::Indentation))
}

/// The end of a file that lacks the newline `old` ends with.
fn without_line_end(text: &str, old: &str, new: &str) -> Option<Splice> {
    let bare = old.strip_suffix('\n').filter(|bare| !bare.ends_with('\n'))?;
    let before = text.strip_suffix(bare)?;
    // A word that ends like it is another word.
    let begins_line = before.rsplit('\n').next().is_some_and(|begun| begun.trim().is_empty());
    let new = new.strip_suffix('\n').unwrap_or(new);
    // Without its newline the new text may be what stands there.
    (begins_line && new != bare).then(|| Splice { range: before.len()..text.len(), text: new.into() })
}

/// The lines of a text, each without its newline.
struct Lines<'a> {
    text: &'a str,
    ranges: Vec<Range<usize>>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let mut start = 0;
        let range = |line: &str| {
            let range = start..start + line.len();
            start = range.end + 1;
            range
        };
        Self { text, ranges: text.split('\n').map(range).collect() }
    }

    fn from(&self, at: usize) -> impl Iterator<Item = &'a str> {
        self.ranges.iter().skip(at).map(|range| self.text.get(range.clone()).unwrap_or_default())
    }

    /// The lines at which whole lines like those of `old` begin.
    fn places(&self, old: &str, same: impl Fn(&str, &str) -> bool) -> Vec<usize> {
        let wanted: Vec<_> = old.split('\n').collect();
        // After a last newline any line may follow.
        let whole = wanted.strip_suffix(&[""]).filter(|lines| !lines.is_empty()).unwrap_or(&wanted);
        let last = self.ranges.len().checked_sub(wanted.len());
        let fits = |at: &usize| self.from(*at).zip(whole).all(|(line, wanted)| same(line, wanted));
        last.map_or_else(Vec::new, |last| (0..=last).filter(fits).collect())
    }

    /// Replaces, of the lines at `at` that `old` stands for, those that differ in `new`: what stays keeps the file's bytes.
    fn replace(
        &self,
        at: usize,
        old: &str,
        new: &str,
        adapt: impl Fn(&str) -> Option<String>,
    ) -> Option<Splice> {
        let old: Vec<_> = old.split('\n').collect();
        let new: Vec<_> = new.split('\n').collect();
        let front = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let (old_rest, new_rest) = (old.get(front..)?, new.get(front..)?);
        let back =
            old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
        let changed = new_rest.get(..new_rest.len() - back)?;
        let lines: Vec<String> = changed.iter().map(|line| adapt(line)).collect::<Option<_>>()?;
        let mut text = lines.join("\n");
        let after = at + old.len() - back;
        let start = |line: usize| self.ranges.get(line).map(|range| range.start);
        let end = |line: usize| {
            let range = self.ranges.get(line)?;
            // After the last newline of `old` nothing more of that line is meant.
            let open = line + 1 == at + old.len() && old.last() == Some(&"") && old.len() > 1;
            Some(if open { range.start } else { range.end })
        };
        let range = if changed.is_empty() || old_rest.len() == back {
            // Whole lines come or go, with one newline each: the one after them, or at the end the one before.
            if back > 0 {
                text.extend((!lines.is_empty()).then_some('\n'));
                start(at + front)?..start(after)?
            } else {
                text.insert_str(0, if lines.is_empty() { "" } else { "\n" });
                end(at + front - 1)?..end(after - 1)?
            }
        } else {
            start(at + front)?..end(after - 1)?
        };
        // What is asked for may stand there already.
        (self.text.get(range.clone()) != Some(&text)).then_some(Splice { range, text })
    }
}

#[cfg(test)]
mod tests;
