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
        let mut wild = subscript.is_some() || *indirect || self.may_be_pattern(name);
        match operation {
            Operation::Value | Operation::Length | Operation::Names { .. } | Operation::Keys => {}
            Operation::Default { kind, word, .. } => {
                wild |= self.value(word).iter().any(may_be_pattern);
                if *kind == '=' {
                    match name {
                        Name::Variable(name) => {
                            self.sets_for_others(name, &format!("{name}="));
                            self.set(name, Variable::Unknown);
                        }
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
                wild |= with.as_ref().is_some_and(|with| self.value(with).iter().any(may_be_pattern));
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
            true => alone(vec![Token::number()]),
            false => alone(vec![Token { wild, ..unknown(quoted) }]),
        }
    }

    /// Whether what it holds may be a pattern of names.
    fn may_be_pattern(&self, name: &Name) -> bool {
        let Name::Variable(name) = name else { return true };
        match self.state.get(name) {
            _ if self.unsteady => true,
            None => !crate::names::is_harmless(name),
            Some(Variable::Number | Variable::Figures | Variable::Commit | Variable::Plain) => false,
            Some(Variable::OneOf(values)) => {
                values.iter().any(|value| value.glob || has_wildcard(&value.text))
            }
            Some(Variable::Unknown | Variable::Inherited) => true,
        }
    }

    fn dropped(&mut self, word: Option<&Word>) {
        if let Some(word) = word {
            self.value(word);
        }
    }
}

fn may_be_pattern(token: &Token) -> bool {
    token.wild || token.glob || has_wildcard(&token.text)
}

fn has_wildcard(text: &str) -> bool {
    text.contains(['*', '?', '[', '\\'])
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
