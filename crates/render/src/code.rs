//! Text in a language, or plain output, with line numbers where it is a piece of a file.

use toolwright_core::Role;

use crate::line::{Line, Style};
use crate::safe::without_colours;
use crate::view::{Layout, folded};
use crate::wrap::{Break, wrap};

/// Rows one line of text may take while output is folded: a minified file is one line.
const ROWS_A_LINE: usize = 6;

/// Columns a row has where no width is given and output is folded.
const ROW_WITHOUT_WIDTH: usize = 200;

pub(crate) fn code_lines(
    language: Option<&str>,
    text: &str,
    first_line: Option<usize>,
    layout: &Layout,
) -> Vec<Line> {
    // What a command printed; text in a language is shown as it is, colour sequences included.
    let without = (language.is_none() && text.contains("\u{1b}[")).then(|| without_colours(text));
    let text = without.as_deref().unwrap_or(text);
    let text = text.strip_suffix('\n').unwrap_or(text);
    if text.is_empty() {
        return Vec::new();
    }
    let total = text.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let shown = layout.fold.filter(|limit| total > limit + 1).unwrap_or(total);
    let gutter = first_line.map(|first| Gutter::new(first, first + shown));
    let mut rows = Vec::new();
    for (index, line) in text.split('\n').take(shown).enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let number = first_line.map(|first| first + index);
        rows.extend(numbered(highlight(language, line), gutter.as_ref(), number, layout));
    }
    if shown < total {
        rows.push(folded(total - shown, "line"));
    }
    rows
}

/// The seam for a highlighter: one line of source as styled pieces. Plain for now.
fn highlight(_language: Option<&str>, line: &str) -> Line {
    Line::of(Style::Role(Role::Plain), line)
}

/// The column of line numbers.
pub(crate) struct Gutter {
    digits: usize,
}

impl Gutter {
    pub(crate) fn new(first: usize, end: usize) -> Self {
        Self { digits: first.max(end.saturating_sub(1)).to_string().len() }
    }

    pub(crate) fn line(&self, number: Option<usize>) -> Line {
        let number = number.map(|number| number.to_string()).unwrap_or_default();
        Line::of(Style::Gutter, &format!("{number:>digits$}  ", digits = self.digits))
    }
}

/// The rows of one line of text beside its number.
fn numbered(line: Line, gutter: Option<&Gutter>, number: Option<usize>, layout: &Layout) -> Vec<Line> {
    let prefix = gutter.map(|gutter| gutter.line(number)).unwrap_or_default();
    beside(&prefix, line, layout)
}

/// The rows of `line`, the first after `prefix`, the others indented as far.
pub(crate) fn beside(prefix: &Line, line: Line, layout: &Layout) -> Vec<Line> {
    if line.columns() == 0 {
        return vec![prefix.without_spaces_at_end()];
    }
    let indent = prefix.columns();
    let room = layout.width.map(|width| width.saturating_sub(indent).max(8));
    let mut rows = match (layout.fold, room) {
        (Some(_), None) => wrap(&line, Some(ROW_WITHOUT_WIDTH * ROWS_A_LINE), 0, Break::Anywhere),
        _ => wrap(&line, room, 0, Break::Anywhere),
    };
    let limit = match (layout.fold, room) {
        (None, _) => usize::MAX,
        (Some(_), None) => 1,
        (Some(_), Some(_)) => ROWS_A_LINE,
    };
    if rows.len() > limit {
        let columns: usize = rows.iter().skip(limit).map(Line::columns).sum();
        rows.truncate(limit);
        let mark = folded(columns, "column");
        if limit == 1 {
            if let Some(last) = rows.last_mut() {
                *last = mark.after(last);
            }
        } else {
            rows.push(mark);
        }
    }
    let blank = Line::of(Style::Gutter, &" ".repeat(indent));
    let mut rows = rows.into_iter();
    let first = rows.next().map(|row| row.after(prefix));
    let later = rows.map(|row| if indent == 0 { row } else { row.after(&blank) });
    first.into_iter().chain(later).collect()
}
