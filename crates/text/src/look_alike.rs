//! Characters that look alike and are not the same: what two texts are without that difference, and in which characters they
//! differ. For words to a person or a model; nothing is to be matched by it.

mod names;

use unicode_normalization::char::decompose_compatible;

/// Larger texts are not searched.
const MOST_BYTES: usize = 1 << 20;
/// Differences that are named; further ones are the same mistake.
const MOST: usize = 3;

/// The text as it looks: decomposed, without what is not seen, blanks, quotes and dashes as the keyboard has them, letters of
/// other scripts that look like Latin ones as those.
#[must_use]
pub fn folded(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    looks(&pieces(text)).collect()
}

/// In which characters two texts differ that look alike: `U+00A0 (no-break space) where OTHER has U+0020 (space)`. Nothing
/// where they are the same, or look different.
#[must_use]
pub fn difference(one: &str, other: &str, name_of_other: &str) -> Option<String> {
    if one == other || (is_plain(one) && is_plain(other)) {
        return None;
    }
    let (one, other) = (pieces(one), pieces(other));
    if !looks(&one).eq(looks(&other)) {
        return None;
    }
    let mut named: Vec<String> = Vec::new();
    for (here, there) in runs(&one, &other) {
        let words = match (here.is_empty(), there.is_empty()) {
            (false, true) => format!("{}, which {name_of_other} has not", names::all(&here)),
            (true, _) => format!("no {}, which {name_of_other} has", names::all(&there)),
            (false, false) => {
                format!("{} where {name_of_other} has {}", names::all(&here), names::all(&there))
            }
        };
        if !named.contains(&words) {
            named.push(words);
        }
    }
    if named.len() > MOST {
        named.truncate(MOST);
        named.push("others like them".into());
    }
    (!named.is_empty()).then(|| named.join("; "))
}

/// A name that may have been meant by the one that was asked for, and where they look alike, in which characters they differ.
#[must_use]
pub fn guess(asked: &str, near: &str) -> String {
    match difference(near, asked, "the path given") {
        Some(named) => format!("{near} (it has {named})"),
        None => near.to_owned(),
    }
}

/// Blanks and unseen characters of `text` that no keyboard has and `other` does not have, by name.
#[must_use]
pub fn odd_blanks(text: &str, other: &str) -> Option<String> {
    let mut odd = Vec::new();
    for character in text.chars() {
        let is_odd = !matches!(character, ' ' | '\t' | '\n' | '\r')
            && (character.is_whitespace() || is_unseen(character));
        if is_odd && !odd.contains(&character) && !other.contains(character) {
            odd.push(character);
        }
    }
    let named: Vec<_> = odd.into_iter().take(MOST).map(names::of).collect();
    (!named.is_empty()).then(|| named.join(", "))
}

/// Where `text` has a part that looks like `wanted` and is not the same, as a byte range; the first one.
#[must_use]
pub fn find(text: &str, wanted: &str) -> Option<std::ops::Range<usize>> {
    if text.len() > MOST_BYTES || (is_plain(text) && is_plain(wanted)) {
        return None;
    }
    let look = folded(wanted);
    if look.trim().is_empty() {
        return None;
    }
    let text_pieces = pieces(text);
    let seen: String = looks(&text_pieces).collect();
    let at = seen.find(&look)?;
    let end = at + look.len();
    // Pieces that lie in the part that was found; one that begins before it belongs to another character.
    let mut seen_before = 0;
    let mut bounds: Option<(usize, usize)> = None;
    for piece in &text_pieces {
        let (from, to) = (seen_before, seen_before + piece.length());
        seen_before = to;
        if from >= at && to <= end && (from < end || piece.is_unseen()) {
            let byte = piece.at;
            let (start, _) = bounds.unwrap_or((byte, byte));
            bounds = Some((start, byte + piece.character.len_utf8()));
        }
    }
    let range = bounds.map(|(start, end)| start..end)?;
    let found = text.get(range.clone())?.trim_matches(is_unseen);
    (found != wanted).then_some(range)
}

/// One character and how it looks.
struct Piece {
    at: usize,
    character: char,
    first: Option<char>,
    /// What else it is decomposed into; of most characters nothing, which takes no memory.
    rest: Vec<char>,
}

impl Piece {
    fn look(&self) -> impl Iterator<Item = char> {
        self.first.into_iter().chain(self.rest.iter().copied())
    }

    /// In bytes.
    fn length(&self) -> usize {
        self.look().map(char::len_utf8).sum()
    }

    fn is_unseen(&self) -> bool {
        self.first.is_none()
    }
}

fn pieces(text: &str) -> Vec<Piece> {
    let piece = |(at, character): (usize, char)| {
        let (mut first, mut rest) = (None, Vec::new());
        decompose_compatible(character, |part| match keyboard(part) {
            Some(part) if first.is_none() => first = Some(part),
            part => rest.extend(part),
        });
        Piece { at, character, first, rest }
    };
    text.char_indices().map(piece).collect()
}

fn looks(pieces: &[Piece]) -> impl Iterator<Item = char> {
    pieces.iter().flat_map(Piece::look)
}

/// The parts in which the two, which look alike, differ.
fn runs(one: &[Piece], other: &[Piece]) -> Vec<(Vec<char>, Vec<char>)> {
    let (mut at, mut beside) = (0, 0);
    let mut runs = Vec::new();
    loop {
        let (here, there) = (one.get(at), other.get(beside));
        if let (Some(here), Some(there)) = (here, there)
            && here.character == there.character
        {
            (at, beside) = (at + 1, beside + 1);
            continue;
        }
        if here.is_none() && there.is_none() {
            return runs;
        }
        let (mut run, mut run_beside) = (Vec::new(), Vec::new());
        let (mut look, mut look_beside) = (0, 0);
        // What is not seen stands alone; else as many of each as look the same.
        let unseen = |piece: Option<&Piece>| piece.is_some_and(|piece| piece.is_unseen());
        if unseen(here) || unseen(there) {
            while let Some(piece) = one.get(at).filter(|piece| piece.is_unseen()) {
                run.push(piece.character);
                at += 1;
            }
            while let Some(piece) = other.get(beside).filter(|piece| piece.is_unseen()) {
                run_beside.push(piece.character);
                beside += 1;
            }
        } else {
            loop {
                let takes_here = look <= look_beside;
                let (from, index) = if takes_here { (one, &mut at) } else { (other, &mut beside) };
                let Some(piece) = from.get(*index) else { break };
                *index += 1;
                if takes_here {
                    run.push(piece.character);
                    look += piece.length();
                } else {
                    run_beside.push(piece.character);
                    look_beside += piece.length();
                }
                if look == look_beside {
                    break;
                }
            }
        }
        if run.is_empty() && run_beside.is_empty() {
            return runs;
        }
        runs.push((run, run_beside));
    }
}

/// Whether nothing in it can look like something else.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'))
}

/// A decomposed character as the keyboard has it; nothing for one that is not seen.
fn keyboard(character: char) -> Option<char> {
    if is_unseen(character) {
        return None;
    }
    Some(match character {
        '\n' | '\t' | '\r' => character,
        blank if blank.is_whitespace() => ' ',
        '\u{2018}'..='\u{201b}' | '\u{2032}' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => names::latin(other),
    })
}

/// Characters that take no room: zero-width ones, marks of direction, variation selectors.
fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_look_alike_are_named() {
        let check = |one: &str, other: &str, expect: &str| {
            assert_eq!(difference(one, other, "the name").as_deref(), Some(expect), "{one:?} {other:?}");
        };
        check("a\u{a0}b", "a b", "U+00A0 (no-break space) where the name has U+0020 (space)");
        check("a\u{3000}b", "a b", "U+3000 (ideographic space) where the name has U+0020 (space)");
        check("PM\u{202f}.", "PM .", "U+202F (narrow no-break space) where the name has U+0020 (space)");
        check(
            "cafe\u{301}",
            "caf\u{e9}",
            "U+0065 (e) U+0301 (combining mark) where the name has U+00E9 (\u{e9})",
        );
        check(
            "caf\u{e9}",
            "cafe\u{301}",
            "U+00E9 (\u{e9}) where the name has U+0065 (e) U+0301 (combining mark)",
        );
        check("f\u{ff08}x", "f(x", "U+FF08 (full-width \u{ff08}) where the name has U+0028 (()");
        check("p\u{430}y", "pay", "U+0430 (Cyrillic \u{430}) where the name has U+0061 (a)");
        check("\u{2764}\u{fe0f}", "\u{2764}", "U+FE0F (variation selector), which the name has not");
        check("ab", "a\u{200b}b", "no U+200B (zero-width space), which the name has");
        check(
            "\u{201c}a\u{201d}",
            "\"a\"",
            "U+201C (\u{201c}) where the name has U+0022 (\"); U+201D (\u{201d}) where the name has U+0022 (\")",
        );
        check("\u{b}x", " x", "U+000B (vertical tab) where the name has U+0020 (space)");
    }

    #[test]
    fn what_looks_different_is_not_named() {
        let check_not = |one: &str, other: &str| {
            assert_eq!(difference(one, other, "it"), None, "{one:?} {other:?}");
        };
        check_not("same", "same");
        check_not("a b", "a  b");
        check_not("a\u{a0}b", "a\u{a0}c");
        check_not("\u{e9}", "e");
        check_not("", "\u{e9}");
    }

    #[test]
    fn the_part_that_looks_like_it_is_found() {
        let check = |text: &str, wanted: &str, expect: Option<&str>| {
            assert_eq!(find(text, wanted).and_then(|range| text.get(range)), expect, "{text:?} {wanted:?}");
        };
        check("the list in\u{a0}use\nmore", "list in use", Some("list in\u{a0}use"));
        check("ein Cafe\u{301} hier", "Caf\u{e9}", Some("Cafe\u{301}"));
        check("ein Caf\u{e9} hier", "Cafe\u{301}", Some("Caf\u{e9}"));
        check("zero\u{200b}width", "zerowidth", Some("zero\u{200b}width"));
        check("a b", "a c", None);
        check("a\u{a0}b", "\u{200b}", None);
    }

    #[test]
    fn odd_blanks_are_named() {
        assert_eq!(odd_blanks("\u{3000}a\u{3000}b", "a b").as_deref(), Some("U+3000 (ideographic space)"));
        assert_eq!(odd_blanks("\ta b", "a b"), None);
    }
}
