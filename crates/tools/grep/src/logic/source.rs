//! What is read of a large file: its start, read before, and the rest. Reading ends when the call is cancelled, and where the
//! searcher would have to hold more than it may.

use std::io::{self, Read};

use toolwright_core::Cancel;

/// The longest line, and over several lines the largest file, that is searched: a searcher holds that much at once.
pub(crate) const MOST_AT_ONCE: usize = 32 * 1024 * 1024;

/// A large file, read bit by bit.
pub(super) struct Source<'a, File> {
    start: &'a [u8],
    file: File,
    cancel: &'a Cancel,
    lines: Option<bool>,
    /// Bytes since the last line break, or since the beginning.
    held: usize,
}

impl<'a, File> Source<'a, File> {
    /// `lines`: it is searched line by line, and whether lines end at line feeds alone (else at NUL bytes, too); none where it
    /// is held as a whole.
    pub(super) fn new(start: &'a [u8], file: File, cancel: &'a Cancel, lines: Option<bool>) -> Self {
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

impl<File: Read> Read for Source<'_, File> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("interrupted"));
        }
        if self.too_long() {
            return Err(io::Error::other("more than may be held at once"));
        }
        let room = buffer.len().min(MOST_AT_ONCE + 1 - self.held);
        let buffer = buffer.get_mut(..room).unwrap_or_default();
        let read = if self.start.is_empty() { self.file.read(buffer)? } else { self.start.read(buffer)? };
        self.hold(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Never ends, counts what is asked of it, and cancels at the third time.
    struct Endless<'a>(&'a Cancel, usize);

    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1 == 3 {
                self.0.cancel();
            }
            buffer.fill(b'\n');
            Ok(buffer.len())
        }
    }

    #[test]
    fn nothing_is_read_after_a_cancellation() {
        let cancel = Cancel::default();
        let mut endless = Endless(&cancel, 0);
        let mut source = Source::new(b"start", &mut endless, &cancel, Some(true));
        let error = io::copy(&mut source, &mut io::sink()).expect_err("it never ends");
        assert_eq!((error.to_string().as_str(), source.too_long()), ("interrupted", false));
        assert_eq!(endless.1, 3);
    }

    #[test]
    fn no_more_is_held_than_may_be() {
        let check = |bytes: &[u8], lines: Option<bool>, expect: bool| {
            let cancel = Cancel::default();
            let text = bytes.repeat(MOST_AT_ONCE / bytes.len() + 1);
            let mut source = Source::new(&text[..7], &text[7..], &cancel, lines);
            assert_eq!(io::copy(&mut source, &mut io::sink()).is_err(), expect);
            assert_eq!(source.too_long(), expect);
        };
        check(b"aaaaaaaa", Some(true), true);
        check(b"aaaaaaa\n", Some(true), false);
        check(b"aaaaaaa\n", None, true);
        check(b"aaaaaaa\0", Some(false), false);
        check(b"aaaaaaa\0", Some(true), true);
    }
}
