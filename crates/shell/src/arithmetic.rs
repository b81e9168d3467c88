//! Arithmetic evaluates the values of variables as expressions, which may hold commands: only numbers are let through.

use toolwright_bash_syntax::tree::{
    Arithmetic, ArithmeticOperator, Name, Operation, Part, Place, Subscript, Word,
};

use crate::names::{is_always_number, is_name};
use crate::parameter;
use crate::state::{Variable, is_number};
use crate::walk::Walk;

impl Walk<'_> {
    pub(crate) fn arithmetic(&mut self, expression: &Arithmetic) {
        self.arithmetic_may_fail(expression);
        self.nested_word(|walk| walk.evaluated(expression));
        // What it assigned before the error stays.
        self.arithmetic_may_fail(expression);
    }

    fn evaluated(&mut self, expression: &Arithmetic) {
        match expression {
            Arithmetic::Number(_) => {}
            Arithmetic::Value(place) => self.read_as_number(place),
            Arithmetic::Expansion(part) => self.operand(part),
            Arithmetic::Joined(parts) => parts.iter().for_each(|part| self.operand(part)),
            Arithmetic::Group(inner) | Arithmetic::Unary(_, inner) => self.arithmetic(inner),
            Arithmetic::Binary(ArithmeticOperator::And | ArithmeticOperator::Or, left, right) => {
                self.arithmetic(left);
                self.maybe(|walk| walk.arithmetic(right));
            }
            Arithmetic::Binary(_, left, right) | Arithmetic::Comma(left, right) => {
                self.arithmetic(left);
                self.arithmetic(right);
            }
            Arithmetic::Conditional(condition, first, second) => {
                self.arithmetic(condition);
                self.maybe(|walk| walk.arithmetic(first));
                self.maybe(|walk| walk.arithmetic(second));
            }
            Arithmetic::Assign(place, operator, value) => {
                self.arithmetic(value);
                if operator.is_some() {
                    self.read_as_number(place);
                }
                self.assigned_number(place);
            }
            Arithmetic::Step { place, .. } => {
                self.read_as_number(place);
                self.assigned_number(place);
            }
        }
    }

    fn assigned_number(&mut self, place: &Place) {
        self.subscript(&place.name, place.subscript.as_ref());
        let value = if place.subscript.is_none() { Variable::Number } else { Variable::Unknown };
        self.sets_for_others(&place.name, &format!("{}=", place.name));
        self.set(&place.name, value);
    }

    fn read_as_number(&mut self, place: &Place) {
        self.subscript(&place.name, place.subscript.as_ref());
        if place.subscript.is_some() || !self.holds_number(&place.name) {
            let name = &place.name;
            self.unreadable(format!("arithmetic evaluates the value of `{name}` as code"));
        }
    }

    pub(crate) fn holds_number(&self, name: &str) -> bool {
        match self.state.get(name) {
            _ if self.unsteady => false,
            Some(variable) => variable.is_number(),
            None => is_always_number(name),
        }
    }

    /// An expansion whose text becomes part of an expression.
    fn operand(&mut self, part: &Part) {
        match part {
            Part::Double(parts) => parts.iter().for_each(|part| self.operand(part)),
            Part::Arithmetic(inner) => self.arithmetic(inner),
            // Next to a number it can only make another, or a name that holds none.
            Part::Text(text) | Part::Quoted(text) => {
                if !text
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'-' | b'+'))
                {
                    self.unreadable("arithmetic evaluates text that is put together");
                }
            }
            Part::Parameter(found) => {
                let number = match (&found.name, &found.operation) {
                    (Name::Variable(name), Operation::Value)
                        if found.subscript.is_none() && !found.indirect =>
                    {
                        self.holds_number(name)
                    }
                    _ => parameter::is_number(found),
                };
                self.parameter(found, true);
                if !number {
                    self.unreadable("arithmetic evaluates an expansion that is not known to be a number");
                }
            }
            other => {
                self.parts(std::slice::from_ref(other), crate::word::Place::Whole);
                self.unreadable("the output of a command is evaluated as arithmetic");
            }
        }
    }

    /// What stands between the brackets behind `name`: arithmetic, but for arrays that have keys.
    pub(crate) fn subscript(&mut self, name: &str, subscript: Option<&Subscript>) {
        let Some(subscript @ Subscript::Expression(word)) = subscript else { return };
        self.subscript_may_fail(subscript);
        if self.state.is_keyed(name) && !self.unsteady {
            self.value(word);
        } else if !self.word_is_number(word) {
            self.unreadable(format!("the subscript of `{name}` is evaluated as code"));
        }
    }

    /// Whether a word that bash evaluates as arithmetic is a number, or a name that holds one. Commands in it are walked.
    pub(crate) fn word_is_number(&mut self, word: &Word) -> bool {
        let literal = |part: &Part| match part {
            Part::Text(text) | Part::Quoted(text) => Some(text.clone()),
            _ => None,
        };
        if let Some(text) = word.parts.iter().map(literal).collect::<Option<String>>() {
            return self.text_is_number(&text);
        }
        let tokens = self.value(word);
        let known = tokens.iter().all(|token| token.exact && !token.glob && self.text_is_number(&token.text));
        known
            || match word.parts.as_slice() {
                [Part::Double(parts)] => match parts.as_slice() {
                    [only] => self.part_is_number(only),
                    _ => false,
                },
                [only] => self.part_is_number(only),
                _ => false,
            }
    }

    /// Whether arithmetic finds no more than numbers in a text: a sum or a comparison of numbers and of names that hold some.
    fn text_is_number(&self, text: &str) -> bool {
        let fine = |character: char| {
            character.is_ascii_alphanumeric()
                || character.is_ascii_whitespace()
                || "_+-*/%".contains(character)
        };
        let steps = text.contains("++") || text.contains("--");
        let names = text
            .split(|character: char| !character.is_ascii_alphanumeric() && character != '_')
            .filter(|word| !word.is_empty() && !word.starts_with(|first: char| first.is_ascii_digit()));
        text.chars().all(fine)
            && !steps
            && names.into_iter().all(|name| is_name(name) && self.holds_number(name))
    }

    fn part_is_number(&self, part: &Part) -> bool {
        match part {
            Part::Arithmetic(_) => true,
            Part::Parameter(found) => match (&found.name, &found.operation) {
                (Name::Variable(name), Operation::Value) if found.subscript.is_none() && !found.indirect => {
                    self.holds_number(name)
                }
                _ => parameter::is_number(found),
            },
            _ => false,
        }
    }

    /// Whether an assigned word is a number written out or the result of arithmetic, whatever else the script does.
    pub(crate) fn is_surely_number(parts: &[Part]) -> bool {
        match parts {
            [Part::Arithmetic(_)] => true,
            [Part::Parameter(found)] => parameter::is_number(found),
            [Part::Double(inner)] => Self::is_surely_number(inner),
            [Part::Text(text) | Part::Quoted(text)] => is_number(text),
            _ => false,
        }
    }
}
