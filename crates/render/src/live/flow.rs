//! Text as it streams in: whole rows are given away, the row being written is kept.

use toolwright_core::Role;

use crate::line::{Line, Style};
use crate::wrap::{Break, wrap};

/// The text between the last row given away and now.
#[derive(Debug, Default)]
pub(super) struct Flow {
    partial: Line,
    /// Spaces before the later rows of this line: those of a list item or of code.
    indent: usize,
    begun: bool,
}

impl Flow {
    /// Nothing is held.
    pub(super) fn is_empty(&self) -> bool {
        self.partial == Line::default()
    }

    /// Takes more text; gives the rows that are whole now.
    pub(super) fn push(&mut self, text: &str, width: Option<usize>) -> Vec<Line> {
        let mut rows = Vec::new();
        for (index, piece) in text.split('\n').enumerate() {
            if index > 0 {
                rows.extend(wrap(&self.take(), width, self.indent, Break::Words));
                self.begun = false;
            }
            self.partial.push(Style::Role(Role::Plain), piece.strip_suffix('\r').unwrap_or(piece));
            if !self.begun {
                let line: String = self.partial.paint(crate::Paint::Plain);
                self.indent = hanging(&line);
            }
        }
        if let Some(width) = width {
            let mut broken = wrap(&self.partial, Some(width), self.indent, Break::Words);
            if let Some(last) = broken.pop().filter(|_| !broken.is_empty()) {
                self.begun = true;
                self.partial = last;
                rows.append(&mut broken);
            }
        }
        rows
    }

    /// The rows of what is left.
    pub(super) fn end(&mut self, width: Option<usize>) -> Vec<Line> {
        self.begun = false;
        if self.is_empty() { Vec::new() } else { wrap(&self.take(), width, self.indent, Break::Words) }
    }

    /// The row being written.
    pub(super) fn row(&self) -> Option<Line> {
        (!self.is_empty()).then(|| self.partial.clone())
    }

    fn take(&mut self) -> Line {
        std::mem::take(&mut self.partial)
    }
}

/// Columns up to the words of a line: leading spaces and the mark of a list item.
fn hanging(line: &str) -> usize {
    let words = line.trim_start_matches(' ');
    let spaces = line.len() - words.len();
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let mark = match words.get(digits..) {
        Some(rest) if digits == 0 && (rest.starts_with("- ") || rest.starts_with("* ")) => 2,
        Some(rest) if digits > 0 && (rest.starts_with(". ") || rest.starts_with(") ")) => digits + 2,
        _ => 0,
    };
    spaces + mark
}
