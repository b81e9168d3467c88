//! Errors after which bash gives up the rest of a line and goes on with the next: a division by nothing, a number that is none,
//! a subscript or a length before the beginning. What the rest of the line would have set keeps its old value.

use toolwright_bash_syntax::tree::{
    Arithmetic, ArithmeticOperator, Name, Operation, Part, Place, Subscript, Word,
};

use crate::state::{Variable, is_plain_number};
use crate::walk::Walk;

impl Walk<'_> {
    /// Here bash may give up the rest of the line.
    pub(crate) fn may_give_up(&mut self) {
        match &mut self.given_up {
            None => self.given_up = Some(self.state.clone()),
            Some(states) => states.or(&self.state),
        }
    }

    /// The line has come to its end, or was given up before. Lines of a text that is run by the shell itself end apart; those of
    /// a group are given up together.
    pub(crate) fn line_ends(&mut self) {
        let given_up = match (self.is_outermost_line(), self.is_in_text()) {
            (true, _) => self.given_up.take(),
            (false, true) => self.given_up.clone(),
            (false, false) => None,
        };
        if let Some(states) = given_up {
            self.state.or(&states);
        }
    }

    /// An expression is evaluated, which may be no error.
    pub(crate) fn arithmetic_may_fail(&mut self, expression: &Arithmetic) {
        if !self.is_sure(expression) {
            self.may_give_up();
        }
    }

    pub(crate) fn length_may_fail(&mut self, length: &Arithmetic) {
        // One below nothing is counted from the end, and may be before the beginning.
        if !matches!(length, Arithmetic::Number(_)) || !self.is_sure(length) {
            self.may_give_up();
        }
    }

    pub(crate) fn subscript_may_fail(&mut self, subscript: &Subscript) {
        let Subscript::Expression(word) = subscript else { return };
        if !text(word).is_some_and(|index| is_plain_number(index) && !index.starts_with('-')) {
            self.may_give_up();
        }
    }

    /// Whether it has a value for sure.
    fn is_sure(&self, expression: &Arithmetic) -> bool {
        match expression {
            Arithmetic::Number(text) => is_plain_number(text),
            Arithmetic::Value(place) => self.is_sure_place(place),
            Arithmetic::Expansion(part) => self.is_sure_part(part),
            Arithmetic::Joined(_) => false,
            Arithmetic::Group(inner) | Arithmetic::Unary(_, inner) => self.is_sure(inner),
            Arithmetic::Binary(operator, left, right) => {
                self.is_sure(left) && self.is_sure(right) && divides_by_something(*operator, right)
            }
            Arithmetic::Comma(left, right) => self.is_sure(left) && self.is_sure(right),
            Arithmetic::Conditional(condition, first, second) => {
                [condition, first, second].iter().all(|part| self.is_sure(part))
            }
            Arithmetic::Assign(place, operator, value) => {
                let known = match operator {
                    None => place.subscript.is_none(),
                    Some(operator) => self.is_sure_place(place) && divides_by_something(*operator, value),
                };
                known && self.is_sure(value)
            }
            Arithmetic::Step { place, .. } => self.is_sure_place(place),
        }
    }

    fn is_sure_place(&self, place: &Place) -> bool {
        place.subscript.is_none() && self.is_sure_name(&place.name)
    }

    fn is_sure_name(&self, name: &str) -> bool {
        match self.state.get(name) {
            _ if self.unsteady => false,
            Some(variable) => variable.is_plain_number(),
            None => crate::names::is_always_number(name),
        }
    }

    fn is_sure_part(&self, part: &Part) -> bool {
        match part {
            Part::Arithmetic(inner) => self.is_sure(inner),
            Part::Double(parts) => matches!(parts.as_slice(), [only] if self.is_sure_part(only)),
            Part::Parameter(found) => match (&found.name, &found.operation) {
                (Name::Variable(name), Operation::Value) if found.subscript.is_none() && !found.indirect => {
                    self.is_sure_name(name)
                }
                _ => crate::parameter::is_number(found),
            },
            _ => false,
        }
    }
}

impl Variable {
    /// Whether every value it may have is a number that arithmetic reads as it stands.
    pub(crate) fn is_plain_number(&self) -> bool {
        match self {
            Self::OneOf(values) => {
                !values.is_empty() && values.iter().all(|value| is_plain_number(&value.text) && !value.glob)
            }
            Self::Number => true,
            Self::Figures | Self::Commit | Self::Plain | Self::Unknown | Self::Inherited => false,
        }
    }
}

/// Division by what may be nothing is an error, and so is a power below nothing.
fn divides_by_something(operator: ArithmeticOperator, right: &Arithmetic) -> bool {
    match operator {
        ArithmeticOperator::Divide | ArithmeticOperator::Remainder => {
            matches!(right, Arithmetic::Number(text) if is_plain_number(text) && text != "0")
        }
        ArithmeticOperator::Power => matches!(right, Arithmetic::Number(text) if is_plain_number(text)),
        _ => true,
    }
}

fn text(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Text(text) | Part::Quoted(text)] => Some(text),
        _ => None,
    }
}
