//! Simple commands and assignments: assignments first, then words, then redirections, the order in which bash takes them
//! does not depend on where they stand.

use super::parameter::Quotes;
use super::text::is_name;
use super::word::Place;
use super::{Printed, Printer, unprintable};
use crate::tree::{Argument, Assignment, Element, Part, Simple, Value};

impl Printer {
    pub(super) fn simple(&mut self, simple: &Simple) -> Printed {
        Self::keeps_options(simple)?;
        let mut printed = false;
        for assignment in &simple.assignments {
            self.separate(&mut printed);
            self.assignment(assignment)?;
        }
        let declares =
            matches!(simple.words.first(), Some(Argument::Word(word)) if is_declaration(&word.parts));
        for (index, argument) in simple.words.iter().enumerate() {
            self.separate(&mut printed);
            match argument {
                Argument::Word(word) if index == 0 => self.word(word, Place::Name)?,
                Argument::Word(word) if declares => self.word(word, Place::Declared)?,
                Argument::Word(word) => self.word(word, Place::Argument)?,
                Argument::Assignment(assignment) if declares && index > 0 => self.assignment(assignment)?,
                Argument::Assignment(_) => {
                    return unprintable("an assignment as the argument of another command");
                }
            }
        }
        if !printed {
            // The blank before the first redirection is that of the caller.
            let start = self.out.len();
            self.redirects(&simple.redirects)?;
            if self.out.len() == start {
                return unprintable("a command is missing");
            }
            self.out.remove(start);
            self.quotes_are_closed();
            return Ok(());
        }
        self.redirects(&simple.redirects)
    }

    fn separate(&mut self, printed: &mut bool) {
        if std::mem::replace(printed, true) {
            self.out.push(' ');
        }
    }

    fn assignment(&mut self, assignment: &Assignment) -> Printed {
        if !is_name(&assignment.name) {
            return unprintable("an assignment to what is no name of a variable");
        }
        self.push(&assignment.name);
        if let Some(subscript) = &assignment.subscript {
            self.subscript(subscript)?;
        }
        self.push(if assignment.append { "+=" } else { "=" });
        match &assignment.value {
            Value::Scalar(word) => self.word(word, Place::Value),
            Value::Array(elements) => {
                self.out.push('(');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        self.out.push(' ');
                    }
                    self.deeper(|printer| printer.element(element))?;
                }
                self.out.push(')');
                Ok(())
            }
        }
    }

    fn element(&mut self, element: &Element) -> Printed {
        let Some(subscript) = &element.subscript else { return self.word(&element.value, Place::Element) };
        self.subscript(subscript)?;
        self.push(if element.append { "+=" } else { "=" });
        if element.value.parts.is_empty() {
            return Ok(());
        }
        self.word(&element.value, Place::Value)
    }

    /// One of the parts that bash expands, where what stands around it is `quotes`.
    pub(super) fn expansion(&mut self, part: &Part, quotes: Quotes) -> Printed {
        match part {
            Part::Parameter(parameter) => {
                let start = self.out.len() + 2;
                self.deeper(|printer| printer.parameter(parameter, quotes))?;
                if quotes == Quotes::Outside {
                    self.no_braces_since(start)?;
                }
                let inner = self.out.get(start..self.out.len() - 1).unwrap_or_default();
                if self.in_braces && inner.contains(['{', '}', '\'', '"', '`', '\\']) {
                    return unprintable("quotes or braces in an expansion beside braces");
                }
                if quotes == Quotes::Inside && (inner.contains("<(") || inner.contains(">(")) {
                    return unprintable(
                        "`<(` or `>(` within quoted `${..}`, which bash takes for a substitution",
                    );
                }
                // The search for braces takes the inner quotes for the end of the outer ones.
                if quotes == Quotes::Inside && inner.contains('"') && inner.replace("${", "").contains('{') {
                    return unprintable("a brace in quotes within quoted `${..}`");
                }
                Ok(())
            }
            Part::Command(script) => {
                self.push("$(");
                self.substituted(script)?;
                self.out.push(')');
                Ok(())
            }
            Part::Arithmetic(arithmetic) => {
                self.push("$(( ");
                self.deeper(|printer| printer.arithmetic(arithmetic))?;
                self.push(" ))");
                Ok(())
            }
            _ => unprintable("an expansion that cannot stand here"),
        }
    }
}

/// Whether a command's name is that of a declaration builtin, spelled without quotes.
fn is_declaration(parts: &[Part]) -> bool {
    match parts {
        [Part::Text(name)] => {
            matches!(name.as_str(), "declare" | "export" | "local" | "readonly" | "typeset")
        }
        _ => false,
    }
}
