//! Scripts, lists, and-or lists and pipelines.

use super::cursor::END;
use super::{Parser, Read};
use crate::tree::{
    AndOr, Command, Connector, Descriptor, List, Pipeline, Redirect, RedirectKind, Script, Statement, Timing,
    Word,
};

impl Parser<'_> {
    /// The whole text: what was read before an error stays in `script`.
    pub(super) fn top(&mut self, script: &mut Script) -> Read<()> {
        loop {
            self.skip_lines()?;
            if self.peek() == END {
                return Ok(());
            }
            self.operators = 0;
            let (list, ended) = self.list()?;
            let mut one = Script { lists: vec![list] };
            if !ended && self.peek() != END {
                return Err(self.unexpected_token());
            }
            self.fill_documents(&mut one)?;
            script.lists.append(&mut one.lists);
        }
    }

    /// A script within another construct. What ends it is left to the caller.
    pub(super) fn script(&mut self) -> Read<Script> {
        let mut script = Script::default();
        loop {
            self.skip_lines()?;
            if self.at_closer() {
                return Ok(script);
            }
            let (list, ended) = self.list()?;
            script.lists.push(list);
            if !ended {
                return Ok(script);
            }
        }
    }

    /// A script that may not be empty.
    pub(super) fn body(&mut self) -> Read<Script> {
        let script = self.script()?;
        if script.lists.is_empty() {
            return Err(self.unexpected("a command"));
        }
        Ok(script)
    }

    /// A script with here-documents of its own.
    pub(super) fn separate(&mut self, read: impl FnOnce(&mut Self) -> Read<Script>) -> Read<Script> {
        let pending = std::mem::take(&mut self.pending);
        let bodies = std::mem::take(&mut self.bodies);
        let (unclear, quoted) = (self.unclear_for_braces, self.in_quoted_braces);
        self.in_quoted_braces = false;
        let in_list = std::mem::replace(&mut self.in_inner_list, false);
        let mut script = read(self)?;
        self.fill_documents(&mut script)?;
        self.pending = pending;
        self.bodies = bodies;
        self.unclear_for_braces = unclear;
        self.in_inner_list = in_list;
        self.in_quoted_braces = quoted;
        Ok(script)
    }

    /// The end of the text, or something that only ends a construct.
    fn at_closer(&mut self) -> bool {
        match self.peek() {
            END | b')' => true,
            b';' => matches!(self.peek_second(), b';' | b'&'),
            b't' | b'd' | b'f' | b'e' | b'}' => {
                [&b"then"[..], b"do", b"done", b"fi", b"elif", b"else", b"esac", b"}"]
                    .into_iter()
                    .any(|word| self.at_reserved(word))
            }
            _ => false,
        }
    }

    /// A complete command, and whether a line feed ended it.
    fn list(&mut self) -> Read<(List, bool)> {
        let mut list = List::default();
        loop {
            let and_or = self.and_or()?;
            self.skip_blanks();
            let mut separated = false;
            let mut background = false;
            match self.peek() {
                b';' if !matches!(self.peek_second(), b';' | b'&') => separated = true,
                b'&' => {
                    separated = true;
                    background = true;
                }
                _ => {}
            }
            list.statements.push(Statement { and_or, background });
            if separated {
                self.at += 1;
                self.skip_blanks();
            }
            if self.peek() == b'\n' {
                self.line_feed()?;
                return Ok((list, true));
            }
            if !separated || self.at_closer() {
                return Ok((list, false));
            }
        }
    }

    fn and_or(&mut self) -> Read<AndOr> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let connector = if self.eat(b"&&") {
                Connector::And
            } else if self.eat(b"||") {
                Connector::Or
            } else {
                return Ok(AndOr { first, rest });
            };
            self.skip_lines()?;
            rest.push((connector, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Read<Pipeline> {
        let mut timing = None;
        let mut negated = false;
        loop {
            self.skip_blanks();
            if self.eat_reserved(b"!") {
                negated = !negated;
            } else if self.eat_reserved(b"time") {
                self.skip_blanks();
                if self.eat_reserved(b"-p") {
                    timing = Some(Timing::Posix);
                    self.skip_blanks();
                } else {
                    timing = timing.or(Some(Timing::Bash));
                }
                self.eat_reserved(b"--");
            } else {
                break;
            }
        }
        let mut commands = Vec::with_capacity(1);
        loop {
            let mut command = self.command()?;
            self.skip_blanks();
            if self.peek() != b'|' || self.peek_second() == b'|' {
                commands.push(command);
                return Ok(Pipeline { timing, negated, commands });
            }
            self.at += 1;
            if self.peek() == b'&' {
                self.at += 1;
                errors_too(&mut command);
            }
            commands.push(command);
            self.skip_lines()?;
            if self.at_reserved(b"!") {
                return Err(self.unexpected("a command"));
            }
        }
    }

    /// What stands where a command has ended or should begin.
    pub(super) fn unexpected_token(&mut self) -> crate::SyntaxError {
        for word in ["then", "done", "do", "fi", "elif", "else", "esac", "}"] {
            if self.at_reserved(word.as_bytes()) {
                return self.wrong(format!("`{word}` where it ends nothing"));
            }
        }
        self.unexpected("`;`, `&`, `|` or the end of the line")
    }
}

/// `|&` is `2>&1 |`.
fn errors_too(command: &mut Command) {
    let redirect = Redirect {
        descriptor: Some(Descriptor::Number(2)),
        kind: RedirectKind::Duplicate {
            input: false,
            source: Word { source: "1".to_owned(), parts: vec![crate::tree::Part::Text("1".to_owned())] },
        },
    };
    match command {
        Command::Simple(simple) => simple.redirects.push(redirect),
        Command::Compound(compound) => compound.redirects.push(redirect),
        Command::Function(function) => function.body.redirects.push(redirect),
    }
}
