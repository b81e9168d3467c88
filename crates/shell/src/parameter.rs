//! Parameter expansions: what they give, and what they evaluate and set.

use toolwright_bash_syntax::tree::{Name, Operation, Parameter, Subscript, Word};

use crate::state::Variable;
use crate::walk::Walk;
use crate::word::{Token, Ways, alone, unknown};

impl Walk<'_> {
    pub(crate) fn parameter(&mut self, parameter: &Parameter, quoted: bool) -> Ways {
        let Parameter { name, subscript, indirect, operation } = parameter;
        let is_names = matches!(operation, Operation::Names { .. });
        if let (Name::Variable(name), None, false, Operation::Value) = (name, subscript, indirect, operation)
        {
            return self.variable(name, quoted);
        }
        if *indirect && !is_names && !matches!(operation, Operation::Keys) {
            self.unreadable("`${!name}` reads a variable whose name is data");
        }
        if let Name::Variable(name) = name {
            if !is_names {
                self.expands(name);
            }
            self.subscript(name, subscript.as_ref());
        }
        match operation {
            Operation::Value | Operation::Length | Operation::Names { .. } | Operation::Keys => {}
            Operation::Default { kind, word, .. } => {
                self.value(word);
                if *kind == '=' {
                    match name {
                        Name::Variable(name) => self.set(name, Variable::Unknown),
                        _ => {
                            self.changes_state = true;
                            self.may_give_up();
                        }
                    }
                }
            }
            Operation::Remove { pattern, .. } => self.dropped(Some(pattern)),
            Operation::Replace { pattern, with, .. } => {
                self.dropped(Some(pattern));
                self.dropped(with.as_ref());
            }
            Operation::Case { pattern, .. } => self.dropped(pattern.as_ref()),
            Operation::Substring { offset, length } => {
                self.arithmetic(offset);
                if let Some(length) = length {
                    self.length_may_fail(length);
                    self.arithmetic(length);
                }
            }
            Operation::Transform('Q' | 'U' | 'u' | 'L') => {}
            Operation::Transform(_) => {
                self.unreadable("`${name@..}` may evaluate the variable's value as code");
            }
        }
        match is_number(parameter) {
            true => alone(vec![Token::unknown_word()]),
            false => alone(vec![unknown(quoted)]),
        }
    }

    fn dropped(&mut self, word: Option<&Word>) {
        if let Some(word) = word {
            self.value(word);
        }
    }
}

/// Whether it is a number whatever happened.
pub(crate) fn is_number(parameter: &Parameter) -> bool {
    match (&parameter.name, &parameter.operation) {
        _ if parameter.indirect => false,
        (_, Operation::Length) => true,
        (Name::Special('#' | '?' | '$' | '!'), Operation::Value) => true,
        _ => false,
    }
}

/// Whether it is as many words as there are elements, in quotes too.
pub(crate) fn is_list(parameter: &Parameter) -> bool {
    let all = matches!(parameter.name, Name::Special('@')) || parameter.subscript == Some(Subscript::All);
    match parameter.operation {
        Operation::Length => false,
        Operation::Names { separate } => separate,
        _ => all,
    }
}
