//! Simple commands, assignments and arrays. 3.2.2, 3.4, 6.7.

use super::cursor::{END, is_meta, is_name, is_name_start};
use super::parts::constant;
use super::word::Role;
use super::{Parser, Read};
use crate::tree::{Argument, Assignment, Command, Element, Part, Simple, Subscript, Value, Word};

/// Builtins whose arguments are assignments.
const DECLARATIONS: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

/// The left side of an assignment.
struct Target {
    name: String,
    subscript: Option<Subscript>,
    append: bool,
}

impl Parser<'_> {
    pub(super) fn simple(&mut self) -> Read<Command> {
        let mut simple = Simple::default();
        let mut declares = false;
        loop {
            self.skip_blanks();
            if let Some(redirect) = self.redirect()? {
                simple.redirects.push(redirect);
                continue;
            }
            match self.peek() {
                END | b'\n' | b';' | b'&' | b'|' | b')' => break,
                b'(' => return self.function_behind(&simple),
                _ => {}
            }
            let first = simple.words.is_empty();
            if first || declares {
                let start = self.at;
                if let Some(target) = self.assignment_target(first)? {
                    let assignment = self.assignment(start, target, first)?;
                    if first {
                        simple.assignments.push(assignment);
                    } else {
                        simple.words.push(Argument::Assignment(assignment));
                    }
                    continue;
                }
            }
            let word = self.word(Role::Argument)?;
            if first {
                declares = is_declaration(&word);
            }
            simple.words.push(Argument::Word(word));
        }
        if simple.words.is_empty() && simple.assignments.is_empty() && simple.redirects.is_empty() {
            return Err(self.unexpected("a command"));
        }
        self.check_hidden_declaration(&simple)?;
        Ok(Command::Simple(simple))
    }

    /// At `(` behind the words of a command: `name ()`.
    fn function_behind(&mut self, simple: &Simple) -> Read<Command> {
        let name = match simple.words.as_slice() {
            [Argument::Word(Word { parts, .. })]
                if simple.redirects.is_empty() && simple.assignments.is_empty() =>
            {
                match parts.as_slice() {
                    [Part::Text(name)] => name.clone(),
                    _ => String::new(),
                }
            }
            _ => return Err(self.unexpected("a word")),
        };
        let start = self.at;
        self.at += 1;
        self.expect(b')')?;
        self.function(name, start)
    }

    /// `command export a={1,2}`: bash takes that for an assignment only when it runs.
    fn check_hidden_declaration(&self, simple: &Simple) -> Read<()> {
        let literal = |argument: &Argument| match argument {
            Argument::Word(word) => constant(&word.parts),
            Argument::Assignment(_) => None,
        };
        let wraps = |name: &str| matches!(name, "command" | "builtin");
        let Some(first) = simple.words.first().and_then(literal) else { return Ok(()) };
        let hidden = wraps(&first)
            && simple.words.iter().skip(1).any(|word| {
                literal(word).is_some_and(|name| DECLARATIONS.contains(&name.as_str()) || name == "alias")
            });
        let braces = |argument: &Argument| match argument {
            Argument::Word(word) => {
                word.source.contains('=') && word.parts.iter().any(|part| matches!(part, Part::Braces(_)))
            }
            Argument::Assignment(_) => false,
        };
        if hidden && simple.words.iter().any(braces) {
            return Err(self.wrong("braces in an assignment behind `command`"));
        }
        Ok(())
    }

    /// Goes over `name=`, `name+=`, `name[..]=` if they are next. Blanks are in a subscript before a command's name alone.
    fn assignment_target(&mut self, before_name: bool) -> Read<Option<Target>> {
        let start = self.at;
        if !is_name_start(self.peek()) {
            return Ok(None);
        }
        let mut end = self.at;
        while is_name(self.byte(self.joined(end))) {
            end = self.joined(end) + 1;
        }
        end = self.joined(end);
        let bracket = self.byte(end) == b'[';
        if bracket {
            match self.subscript_end(end + 1, before_name) {
                Some(close) => {
                    let blank = self.slice(end, close).contains([' ', '\t', '\n']);
                    end = self.joined(close + 1);
                    if blank && !self.is_equals(end) {
                        return Err(self.wrong("blanks between brackets of a command's name"));
                    }
                }
                None if before_name => return Err(self.wrong("an unclosed `[` in a command's name")),
                None => return Ok(None),
            }
        }
        if !self.is_equals(end) {
            return Ok(None);
        }
        self.at = start;
        let name = self.name();
        let mut subscript = None;
        if bracket {
            self.at = self.joined(self.at) + 1;
            subscript = Some(self.subscript(false)?);
        }
        let append = self.eat(b"+");
        if self.joined(self.at) != end + usize::from(append) || !self.eat(b"=") {
            return Err(self.wrong("a subscript that is read in two ways"));
        }
        Ok(Some(Target { name, subscript, append }))
    }

    fn is_equals(&self, at: usize) -> bool {
        self.behind(at, b"=").is_some() || self.behind(at, b"+=").is_some()
    }

    /// Behind the `=`.
    fn assignment(&mut self, start: usize, target: Target, before_name: bool) -> Read<Assignment> {
        self.count()?;
        let Target { name, subscript, append } = target;
        let value = if self.peek() == b'(' {
            if subscript.is_some() {
                return Err(self.wrong("a list is assigned to an element of an array"));
            }
            self.at += 1;
            let elements = self.elements()?;
            if !is_meta(self.peek()) || matches!(self.byte(self.at), b'(' | b'<' | b'>') {
                return Err(self.unexpected("a blank"));
            }
            Value::Array(elements)
        } else {
            Value::Scalar(self.word(if before_name { Role::Value } else { Role::DeclaredValue })?)
        };
        Ok(Assignment { source: self.slice(start, self.at).to_owned(), name, subscript, append, value })
    }

    /// Behind `=(`.
    fn elements(&mut self) -> Read<Vec<Element>> {
        self.enter()?;
        if !self.pending.is_empty() {
            return Err(self.wrong("a list behind `<<` on one line"));
        }
        let in_list = std::mem::replace(&mut self.in_inner_list, self.in_parentheses);
        let mut elements = Vec::new();
        loop {
            self.skip_lines()?;
            if self.peek() == b')' {
                self.at += 1;
                self.in_inner_list = in_list;
                self.leave();
                return Ok(elements);
            }
            elements.push(self.element()?);
        }
    }

    fn element(&mut self) -> Read<Element> {
        if self.peek() == b'[' {
            let Some(close) = self.subscript_end(self.at + 1, true) else {
                return Err(self.wrong("an unclosed `[` in a list"));
            };
            let end = self.joined(close + 1);
            if self.is_equals(end) {
                self.at += 1;
                let subscript = Some(self.subscript(false)?);
                let append = self.eat(b"+");
                if self.joined(self.at) != end + usize::from(append) || !self.eat(b"=") {
                    return Err(self.wrong("a subscript that is read in two ways"));
                }
                let value = self.word(Role::DeclaredValue)?;
                return Ok(Element { subscript, append, value });
            }
            if self.slice(self.at, close).contains([' ', '\t', '\n']) {
                return Err(self.wrong("blanks between brackets in a list"));
            }
        }
        if is_meta(self.byte(self.at)) && !self.looking_at(b"<(") && !self.looking_at(b">(") {
            return Err(self.unexpected("a word or `)`"));
        }
        Ok(Element { subscript: None, append: false, value: self.word(Role::Element)? })
    }
}

fn is_declaration(word: &Word) -> bool {
    match word.parts.as_slice() {
        [Part::Text(name)] => DECLARATIONS.contains(&name.as_str()),
        _ => false,
    }
}
