//! What begins with `$`, `<(`, `>(` or a back-quote.

use super::cursor::{END, is_name_start};
use super::quote::Quote;
use super::{Parser, Read};
use crate::tree::{Name, Operation, Parameter, Part, Script};

impl Parser<'_> {
    /// At `$`. Nothing where it is only a character, which is gone over then.
    pub(super) fn dollar(&mut self, quote: Quote) -> Read<Option<Part>> {
        self.count()?;
        self.at += 1;
        let part = match self.peek() {
            byte if is_name_start(byte) => value(Name::Variable(self.name())),
            b'0' => {
                self.at += 1;
                value(Name::Special('0'))
            }
            byte @ b'1'..=b'9' => {
                self.at += 1;
                value(Name::Positional(u32::from(byte - b'0')))
            }
            byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                self.at += 1;
                // In quotes that no braces stand around, every bash takes the next `"` for their end.
                let ends = self.peek() == b'"' && quote == Quote::Double && !self.in_quoted_braces;
                if byte == b'$' && matches!(self.peek(), b'{' | b'(' | b'[' | b'\'' | b'"') && !ends {
                    return Err(self.wrong("`$$` right before a bracket or a quote: write `${$}`"));
                }
                value(Name::Special(char::from(byte)))
            }
            b'{' => {
                self.at += 1;
                Part::Parameter(Box::new(self.parameter(quote)?))
            }
            b'(' => self.parenthesis_behind_dollar()?,
            b'[' => {
                self.at += 1;
                let start = self.at;
                let expression = self.arithmetic_until(b"]")?;
                self.note_unclear(start, b"{}'\"`\\,");
                Part::Arithmetic(expression)
            }
            b'\'' if quote == Quote::None => {
                self.at += 1;
                Part::Quoted(self.ansi()?)
            }
            b'"' if quote == Quote::None => {
                return Err(self.wrong("`$\"..\"` is translated by the locale: use plain double quotes"));
            }
            _ => return Ok(None),
        };
        Ok(Some(part))
    }

    /// `$(( ))` or `$( )`.
    fn parenthesis_behind_dollar(&mut self) -> Read<Part> {
        self.at += 1;
        if self.peek() != b'(' {
            return Ok(Part::Command(self.substitution()?));
        }
        if self.is_arithmetic(self.at + 1) {
            self.at += 1;
            return Ok(Part::Arithmetic(self.arithmetic_until(b"))")?));
        }
        // Bash looks for the end by counting here, and reads the text as commands afterwards.
        let start = self.at;
        let end = self.parenthesis_end(start);
        let script = self.substitution()?;
        if end.is_none_or(|end| end + 1 != self.at) {
            return Err(
                self.wrong_at(start, "a command substitution that begins with `((` and is read in two ways")
            );
        }
        Ok(Part::Command(script))
    }

    /// Behind `$(` and its like: the script and the `)`.
    pub(super) fn substitution(&mut self) -> Read<Script> {
        self.enter()?;
        let before = std::mem::replace(&mut self.in_parentheses, true);
        let start = self.at;
        let script = self.separate(|parser| {
            let script = parser.script()?;
            parser.skip_blanks();
            match parser.peek() {
                b')' => {
                    parser.at += 1;
                    Ok(script)
                }
                END => Err(parser.wrong_at(start, "no `)` ends what begins here")),
                _ => Err(parser.unexpected_token()),
            }
        })?;
        self.in_parentheses = before;
        self.leave();
        Ok(script)
    }

    /// At `<(` or `>(`.
    pub(super) fn process(&mut self, input: bool) -> Read<Part> {
        self.count()?;
        self.eat(if input { b"<(" } else { b">(" });
        Ok(Part::Process { input, script: self.substitution()? })
    }

    /// At a back-quote.
    pub(super) fn back_quotes(&mut self, quote: Quote) -> Read<Script> {
        self.count()?;
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let run = self.at;
            while !matches!(self.byte(self.at), END | b'`' | b'\\') {
                self.at += 1;
            }
            text.push_str(self.slice(run, self.at));
            match self.byte(self.at) {
                END => return Err(self.wrong_at(start, "an unclosed back-quote")),
                b'`' => break,
                _ => {
                    self.at += 1;
                    match self.byte(self.at) {
                        b'\n' => self.at += 1,
                        b'"' if self.in_quoted_braces => {
                            return Err(self.wrong("`\\\"` in back-quotes within quoted `${..}`"));
                        }
                        byte @ (b'$' | b'`' | b'\\') => {
                            self.at += 1;
                            text.push(char::from(byte));
                        }
                        b'"' if quote == Quote::Double => {
                            self.at += 1;
                            text.push('"');
                        }
                        _ => text.push('\\'),
                    }
                }
            }
        }
        self.at += 1;
        self.within(&text, start, |inner| {
            let mut script = inner.script()?;
            inner.skip_blanks();
            if inner.peek() != END {
                return Err(inner.unexpected_token());
            }
            inner.fill_documents(&mut script)?;
            Ok(script)
        })
    }

    /// Notes that a text since `start` has characters that the search for braces would look at.
    pub(super) fn note_unclear(&mut self, start: usize, looked_at: &[u8]) {
        let text = self.bytes.get(start..self.at.saturating_sub(1)).unwrap_or_default();
        if text.iter().any(|byte| looked_at.contains(byte)) {
            self.unclear_for_braces = true;
        }
    }
}

fn value(name: Name) -> Part {
    Part::Parameter(Box::new(Parameter {
        name,
        subscript: None,
        indirect: false,
        operation: Operation::Value,
    }))
}
