//! How a file's text is laid out, told from its beginning, and a window of it. Opens no file.

use toolwright_services::{TextFormat, TextWindow, Window};

use super::{Detected, LineWindow, Named, NotText, Seen, detect, line_ends, lone_cr_ends_lines};

/// Bytes by which a text is judged: a file of no more is looked at as a whole.
pub(crate) const HEAD: u64 = 1 << 20;

/// How a text is laid out.
pub(crate) struct Layout {
    pub(crate) detected: Detected,
    pub(crate) lone_cr: bool,
    format: TextFormat,
}

impl Layout {
    /// Judged by the first bytes alone ([`HEAD`] and one), so that a window and the whole are judged alike.
    pub(crate) fn of(bytes: &[u8], whole: bool, named: Named) -> Result<Self, NotText> {
        let head = bytes.get(..usize::try_from(HEAD).unwrap_or(0) + 1).unwrap_or(bytes);
        let detected = detect(head, whole, named)?;
        let unit = detected.encoding.unit();
        let lone_cr = lone_cr_ends_lines(head, unit);
        let line_ends = line_ends(head, unit, lone_cr);
        let format =
            TextFormat { encoding: detected.encoding.name(), bom: !detected.bom.is_empty(), line_ends };
        Ok(Self { detected, lone_cr, format })
    }

    pub(crate) fn into_format(self) -> TextFormat {
        self.format
    }

    pub(crate) fn lines(&self, window: Window, counts_all: bool) -> LineWindow {
        let Detected { encoding, bom } = self.detected;
        LineWindow::new(window, encoding, self.lone_cr, counts_all, bom.len() as u64)
    }

    pub(crate) fn window(self, seen: Seen, size: u64) -> TextWindow {
        TextWindow {
            text: seen.text,
            lines: seen.lines,
            cut: seen.cut,
            total_lines: seen.total_lines,
            more: seen.more,
            size,
            format: self.format,
        }
    }
}

/// A window of a text whose bytes come in these pieces. The first has the byte order mark, and the text is judged by it
/// alone; in UTF-16 each but the last has whole characters.
///
/// # Errors
/// When they are no text.
pub fn window<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, window: Window) -> Result<TextWindow, NotText> {
    let mut pieces = pieces.into_iter().peekable();
    let first = pieces.next().unwrap_or_default();
    let layout = Layout::of(first, pieces.peek().is_none(), Named::default())?;
    let mut lines = layout.lines(window, true);
    lines.feed(first.get(layout.detected.bom.len()..).unwrap_or_default())?;
    let mut size = first.len();
    for piece in pieces {
        lines.feed(piece)?;
        size += piece.len();
    }
    Ok(layout.window(lines.finish(true)?, size as u64))
}
