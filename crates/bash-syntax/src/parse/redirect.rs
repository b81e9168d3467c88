//! Redirections. 3.6.

use super::cursor::is_meta;
use super::document::Pending;
use super::parts::constant;
use super::word::Role;
use super::{Parser, Read};
use crate::tree::{Descriptor, FileMode, Part, Redirect, RedirectKind, Word};

impl Parser<'_> {
    /// The redirection that is next, if one is.
    pub(super) fn redirect(&mut self) -> Read<Option<Redirect>> {
        let descriptor = match self.peek() {
            b'<' | b'>' if self.peek_second() == b'(' => return Ok(None),
            b'<' | b'>' => None,
            b'&' if self.peek_second() == b'>' => None,
            b'0'..=b'9' => match self.number_before_operator()? {
                Some(number) => Some(Descriptor::Number(number)),
                None => return Ok(None),
            },
            b'{' => match self.variable_before_operator()? {
                Some(variable) => Some(variable),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.count()?;
        let kind = self.redirect_kind(descriptor.as_ref())?;
        Ok(Some(Redirect { descriptor, kind }))
    }

    /// Digits with `<` or `>` right behind them.
    fn behind_number(&self) -> Option<usize> {
        let mut at = self.joined(self.at);
        if !self.byte(at).is_ascii_digit() {
            return None;
        }
        while self.byte(at).is_ascii_digit() {
            at = self.joined(at + 1);
        }
        matches!(self.byte(at), b'<' | b'>').then_some(at)
    }

    fn number_before_operator(&mut self) -> Read<Option<u32>> {
        let Some(end) = self.behind_number() else { return Ok(None) };
        let number = self.slice(self.at, end).parse().ok().filter(|number| *number < 1_000_000);
        let number = number.ok_or_else(|| self.wrong("no number of a descriptor"))?;
        self.at = end;
        Ok(Some(number))
    }

    /// `{name}` or `{name[..]}` with `<` or `>` right behind it.
    fn variable_before_operator(&mut self) -> Read<Option<Descriptor>> {
        let start = self.at;
        self.at += 1;
        let name = self.name();
        let mut subscript = None;
        let plain = self.peek() == b'}';
        if !name.is_empty() && self.byte(self.at) == b'[' {
            // Only where the whole is what it looks like is the subscript read.
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let blank =
                rest.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'\n')).unwrap_or(rest.len());
            let text = rest.get(..blank).unwrap_or_default();
            if text.windows(3).any(|three| matches!(three, [b']', b'}', b'<' | b'>'])) {
                self.at += 1;
                subscript = Some(self.subscript(false)?);
                if !self.looking_at(b"}<") && !self.looking_at(b"}>") {
                    return Err(self.unexpected("`}` and a redirection"));
                }
            }
        }
        if !name.is_empty()
            && (plain || subscript.is_some())
            && (self.looking_at(b"}<") || self.looking_at(b"}>"))
        {
            self.eat(b"}");
            self.peek();
            return Ok(Some(Descriptor::Variable(name, subscript)));
        }
        self.at = start;
        Ok(None)
    }

    fn redirect_kind(&mut self, descriptor: Option<&Descriptor>) -> Read<RedirectKind> {
        let mode = if self.eat(b"&>>") {
            FileMode::AppendBoth
        } else if self.eat(b"&>") {
            FileMode::WriteBoth
        } else if self.eat(b"<<<") {
            self.skip_blanks();
            return Ok(RedirectKind::HereString(self.target(Role::HereString)?));
        } else if self.eat(b"<<") {
            let strip = self.eat(b"-");
            return self.here_document(strip);
        } else if self.eat(b"<&") {
            return self.duplicate(true, descriptor);
        } else if self.eat(b">&") {
            return self.duplicate(false, descriptor);
        } else if self.eat(b">>") {
            FileMode::Append
        } else if self.eat(b">|") {
            FileMode::Clobber
        } else if self.eat(b"<>") {
            FileMode::ReadWrite
        } else if self.eat(b">") {
            FileMode::Write
        } else {
            self.at += 1;
            FileMode::Read
        };
        self.skip_blanks();
        Ok(RedirectKind::File { mode, target: self.target(Role::Target)? })
    }

    fn target(&mut self, role: Role) -> Read<Word> {
        if self.behind_number().is_some() {
            return Err(self.wrong("a number of a descriptor where a word should stand"));
        }
        let start = self.peek();
        if is_meta(start) && !(matches!(start, b'<' | b'>') && self.peek_second() == b'(') {
            return Err(self.unexpected("a word"));
        }
        if start == b'{' && self.variable_before_operator()?.is_some() {
            return Err(self.wrong("a descriptor where a word should stand"));
        }
        self.word(role)
    }

    /// Behind `<&` and `>&`.
    fn duplicate(&mut self, input: bool, descriptor: Option<&Descriptor>) -> Read<RedirectKind> {
        self.skip_blanks();
        let start = self.peek();
        if start == b'-' {
            let at = self.at;
            self.at += 1;
            if !is_meta(self.peek()) {
                return Err(self.wrong_at(at, "a word right behind the `-` that closes a descriptor"));
            }
            let source = Word { source: "-".to_owned(), parts: vec![Part::Text("-".to_owned())] };
            return Ok(RedirectKind::Duplicate { input, source });
        }
        if is_meta(start) {
            return Err(self.unexpected("a number, `-` or a word"));
        }
        let at = self.at;
        let word = self.word(Role::Target)?;
        let Some(text) = constant(&word.parts) else {
            // What `>&` names is expanded twice where it is no number: a value would run as a command.
            let fixed = |part: &Part| {
                matches!(part, Part::Parameter(_) | Part::Double(_) | Part::Command(_) | Part::Arithmetic(_))
            };
            if input
                && word
                    .parts
                    .iter()
                    .all(|part| fixed(part) || matches!(part, Part::Text(text) if text == "-"))
            {
                return Ok(RedirectKind::Duplicate { input, source: word });
            }
            return Err(self.wrong_at(at, "an expansion behind `>&`, or a name behind `<&`"));
        };
        let digits = text.strip_suffix('-').unwrap_or(&text);
        if text == "-" || (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())) {
            return Ok(RedirectKind::Duplicate { input, source: word });
        }
        if input {
            return Err(self.wrong_at(at, "a name behind `<&`"));
        }
        let twice = ['$', '`', '\\', '\'', '"', '~', '*', '?', '[', '{', '<', '>', '&', ';', '|', '(', ')'];
        if text.is_empty() || text.contains(twice) {
            return Err(self.wrong_at(at, "a name behind `>&` that bash would expand twice: use `&>`"));
        }
        self.both(word, descriptor, at)
    }

    /// `>&name`
    fn both(&mut self, target: Word, descriptor: Option<&Descriptor>, at: usize) -> Read<RedirectKind> {
        match descriptor {
            None => Ok(RedirectKind::File { mode: FileMode::WriteBoth, target }),
            Some(_) => Err(self.wrong_at(at, "a name behind `>&` with a descriptor before it")),
        }
    }

    /// Behind `<<` or `<<-`: the delimiter. The body follows behind the line.
    fn here_document(&mut self, strip: bool) -> Read<RedirectKind> {
        self.skip_blanks();
        if is_meta(self.peek()) {
            return Err(self.unexpected("the delimiter of a here-document"));
        }
        if self.behind_number().is_some() {
            return Err(self.wrong("a number of a descriptor where a delimiter should stand"));
        }
        let start = self.at;
        let (delimiter, quoted) = self.delimiter()?;
        if delimiter.contains('\n') || delimiter.starts_with('\t') {
            return Err(self.wrong_at(start, "a line feed or a tab in the delimiter of a here-document"));
        }
        let source = self.slice(start, self.at).to_owned();
        self.pending.push(Pending { delimiter, quoted, strip, at: start });
        Ok(RedirectKind::HereDocument { delimiter: source, body: Word::default() })
    }

    fn delimiter(&mut self) -> Read<(String, bool)> {
        let mut delimiter = String::new();
        let mut quoted = false;
        loop {
            let byte = self.peek();
            if is_meta(byte) {
                if matches!(byte, b'<' | b'>' | b'(') && self.peek_second() == b'(' {
                    return Err(self.unexpected("the end of a delimiter"));
                }
                return Ok((delimiter, quoted));
            }
            match byte {
                b'\\' => {
                    self.at += 1;
                    match self.character() {
                        Some(escaped) => delimiter.push_str(escaped),
                        None => return Err(self.unexpected("an escaped character")),
                    }
                    quoted = true;
                }
                b'\'' => {
                    self.at += 1;
                    delimiter.push_str(&self.single()?);
                    quoted = true;
                }
                b'"' => {
                    self.at += 1;
                    let parts = self.double(super::quote::Ends::AtQuote)?;
                    match constant(&parts) {
                        Some(text) => delimiter.push_str(&text),
                        None => return Err(self.wrong("an expansion in the delimiter of a here-document")),
                    }
                    quoted = true;
                }
                b'$' if self.peek_second() == b'\'' => {
                    self.eat(b"$'");
                    delimiter.push_str(&self.ansi()?);
                    quoted = true;
                }
                b'$' | b'`' => return Err(self.wrong("an expansion in the delimiter of a here-document")),
                _ => match self.character() {
                    Some(plain) => delimiter.push_str(plain),
                    None => return Err(self.unexpected("a delimiter")),
                },
            }
        }
    }
}
