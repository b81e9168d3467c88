//! Redirections. `&>` and `&>>` become two, here-documents become here-strings.

use super::parameter::Quotes;
use super::word::Place;
use super::{Printed, Printer, unprintable};
use crate::tree::{Descriptor, FileMode, Operation, Part, Redirect, RedirectKind, Word};

impl Printer {
    pub(super) fn redirects(&mut self, redirects: &[Redirect]) -> Printed {
        redirects.iter().try_for_each(|redirect| self.redirect(redirect))
    }

    fn redirect(&mut self, redirect: &Redirect) -> Printed {
        self.out.push(' ');
        match &redirect.descriptor {
            None => {}
            Some(Descriptor::Number(number)) if i32::try_from(*number).is_ok() => {
                self.push(&number.to_string())
            }
            Some(Descriptor::Number(_)) => {
                return unprintable("the number of a file descriptor is too large");
            }
            Some(Descriptor::Variable(name, _)) => {
                return unprintable(format!(
                    "`{{{name}}}` before a redirection is a word to bash before 4.1"
                ));
            }
        }
        match &redirect.kind {
            RedirectKind::File { mode, target } => self.file(redirect.descriptor.is_some(), *mode, target),
            RedirectKind::Duplicate { input, source } => self.duplicate(*input, source),
            RedirectKind::HereString(word) => {
                self.push("<<<");
                self.here_string(word)
            }
            RedirectKind::HereDocument { body, .. } => self.here_document(body),
        }
    }

    fn file(&mut self, numbered: bool, mode: FileMode, target: &Word) -> Printed {
        let (operator, both) = match mode {
            FileMode::Read => ("<", false),
            FileMode::Write => (">", false),
            FileMode::Append => (">>", false),
            FileMode::Clobber => (">|", false),
            FileMode::ReadWrite => ("<>", false),
            FileMode::WriteBoth => (">", true),
            FileMode::AppendBoth => (">>", true),
        };
        if both && numbered {
            return unprintable("a number before `&>`");
        }
        self.push(operator);
        if let [Part::Process { .. }, ..] = target.parts.as_slice() {
            self.out.push(' ');
        }
        self.word(target, Place::Target)?;
        if both {
            self.push(" 2>&1");
        }
        Ok(())
    }

    fn duplicate(&mut self, input: bool, source: &Word) -> Printed {
        self.push(if input { "<&" } else { ">&" });
        if let [Part::Text(text) | Part::Quoted(text)] = source.parts.as_slice() {
            let number = text.strip_suffix('-').unwrap_or(text);
            if text != "-" && number.parse::<i32>().is_err() || number.starts_with(['-', '+']) {
                return unprintable("a duplicated descriptor that is no number");
            }
            self.push(text);
            return Ok(());
        }
        if !input {
            return unprintable("an expansion behind `>&`, which bash expands twice");
        }
        if !source.parts.iter().any(|part| {
            matches!(part, Part::Parameter(_) | Part::Command(_) | Part::Arithmetic(_) | Part::Double(_))
        }) {
            return unprintable("a duplicated descriptor that is no number");
        }
        self.word(source, Place::Target)
    }

    /// Bash before 4.4 splits unquoted expansions here, later ones do not: quoted, they are the same to all.
    fn here_string(&mut self, word: &Word) -> Printed {
        let splits = |part: &Part| match part {
            Part::Command(_) | Part::Arithmetic(_) => true,
            Part::Parameter(parameter) => !parameter.is_list() && parameter.operation == Operation::Value,
            _ => false,
        };
        if word.parts.is_empty() {
            return unprintable("a word is missing");
        }
        for (index, part) in word.parts.iter().enumerate() {
            if splits(part) {
                self.out.push('"');
                self.expansion(part, Quotes::Inside)?;
                self.out.push('"');
            } else if let Part::Tilde(prefix) = part {
                if index > 0 {
                    return unprintable("`~` is not expanded here");
                }
                self.tilde(prefix, &word.parts[1..], false)?;
            } else {
                self.parts(std::slice::from_ref(part), Place::Plain)?;
            }
        }
        Ok(())
    }

    fn here_document(&mut self, body: &Word) -> Printed {
        let mut parts = Vec::new();
        for part in &body.parts {
            match part {
                Part::Double(inner) => parts.extend(inner.iter()),
                part => parts.push(part),
            }
        }
        parts.retain(|part| !matches!(part, Part::Text(text) | Part::Quoted(text) if text.is_empty()));
        if parts.is_empty() {
            self.push("</dev/null");
            return Ok(());
        }
        let Some(Part::Text(last) | Part::Quoted(last)) = parts.pop() else {
            return unprintable("a here-document whose last line has no end");
        };
        let Some(last) = last.strip_suffix('\n') else {
            return unprintable("a here-document whose last line has no end");
        };
        self.push("<<<");
        if parts.is_empty() {
            self.single_quoted(last);
            return Ok(());
        }
        let outer = std::mem::replace(&mut self.document, true);
        let mut open = false;
        for part in parts {
            let (text, expansion) = match part {
                Part::Text(text) | Part::Quoted(text) => (Some(text), false),
                _ => (None, true),
            };
            if open != expansion {
                self.out.push('"');
                open = expansion;
            }
            match text {
                Some(text) => self.single_quoted(text),
                None => self.expansion(part, Quotes::Inside)?,
            }
        }
        if open {
            self.out.push('"');
        }
        if !last.is_empty() {
            self.single_quoted(last);
        }
        self.document = outer;
        Ok(())
    }
}
