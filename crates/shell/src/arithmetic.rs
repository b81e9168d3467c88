//! Arithmetic evaluates the values of variables as expressions, which may hold commands: only numbers are let through.

use brush_parser::word::{Parameter, ParameterExpr, SpecialParameter, WordPiece};

use crate::parse;
use crate::state::Variable;
use crate::walk::Walk;

impl Walk<'_> {
    pub(crate) fn arithmetic(&mut self, expression: &str) {
        let pieces = match parse::pieces(expression) {
            Ok(pieces) => pieces,
            Err(error) => {
                return self.unreadable(format!("the arithmetic `{expression}` is not understood: {error}"));
            }
        };
        let mut text = String::new();
        for piece in &pieces {
            match &piece.piece {
                WordPiece::Text(plain) => text.push_str(plain),
                WordPiece::EscapeSequence(_) => text.push('\\'),
                WordPiece::CommandSubstitution(script) | WordPiece::BackquotedCommandSubstitution(script) => {
                    self.script_apart(script);
                    self.unreadable("the output of a command is evaluated as arithmetic");
                }
                WordPiece::ArithmeticExpression(inner) => self.arithmetic(&inner.value),
                WordPiece::ParameterExpansion(ParameterExpr::Parameter {
                    parameter: Parameter::Named(name),
                    indirect: false,
                }) => {
                    text.push(' ');
                    text.push_str(name);
                    text.push(' ');
                }
                // The others hold words: `$0` is the name of the shell, and a variable may have that name.
                WordPiece::ParameterExpansion(ParameterExpr::Parameter {
                    parameter:
                        Parameter::Special(
                            SpecialParameter::LastExitStatus
                            | SpecialParameter::PositionalParameterCount
                            | SpecialParameter::ProcessId
                            | SpecialParameter::LastBackgroundProcessId,
                        ),
                    indirect: false,
                })
                | WordPiece::ParameterExpansion(ParameterExpr::ParameterLength {
                    parameter: Parameter::Named(_) | Parameter::Positional(_) | Parameter::Special(_),
                    indirect: false,
                }) => text.push('0'),
                _ => text.push('\\'),
            }
        }
        self.numbers_only(expression, &text);
    }

    fn numbers_only(&mut self, expression: &str, text: &str) {
        let fine = |character: char| {
            character.is_ascii_alphanumeric()
                || character.is_ascii_whitespace()
                || "_+-*/%<>=!&|^~?:(),".contains(character)
        };
        if !text.chars().all(fine) {
            return self.unreadable(format!("the arithmetic `{expression}` may evaluate data as code"));
        }
        let names = text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
        let names: Vec<&str> =
            names.filter(|name| name.starts_with(|first: char| !first.is_ascii_digit())).collect();
        for name in names {
            let assigned = assigned(text, name);
            let number = match self.state.variables.get(name) {
                Some(Variable::Number) => true,
                Some(Variable::OneOf(values)) => values.iter().all(|value| value.parse::<i64>().is_ok()),
                Some(Variable::Unknown) => false,
                None => assigned,
            };
            let changes = text.contains("++") || text.contains("--") || has_assignment(text);
            if !number {
                return self.unreadable(format!(
                    "the arithmetic `{expression}` evaluates the value of `{name}` as code"
                ));
            }
            if assigned || changes {
                self.set(name, Variable::Number);
            }
        }
    }
}

/// Whether a sign stands anywhere in it that may give a name a value.
fn has_assignment(text: &str) -> bool {
    text.replace("==", "").replace("<=", "").replace(">=", "").replace("!=", "").contains('=')
        || text.contains("<<=")
        || text.contains(">>=")
}

/// Whether the text begins by giving `name` a value, before anything can read it.
fn assigned(text: &str, name: &str) -> bool {
    let rest =
        text.trim_start().strip_prefix(name).map(str::trim_start).and_then(|rest| rest.strip_prefix('='));
    rest.is_some_and(|rest| !rest.starts_with('='))
}
