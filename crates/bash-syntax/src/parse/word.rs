//! Words outside of quotes. 3.5.

use super::cursor::{END, is_meta, is_name, is_name_start};
use super::parts::{push_double, push_quoted, push_text};
use super::quote::Quote;
use super::{Parser, Read};
use crate::tree::{Part, Word};

/// Where a word stands, which decides what in it is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Of a simple command or behind `in` of `for`.
    Argument,
    /// Behind a redirection.
    Target,
    /// Behind `case`, and its patterns.
    Case,
    /// Behind `=` of an assignment before a command.
    Value,
    /// Behind `=` of an argument or of an element, where bash would expand braces before it looks for the `=`.
    DeclaredValue,
    /// Of an array.
    Element,
    /// Behind `<<<`.
    HereString,
    /// In `[[ ]]`.
    Test,
}

impl Role {
    fn expands_braces(self) -> bool {
        matches!(self, Role::Argument | Role::Element | Role::Target | Role::DeclaredValue)
    }

    /// Only literal text that looks like braces is read here.
    fn refuses_braces(self) -> bool {
        matches!(self, Role::Target | Role::DeclaredValue)
    }

    /// `name=~` has a tilde prefix.
    fn looks_for_assignment(self) -> bool {
        matches!(self, Role::Argument | Role::Target | Role::Case | Role::Test)
    }

    fn is_value(self) -> bool {
        matches!(self, Role::Value | Role::DeclaredValue)
    }
}

/// An unquoted brace or, behind one, a comma.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) byte: u8,
    /// Where it stands in the whole text.
    pub(super) at: usize,
    /// Which part it is in, and where there.
    pub(super) part: usize,
    pub(super) offset: usize,
}

/// Bytes that a word's unquoted text goes on over without a look.
const fn plain_bytes() -> [bool; 256] {
    let mut plain = [true; 256];
    let special = b"\0 \t\n;&|()<>\\'\"$`{},~=:";
    let mut index = 0;
    while index < special.len() {
        plain[special[index] as usize] = false;
        index += 1;
    }
    plain
}

const PLAIN: [bool; 256] = plain_bytes();

fn is_plain(byte: u8) -> bool {
    PLAIN.get(usize::from(byte)).copied().unwrap_or(false)
}

impl Parser<'_> {
    /// Words up to the end of the command.
    pub(super) fn words(&mut self) -> Read<Vec<Word>> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                END | b'\n' | b';' | b'&' | b'|' | b')' | b'(' => return Ok(words),
                b'<' | b'>' if self.peek_second() != b'(' => return Ok(words),
                _ => words.push(self.word(Role::Argument)?),
            }
        }
    }

    /// The word that begins here. It may be empty behind `=` alone.
    pub(super) fn word(&mut self, role: Role) -> Read<Word> {
        self.count()?;
        self.peek();
        let start = self.at;
        let unclear = std::mem::take(&mut self.unclear_for_braces);
        let mut marks = Vec::new();
        let mut parts = self.word_parts(role, &mut marks)?;
        if self.at == start && !role.is_value() {
            return Err(self.unexpected("a word"));
        }
        if role.expands_braces() && marks.len() > 1 {
            parts = self.braces(parts, &marks, start, role.refuses_braces())?;
        }
        self.unclear_for_braces = unclear;
        Ok(Word { source: self.slice(start, self.at).to_owned(), parts })
    }

    fn word_parts(&mut self, role: Role, marks: &mut Vec<Mark>) -> Read<Vec<Part>> {
        let mut parts = Vec::with_capacity(1);
        let mut tilde = true;
        let mut lone_dollar = false;
        let mut value = role.is_value();
        loop {
            let run = self.at;
            while is_plain(self.byte(self.at)) {
                self.at += 1;
            }
            if self.at > run {
                push_text(&mut parts, self.slice(run, self.at));
                tilde = false;
            }
            let byte = self.peek();
            let may_be_tilde = std::mem::take(&mut tilde);
            match byte {
                END | b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' => break,
                b'<' | b'>' => {
                    if self.peek_second() != b'(' {
                        break;
                    }
                    if role == Role::Test {
                        return Err(self.wrong("a process substitution in `[[ ]]`"));
                    }
                    parts.push(self.process(byte == b'<')?);
                }
                b'$' => match self.dollar(Quote::None)? {
                    Some(part) => push_part(&mut parts, part),
                    None => {
                        lone_dollar = true;
                        push_text(&mut parts, "$");
                    }
                },
                b'{' | b',' | b'}' => {
                    if byte == b'{' || !marks.is_empty() {
                        let (part, offset) = next_place(&parts);
                        marks.push(Mark { byte, at: self.at, part, offset });
                    }
                    self.plain(&mut parts);
                }
                b'~' if may_be_tilde => {
                    self.tilde(&mut parts, |byte| is_meta(byte) || (value && byte == b':'))?;
                }
                b'=' => {
                    self.plain(&mut parts);
                    if role.looks_for_assignment() && !value && is_assignment(&parts) {
                        value = true;
                        tilde = true;
                    }
                }
                b':' => {
                    self.plain(&mut parts);
                    tilde = value;
                }
                _ => self.quoting(&mut parts)?,
            }
        }
        if lone_dollar {
            self.check_lone_dollar(&parts)?;
        }
        Ok(parts)
    }

    /// Bash does not split the unquoted expansions of a word that has a `$` which is only a character.
    pub(super) fn check_lone_dollar(&self, parts: &[Part]) -> Read<()> {
        let splits =
            |part: &Part| matches!(part, Part::Parameter(_) | Part::Command(_) | Part::Arithmetic(_));
        if parts.iter().any(splits) {
            return Err(self.wrong("an unquoted `$` alone in a word with an expansion"));
        }
        Ok(())
    }

    /// A quote, a backslash or a back-quote; any other byte is text.
    pub(super) fn quoting(&mut self, parts: &mut Vec<Part>) -> Read<()> {
        match self.peek() {
            // New versions print the substitution and read it again, without this backslash.
            b'\\' if self.in_inner_list => {
                return Err(self.wrong("a backslash in a list within a command substitution"));
            }
            b'\\' => {
                self.at += 1;
                match self.character() {
                    Some(escaped) => push_quoted(parts, escaped),
                    None => return Err(self.wrong("a backslash at the end")),
                }
            }
            b'\'' => {
                self.at += 1;
                let text = self.single()?;
                push_quoted(parts, &text);
            }
            b'"' => {
                self.at += 1;
                let inner = self.double(super::quote::Ends::AtQuote)?;
                push_double(parts, inner);
            }
            b'`' => parts.push(Part::Command(self.back_quotes(Quote::None)?)),
            _ => self.plain(parts),
        }
        Ok(())
    }

    /// One character as unquoted text.
    pub(super) fn plain(&mut self, parts: &mut Vec<Part>) {
        if let Some(character) = self.character() {
            push_text(parts, character);
        }
    }

    /// At `~` where a tilde prefix may begin.
    pub(super) fn tilde(&mut self, parts: &mut Vec<Part>, ends: impl Fn(u8) -> bool) -> Read<()> {
        self.at += 1;
        let mut prefix = String::new();
        loop {
            let byte = self.peek();
            if is_name(byte) || matches!(byte, b'.' | b'+' | b'-') {
                prefix.push(char::from(byte));
                self.at += 1;
                continue;
            }
            if byte == b'/' || ends(byte) {
                if matches!(byte, b'<' | b'>') && self.peek_second() == b'(' {
                    return Err(self.wrong("a process substitution right behind `~`"));
                }
                parts.push(Part::Tilde(prefix));
                return Ok(());
            }
            if byte == b':' {
                return Err(self.wrong("`~` with `:` behind it where it is not assigned"));
            }
            if byte == b'@' || byte >= 0x80 {
                return Err(self.wrong("a login name with other characters than letters, digits and `_.+-`"));
            }
            push_text(parts, "~");
            push_text(parts, &prefix);
            return Ok(());
        }
    }
}

/// Adds what stands behind `$`; `$'..'` is text.
pub(super) fn push_part(parts: &mut Vec<Part>, part: Part) {
    match part {
        Part::Quoted(text) => push_quoted(parts, &text),
        part => parts.push(part),
    }
}

fn next_place(parts: &[Part]) -> (usize, usize) {
    match parts.last() {
        Some(Part::Text(text)) => (parts.len() - 1, text.len()),
        _ => (parts.len(), 0),
    }
}

/// Whether the text so far, which ends with its first `=`, begins an assignment.
fn is_assignment(parts: &[Part]) -> bool {
    let [Part::Text(text)] = parts else { return false };
    let Some(target) = text.strip_suffix('=') else { return false };
    let name = target.strip_suffix('+').unwrap_or(target);
    let name = match name.split_once('[') {
        Some((name, subscript)) if subscript.len() > 1 && subscript.ends_with(']') => name,
        _ => name,
    };
    name.bytes().next().is_some_and(is_name_start) && name.bytes().all(is_name)
}
