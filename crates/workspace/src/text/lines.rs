//! A window of lines out of a stream of bytes: counts what lies before, keeps what lies in it, knows when it has enough. Holds
//! the window and one cut line, never the file.

use sha2::{Digest, Sha256};
use toolwright_services::{CutLine, Window};

use super::encoding::{self, Encoding, NotText};

/// Whether more bytes are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    More,
    Enough,
}

/// What a window holds, once the bytes are over or enough.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) text: String,
    pub(crate) lines: u64,
    pub(crate) cut: Vec<CutLine>,
    /// Known when the stream was read to its end.
    pub(crate) total_lines: Option<u64>,
    pub(crate) more: bool,
    /// The bytes of the window in the stream: where they begin and end, and their hash.
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) hash: [u8; 32],
}

/// Collects a window while bytes are fed to it. In UTF-16 every chunk but the last has an even length.
#[derive(Debug)]
pub(crate) struct LineWindow {
    window: Window,
    encoding: Encoding,
    lone_cr: bool,
    /// Goes on to count all lines after the window is full.
    counts_all: bool,
    /// Lines that have ended so far.
    ended: u64,
    /// Whether bytes came after the last line end.
    partial: bool,
    /// A CR ended a line, and an LF that follows belongs to it.
    after_cr: bool,
    /// Bytes fed so far.
    offset: u64,
    line: Vec<u8>,
    omitted: u64,
    text: String,
    lines: u64,
    cut: Vec<CutLine>,
    from: Option<u64>,
    to: u64,
    hash: Sha256,
}

impl LineWindow {
    /// `offset` is where in the file the first byte fed will lie (after a byte order mark).
    pub(crate) fn new(
        window: Window,
        encoding: Encoding,
        lone_cr: bool,
        counts_all: bool,
        offset: u64,
    ) -> Self {
        // A character of UTF-16 is not cut between its bytes.
        let line_bytes = window.line_bytes & !1;
        Self {
            window: Window { first_line: window.first_line.max(1), line_bytes, ..window },
            encoding,
            lone_cr,
            counts_all,
            ended: 0,
            partial: false,
            after_cr: false,
            offset,
            line: Vec::new(),
            omitted: 0,
            text: String::new(),
            lines: 0,
            cut: Vec::new(),
            from: None,
            to: offset,
            hash: Sha256::new(),
        }
    }

    /// Takes the next bytes.
    pub(crate) fn feed(&mut self, chunk: &[u8]) -> Result<Flow, NotText> {
        let mut rest = chunk;
        while !rest.is_empty() {
            if self.full() && !self.counts_all && !self.after_cr {
                return Ok(Flow::Enough);
            }
            let taken = self.step(rest)?;
            rest = rest.get(taken..).unwrap_or_default();
        }
        Ok(Flow::More)
    }

    /// How many more lines end before the window, where only line feeds end lines: their bytes may be passed over.
    pub(crate) fn unwanted(&self) -> Option<u64> {
        let only_line_feeds = self.encoding.unit() == 1 && !self.lone_cr;
        only_line_feeds
            .then(|| self.window.first_line.saturating_sub(1 + self.ended))
            .filter(|lines| *lines > 0)
    }

    /// Goes on at `offset`, behind bytes in which so many of the unwanted lines ended. Bytes follow there.
    pub(crate) fn skip_to(&mut self, offset: u64, ended: u64) {
        self.offset = offset;
        self.ended += ended;
    }

    /// `at_end`: the input is complete. Otherwise another line follows, and the limit was reached before it.
    pub(crate) fn finish(mut self, at_end: bool) -> Result<Seen, NotText> {
        if self.partial && at_end {
            if self.collects() {
                self.keep_line(false)?;
            }
            self.ended += 1;
        }
        Ok(Seen {
            more: !at_end || self.ended > self.window.first_line - 1 + self.lines,
            total_lines: at_end.then_some(self.ended),
            from: self.from.unwrap_or(self.to),
            to: self.to,
            hash: self.hash.finalize().into(),
            text: self.text,
            lines: self.lines,
            cut: self.cut,
        })
    }

    /// Takes up to the end of the next line, at least one byte.
    fn step(&mut self, bytes: &[u8]) -> Result<usize, NotText> {
        if self.after_cr {
            self.after_cr = false;
            if bytes.first() == Some(&b'\n') {
                self.pass(bytes, 1);
                return Ok(1);
            }
        }
        if self.encoding.unit() == 1 && !self.lone_cr && !self.collects() {
            return Ok(self.skip(bytes));
        }
        let unit = self.encoding.unit();
        let Some(end) = self.line_end(bytes) else {
            self.piece(bytes);
            self.pass(bytes, bytes.len());
            self.partial = true;
            return Ok(bytes.len());
        };
        let taken = end + unit;
        self.after_cr = self.lone_cr && bytes.get(end) == Some(&b'\r');
        self.piece(bytes.get(..end).unwrap_or_default());
        self.pass(bytes, taken);
        if self.collects() {
            self.keep_line(!self.lone_cr)?;
        }
        self.ended += 1;
        self.partial = false;
        Ok(taken)
    }

    /// Counts lines that are not wanted, up to the first that is.
    fn skip(&mut self, bytes: &[u8]) -> usize {
        /// Counting is much quicker than finding, so it is found only in the block that has it.
        const BLOCK: usize = 1 << 14;
        let block = bytes.get(..BLOCK).unwrap_or(bytes);
        let count = memchr::memchr_iter(b'\n', block).count() as u64;
        let unwanted = if self.full() { u64::MAX } else { self.window.first_line - 1 - self.ended };
        let taken = if count < unwanted {
            self.ended += count;
            block.len()
        } else {
            self.ended += unwanted;
            let last = usize::try_from(unwanted - 1).ok();
            last.and_then(|last| memchr::memchr_iter(b'\n', block).nth(last)).map_or(block.len(), |at| at + 1)
        };
        self.partial = taken.checked_sub(1).and_then(|last| block.get(last)) != Some(&b'\n');
        self.offset += taken as u64;
        taken
    }

    fn line_end(&self, bytes: &[u8]) -> Option<usize> {
        match self.encoding {
            Encoding::Utf8 | Encoding::Legacy(_) if self.lone_cr => memchr::memchr2(b'\n', b'\r', bytes),
            Encoding::Utf8 | Encoding::Legacy(_) => memchr::memchr(b'\n', bytes),
            Encoding::Utf16Le => memchr::memchr_iter(b'\n', bytes)
                .find(|at| at.is_multiple_of(2) && bytes.get(at + 1) == Some(&0)),
            Encoding::Utf16Be => memchr::memchr_iter(b'\n', bytes)
                .filter(|at| !at.is_multiple_of(2))
                .map(|at| at - 1)
                .find(|at| bytes.get(*at) == Some(&0)),
        }
    }

    /// Whether the line that now goes on is one of the window.
    fn collects(&self) -> bool {
        self.ended + 1 >= self.window.first_line && !self.full()
    }

    /// Whether no further line is begun.
    fn full(&self) -> bool {
        self.lines >= self.window.lines || (self.lines > 0 && self.text.len() >= self.window.bytes)
    }

    fn piece(&mut self, bytes: &[u8]) {
        if !self.collects() {
            return;
        }
        let room = self.window.line_bytes.saturating_sub(self.line.len());
        let (kept, left) = bytes.split_at(room.min(bytes.len()));
        self.line.extend_from_slice(kept);
        self.omitted += left.len() as u64;
    }

    /// Notes the first `count` bytes as read, in the window's hash where they belong to it.
    fn pass(&mut self, bytes: &[u8], count: usize) {
        if self.collects() {
            self.from.get_or_insert(self.offset);
            self.hash.update(bytes.get(..count).unwrap_or(bytes));
            self.to = self.offset + count as u64;
        }
        self.offset += count as u64;
    }

    fn keep_line(&mut self, may_end_with_cr: bool) -> Result<(), NotText> {
        let whole = self.omitted == 0;
        let text = if whole {
            encoding::decode(self.encoding, &self.line)?
        } else {
            encoding::start(self.encoding, &self.line)?.into()
        };
        if text.contains('\0') {
            return Err(NotText::Binary("it has a NUL byte".into()));
        }
        let text = if may_end_with_cr && whole { text.strip_suffix('\r').unwrap_or(&text) } else { &text };
        self.text.push_str(text);
        self.text.push('\n');
        self.lines += 1;
        if !whole {
            self.cut.push(CutLine { line: self.ended + 1, omitted: self.omitted });
        }
        self.line.clear();
        self.omitted = 0;
        Ok(())
    }
}
