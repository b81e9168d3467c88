//! The beginning and the end of a text, cut between characters and, where a line ends near enough, between lines.

use std::path::Path;

/// How many bytes of the beginning and the end are shown, for at most so many characters of each.
pub(super) fn cuts(text: &str, head: usize, tail: usize) -> (usize, usize) {
    let end = text.char_indices().nth(head).map_or(text.len(), |(index, _)| index);
    let beginning = text.get(..end).unwrap_or_default();
    // A line that ends in the first half would cost more than it helps.
    let head = match beginning.rfind('\n') {
        Some(line_end) if line_end >= beginning.len() / 2 => line_end + 1,
        _ => beginning.len(),
    };
    let start = match tail.checked_sub(1) {
        Some(last) => text.char_indices().rev().nth(last).map_or(0, |(index, _)| index),
        None => text.len(),
    };
    let ending = text.get(start..).unwrap_or_default();
    let tail = match ending.find('\n') {
        Some(line_end) if line_end < ending.len() / 2 => ending.len() - line_end - 1,
        _ => ending.len(),
    };
    (head, tail)
}

/// The beginning, a mark that says what is missing and where it is, and the end. Cuts that do not fit the text (it is another
/// one than they were made for) move to the next character.
pub(super) fn text(text: &str, head: usize, tail: usize, path: Option<&Path>) -> String {
    let head = text.floor_char_boundary(head.min(text.len()));
    let start = text.len().saturating_sub(tail).max(head);
    let start = text.ceil_char_boundary(start);
    let (beginning, rest) = text.split_at_checked(head).unwrap_or((text, ""));
    let (middle, ending) = rest.split_at_checked(start - head).unwrap_or((rest, ""));
    let line_feed = |part: &str| if part.is_empty() || part.ends_with('\n') { "" } else { "\n" };
    let rest = match path {
        Some(path) => format!(
            "The whole text is in {}; read or search it there, in parts (offset and limit).",
            path.display()
        ),
        None => "The rest was kept nowhere; ask for less at once.".to_owned(),
    };
    format!(
        "{beginning}{}[{} of {} characters left out here ({} lines in all). {rest}]\n{ending}",
        line_feed(beginning),
        middle.chars().count(),
        text.chars().count(),
        text.lines().count(),
    )
}
