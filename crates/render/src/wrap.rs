//! Breaking and cutting lines at a width, by what terminals count: wide characters take two columns, combining ones none.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::line::{Line, Span, Style};

/// Where a line may break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    /// After a space, where there is one.
    Words,
    /// Anywhere: code stays in its columns.
    Anywhere,
}

struct Cell<'a> {
    style: Style,
    text: &'a str,
    columns: usize,
}

/// The rows of `line` at `width` columns; rows after the first begin with `indent` spaces. A width too small to hold
/// anything beside the indent drops the indent.
pub(crate) fn wrap(line: &Line, width: Option<usize>, indent: usize, at: Break) -> Vec<Line> {
    let Some(width) = width.map(|width| width.max(2)) else { return vec![line.clone()] };
    if line.columns() <= width {
        return vec![line.clone()];
    }
    let indent = if indent + 8 > width { 0 } else { indent };
    let cells = cells(line);
    let mut rows = Vec::new();
    let mut rest = cells.as_slice();
    while !rest.is_empty() {
        let room = if rows.is_empty() { width } else { width - indent };
        let fits = fitting(rest, room);
        let taken = if fits == rest.len() || at == Break::Anywhere { fits } else { last_break(rest, fits) };
        let (row, later) = rest.split_at(taken);
        let row = if at == Break::Words && !later.is_empty() { trim_end(row) } else { row };
        let mut painted = Line::default();
        if !rows.is_empty() && indent > 0 {
            painted.push_clean(Style::Gutter, &" ".repeat(indent));
        }
        row.iter().for_each(|cell| painted.push_clean(cell.style, cell.text));
        rows.push(painted);
        rest = later;
    }
    rows
}

/// The line cut to `width` columns, with an ellipsis where something is missing.
pub(crate) fn cut(line: &Line, width: usize) -> Line {
    if line.columns() <= width {
        return line.clone();
    }
    let cells = cells(line);
    let kept = fitting(&cells, width.saturating_sub(1)).min(cells.len());
    let mut cut = Line::default();
    for cell in cells.iter().take(kept) {
        cut.push_clean(cell.style, cell.text);
    }
    cut.push_clean(Style::Gutter, "…");
    cut
}

fn cells(line: &Line) -> Vec<Cell<'_>> {
    line.0.iter().flat_map(cells_of).collect()
}

fn cells_of(span: &Span) -> impl Iterator<Item = Cell<'_>> {
    span.text.graphemes(true).map(|text| Cell { style: span.style, text, columns: text.width() })
}

/// How many cells fit into `room` columns; at least one, so that nothing is stuck.
fn fitting(cells: &[Cell<'_>], room: usize) -> usize {
    let mut used = 0;
    for (index, cell) in cells.iter().enumerate() {
        used += cell.columns;
        if used > room {
            return index.max(1);
        }
    }
    cells.len()
}

/// The end of the last whole word within the first `fits` cells; `fits` where there is none. A space may hang over.
fn last_break(cells: &[Cell<'_>], fits: usize) -> usize {
    let after_space = |index: &usize| cells.get(index - 1).is_some_and(|cell| cell.text == " ");
    let has_words = |index: &usize| cells.iter().take(*index).any(|cell| cell.text != " ");
    (1..=(fits + 1).min(cells.len()))
        .rev()
        .find(|index| after_space(index) && has_words(index))
        .unwrap_or(fits)
}

fn trim_end<'a, 'b>(row: &'a [Cell<'b>]) -> &'a [Cell<'b>] {
    let end = row.iter().rposition(|cell| cell.text != " ").map_or(0, |last| last + 1);
    row.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use toolwright_core::Role;

    use super::{Break, cut, wrap};
    use crate::line::{Line, Paint, Style};

    fn line(text: &str) -> Line {
        Line::of(Style::Role(Role::Plain), text)
    }

    #[test]
    fn rows_hold_the_width_and_lose_no_word() {
        let check = |text: &str, width: usize, indent: usize, at: Break, expect: &[&str]| {
            let rows = wrap(&line(text), Some(width), indent, at);
            let rows: Vec<_> = rows.iter().map(|row| row.paint(Paint::Plain)).collect();
            assert_eq!(rows, expect, "{text:?} at {width}");
        };
        check("one two three", 20, 2, Break::Words, &["one two three"]);
        check("one two three", 8, 0, Break::Words, &["one two", "three"]);
        check("one two three", 7, 0, Break::Words, &["one two", "three"]);
        check("one two three four five", 12, 2, Break::Words, &["one two", "  three four", "  five"]);
        check("abcdefghij", 4, 0, Break::Words, &["abcd", "efgh", "ij"]);
        check("ab cd", 4, 0, Break::Anywhere, &["ab c", "d"]);
        check("漢字漢字", 5, 0, Break::Anywhere, &["漢字", "漢字"]);
        check("漢", 1, 0, Break::Words, &["漢"]);
        check("e\u{301}e\u{301}e\u{301}", 2, 0, Break::Anywhere, &["e\u{301}e\u{301}", "e\u{301}"]);
    }

    #[test]
    fn a_cut_says_so() {
        let check = |text: &str, width: usize, expect: &str| {
            assert_eq!(cut(&line(text), width).paint(Paint::Plain), expect, "{text:?} at {width}");
        };
        check("short", 5, "short");
        check("longer", 5, "long…");
        check("漢字漢字", 4, "漢…");
    }
}
