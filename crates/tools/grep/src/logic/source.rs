//! What is read of a large file: its start, read before, and the rest. Reading ends when the call is cancelled, and where the
//! searcher would have to hold more than it may.

use std::fs::File;
use std::io::{self, Read};

use toolwright_core::Cancel;

/// The longest line, and over several lines the largest file, that is searched: a searcher holds that much at once.
pub(crate) const MOST_AT_ONCE: usize = 32 * 1024 * 1024;

/// A large file, read bit by bit.
pub(super) struct Source<'a> {
    start: &'a [u8],
    file: &'a mut File,
    cancel: &'a Cancel,
    lines: Option<bool>,
    /// Bytes since the last line break, or since the beginning.
    held: usize,
}

impl<'a> Source<'a> {
    /// `lines`: it is searched line by line, and whether lines end at line feeds alone (else at NUL bytes, too); none where it
    /// is held as a whole.
    pub(super) fn new(start: &'a [u8], file: &'a mut File, cancel: &'a Cancel, lines: Option<bool>) -> Self {
        Self { start, file, cancel, lines, held: 0 }
    }

    /// Whether it ended because too much would have to be held.
    pub(super) fn too_long(&self) -> bool {
        self.held > MOST_AT_ONCE
    }

    fn hold(&mut self, bytes: &[u8]) {
        let last_break = match self.lines {
            Some(true) => memchr::memrchr(b'\n', bytes),
            Some(false) => memchr::memrchr2(b'\n', b'\0', bytes),
            None => None,
        };
        self.held = last_break.map_or(self.held + bytes.len(), |at| bytes.len() - at - 1);
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("interrupted"));
        }
        if self.too_long() {
            return Err(io::Error::other("more than may be held at once"));
        }
        let read = if self.start.is_empty() { self.file.read(buffer)? } else { self.start.read(buffer)? };
        self.hold(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}
