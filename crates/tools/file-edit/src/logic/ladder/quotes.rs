//! Straight and typographic quotes taken for each other: where a text stands but for them, and new quotes in the file's form.

use toolwright_services::Splice;

use super::super::overlapping;

/// Where a text stands but for its quotes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Search {
    Nowhere,
    /// Once; nothing where its new text has quotes that cannot be put in the file's form without guessing.
    Once(Option<Splice>),
    Often,
}

pub(super) fn find(text: &str, old: &str, new: &str) -> Search {
    let flat: String = text.chars().map(straight).collect();
    let flat_old: String = old.chars().map(straight).collect();
    let mut places = overlapping(&flat, &flat_old);
    let (Some(start), second) = (places.next(), places.next()) else { return Search::Nowhere };
    if second.is_some() {
        return Search::Often;
    }
    // Character by character the two are the same, so that counting them finds the place.
    let before = flat.get(..start).unwrap_or_default().chars().count();
    let mut characters = text.char_indices().skip(before);
    let begin = characters.next().map_or(text.len(), |(at, _)| at);
    let end = characters.nth(old.chars().count().saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    let Some(found) = text.get(begin..end) else { return Search::Nowhere };
    Search::Once(replace(begin, found, old, new))
}

/// Replaces what differs between `old` and `new` in the text found for `old`.
fn replace(begin: usize, found: &str, old: &str, new: &str) -> Option<Splice> {
    let front = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    let rest = |text: &str| text.chars().count() - front;
    let back = old.chars().rev().zip(new.chars().rev()).take_while(|(old, new)| old == new).count();
    let back = back.min(rest(old)).min(rest(new));
    let from = byte(found, front);
    let to = byte(found, found.chars().count() - back);
    let new_from = byte(new, front);
    let new_to = byte(new, new.chars().count() - back);
    let text = in_form(found, new, new_from..new_to)?;
    // What is asked for stands there already.
    (found.get(from..to) != Some(&text)).then(|| Splice { range: begin + from..begin + to, text })
}

/// The byte at which the character of this number begins.
fn byte(text: &str, number: usize) -> usize {
    text.char_indices().nth(number).map_or(text.len(), |(at, _)| at)
}

/// A part of `new` with its quotes as `found` has them.
fn in_form(found: &str, new: &str, part: std::ops::Range<usize>) -> Option<String> {
    let mut text = String::new();
    let mut before = new.get(..part.start)?.chars().next_back();
    let mut rest = new.get(part.start..)?.chars();
    let length = new.get(part)?.chars().count();
    for _ in 0..length {
        let character = rest.next()?;
        let plain = straight(character);
        let has = |typographic: bool| {
            found.chars().any(|other| straight(other) == plain && (other != plain) == typographic)
        };
        text.push(match (plain, has(false), has(true)) {
            ('\'' | '"', true, true) => return None,
            ('\'' | '"', true, false) => plain,
            ('\'' | '"', false, true) if character == plain => {
                typographic(plain, before, rest.clone().next())?
            }
            _ => character,
        });
        before = Some(character);
    }
    Some(text)
}

/// The typographic form of a straight quote between two characters; nothing where it may open as well as close.
fn typographic(quote: char, before: Option<char>, after: Option<char>) -> Option<char> {
    let opens = before.is_none_or(|before| before.is_whitespace() || "([{".contains(before));
    let closes = after.is_none_or(|after| after.is_whitespace() || ")]}.,;:!?".contains(after));
    let apostrophe = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    match (quote, opens, closes) {
        ('"', true, false) => Some('\u{201c}'),
        ('"', false, true) => Some('\u{201d}'),
        ('\'', false, true) => Some('\u{2019}'),
        ('\'', false, false) if apostrophe(before) && apostrophe(after) => Some('\u{2019}'),
        // An opening one may be an apostrophe that leaves letters out.
        _ => None,
    }
}

/// Typographic quotes as the keyboard has them.
fn straight(character: char) -> char {
    match character {
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        other => other,
    }
}
