//! Commands: reserved words, compound commands and function definitions. 3.2.5 and 3.3.

use super::cursor::{END, is_meta};
use super::{Parser, Read};
use crate::tree::{Arithmetic, Command, Compound, CompoundKind, Function, Script};

impl Parser<'_> {
    /// Where a reserved word ends if it is next, unquoted and whole.
    fn behind_reserved(&self, word: &[u8]) -> Option<usize> {
        if self.behind_redirects == Some(self.at) {
            return None;
        }
        let end = self.behind(self.at, word)?;
        is_meta(self.byte(self.joined(end))).then_some(end)
    }

    pub(super) fn at_reserved(&self, word: &[u8]) -> bool {
        self.behind_reserved(word).is_some()
    }

    pub(super) fn eat_reserved(&mut self, word: &[u8]) -> bool {
        match self.behind_reserved(word) {
            Some(end) => {
                self.at = end;
                true
            }
            None => false,
        }
    }

    pub(super) fn expect_reserved(&mut self, word: &str) -> Read<()> {
        self.skip_blanks();
        if self.eat_reserved(word.as_bytes()) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    pub(super) fn command(&mut self) -> Read<Command> {
        self.count()?;
        let first = self.peek();
        if matches!(first, b'(' | b'{' | b'[') || first.is_ascii_lowercase() {
            if let Some(kind) = self.compound_kind(first)? {
                let compound = self.with_redirects(kind)?;
                return Ok(Command::Compound(Box::new(compound)));
            }
            if first == b'f' && self.eat_reserved(b"function") {
                return self.named_function();
            }
            for refused in ["select", "coproc"] {
                if self.at_reserved(refused.as_bytes()) {
                    return Err(self.wrong(format!("`{refused}` is not read")));
                }
            }
            for misplaced in ["in", "then", "do", "done", "fi", "elif", "else", "esac"] {
                if self.at_reserved(misplaced.as_bytes()) {
                    return Err(self.wrong(format!("`{misplaced}` where a command should stand")));
                }
            }
        } else if self.at_reserved(b"}") || self.at_reserved(b"]]") || self.at_reserved(b"!") {
            return Err(self.unexpected("a command"));
        }
        self.simple()
    }

    fn compound_kind(&mut self, first: u8) -> Read<Option<CompoundKind>> {
        self.enter()?;
        let kind = match first {
            b'(' => Some(self.parenthesis()?),
            b'{' if self.eat_reserved(b"{") => {
                let script = self.body()?;
                self.expect_reserved("}")?;
                Some(CompoundKind::Group(script))
            }
            b'[' if self.eat_reserved(b"[[") => Some(CompoundKind::Test(self.test()?)),
            b'i' if self.eat_reserved(b"if") => Some(self.condition()?),
            b'w' if self.eat_reserved(b"while") => Some(self.while_loop(false)?),
            b'u' if self.eat_reserved(b"until") => Some(self.while_loop(true)?),
            b'f' if self.eat_reserved(b"for") => Some(self.for_loop()?),
            b'c' if self.eat_reserved(b"case") => Some(self.case()?),
            _ => None,
        };
        self.leave();
        Ok(kind)
    }

    fn with_redirects(&mut self, kind: CompoundKind) -> Read<Compound> {
        let mut redirects = Vec::new();
        loop {
            self.skip_blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => {
                    if !redirects.is_empty() {
                        self.behind_redirects = Some(self.at);
                    }
                    return Ok(Compound { kind, redirects });
                }
            }
        }
    }

    /// `(( ))` or `( )`.
    fn parenthesis(&mut self) -> Read<CompoundKind> {
        self.at += 1;
        if self.peek() == b'(' && self.is_arithmetic(self.at + 1) {
            self.at += 1;
            let expression = self.arithmetic_until(b"))")?;
            return Ok(CompoundKind::Arithmetic(expression));
        }
        let script = self.body()?;
        self.expect(b')')?;
        Ok(CompoundKind::Subshell(script))
    }

    pub(super) fn expect(&mut self, byte: u8) -> Read<()> {
        self.skip_blanks();
        if self.peek() != byte {
            return Err(self.unexpected(&format!("`{}`", char::from(byte))));
        }
        self.at += 1;
        Ok(())
    }

    fn condition(&mut self) -> Read<CompoundKind> {
        let mut branches = Vec::with_capacity(1);
        let mut otherwise = None;
        loop {
            let condition = self.body()?;
            self.expect_reserved("then")?;
            let body = self.body()?;
            branches.push((condition, body));
            self.skip_blanks();
            if self.eat_reserved(b"elif") {
                continue;
            }
            if self.eat_reserved(b"else") {
                otherwise = Some(self.body()?);
            }
            self.expect_reserved("fi")?;
            return Ok(CompoundKind::If { branches, otherwise });
        }
    }

    fn while_loop(&mut self, until: bool) -> Read<CompoundKind> {
        let condition = self.body()?;
        self.skip_blanks();
        self.expect_reserved("do")?;
        let body = self.body()?;
        self.expect_reserved("done")?;
        Ok(CompoundKind::While { until, condition, body })
    }

    fn for_loop(&mut self) -> Read<CompoundKind> {
        self.skip_blanks();
        if self.looking_at(b"((") {
            return self.arithmetic_for();
        }
        let name = self.name();
        if name.is_empty() || !is_meta(self.peek()) {
            return Err(self.unexpected("the name of a variable"));
        }
        let mut words = None;
        self.skip_blanks();
        if self.peek() == b';' {
            self.at += 1;
        } else {
            self.skip_lines()?;
            if self.eat_reserved(b"in") {
                words = Some(self.words()?);
                self.skip_blanks();
                match self.peek() {
                    b';' => self.at += 1,
                    b'\n' => {}
                    _ => return Err(self.unexpected("`;` or the end of the line")),
                }
            }
        }
        let body = self.loop_body()?;
        Ok(CompoundKind::For { name, words, body })
    }

    fn arithmetic_for(&mut self) -> Read<CompoundKind> {
        self.eat(b"((");
        let start = self.arithmetic_option(b";")?;
        let condition = self.arithmetic_option(b";")?;
        let step = self.arithmetic_option(b"))")?;
        self.skip_blanks();
        if self.peek() == b';' {
            self.at += 1;
        }
        let body = self.loop_body()?;
        Ok(CompoundKind::ArithmeticFor { start, condition, step, body })
    }

    fn arithmetic_option(&mut self, end: &[u8]) -> Read<Option<Arithmetic>> {
        self.skip_space();
        if self.eat(end) { Ok(None) } else { self.arithmetic_until(end).map(Some) }
    }

    /// `do .. done`, or braces.
    fn loop_body(&mut self) -> Read<Script> {
        self.skip_lines()?;
        let end = if self.eat_reserved(b"{") {
            "}"
        } else {
            self.expect_reserved("do")?;
            "done"
        };
        let body = self.body()?;
        self.expect_reserved(end)?;
        Ok(body)
    }

    /// Behind `function`.
    fn named_function(&mut self) -> Read<Command> {
        self.skip_blanks();
        let start = self.at;
        while !is_meta(self.byte(self.at)) {
            self.at += 1;
        }
        let name = self.slice(start, self.at).to_owned();
        self.skip_blanks();
        if self.peek() == b'(' {
            self.at += 1;
            self.expect(b')')?;
        }
        self.function(name, start)
    }

    /// Behind a function's name and its parentheses.
    pub(super) fn function(&mut self, name: String, start: usize) -> Read<Command> {
        if !is_function_name(&name) {
            return Err(
                self.wrong_at(start, "the name of a function is more than letters, digits and `_-.:+`")
            );
        }
        self.enter()?;
        self.skip_lines()?;
        let first = self.peek();
        let Some(kind) = self.compound_kind(first)? else {
            return Err(self.unexpected("the body of a function"));
        };
        let body = Box::new(self.with_redirects(kind)?);
        self.leave();
        Ok(Command::Function(Function { name, body }))
    }
}

fn is_function_name(name: &str) -> bool {
    const RESERVED: [&str; 22] = [
        "if", "then", "elif", "else", "fi", "while", "until", "for", "in", "do", "done", "case", "esac",
        "function", "select", "coproc", "time", "declare", "typeset", "export", "local", "readonly",
    ];
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:+".contains(&byte);
    !name.is_empty()
        && name.bytes().all(plain)
        && !name.bytes().all(|byte| byte.is_ascii_digit())
        && !RESERVED.contains(&name)
        && name.as_bytes().first() != Some(&END)
}
