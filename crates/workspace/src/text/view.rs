//! The LF view of a text and the way back: which line ended how is kept beside it, so that splicing changes no other byte.

use std::ops::Range;

use toolwright_services::{LineEnds, Splice};

/// What ends a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineEnd {
    Lf,
    CrLf,
    Cr,
}

impl LineEnd {
    const fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }
}

/// How the lines of a view end in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ends {
    /// All the same; what a line put into a text without any gets.
    Same(LineEnd),
    /// One for each LF of the view.
    Each(Vec<LineEnd>),
}

impl Ends {
    fn of(ends: Vec<LineEnd>) -> Self {
        match ends.first() {
            None => Self::Same(LineEnd::Lf),
            Some(first) if ends.iter().all(|end| end == first) => Self::Same(*first),
            Some(_) => Self::Each(ends),
        }
    }

    /// For the one who asks how a file is stored.
    pub(crate) fn kind(&self) -> LineEnds {
        match self {
            Self::Same(LineEnd::Lf) => LineEnds::Lf,
            Self::Same(LineEnd::CrLf) => LineEnds::CrLf,
            Self::Same(LineEnd::Cr) => LineEnds::Cr,
            Self::Each(_) => LineEnds::Mixed,
        }
    }

    /// What the lines of a text that takes the whole file's place get: the file's, where it has one.
    pub(crate) fn for_new_text(&self) -> Self {
        match self {
            Self::Same(end) => Self::Same(*end),
            Self::Each(_) => Self::Same(LineEnd::Lf),
        }
    }

    fn get(&self, index: usize) -> Option<LineEnd> {
        match self {
            Self::Same(end) => Some(*end),
            Self::Each(ends) => ends.get(index).copied(),
        }
    }
}

/// Whether a lone CR ends a line: only in a file that begins without any LF. Elsewhere it is a character like any other, so
/// that line numbers are those of every other program.
pub(crate) fn lone_cr_ends_lines(head: &[u8], unit: usize) -> bool {
    unit == 1 && memchr::memchr(b'\n', head).is_none() && memchr::memchr(b'\r', head).is_some()
}

/// How the lines of the beginning of a file end.
pub(crate) fn line_ends(head: &[u8], unit: usize, lone_cr: bool) -> LineEnds {
    if lone_cr {
        return LineEnds::Cr;
    }
    let (mut lf, mut crlf) = (false, false);
    for at in memchr::memchr_iter(b'\n', head) {
        let before = match unit {
            1 => at.checked_sub(1),
            // The CR's own byte is two before the LF's in either byte order.
            _ => at.checked_sub(2),
        };
        if before.and_then(|before| head.get(before)) == Some(&b'\r') {
            crlf = true
        } else {
            lf = true
        }
        if lf && crlf {
            return LineEnds::Mixed;
        }
    }
    if crlf { LineEnds::CrLf } else { LineEnds::Lf }
}

/// The view of a decoded text, and how its lines end.
pub(crate) fn to_view(text: String, lone_cr: bool) -> (String, Ends) {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return (text, Ends::Same(LineEnd::Lf));
    }
    let mut view = String::with_capacity(text.len());
    let mut ends = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['\r', '\n']) {
        let (before, from) = rest.split_at(at);
        view.push_str(before);
        let end = if from.starts_with("\r\n") {
            Some(LineEnd::CrLf)
        } else if from.starts_with('\n') {
            Some(LineEnd::Lf)
        } else {
            lone_cr.then_some(LineEnd::Cr)
        };
        view.push(if end.is_some() { '\n' } else { '\r' });
        ends.extend(end);
        rest = from.get(end.map_or(1, |end| end.text().len())..).unwrap_or_default();
    }
    view.push_str(rest);
    (view, Ends::of(ends))
}

/// The text as it is stored, before it is encoded.
pub(crate) fn from_view(view: String, ends: &Ends) -> String {
    if *ends == Ends::Same(LineEnd::Lf) {
        return view;
    }
    let mut text = String::with_capacity(view.len() + view.len() / 16);
    for (index, line) in view.split('\n').enumerate() {
        if let Some(before) = index.checked_sub(1) {
            text.push_str(ends.get(before).unwrap_or(LineEnd::Lf).text());
        }
        text.push_str(line);
    }
    text
}

/// The view with pieces replaced, and how its lines end; nothing when pieces overlap, lie outside or cut a character.
///
/// The lines of a piece that are the same before and after keep their ends; new ones get the end of the line before them.
pub(crate) fn splice(view: &str, ends: &Ends, mut splices: Vec<Splice>) -> Option<(String, Ends)> {
    splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
    let mut text = String::with_capacity(view.len());
    let mut new_ends = Vec::new();
    let each = matches!(ends, Ends::Each(_));
    let (mut at, mut line) = (0, 0);
    for splice in splices {
        let (range, new) = narrow(view, splice.range, &splice.text)?;
        let kept = view.get(at..range.start)?;
        let old = view.get(range.clone())?;
        text.push_str(kept);
        text.push_str(new);
        if each {
            let (kept, old, new) = (count(kept), count(old), count(new));
            new_ends.extend((line..line + kept).filter_map(|index| ends.get(index)));
            line += kept;
            let around = line.checked_sub(1).and_then(|before| ends.get(before)).or_else(|| ends.get(line));
            new_ends.extend((0..new).filter_map(
                |index| {
                    if index < old { ends.get(line + index) } else { around }
                },
            ));
            line += old;
        }
        at = range.end;
    }
    let kept = view.get(at..)?;
    text.push_str(kept);
    if each {
        new_ends.extend((line..line + count(kept)).filter_map(|index| ends.get(index)));
    }
    Some((text, if each { Ends::of(new_ends) } else { ends.clone() }))
}

fn count(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

/// The piece without what is the same at both its ends.
fn narrow<'a>(view: &str, range: Range<usize>, new: &'a str) -> Option<(Range<usize>, &'a str)> {
    let old = view.get(range.clone())?;
    let same = |(one, other): &(char, char)| one == other;
    let front: usize =
        old.chars().zip(new.chars()).take_while(same).map(|(character, _)| character.len_utf8()).sum();
    let (old, new) = (old.get(front..)?, new.get(front..)?);
    let back: usize = old
        .chars()
        .rev()
        .zip(new.chars().rev())
        .take_while(same)
        .map(|(character, _)| character.len_utf8())
        .sum();
    let new = new.get(..new.len() - back)?;
    Some((range.start + front..range.end - back, new))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, range: Range<usize>, new: &str, expect: Option<&str>) {
        let lone_cr = lone_cr_ends_lines(file.as_bytes(), 1);
        let (view, ends) = to_view(file.to_owned(), lone_cr);
        assert_eq!(from_view(view.clone(), &ends), file, "the way back");
        let spliced = splice(&view, &ends, vec![Splice { range, text: new.into() }]);
        let spliced = spliced.map(|(view, ends)| from_view(view, &ends));
        assert_eq!(spliced.as_deref(), expect, "{file:?} with {new:?}");
    }

    #[test]
    fn new_lines_follow_the_lines_around_them() {
        check("a\r\nb\r\n", 0..1, "x\ny", Some("x\r\ny\r\nb\r\n"));
        check("a\nb", 2..3, "c\nd", Some("a\nc\nd"));
        check("one line", 8..8, "\nmore", Some("one line\nmore"));
        check("a\r\nb\nc\n", 2..3, "b1\nb2", Some("a\r\nb1\r\nb2\nc\n"));
        check("a\r\nb\nc\n", 0..6, "a\nB\nc\n", Some("a\r\nB\nc\n"));
        check("a\nb\r\nc\r\n", 0..0, "new\n", Some("new\na\nb\r\nc\r\n"));
        check("a\rb\r", 2..3, "x\ny", Some("a\rx\ry\r"));
        check("a\rb\nc\n", 0..1, "z", Some("z\rb\nc\n"));
        check("a\r\r\nb\n", 0..1, "z", Some("z\r\r\nb\n"));
        check("\u{e9}x", 1..2, "y", None);
        check("abc", 2..9, "y", None);
    }
}
