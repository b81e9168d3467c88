//! Where the values of a JSON text stand. The text is known to be valid; on any other the answers are wrong, and nothing worse.

use std::ops::Range;

use super::Member;

/// The members of the object that begins at `start`; nothing where none does.
#[must_use]
pub fn members(text: &str, start: usize) -> Option<Vec<Member>> {
    let mut found = Vec::new();
    let mut at = inside(text, start, b'{')?;
    while byte(text, at) == Some(b'"') {
        let key_end = string_end(text, at);
        let value = space(text, space(text, key_end) + 1);
        let end = value_end(text, value);
        let raw = text.get(at..key_end)?;
        let key = serde_json::from_str(raw).unwrap_or_else(|_| raw.to_owned());
        found.push(Member { key, range: at..end, value: value..end });
        at = next(text, end)?;
    }
    Some(found)
}

/// The values of the list that begins at `start`; nothing where none does.
#[must_use]
pub fn items(text: &str, start: usize) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut at = inside(text, start, b'[')?;
    while !matches!(byte(text, at), None | Some(b']')) {
        let end = value_end(text, at);
        if end == at {
            // No value stands here: the text is not valid.
            return None;
        }
        found.push(at..end);
        at = next(text, end)?;
    }
    Some(found)
}

/// The first place from `at` on that is no white space.
pub(super) fn space(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}

fn byte(text: &str, at: usize) -> Option<u8> {
    text.as_bytes().get(at).copied()
}

fn inside(text: &str, start: usize, open: u8) -> Option<usize> {
    (byte(text, start) == Some(open)).then(|| space(text, start + 1))
}

/// Where the next value or the closing bracket stands, after a value that ended at `end`.
fn next(text: &str, end: usize) -> Option<usize> {
    let at = space(text, end);
    match byte(text, at)? {
        b',' => Some(space(text, at + 1)),
        _ => Some(at),
    }
}

fn value_end(text: &str, at: usize) -> usize {
    match byte(text, at) {
        Some(b'"') => string_end(text, at),
        Some(b'{' | b'[') => nested_end(text, at),
        _ => {
            let rest = text.as_bytes().get(at..).unwrap_or_default();
            let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
            at + rest.iter().position(ends).unwrap_or(rest.len())
        }
    }
}

fn nested_end(text: &str, mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(byte) = byte(text, at) {
        match byte {
            b'"' => {
                at = string_end(text, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn string_end(text: &str, start: usize) -> usize {
    let mut at = start + 1;
    loop {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        match memchr::memchr2(b'"', b'\\', rest) {
            None => return text.len(),
            Some(found) if rest.get(found) == Some(&b'"') => return at + found + 1,
            Some(found) => at = (at + found + 2).min(text.len()),
        }
    }
}
