//! Lines of styled text that are safe to show: the form between a view and a terminal. Knows no view.

use std::fmt::Write as _;

use toolwright_core::Role;
use unicode_width::UnicodeWidthStr;

use crate::safe::{Piece, each_piece};

/// Columns between tab stops.
const TAB: usize = 4;

/// What a piece of a line is; painting decides how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Style {
    /// A word of a view.
    Role(Role),
    /// A line that came.
    Added,
    /// What came within a line.
    AddedWord,
    /// A line that went.
    Removed,
    /// What went within a line.
    RemovedWord,
    /// Line numbers, marks of what is left out.
    Gutter,
    /// Something went well.
    Success,
    /// The stand-in of a character that must not reach a terminal.
    StandIn,
}

/// Whether colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// Words alone.
    Plain,
    /// With the terminal's own sixteen colours.
    Ansi,
}

/// One line, its text safe to show and without line ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line(pub(crate) Vec<Span>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) style: Style,
    pub(crate) text: String,
}

impl Line {
    /// A line of one style.
    #[must_use]
    pub fn of(style: Style, text: &str) -> Self {
        Self::default().and(style, text)
    }

    /// The same line with more text at its end.
    #[must_use]
    pub fn and(mut self, style: Style, text: &str) -> Self {
        self.push(style, text);
        self
    }

    /// Adds text, made safe.
    pub(crate) fn push(&mut self, style: Style, text: &str) {
        each_piece(text, |piece| match piece {
            Piece::Clean(clean) => self.push_clean(style, clean),
            Piece::Tab => {
                let spaces = TAB - self.columns() % TAB;
                self.push_clean(style, &" ".repeat(spaces));
            }
            Piece::StandIn(stand_in) => self.push_clean(Style::StandIn, &stand_in),
        });
    }

    /// Adds text that is known to be safe.
    pub(crate) fn push_clean(&mut self, style: Style, text: &str) {
        match self.0.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.0.push(Span { style, text: text.into() }),
        }
    }

    /// Whether nothing of it is seen.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.0.iter().all(|span| span.text.trim().is_empty())
    }

    /// How many columns it takes in a terminal.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.0.iter().map(|span| span.text.width()).sum()
    }

    /// The same line with `prefix` before it.
    #[must_use]
    pub fn after(self, prefix: &Self) -> Self {
        let mut line = prefix.clone();
        for span in self.0 {
            line.push_clean(span.style, &span.text);
        }
        line
    }

    pub(crate) fn without_spaces_at_end(&self) -> Self {
        let mut line = self.clone();
        while let Some(last) = line.0.last_mut() {
            last.text.truncate(last.text.trim_end_matches(' ').len());
            if !last.text.is_empty() {
                break;
            }
            line.0.pop();
        }
        line
    }

    /// The text for a terminal or a file, without a line end.
    #[must_use]
    pub fn paint(&self, paint: Paint) -> String {
        let mut painted = String::new();
        for Span { style, text } in &self.0 {
            match (paint, code(*style)) {
                (Paint::Ansi, Some(code)) => {
                    // Writing to a string cannot fail.
                    let _ = write!(painted, "\u{1b}[{code}m{text}\u{1b}[0m");
                }
                _ => painted.push_str(text),
            }
        }
        painted
    }
}

/// The parameters of the colour sequence.
const fn code(style: Style) -> Option<&'static str> {
    Some(match style {
        Style::Role(Role::Name) => "1",
        Style::Role(Role::Path) => "36",
        Style::Role(Role::Command) => "35",
        Style::Role(Role::Count) => "1",
        Style::Role(Role::Match) => "1;33",
        Style::Role(Role::Muted) | Style::Gutter => "2",
        Style::Role(Role::Warning) => "33",
        Style::Role(Role::Error) => "31",
        Style::Added | Style::Success => "32",
        Style::AddedWord => "7;32",
        Style::Removed => "31",
        Style::RemovedWord => "7;31",
        Style::StandIn => "7;33",
        Style::Role(_) => return None,
    })
}
