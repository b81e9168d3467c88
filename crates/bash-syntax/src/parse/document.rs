//! Bodies of here-documents. 3.6.6.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::quote::Ends;
use super::{Parser, Read};
use crate::tree::{AndOr, Command, Compound, CompoundKind, Part, Redirect, RedirectKind, Script, Word};

/// A here-document whose body is not read yet.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) delimiter: String,
    /// The delimiter was quoted: the body is literal.
    pub(super) quoted: bool,
    /// `<<-`
    pub(super) strip: bool,
    pub(super) at: usize,
}

impl Parser<'_> {
    /// Behind a line feed: the bodies that begin here.
    pub(super) fn read_documents(&mut self) -> Read<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        for pending in std::mem::take(&mut self.pending) {
            let body = self.document(&pending)?;
            self.bodies.push_back(body);
        }
        Ok(())
    }

    fn document(&mut self, pending: &Pending) -> Read<Word> {
        let start = self.at;
        let delimiter = pending.delimiter.as_str();
        let in_parentheses = self.in_parentheses;
        let mut source = String::new();
        loop {
            if self.at >= self.bytes.len() {
                return Err(
                    self.wrong_at(pending.at, format!("no line `{delimiter}` ends the here-document"))
                );
            }
            let at = self.at;
            let line = if pending.quoted { Cow::Borrowed(self.line()) } else { self.joined_line() };
            let stripped = if pending.strip { line.trim_start_matches('\t') } else { &line };
            if line == delimiter || stripped == delimiter {
                break;
            }
            // Bash 5.2 and 5.3 end the document behind what begins like the delimiter where a `)` stands anywhere behind
            // it, and read the rest of the line as commands; older versions take it as text.
            let unsure = |text: &str| text.strip_prefix(delimiter).is_some_and(|rest| rest.contains(')'));
            if in_parentheses && (unsure(&line) || unsure(stripped)) {
                return Err(self.wrong_at(
                    at,
                    format!("a line of a here-document begins with `{delimiter}` and has `)`"),
                ));
            }
            source.push_str(stripped);
            source.push('\n');
        }
        if pending.quoted {
            let parts = if source.is_empty() { Vec::new() } else { vec![Part::Quoted(source.clone())] };
            return Ok(Word { source, parts });
        }
        let parts = self.within(&source, start, |inner| inner.document_parts())?;
        Ok(Word { source, parts })
    }

    /// A line as it stands, gone over with its line feed.
    fn line(&mut self) -> &str {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let start = self.at;
        self.at += length + 1;
        self.slice(start, start + length)
    }

    /// A line whose ends are joined to the next ones where a backslash stands before the line feed.
    fn joined_line(&mut self) -> Cow<'_, str> {
        let mut before = String::new();
        let mut start = self.at;
        let mut at = start;
        let end = loop {
            match self.bytes.get(at) {
                None | Some(b'\n') => break at,
                Some(b'\\') if self.byte(at + 1) == b'\n' => {
                    before.push_str(self.slice(start, at));
                    at += 2;
                    start = at;
                }
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
            }
        };
        let end = end.min(self.bytes.len());
        self.at = end + 1;
        if before.is_empty() {
            return Cow::Borrowed(self.slice(start, end));
        }
        before.push_str(self.slice(start, end));
        Cow::Owned(before)
    }

    fn document_parts(&mut self) -> Read<Vec<Part>> {
        self.double(Ends::WithText)
    }

    /// Puts the bodies that were read into the redirections of a script that has no more to come.
    pub(super) fn fill_documents(&mut self, script: &mut Script) -> Read<()> {
        if let Some(pending) = self.pending.first() {
            return Err(self.wrong_at(pending.at, "no line ends the here-document"));
        }
        if !self.bodies.is_empty() {
            fill_script(script, &mut self.bodies);
            if !self.bodies.is_empty() {
                return Err(self.wrong("a here-document that belongs to no command"));
            }
        }
        Ok(())
    }
}

fn fill_script(script: &mut Script, bodies: &mut VecDeque<Word>) {
    for list in &mut script.lists {
        for statement in &mut list.statements {
            fill_and_or(&mut statement.and_or, bodies);
        }
    }
}

fn fill_and_or(and_or: &mut AndOr, bodies: &mut VecDeque<Word>) {
    let rest = and_or.rest.iter_mut().map(|(_, pipeline)| pipeline);
    for pipeline in std::iter::once(&mut and_or.first).chain(rest) {
        for command in &mut pipeline.commands {
            match command {
                Command::Simple(simple) => fill_redirects(&mut simple.redirects, bodies),
                Command::Compound(compound) => fill_compound(compound, bodies),
                Command::Function(function) => fill_compound(&mut function.body, bodies),
            }
        }
    }
}

fn fill_compound(compound: &mut Compound, bodies: &mut VecDeque<Word>) {
    match &mut compound.kind {
        CompoundKind::Group(script) | CompoundKind::Subshell(script) => fill_script(script, bodies),
        CompoundKind::If { branches, otherwise } => {
            for (condition, body) in branches {
                fill_script(condition, bodies);
                fill_script(body, bodies);
            }
            if let Some(body) = otherwise {
                fill_script(body, bodies);
            }
        }
        CompoundKind::While { condition, body, .. } => {
            fill_script(condition, bodies);
            fill_script(body, bodies);
        }
        CompoundKind::For { body, .. } | CompoundKind::ArithmeticFor { body, .. } => {
            fill_script(body, bodies)
        }
        CompoundKind::Case { arms, .. } => {
            for arm in arms {
                fill_script(&mut arm.body, bodies);
            }
        }
        CompoundKind::Arithmetic(_) | CompoundKind::Test(_) => {}
    }
    fill_redirects(&mut compound.redirects, bodies);
}

fn fill_redirects(redirects: &mut [Redirect], bodies: &mut VecDeque<Word>) {
    for redirect in redirects {
        if let RedirectKind::HereDocument { body, .. } = &mut redirect.kind
            && let Some(read) = bodies.pop_front()
        {
            *body = read;
        }
    }
}
