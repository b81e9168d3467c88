//! Arithmetic. Bash puts the text of an expansion in its place before it reads the expression: `$x*3` is no product where `x`
//! is `1+2`. So brackets stand where the tree has them, and else only where the precedence of the operators asks for them.

use super::parameter::Quotes;
use super::text::is_name;
use super::{Printed, Printer, unprintable};
use crate::tree::{Arithmetic, ArithmeticOperator as Operator, Part, Place, Step};

impl Printer {
    pub(super) fn arithmetic(&mut self, expression: &Arithmetic) -> Printed {
        match expression {
            Arithmetic::Number(number) => {
                if !is_number(number) {
                    return unprintable(format!("`{number}` is no number"));
                }
                self.push(number);
                Ok(())
            }
            Arithmetic::Value(place) => self.place(place),
            Arithmetic::Expansion(part) => self.inserted(part),
            Arithmetic::Joined(parts) => self.joined(parts),
            Arithmetic::Group(inner) => {
                self.out.push('(');
                self.deeper(|printer| printer.arithmetic(inner))?;
                self.out.push(')');
                Ok(())
            }
            Arithmetic::Unary(operator, operand) => {
                if !matches!(operator, '-' | '+' | '!' | '~') {
                    return unprintable(format!("arithmetic has no operator `{operator}`"));
                }
                self.out.push(*operator);
                self.out.push(' ');
                self.operand(operand, UNARY)
            }
            Arithmetic::Binary(operator, left, right) => {
                let (text, strength) = binary(*operator);
                // Operators of one strength are read from the left, `**` from the right.
                let (left_least, right_least) = if *operator == Operator::Power {
                    (strength + 1, strength)
                } else {
                    (strength, strength + 1)
                };
                self.operand(left, left_least)?;
                self.infix(text);
                self.operand(right, right_least)
            }
            Arithmetic::Conditional(condition, yes, no) => {
                self.operand(condition, CONDITIONAL + 1)?;
                self.push(" ? ");
                self.operand(yes, CONDITIONAL)?;
                self.push(" : ");
                self.operand(no, CONDITIONAL)
            }
            Arithmetic::Assign(place, operator, value) => {
                self.place(place)?;
                self.out.push(' ');
                match operator {
                    None => {}
                    Some(
                        Operator::Multiply
                        | Operator::Divide
                        | Operator::Remainder
                        | Operator::Add
                        | Operator::Subtract
                        | Operator::ShiftLeft
                        | Operator::ShiftRight
                        | Operator::BitAnd
                        | Operator::BitXor
                        | Operator::BitOr,
                    ) => self.push(operator.map_or("", |operator| binary(operator).0)),
                    Some(_) => return unprintable("arithmetic has no such assignment"),
                }
                self.push("= ");
                self.operand(value, ASSIGN)
            }
            Arithmetic::Step { step, place } => {
                match step {
                    Step::IncrementFirst => self.push("++"),
                    Step::DecrementFirst => self.push("--"),
                    Step::IncrementAfter | Step::DecrementAfter => {}
                }
                self.place(place)?;
                match step {
                    Step::IncrementAfter => self.push("++"),
                    Step::DecrementAfter => self.push("--"),
                    Step::IncrementFirst | Step::DecrementFirst => {}
                }
                Ok(())
            }
            Arithmetic::Comma(left, right) => {
                self.operand(left, COMMA)?;
                self.push(", ");
                self.operand(right, ASSIGN)
            }
        }
    }

    fn infix(&mut self, operator: &str) {
        self.out.push(' ');
        self.push(operator);
        self.out.push(' ');
    }

    /// An operand in a place for expressions that bind at least as strongly as `least`.
    fn operand(&mut self, operand: &Arithmetic, least: u8) -> Printed {
        let strength = match operand {
            Arithmetic::Number(_)
            | Arithmetic::Value(_)
            | Arithmetic::Expansion(_)
            | Arithmetic::Joined(_)
            | Arithmetic::Group(_)
            | Arithmetic::Step { .. } => return self.arithmetic(operand),
            Arithmetic::Unary(..) => UNARY,
            Arithmetic::Binary(operator, ..) => binary(*operator).1,
            Arithmetic::Conditional(..) => CONDITIONAL,
            Arithmetic::Assign(..) => ASSIGN,
            Arithmetic::Comma(..) => COMMA,
        };
        if strength >= least {
            return self.deeper(|printer| printer.arithmetic(operand));
        }
        self.out.push('(');
        self.deeper(|printer| printer.arithmetic(operand))?;
        self.out.push(')');
        Ok(())
    }

    fn place(&mut self, place: &Place) -> Printed {
        if !is_name(&place.name) {
            return unprintable(format!("`{}` is no name of a variable", place.name));
        }
        self.push(&place.name);
        place.subscript.as_ref().map_or(Ok(()), |subscript| self.subscript(subscript))
    }

    /// Constant text and expansions that make one operand.
    fn joined(&mut self, parts: &[Part]) -> Printed {
        for part in parts {
            match part {
                Part::Text(text) if text.bytes().all(is_digit) && !text.starts_with('#') => self.push(text),
                Part::Text(text) => return unprintable(format!("`{text}` is no number")),
                part => self.inserted(part)?,
            }
        }
        Ok(())
    }

    /// An expansion whose text becomes part of an expression. Old versions take quotes for a part of it.
    pub(super) fn inserted(&mut self, part: &Part) -> Printed {
        match part {
            Part::Double(parts) => parts.iter().try_for_each(|part| self.inserted(part)),
            part => self.expansion(part, Quotes::Unavailable),
        }
    }
}

const COMMA: u8 = 0;
const ASSIGN: u8 = 1;
const CONDITIONAL: u8 = 2;
const UNARY: u8 = 14;

/// How an operator is written, and how strongly it binds.
fn binary(operator: Operator) -> (&'static str, u8) {
    match operator {
        Operator::Or => ("||", 3),
        Operator::And => ("&&", 4),
        Operator::BitOr => ("|", 5),
        Operator::BitXor => ("^", 6),
        Operator::BitAnd => ("&", 7),
        Operator::Equal => ("==", 8),
        Operator::NotEqual => ("!=", 8),
        Operator::Less => ("<", 9),
        Operator::LessOrEqual => ("<=", 9),
        Operator::Greater => (">", 9),
        Operator::GreaterOrEqual => (">=", 9),
        Operator::ShiftLeft => ("<<", 10),
        Operator::ShiftRight => (">>", 10),
        Operator::Add => ("+", 11),
        Operator::Subtract => ("-", 11),
        Operator::Multiply => ("*", 12),
        Operator::Divide => ("/", 12),
        Operator::Remainder => ("%", 12),
        Operator::Power => ("**", 13),
    }
}

/// Decimal, octal, `0x..`, `base#digits`.
fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().filter(|byte| *byte == b'#').count() <= 1
        && text.bytes().all(is_digit)
}

/// What may stand in a number: `64#a_@`.
fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'@' | b'_')
}
