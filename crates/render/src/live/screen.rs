//! A writer with a region at its end that is drawn again and again. Nothing here knows what is shown.

use std::io::Write;

use crate::line::{Line, Paint};
use crate::wrap::cut;

/// Rows the region may take: a terminal that scrolls while it is drawn on leaves copies behind.
const MOST_ROWS: usize = 14;

/// Begin and end of a drawing that the terminal shows at once; those that do not know it ignore it.
const HOLD: &str = "\u{1b}[?2026h";
const RELEASE: &str = "\u{1b}[?2026l";

pub(super) struct Screen<W: Write> {
    writer: W,
    width: Box<dyn Fn() -> Option<usize> + Send>,
    paint: Paint,
    redraw: bool,
    /// Columns of each line of the region as it stands.
    drawn: Vec<usize>,
    /// The region as it was painted last: the same again is not written.
    painted: String,
    pending: String,
    suspended: bool,
    broken: bool,
}

impl<W: Write> Screen<W> {
    pub(super) fn new(
        writer: W,
        width: Box<dyn Fn() -> Option<usize> + Send>,
        paint: Paint,
        redraw: bool,
    ) -> Self {
        Self {
            writer,
            width,
            paint,
            redraw,
            drawn: Vec::new(),
            painted: String::new(),
            pending: String::new(),
            suspended: false,
            broken: false,
        }
    }

    pub(super) fn width(&self) -> Option<usize> {
        // The last column stays free: some terminals break the line when it is written.
        (self.width)().map(|width| width.saturating_sub(1).max(20))
    }

    /// Prints lines for good, above the region.
    pub(super) fn print(&mut self, lines: &[Line]) {
        for line in lines {
            self.pending.push_str(&line.paint(self.paint));
            self.pending.push('\n');
        }
        if !self.redraw {
            self.flush_pending();
        }
    }

    /// Draws the region, after what was printed since.
    pub(super) fn draw(&mut self, region: &[Line]) {
        if !self.redraw || self.suspended {
            return;
        }
        let width = self.width().unwrap_or(80);
        let hidden = region.len().saturating_sub(MOST_ROWS);
        let lines: Vec<_> = region.iter().skip(hidden).map(|line| cut(line, width)).collect();
        let painted = lines.iter().map(|line| line.paint(self.paint)).collect::<Vec<_>>().join("\n");
        if self.pending.is_empty() && painted == self.painted {
            return;
        }
        let frame =
            format!("{HOLD}{}{}{painted}{RELEASE}", self.erase(width), std::mem::take(&mut self.pending));
        self.drawn = lines.iter().map(Line::columns).collect();
        self.painted = painted;
        self.write(&frame);
    }

    pub(super) fn suspend(&mut self) {
        let erase = self.erase(self.width().unwrap_or(80));
        self.drawn.clear();
        self.painted.clear();
        self.write(&erase);
        self.flush_pending();
        self.suspended = true;
    }

    pub(super) fn resume(&mut self) {
        self.suspended = false;
    }

    /// Goes on although the question has no answer: it stands half-way in a line.
    pub(super) fn end_suspension(&mut self) {
        if std::mem::take(&mut self.suspended) {
            self.pending.insert(0, '\n');
        }
    }

    fn flush_pending(&mut self) {
        if self.suspended || self.pending.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut self.pending);
        self.write(&pending);
    }

    /// Takes the region away. A terminal that was made narrower has broken its lines into more rows.
    fn erase(&self, width: usize) -> String {
        if self.drawn.is_empty() {
            return String::new();
        }
        let rows: usize = self.drawn.iter().map(|columns| columns.div_ceil(width + 1).max(1)).sum();
        match rows {
            1 => "\r\u{1b}[J".into(),
            many => format!("\r\u{1b}[{}A\u{1b}[J", many - 1),
        }
    }

    fn write(&mut self, text: &str) {
        if self.broken || text.is_empty() {
            return;
        }
        self.broken = self.writer.write_all(text.as_bytes()).and_then(|()| self.writer.flush()).is_err();
    }
}
