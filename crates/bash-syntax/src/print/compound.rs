//! Compound commands and functions.

use super::text::{is_name, is_plain, is_reserved};
use super::word::Place;
use super::{Printed, Printer, unprintable};
use crate::tree::{Arithmetic, Arm, ArmEnd, Compound, CompoundKind, Function, Script, Word};

impl Printer {
    pub(super) fn function(&mut self, function: &Function) -> Printed {
        let name = &function.name;
        if name.is_empty() || !name.chars().all(is_plain) || is_reserved(name) || name.starts_with(['-', '%'])
        {
            return unprintable(format!("not every bash takes `{name}` as the name of a function"));
        }
        self.push(name);
        self.push("() ");
        self.compound(&function.body)
    }

    pub(super) fn compound(&mut self, compound: &Compound) -> Printed {
        match &compound.kind {
            CompoundKind::Group(script) => {
                self.push("{ ");
                self.body(script)?;
                self.push(" }");
                // Old versions look in it for a list or a sequence.
                self.braces_end = self.out.len();
            }
            CompoundKind::Subshell(script) => {
                self.push("( ");
                self.body(script)?;
                self.push(" )");
            }
            CompoundKind::If { branches, otherwise } => self.conditional(branches, otherwise.as_ref())?,
            CompoundKind::While { until, condition, body } => {
                self.push(if *until { "until " } else { "while " });
                self.condition(condition)?;
                self.loop_body(body)?;
            }
            CompoundKind::For { name, words, body } => self.counted(name, words.as_deref(), body)?,
            CompoundKind::ArithmeticFor { start, condition, step, body } => {
                self.push("for ((");
                let from = self.out.len();
                for (index, expression) in [start, condition, step].into_iter().enumerate() {
                    self.push(if index > 0 { "; " } else { " " });
                    self.optional(expression.as_ref())?;
                }
                // Old versions look for the two that separate the expressions without a look at what the others are in.
                if self.out[from..].matches(';').count() > 2 {
                    return unprintable("`;` within an expression of `for ((`");
                }
                self.push(" ));");
                self.loop_body(body)?;
            }
            CompoundKind::Case { word, arms } => self.case(word, arms)?,
            CompoundKind::Arithmetic(arithmetic) => {
                self.push("(( ");
                self.arithmetic(arithmetic)?;
                self.push(" ))");
            }
            CompoundKind::Test(test) => {
                self.push("[[ ");
                self.test(test)?;
                self.push(" ]]");
            }
        }
        self.redirects(&compound.redirects)
    }

    fn optional(&mut self, expression: Option<&Arithmetic>) -> Printed {
        expression.map_or(Ok(()), |expression| self.arithmetic(expression))
    }

    fn conditional(&mut self, branches: &[(Script, Script)], otherwise: Option<&Script>) -> Printed {
        if branches.is_empty() {
            return unprintable("`if` without a condition");
        }
        for (index, (condition, body)) in branches.iter().enumerate() {
            self.push(if index == 0 { "if " } else { " elif " });
            self.condition(condition)?;
            self.push(" then ");
            self.body(body)?;
        }
        if let Some(body) = otherwise {
            self.push(" else ");
            self.body(body)?;
        }
        self.push(" fi");
        Ok(())
    }

    fn loop_body(&mut self, body: &Script) -> Printed {
        self.push(" do ");
        self.body(body)?;
        self.push(" done");
        Ok(())
    }

    fn counted(&mut self, name: &str, words: Option<&[Word]>, body: &Script) -> Printed {
        if !is_name(name) {
            return unprintable(format!("`{name}` is no name of a variable for `for`"));
        }
        self.push("for ");
        self.push(name);
        if let Some(words) = words {
            self.push(" in");
            for word in words {
                self.out.push(' ');
                self.word(word, Place::Argument)?;
            }
        }
        self.out.push(';');
        self.loop_body(body)
    }

    fn case(&mut self, word: &Word, arms: &[Arm]) -> Printed {
        self.push("case ");
        self.word(word, Place::Plain)?;
        self.push(" in");
        for arm in arms {
            if arm.patterns.is_empty() {
                return unprintable("a branch of `case` without a pattern");
            }
            for (index, pattern) in arm.patterns.iter().enumerate() {
                self.push(if index == 0 { " (" } else { " | " });
                self.word(pattern, Place::Pattern)?;
            }
            self.push(") ");
            if !arm.body.lists.is_empty() {
                self.substituted(&arm.body)?;
                self.out.push(' ');
            }
            self.push(match arm.end {
                ArmEnd::Break => ";;",
                ArmEnd::FallThrough => ";&",
                ArmEnd::Continue => ";;&",
            });
        }
        self.push(" esac");
        Ok(())
    }
}
