//! `[[ .. ]]`: brackets around every operand that is an expression itself.

use super::word::Place;
use super::{Printed, Printer, unprintable};
use crate::tree::Test;

impl Printer {
    pub(super) fn test(&mut self, test: &Test) -> Printed {
        match test {
            Test::Not(operand) => {
                self.push("! ");
                self.test_operand(operand)
            }
            Test::And(left, right) => {
                self.test_operand(left)?;
                self.push(" && ");
                self.test_operand(right)
            }
            Test::Or(left, right) => {
                self.test_operand(left)?;
                self.push(" || ");
                self.test_operand(right)
            }
            Test::Word(word) => self.word(word, Place::Plain),
            Test::Unary { operator, word } => {
                if !matches!(operator.as_bytes(), [b'-', letter] if letter.is_ascii_alphabetic()) {
                    return unprintable(format!("`[[` has no operator `{operator}`"));
                }
                self.push(operator);
                self.out.push(' ');
                self.word(word, Place::Plain)
            }
            Test::Binary { operator, left, right } => {
                let place = match operator.as_str() {
                    "==" | "!=" => Place::TestPattern,
                    "=~" => Place::Regex,
                    "<" | ">" | "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-nt" | "-ot" | "-ef" => {
                        Place::Plain
                    }
                    _ => return unprintable(format!("`[[` has no operator `{operator}`")),
                };
                self.word(left, Place::Plain)?;
                self.out.push(' ');
                self.push(operator);
                self.out.push(' ');
                self.word(right, place)
            }
        }
    }

    fn test_operand(&mut self, operand: &Test) -> Printed {
        match operand {
            Test::Word(_) | Test::Unary { .. } | Test::Binary { .. } => self.test(operand),
            Test::Not(_) | Test::And(..) | Test::Or(..) => {
                self.push("( ");
                self.deeper(|printer| printer.test(operand))?;
                self.push(" )");
                Ok(())
            }
        }
    }
}
