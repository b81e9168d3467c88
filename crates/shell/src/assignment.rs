//! Assignments: what is known of a variable after one, and what one evaluates.

use toolwright_bash_syntax::tree::{Assignment, Value};
use toolwright_core::{CommandPart, Reach};

use crate::names;
use crate::state::Variable;
use crate::walk::Walk;
use crate::word::Token;

/// What an assignment gives.
#[derive(Debug, Clone)]
pub(crate) struct Assigned {
    pub(crate) name: String,
    pub(crate) value: Variable,
    /// It is a number whatever else the script does.
    pub(crate) number: bool,
}

impl Walk<'_> {
    pub(crate) fn assignment(&mut self, assignment: &Assignment) {
        let (assigned, _) = self.assigned(assignment);
        self.sets_for_others(&assigned.name, &assignment.source);
        self.set_surely(&assigned.name, assigned.value, assigned.number);
    }

    /// A variable that was handed to the shell goes on to every program, and some change what names mean: setting one without a
    /// command is a command of its own to the rules, as `export` is.
    pub(crate) fn sets_for_others(&mut self, name: &str, shown: &str) {
        if names::is_obeyed_by_programs(name) {
            self.parts.push(CommandPart {
                shown: shown.into(),
                program: name.into(),
                for_allow: shown.into(),
                for_deny: vec![shown.into()],
                reach: Reach::Pattern,
                runs_code: false,
            });
        }
    }

    /// What it assigns, and the whole as an argument. Commands in it are walked; nothing is set.
    pub(crate) fn assigned(&mut self, assignment: &Assignment) -> (Assigned, Vec<Token>) {
        let Assignment { name, subscript, append, value, .. } = assignment;
        self.subscript(name, subscript.as_ref());
        let (value, number, tokens) = match value {
            Value::Scalar(word) => {
                let tokens = self.value(word);
                let number = Self::is_surely_number(&word.parts);
                let known = if number && tokens.iter().any(|token| !token.exact) {
                    Variable::Number
                } else {
                    Self::known(&tokens)
                };
                (known, number, tokens)
            }
            Value::Array(elements) => {
                for element in elements {
                    self.subscript(name, element.subscript.as_ref());
                    match element.subscript {
                        Some(_) => drop(self.value(&element.value)),
                        None => {
                            let tokens: Vec<Token> =
                                self.word(&element.value).into_iter().flatten().collect();
                            self.globs_read(&tokens);
                        }
                    }
                }
                (Variable::Unknown, false, vec![Token::unknown_word()])
            }
        };
        let plain = subscript.is_none() && !append;
        let argument = |token: Token| Token { text: format!("{name}={}", token.text), ..token };
        let assigned = Assigned {
            name: name.clone(),
            value: if plain { value } else { Variable::Unknown },
            number: number && plain,
        };
        (assigned, tokens.into_iter().map(argument).collect())
    }
}
