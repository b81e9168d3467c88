//! The parts of a word while it is read.

use crate::tree::Part;

/// Adds unquoted text.
pub(super) fn push_text(parts: &mut Vec<Part>, text: &str) {
    if text.is_empty() {
        return;
    }
    match parts.last_mut() {
        Some(Part::Text(last)) => last.push_str(text),
        _ => parts.push(Part::Text(text.to_owned())),
    }
}

/// Adds quoted text. None of it is still a part: `''` is a word.
pub(super) fn push_quoted(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        Some(Part::Quoted(last)) => last.push_str(text),
        _ => parts.push(Part::Quoted(text.to_owned())),
    }
}

/// Adds text that is quoted or not by where it stands.
pub(super) fn push(parts: &mut Vec<Part>, text: &str, quoted: bool) {
    if !quoted {
        push_text(parts, text);
    } else if !text.is_empty() {
        push_quoted(parts, text);
    }
}

/// Adds what stood between double quotes.
pub(super) fn push_double(parts: &mut Vec<Part>, mut inner: Vec<Part>) {
    match inner.as_mut_slice() {
        [] => push_quoted(parts, ""),
        [Part::Quoted(text)] => push_quoted(parts, text),
        _ => parts.push(Part::Double(inner)),
    }
}

/// The text that a word stands for where it has no expansions and no active characters.
pub(super) fn constant(parts: &[Part]) -> Option<String> {
    let mut all = String::new();
    for part in parts {
        match part {
            Part::Text(text) | Part::Quoted(text) => all.push_str(text),
            _ => return None,
        }
    }
    Some(all)
}
