//! `[[ ]]`. 3.2.5.2.

use super::cursor::{END, is_meta};
use super::parts::{push, push_quoted, push_text};
use super::quote::Quote;
use super::word::{Role, push_part};
use super::{Parser, Read};
use crate::tree::{Part, Test, Word};

impl Parser<'_> {
    /// Behind `[[`.
    pub(super) fn test(&mut self) -> Read<Test> {
        let test = self.test_or()?;
        if !self.eat_reserved(b"]]") {
            return Err(self.unexpected("`&&`, `||` or `]]`"));
        }
        Ok(test)
    }

    fn test_or(&mut self) -> Read<Test> {
        self.enter()?;
        let mut left = self.test_and()?;
        while self.eat(b"||") {
            self.count_operator()?;
            left = Test::Or(Box::new(left), Box::new(self.test_and()?));
        }
        self.leave();
        Ok(left)
    }

    fn test_and(&mut self) -> Read<Test> {
        let mut left = self.test_term()?;
        while self.eat(b"&&") {
            self.count_operator()?;
            left = Test::And(Box::new(left), Box::new(self.test_term()?));
        }
        Ok(left)
    }

    fn test_term(&mut self) -> Read<Test> {
        self.skip_test_space()?;
        let test = if self.peek() == b'(' {
            self.at += 1;
            let inner = self.test_or()?;
            if self.peek() != b')' {
                return Err(self.unexpected("`)`"));
            }
            self.at += 1;
            inner
        } else if self.eat_reserved(b"!") {
            self.enter()?;
            let inner = self.test_term()?;
            self.leave();
            return Ok(Test::Not(Box::new(inner)));
        } else {
            self.test_primary()?
        };
        self.skip_test_space()?;
        Ok(test)
    }

    fn skip_test_space(&mut self) -> Read<()> {
        self.skip_blanks();
        if self.peek() == b'\n' && !self.pending.is_empty() {
            return Err(self.wrong("a line feed in `[[ ]]` behind `<<`"));
        }
        self.skip_lines()
    }

    fn test_word(&mut self) -> Read<Word> {
        self.skip_blanks();
        if is_meta(self.peek()) || self.at_reserved(b"]]") {
            return Err(self.unexpected("a word"));
        }
        self.word(Role::Test)
    }

    fn test_primary(&mut self) -> Read<Test> {
        let word = self.test_word()?;
        if let [Part::Text(text)] = word.parts.as_slice()
            && is_unary(text)
        {
            return Ok(Test::Unary { operator: text.clone(), word: self.test_word()? });
        }
        self.skip_blanks();
        let operator = match self.peek() {
            b'<' | b'>' if self.peek_second() != b'(' => {
                let operator = char::from(self.byte(self.at)).to_string();
                self.at += 1;
                operator
            }
            byte if is_meta(byte) || self.at_reserved(b"]]") => return Ok(Test::Word(word)),
            _ => {
                let operator = self.test_word()?;
                match operator.parts.as_slice() {
                    [Part::Text(text)] if is_binary(text) => text.clone(),
                    _ => {
                        return Err(self.wrong(format!(
                            "`{}` where an operator of `[[ ]]` should stand",
                            operator.source
                        )));
                    }
                }
            }
        };
        let operator = if operator == "=" { "==".to_owned() } else { operator };
        let right = if operator == "=~" { self.expression()? } else { self.test_word()? };
        Ok(Test::Binary { operator, left: word, right })
    }

    /// Behind `=~`: a word in which `(`, `)` and `|` are text, and blanks within parentheses too.
    fn expression(&mut self) -> Read<Word> {
        self.count()?;
        self.skip_blanks();
        let start = self.at;
        let mut parts = Vec::new();
        let mut open = 0_u32;
        loop {
            let byte = self.peek();
            match byte {
                END => return Err(self.wrong("an unclosed `[[`")),
                b'\n' => return Err(self.wrong("a line feed in a regular expression")),
                b'(' => {
                    open += 1;
                    self.plain(&mut parts);
                }
                b')' if open > 0 => {
                    open -= 1;
                    self.plain(&mut parts);
                }
                b'|' => self.plain(&mut parts),
                b' ' | b'\t' | b';' | b'&' | b'<' | b'>' if open > 0 => {
                    self.at += 1;
                    push_quoted(&mut parts, char::from(byte).encode_utf8(&mut [0; 4]));
                }
                _ if is_meta(byte) => break,
                b'$' => match self.dollar(Quote::None)? {
                    Some(part) => push_part(&mut parts, part),
                    None => push_text(&mut parts, "$"),
                },
                b'~' if self.at == start => {
                    return Err(self.wrong("`~` at the beginning of a regular expression"));
                }
                _ => self.quoting(&mut parts)?,
            }
        }
        if self.at == start {
            return Err(self.unexpected("a regular expression"));
        }
        push(&mut parts, "", false);
        Ok(Word { source: self.slice(start, self.at).to_owned(), parts })
    }
}

fn is_unary(text: &str) -> bool {
    match text.as_bytes() {
        [b'-', letter] => b"abcdefghknoprstuvwxzGLNORS".contains(letter),
        _ => false,
    }
}

fn is_binary(text: &str) -> bool {
    matches!(
        text,
        "=" | "==" | "!=" | "=~" | "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-nt" | "-ot" | "-ef"
    )
}
