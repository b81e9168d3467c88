//! `${..}`. 3.5.3.

use super::cursor::{END, is_name_start};
use super::parts::{push, push_double};
use super::quote::{Ends, Quote};
use super::word::push_part;
use super::{Parser, Read};
use crate::tree::{Arithmetic, Name, Operation, Parameter, Part, Subscript, Word};

/// How the word of an operation is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Of `- = +`: within double quotes, all of it is quoted and single quotes are text.
    Value,
    /// Of `?`: the same, but bash takes quotes and backslashes for what they are outside of double quotes.
    Message,
    /// A pattern or what takes its place: quotes count wherever it stands.
    Pattern,
    /// A pattern that ends with `/` too.
    Replaced,
}

impl Kind {
    /// Within double quotes, all of it is quoted.
    fn is_whole(self) -> bool {
        matches!(self, Kind::Value | Kind::Message)
    }
}

impl Parser<'_> {
    /// Behind `${`.
    pub(super) fn parameter(&mut self, quote: Quote) -> Read<Parameter> {
        self.enter()?;
        self.peek();
        let start = self.at;
        let before = self.in_quoted_braces;
        self.in_quoted_braces |= quote != Quote::None;
        let parameter = match self.peek() {
            b'#' => self.length_or_count()?,
            b'!' => self.indirect(quote)?,
            _ => {
                let (name, subscript) = self.parameter_name()?;
                let operation = self.operation(quote)?;
                Parameter { name, subscript, indirect: false, operation }
            }
        };
        if self.peek() != b'}' {
            return Err(self.unexpected("`}` of `${..}`"));
        }
        self.at += 1;
        self.in_quoted_braces = before;
        self.note_unclear(start, b"{}'\"`\\");
        self.leave();
        Ok(parameter)
    }

    /// `${#}` and `${#name}`.
    fn length_or_count(&mut self) -> Read<Parameter> {
        self.at += 1;
        if self.peek() == b'}' {
            return Ok(Parameter {
                name: Name::Special('#'),
                subscript: None,
                indirect: false,
                operation: Operation::Value,
            });
        }
        let (name, subscript) = self.parameter_name()?;
        Ok(Parameter { name, subscript, indirect: false, operation: Operation::Length })
    }

    /// At `!`.
    fn indirect(&mut self, quote: Quote) -> Read<Parameter> {
        self.at += 1;
        if self.peek() == b'}' {
            return Ok(Parameter {
                name: Name::Special('!'),
                subscript: None,
                indirect: false,
                operation: Operation::Value,
            });
        }
        let (name, subscript) = match self.peek() {
            b'#' => {
                self.at += 1;
                if self.peek() != b'}' {
                    return Err(self.unexpected("`}` behind `${!#`"));
                }
                (Name::Special('#'), None)
            }
            byte if is_name_start(byte) || byte.is_ascii_digit() => self.parameter_name()?,
            _ => return Err(self.unexpected("the name of a variable")),
        };
        if subscript.is_none() && matches!(name, Name::Variable(_)) {
            for (end, separate) in [(&b"*}"[..], false), (b"@}", true)] {
                if self.looking_at(end) {
                    self.at = self.joined(self.at) + 1;
                    let operation = Operation::Names { separate };
                    return Ok(Parameter { name, subscript: None, indirect: false, operation });
                }
            }
        }
        if matches!(subscript, Some(Subscript::All | Subscript::Joined)) {
            if self.peek() != b'}' {
                return Err(self.unexpected("`}` behind the keys of an array"));
            }
            return Ok(Parameter { name, subscript, indirect: false, operation: Operation::Keys });
        }
        let operation = self.operation(quote)?;
        Ok(Parameter { name, subscript, indirect: true, operation })
    }

    fn parameter_name(&mut self) -> Read<(Name, Option<Subscript>)> {
        let byte = self.peek();
        if is_name_start(byte) {
            let name = Name::Variable(self.name());
            let mut subscript = None;
            if self.peek() == b'[' {
                self.at += 1;
                subscript = Some(self.subscript(self.in_quoted_braces)?);
            }
            return Ok((name, subscript));
        }
        if byte.is_ascii_digit() {
            let start = self.at;
            while self.byte(self.at).is_ascii_digit() {
                self.at += 1;
            }
            let digits = self.slice(start, self.at);
            let name = match digits.parse::<u32>() {
                Ok(0) if digits == "0" => Name::Special('0'),
                Ok(number) if number > 0 && !digits.starts_with('0') => Name::Positional(number),
                _ => return Err(self.wrong("no number of a positional parameter")),
            };
            return Ok((name, None));
        }
        if matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') {
            self.at += 1;
            return Ok((Name::Special(char::from(byte)), None));
        }
        if matches!(byte, b' ' | b'\t' | b'\n' | b'|' | b'(') {
            return Err(self.wrong("`${` with a command in it is understood by new versions of bash alone"));
        }
        Err(self.unexpected("the name of a parameter"))
    }

    fn operation(&mut self, quote: Quote) -> Read<Operation> {
        let byte = self.peek();
        Ok(match byte {
            b'}' => Operation::Value,
            b':' => {
                self.at += 1;
                match self.peek() {
                    kind @ (b'-' | b'=' | b'?' | b'+') => self.default(kind, true, quote)?,
                    _ => self.substring()?,
                }
            }
            b'-' | b'=' | b'?' | b'+' => self.default(byte, false, quote)?,
            b'#' | b'%' => {
                let longest = self.doubled();
                let pattern = self.pattern(quote)?;
                Operation::Remove { suffix: byte == b'%', longest, pattern }
            }
            b'^' | b',' => {
                let all = self.doubled();
                let pattern = if self.peek() == b'}' { None } else { Some(self.pattern(quote)?) };
                Operation::Case { kind: char::from(byte), all, pattern }
            }
            b'/' => self.replace(quote)?,
            b'@' => {
                self.at += 1;
                let letter = self.peek();
                if !b"UuLQEPAKak".contains(&letter) {
                    return Err(self.unexpected("a letter that transforms the value"));
                }
                self.at += 1;
                Operation::Transform(char::from(letter))
            }
            _ => return Err(self.unexpected("an operation or `}` of `${..}`")),
        })
    }

    /// Goes over an operator and the same character once more.
    fn doubled(&mut self) -> bool {
        let byte = self.peek();
        self.at += 1;
        let doubled = self.peek() == byte;
        self.at += usize::from(doubled);
        doubled
    }

    fn default(&mut self, kind: u8, or_empty: bool, quote: Quote) -> Read<Operation> {
        self.at += 1;
        let read_as = if kind == b'?' { Kind::Message } else { Kind::Value };
        let word = self.inner_word(read_as, quote, true)?;
        Ok(Operation::Default { kind: char::from(kind), or_empty, word })
    }

    fn pattern(&mut self, quote: Quote) -> Read<Word> {
        self.inner_word(Kind::Pattern, quote, true)
    }

    fn replace(&mut self, quote: Quote) -> Read<Operation> {
        self.at += 1;
        let anchor = match self.peek() {
            byte @ (b'/' | b'#' | b'%') => {
                self.at += 1;
                Some(char::from(byte))
            }
            _ => None,
        };
        // Bash looks for the second `/` from the second character of what follows the first one.
        if anchor.is_none_or(|anchor| anchor == '/') && matches!(self.peek(), b'/' | b'}') {
            return Err(self.wrong("an empty pattern in `${name/..}`"));
        }
        let tilde = !matches!(anchor, Some('#' | '%'));
        let pattern = self.inner_word(Kind::Replaced, quote, tilde)?;
        let mut with = None;
        if self.peek() == b'/' {
            self.at += 1;
            with = Some(self.inner_word(Kind::Pattern, quote, true)?);
        }
        Ok(Operation::Replace { anchor, pattern, with })
    }

    fn substring(&mut self) -> Read<Operation> {
        let start = self.at;
        let offset = self.arithmetic_before(b":}")?;
        if self.peek() == b'}' && self.slice(start, self.at).trim().is_empty() {
            return Err(self.wrong_at(start, "a substring without an offset"));
        }
        let mut length = None;
        if self.peek() == b':' {
            self.at += 1;
            length = Some(self.arithmetic_before(b"}")?);
        }
        let text = self.slice(start, self.at);
        if text.contains("<(") || text.contains(">(") {
            return Err(self.wrong_at(start, "`<(` or `>(` in the offset or length of a substring"));
        }
        Ok(Operation::Substring { offset, length })
    }

    /// An expression that may be left out, which stands for zero.
    fn arithmetic_before(&mut self, ends: &[u8]) -> Read<Arithmetic> {
        self.skip_space();
        if ends.contains(&self.peek()) {
            return Ok(Arithmetic::Number("0".to_owned()));
        }
        let expression = self.arithmetic()?;
        if !ends.contains(&self.peek()) {
            return Err(self.unexpected("`:`, `}` or an operator"));
        }
        Ok(expression)
    }

    fn inner_word(&mut self, kind: Kind, quote: Quote, tilde: bool) -> Read<Word> {
        self.count()?;
        self.peek();
        let start = self.at;
        let literal = kind.is_whole() && quote != Quote::None;
        let mut single_until = None;
        let mut parts = Vec::new();
        if self.peek() == b'~' && tilde && !literal {
            self.tilde(&mut parts, |byte| byte == b'}')?;
        }
        loop {
            let byte = self.peek();
            if single_until.is_some_and(|end| self.at > end) {
                return Err(
                    self.wrong("a single quote in an expansion within single quotes within quoted `${..}`")
                );
            }
            match byte {
                END => return Err(self.wrong("an unclosed `${`")),
                b'}' => break,
                b'\'' if literal && kind == Kind::Message => {
                    return Err(self.wrong("a single quote in the message of `?` within quoted `${..}`"));
                }
                b'\'' if literal => {
                    single_until = match single_until {
                        Some(_) => None,
                        None => Some(self.literal_single_end()?),
                    };
                    self.at += 1;
                    push(&mut parts, "'", true);
                }
                b'/' if kind == Kind::Replaced => break,
                b'$' => self.dollar_within(&mut parts, kind, quote)?,
                b'`' => parts.push(Part::Command(self.back_quotes(quote)?)),
                b'"' => {
                    self.at += 1;
                    let from = self.at;
                    let inner = self.double(Ends::AtQuote)?;
                    if quote != Quote::None && !are_plain_escapes(self.slice(from, self.at), &inner) {
                        return Err(self.wrong_at(from, "a backslash in quotes within quoted `${..}`"));
                    }
                    push_double(&mut parts, inner);
                }
                b'\\' if literal => {
                    self.at += 1;
                    let escapes = matches!(self.byte(self.at), b'$' | b'`' | b'"' | b'\\' | b'}');
                    if self.byte(self.at) == b'\'' {
                        return Err(self.wrong("a backslash before a single quote within quoted `${..}`"));
                    }
                    if !escapes && kind == Kind::Message {
                        return Err(self.wrong("a backslash in the message of `?` within quoted `${..}`"));
                    }
                    if !escapes {
                        push(&mut parts, "\\", true);
                    } else if let Some(escaped) = self.character() {
                        push(&mut parts, escaped, true);
                    }
                }
                // Bash looks for the end of such a substitution where it is only text, too.
                b'<' | b'>' if self.peek_second() == b'(' => {
                    return Err(self.wrong("a process substitution in `${..}`"));
                }
                b'\'' | b'\\' if !literal => self.quoting(&mut parts)?,
                _ => {
                    if let Some(character) = self.character() {
                        push(&mut parts, character, literal);
                    }
                }
            }
        }
        Ok(Word { source: self.slice(start, self.at).to_owned(), parts })
    }

    /// At a single quote that is text, in a word within double quotes or a here-document: where the next one is. Bash looks
    /// for the end of the word as if the two were quotes, and then expands what is between them.
    fn literal_single_end(&self) -> Read<usize> {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let Some(length) = rest.iter().position(|byte| *byte == b'\'') else {
            return Err(self.wrong("a single quote alone within quoted `${..}`"));
        };
        let text = rest.get(..length).unwrap_or_default();
        if text.iter().any(|byte| matches!(byte, b'{' | b'}' | b'"' | b'`' | b'\\')) {
            return Err(
                self.wrong("single quotes around a brace, a quote or a backslash within quoted `${..}`")
            );
        }
        Ok(self.at + 1 + length)
    }

    fn dollar_within(&mut self, parts: &mut Vec<Part>, kind: Kind, quote: Quote) -> Read<()> {
        let literal = kind.is_whole() && quote != Quote::None;
        let next = self.peek_second();
        if quote != Quote::None && matches!(next, b'\'' | b'"') {
            // In a pattern within double quotes `$'..'` is what it is outside of them.
            if literal || quote == Quote::Document || next == b'"' {
                return Err(self.wrong("`$` before a quote within quoted `${..}`"));
            }
            self.eat(b"$'");
            let text = self.ansi()?;
            super::parts::push_quoted(parts, &text);
            return Ok(());
        }
        match self.dollar(quote)? {
            Some(part) => push_part(parts, part),
            None if quote == Quote::None => return Err(self.wrong("an unquoted `$` alone in `${..}`")),
            None => push(parts, "$", literal),
        }
        Ok(())
    }

    /// Behind `[`: a subscript and its `]`.
    pub(super) fn subscript(&mut self, quoted: bool) -> Read<Subscript> {
        for (end, subscript) in [(&b"@]"[..], Subscript::All), (b"*]", Subscript::Joined)] {
            if self.eat(end) {
                return Ok(subscript);
            }
        }
        self.enter()?;
        let start = self.at;
        let quote = if quoted { Quote::Double } else { Quote::None };
        let mut parts = Vec::new();
        let mut open = 0_u32;
        loop {
            match self.peek() {
                END | b'\n' => return Err(self.wrong_at(start, "an unclosed `[`")),
                b']' if open == 0 => break,
                byte @ (b'[' | b']') => {
                    open = if byte == b'[' { open + 1 } else { open - 1 };
                    self.plain(&mut parts);
                }
                b'{' | b'}' => return Err(self.wrong("a brace in a subscript")),
                b'<' | b'>' if self.peek_second() == b'(' => {
                    return Err(self.wrong("`<(` or `>(` in a subscript"));
                }
                b'$' if matches!(self.peek_second(), b'\'' | b'"') => {
                    return Err(self.wrong("`$` before a quote in a subscript"));
                }
                b'$' => match self.dollar(quote)? {
                    Some(part) => push_part(&mut parts, part),
                    None => return Err(self.wrong("`$` in a subscript")),
                },
                b'"' if quoted => {
                    self.at += 1;
                    let from = self.at;
                    let inner = self.double(Ends::AtQuote)?;
                    if self.slice(from, self.at).contains('\\') {
                        return Err(self.wrong_at(from, "a backslash in quotes within a subscript"));
                    }
                    push_double(&mut parts, inner);
                }
                b'\\' if quoted => return Err(self.wrong("a backslash in a subscript")),
                b'`' => parts.push(Part::Command(self.back_quotes(quote)?)),
                _ => self.quoting(&mut parts)?,
            }
        }
        let source = self.slice(start, self.at).to_owned();
        if parts.is_empty() {
            return Err(self.wrong_at(start, "an empty subscript"));
        }
        self.at += 1;
        self.leave();
        Ok(Subscript::Expression(Word { source, parts }))
    }
}

/// Whether each backslash of a quoted text escapes a character that means something there, and nothing is nested in the text.
/// Another backslash is removed by some versions of bash where quotes stand within quoted braces.
fn are_plain_escapes(text: &str, parts: &[Part]) -> bool {
    if !text.contains('\\') {
        return true;
    }
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'\\' && !matches!(rest.next(), Some(b'\\' | b'"' | b'$' | b'`')) {
            return false;
        }
    }
    super::parts::constant(parts).is_some()
}
