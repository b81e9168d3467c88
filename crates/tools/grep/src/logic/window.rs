//! A line as it is shown: text, its matches, and of a very long one the part around the first match.

/// A line longer than this (bytes) is shown in part.
const LONG: usize = 500;
/// So many bytes are shown before and after the start of the first match.
const AROUND: usize = 200;

/// A line as it is shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) marks: Vec<(usize, usize)>,
}

/// Bytes of a line, its line break included, and its matches as byte ranges, as they are shown.
pub(super) fn shorten(bytes: &[u8], marks: Vec<(usize, usize)>) -> Shown {
    let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() <= LONG {
        return text_of(line, marks);
    }
    let at = marks.first().map_or(0, |(start, _)| *start).min(line.len());
    let from = character_start(line, at.saturating_sub(AROUND));
    let to = character_start(line, (at + 2 * AROUND).min(line.len()));
    let inside = marks.into_iter().filter(|(start, _)| *start >= from && *start < to);
    let moved = inside.map(|(start, end)| (start - from, end.min(to) - from)).collect();
    let Shown { text, marks } = text_of(line.get(from..to).unwrap_or_default(), moved);
    let before = if from > 0 { "…" } else { "" };
    let after = format!("{} ({} bytes in this line)", if to < line.len() { "…" } else { "" }, line.len());
    let marks = marks.into_iter().map(|(start, end)| (start + before.len(), end + before.len())).collect();
    Shown { text: format!("{before}{text}{after}"), marks }
}

/// Marks hold for text that is UTF-8; where bytes had to be replaced they are left out.
fn text_of(line: &[u8], marks: Vec<(usize, usize)>) -> Shown {
    match std::str::from_utf8(line) {
        Ok(text) => {
            let whole =
                |(start, end): &(usize, usize)| text.get(*start..*end).is_some_and(|found| !found.is_empty());
            let clipped = marks.into_iter().map(|(start, end)| (start, end.min(text.len())));
            Shown { text: text.to_owned(), marks: clipped.filter(whole).collect() }
        }
        Err(_) => Shown { text: String::from_utf8_lossy(line).into_owned(), marks: Vec::new() },
    }
}

/// The nearest index at or before `index` at which a UTF-8 character starts.
fn character_start(line: &[u8], index: usize) -> usize {
    let inside = |index: &usize| line.get(*index).is_some_and(|byte| (byte & 0xC0) == 0x80);
    let mut index = index;
    while index > 0 && inside(&index) {
        index -= 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::{Shown, shorten};

    #[test]
    fn short_lines_are_shown_whole() {
        let check = |bytes: &[u8], marks: &[(usize, usize)], text: &str, kept: &[(usize, usize)]| {
            assert_eq!(shorten(bytes, marks.to_vec()), Shown { text: text.into(), marks: kept.to_vec() });
        };
        check(b"a needle\r\n", &[(2, 8)], "a needle", &[(2, 8)]);
        check(b"needle\n", &[(0, 7)], "needle", &[(0, 6)]);
        check(b"empty\n", &[(5, 5)], "empty", &[]);
        check(b"\xff needle", &[(2, 8)], "\u{fffd} needle", &[]);
    }

    #[test]
    fn a_long_line_is_shown_around_its_match() {
        let line = format!("{}NEEDLE{}", "ä".repeat(3_000), "b".repeat(6_000));
        let Shown { text, marks } = shorten(line.as_bytes(), vec![(6_000, 6_006)]);
        assert!(
            text.len() < 700 && text.starts_with('…') && text.ends_with("… (12006 bytes in this line)"),
            "{text}"
        );
        assert_eq!(marks.iter().map(|(start, end)| &text[*start..*end]).collect::<Vec<_>>(), ["NEEDLE"]);
    }
}
