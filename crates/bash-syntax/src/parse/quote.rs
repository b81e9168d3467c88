//! Quotes. 3.1.2.

use super::cursor::END;
use super::parts::push;
use super::{Parser, Read};
use crate::tree::Part;

/// What quotes a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quote {
    None,
    /// Double quotes.
    Double,
    /// A here-document.
    Document,
}

/// What ends text that is read as within double quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// `"`
    AtQuote,
    /// The end of the text, which is that of a here-document.
    WithText,
}

impl Parser<'_> {
    /// Behind `'`: the text up to the next one.
    pub(super) fn single(&mut self) -> Read<String> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let Some(length) = rest.iter().position(|byte| *byte == b'\'') else {
            return Err(self.wrong_at(start.saturating_sub(1), "an unclosed `'`"));
        };
        self.at = start + length + 1;
        Ok(self.slice(start, start + length).to_owned())
    }

    /// Behind `"`, or a here-document.
    pub(super) fn double(&mut self, ends: Ends) -> Read<Vec<Part>> {
        self.enter()?;
        let start = self.at.saturating_sub(1);
        let quote = if ends == Ends::AtQuote { Quote::Double } else { Quote::Document };
        let mut parts = Vec::new();
        loop {
            let run = self.at;
            while !matches!(self.byte(self.at), END | b'"' | b'\\' | b'$' | b'`') {
                self.at += 1;
            }
            push(&mut parts, self.slice(run, self.at), true);
            match self.byte(self.at) {
                END if ends == Ends::WithText => break,
                END => return Err(self.wrong_at(start, "an unclosed `\"`")),
                b'"' if ends == Ends::AtQuote => {
                    self.at += 1;
                    break;
                }
                b'\\' => self.backslash_within(&mut parts, ends),
                b'$' => match self.dollar(quote)? {
                    Some(part) => parts.push(part),
                    None => push(&mut parts, "$", true),
                },
                b'`' => {
                    self.unclear_for_braces = true;
                    parts.push(Part::Command(self.back_quotes(quote)?));
                }
                _ => {
                    self.at += 1;
                    push(&mut parts, "\"", true);
                }
            }
        }
        self.leave();
        Ok(parts)
    }

    /// At a backslash within double quotes or a here-document.
    fn backslash_within(&mut self, parts: &mut Vec<Part>, ends: Ends) {
        self.at += 1;
        match self.byte(self.at) {
            b'\n' => self.at += 1,
            byte @ (b'$' | b'`' | b'\\' | b'"') if byte != b'"' || ends == Ends::AtQuote => {
                self.at += 1;
                push(parts, char::from(byte).encode_utf8(&mut [0; 4]), true);
            }
            _ => push(parts, "\\", true),
        }
    }

    /// Behind `$'`: what bash makes of it. 3.1.2.4.
    pub(super) fn ansi(&mut self) -> Read<String> {
        let start = self.at;
        let mut bytes = Vec::new();
        loop {
            let byte = self.byte(self.at);
            self.at += 1;
            match byte {
                END => return Err(self.wrong_at(start, "an unclosed `$'`")),
                b'\'' => break,
                b'\\' => self.ansi_escape(&mut bytes)?,
                _ => bytes.push(byte),
            }
        }
        if bytes.contains(&0) {
            return Err(self.wrong_at(start, "a NUL character in `$'..'`"));
        }
        String::from_utf8(bytes).map_err(|_| self.wrong_at(start, "`$'..'` is no UTF-8"))
    }

    /// Behind a backslash within `$'..'`.
    fn ansi_escape(&mut self, bytes: &mut Vec<u8>) -> Read<()> {
        let byte = self.byte(self.at);
        self.at += 1;
        let plain = match byte {
            END => return Err(self.wrong("an unclosed `$'`")),
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 27,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => byte,
            b'0'..=b'7' => {
                self.at -= 1;
                (self.digits(8, 3) & 0xff) as u8
            }
            b'x' if self.byte(self.at) == b'{' => return Err(self.wrong("`\\x{` in `$'..'`")),
            b'x' if self.byte(self.at).is_ascii_hexdigit() => self.digits(16, 2) as u8,
            b'u' | b'U' if self.byte(self.at).is_ascii_hexdigit() => {
                let number = self.digits(16, if byte == b'u' { 4 } else { 8 });
                let character =
                    char::from_u32(number).ok_or_else(|| self.wrong("no character in `$'..'`"))?;
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            b'c' => {
                let control = self.byte(self.at);
                if !control.is_ascii_alphabetic() {
                    return Err(self.wrong("`\\c` without a letter in `$'..'`"));
                }
                self.at += 1;
                control & 0x1f
            }
            _ => {
                bytes.push(b'\\');
                byte
            }
        };
        bytes.push(plain);
        Ok(())
    }

    fn digits(&mut self, radix: u32, most: u32) -> u32 {
        let mut number: u32 = 0;
        for _ in 0..most {
            let Some(digit) = char::from(self.byte(self.at)).to_digit(radix) else { break };
            number = number.wrapping_mul(radix).wrapping_add(digit);
            self.at += 1;
        }
        number
    }
}
