//! Where brackets end by counting them, quotes passed over. Bash decides that way what `((` begins and whether a word is an
//! assignment; the text in between is read by the grammar all the same, and has to end there too.

use super::cursor::END;
use super::{MAX_DEPTH, Parser};

impl Parser<'_> {
    /// Whether the `((` before `at` is closed by `))`: then it is arithmetic.
    pub(super) fn is_arithmetic(&self, at: usize) -> bool {
        self.parenthesis_end(at).is_some_and(|end| self.behind(end, b"))").is_some())
    }

    /// Where the `)` stands that closes the parenthesis before `at`.
    pub(super) fn parenthesis_end(&self, at: usize) -> Option<usize> {
        self.close(at, b'(', b')', 0)
    }

    /// Where the `]` stands that closes a subscript which begins at `at`. A subscript with blanks is looked for only where
    /// `blanks` are let through.
    pub(super) fn subscript_end(&self, mut at: usize, blanks: bool) -> Option<usize> {
        let mut open = 0_u32;
        loop {
            match self.byte(at) {
                END | b'\n' | b';' | b'|' | b'&' => return None,
                b' ' | b'\t' if !blanks => return None,
                b'[' => open += 1,
                b']' if open == 0 => return Some(at),
                b']' => open -= 1,
                b'\\' => at += 1,
                b'\'' | b'"' | b'`' | b'$' => {
                    at = self.passed_over(at, 0)?;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn close(&self, mut at: usize, opens: u8, closes: u8, depth: u32) -> Option<usize> {
        let mut open = 0_u32;
        loop {
            match self.byte(at) {
                END => return None,
                b'\\' => at += 2,
                b'\'' | b'"' | b'`' => at = self.passed_over(at, depth)?,
                byte if byte == opens => {
                    open += 1;
                    at += 1;
                }
                byte if byte == closes => {
                    if open == 0 {
                        return Some(at);
                    }
                    open -= 1;
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }

    /// The place behind a quoted text or an expansion that begins at `at`.
    fn passed_over(&self, at: usize, depth: u32) -> Option<usize> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.byte(at) {
            b'\'' => self.find(at + 1, b'\'', depth),
            quote @ (b'"' | b'`') => self.find(at + 1, quote, depth),
            _ => {
                let next = self.joined(at + 1);
                match self.byte(next) {
                    b'(' => Some(self.close(next + 1, b'(', b')', depth + 1)? + 1),
                    b'{' => Some(self.close(next + 1, b'{', b'}', depth + 1)? + 1),
                    _ => Some(at + 1),
                }
            }
        }
    }

    /// The place behind the quote that ends a text.
    fn find(&self, mut at: usize, quote: u8, depth: u32) -> Option<usize> {
        loop {
            match self.byte(at) {
                END => return None,
                byte if byte == quote => return Some(at + 1),
                b'\\' if quote != b'\'' => at += 2,
                b'$' if quote == b'"' => at = self.passed_over(at, depth + 1)?,
                _ => at += 1,
            }
        }
    }
}
