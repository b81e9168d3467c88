//! Looking at the text byte by byte. A backslash before a line feed joins two lines wherever bash joins them.

use super::{Parser, Read};

/// The end of the text. A text with a NUL is refused before it is read.
pub(super) const END: u8 = 0;

/// Ends a word where it is not quoted.
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(byte, END | b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

pub(super) fn is_name_start(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphabetic()
}

pub(super) fn is_name(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

impl Parser<'_> {
    /// The byte at a place as it stands.
    #[inline]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(END)
    }

    /// The first place from `at` on that no joined line end covers.
    #[inline]
    pub(super) fn joined(&self, mut at: usize) -> usize {
        while self.byte(at) == b'\\' && self.byte(at + 1) == b'\n' {
            at += 2;
        }
        at
    }

    /// The next byte, behind joined line ends.
    #[inline]
    pub(super) fn peek(&mut self) -> u8 {
        self.at = self.joined(self.at);
        self.byte(self.at)
    }

    /// The byte behind the next one.
    #[inline]
    pub(super) fn peek_second(&self) -> u8 {
        self.byte(self.joined(self.joined(self.at) + 1))
    }

    /// Whether these bytes are next.
    pub(super) fn looking_at(&self, wanted: &[u8]) -> bool {
        self.behind(self.at, wanted).is_some()
    }

    /// Where `wanted` ends if it begins at `at`.
    pub(super) fn behind(&self, mut at: usize, wanted: &[u8]) -> Option<usize> {
        for byte in wanted {
            at = self.joined(at);
            if self.byte(at) != *byte {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// Goes over these bytes if they are next.
    pub(super) fn eat(&mut self, wanted: &[u8]) -> bool {
        match self.behind(self.at, wanted) {
            Some(end) => {
                self.at = end;
                true
            }
            None => false,
        }
    }

    /// The character at the reading place, gone over; nothing at the end.
    pub(super) fn character(&mut self) -> Option<&str> {
        let rest = self.text.get(self.at..)?;
        let length = rest.chars().next()?.len_utf8();
        self.at += length;
        rest.get(..length)
    }

    /// Blanks, joined line ends and, where a word could begin, a comment.
    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\t') {
            self.at += 1;
        }
        if self.byte(self.at) == b'#' {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        }
    }

    /// A line feed, and the here-documents that begin behind it.
    pub(super) fn line_feed(&mut self) -> Read<()> {
        self.at += 1;
        self.read_documents()
    }

    /// Blanks, comments and line feeds.
    pub(super) fn skip_lines(&mut self) -> Read<()> {
        loop {
            self.skip_blanks();
            if self.byte(self.at) != b'\n' {
                return Ok(());
            }
            self.line_feed()?;
        }
    }

    /// The text between two places.
    pub(super) fn slice(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// A name, with line ends in it joined; empty if none begins here.
    pub(super) fn name(&mut self) -> String {
        let mut name = String::new();
        if is_name_start(self.peek()) {
            while is_name(self.peek()) {
                name.push(char::from(self.byte(self.at)));
                self.at += 1;
            }
        }
        name
    }
}
