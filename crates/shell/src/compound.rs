//! Compound commands: what may run and what may not, in loops again and again, and what conditions evaluate.

use std::collections::HashSet;

use toolwright_bash_syntax::tree::{Arm, ArmEnd, CompoundKind, Part, Script, Test, Word};

use crate::names;
use crate::state::{State, Variable};
use crate::walk::Walk;
use crate::word::Token;

impl Walk<'_> {
    pub(crate) fn compound(&mut self, compound: &CompoundKind) {
        match compound {
            CompoundKind::Group(script) => self.script(script),
            CompoundKind::Subshell(script) => self.separately(|walk| walk.script(script)),
            CompoundKind::Arithmetic(expression) => self.arithmetic(expression),
            CompoundKind::ArithmeticFor { start, condition, step, body } => {
                if let Some(start) = start {
                    self.arithmetic(start);
                }
                self.repeated(|walk| {
                    if let Some(condition) = condition {
                        walk.arithmetic(condition);
                    }
                    walk.script(body);
                    if let Some(step) = step {
                        walk.arithmetic(step);
                    }
                });
            }
            CompoundKind::For { name, words, body } => self.for_each(name, words.as_deref(), body),
            CompoundKind::Case { word, arms } => {
                self.value(word);
                self.arms(arms);
            }
            CompoundKind::If { branches, otherwise } => self.branches(branches, otherwise.as_ref()),
            CompoundKind::While { condition, body, .. } => self.repeated(|walk| {
                walk.script(condition);
                walk.script(body);
            }),
            CompoundKind::Test(test) => self.test(test),
        }
    }

    fn for_each(&mut self, name: &str, words: Option<&[Word]>, body: &Script) {
        let values = words.map(|words| {
            let ways = words.iter().flat_map(|word| self.word(word));
            ways.flatten().collect::<Vec<Token>>()
        });
        self.globs_read(values.as_deref().unwrap_or_default());
        // Without a word it sets nothing.
        let may_be_none = values.as_ref().is_none_or(|values| values.iter().all(|token| token.splits));
        let before = self.state.clone();
        self.sets_for_others(name, &format!("for {name}"));
        self.set(name, values.as_deref().map_or(Variable::Unknown, Self::known));
        self.repeated(|walk| walk.script(body));
        if may_be_none {
            self.state.or(&before);
        }
    }

    fn branches(&mut self, branches: &[(Script, Script)], otherwise: Option<&Script>) {
        let mut ends: Option<State> = None;
        for (condition, body) in branches {
            self.script(condition);
            let failed = self.state.clone();
            self.script(body);
            let end = std::mem::replace(&mut self.state, failed);
            join(&mut ends, end);
        }
        if let Some(otherwise) = otherwise {
            self.script(otherwise);
        }
        if let Some(ends) = ends {
            self.state.or(&ends);
        }
    }

    fn arms(&mut self, arms: &[Arm]) {
        let anything = |word: &Word| matches!(word.parts.as_slice(), [Part::Text(text)] if text == "*");
        let apart = arms.iter().all(|arm| arm.end == ArmEnd::Break);
        let complete = apart && arms.last().is_some_and(|arm| arm.patterns.iter().any(anything));
        let mut ends: Option<State> = None;
        for arm in arms {
            arm.patterns.iter().for_each(|pattern| drop(self.value(pattern)));
            if !apart {
                self.maybe(|walk| walk.script(&arm.body));
                continue;
            }
            let before = self.state.clone();
            self.script(&arm.body);
            let end = std::mem::replace(&mut self.state, before);
            join(&mut ends, end);
        }
        match ends {
            Some(ends) if complete => self.state = ends,
            Some(ends) => self.state.or(&ends),
            None => {}
        }
    }

    /// What may or may not run: both states count after it.
    pub(crate) fn maybe(&mut self, inner: impl FnOnce(&mut Self)) {
        let before = self.state.clone();
        inner(self);
        self.state.or(&before);
    }

    /// A loop's body: its second round starts where the first ended, so what a body moves or sets is not known in either.
    fn repeated(&mut self, inner: impl Fn(&mut Self)) {
        if self.trial > 0 {
            // A round to see what changes: which names are set, and whether to numbers alone, shows in the first.
            return self.maybe(|walk| inner(walk));
        }
        let before = self.state.clone();
        // What the trial collects is seen again, and worse, in the round that counts.
        let parts = self.parts.len();
        let (sets, moves, forgotten) = (self.sets.len(), self.moves_made, self.forgotten);
        self.trial += 1;
        inner(self);
        self.trial -= 1;
        self.parts.truncate(parts);
        // `break` and `continue` leave it anywhere, so all that it ever sets counts, not what it ends with.
        self.state = before.clone();
        if self.forgotten != forgotten {
            self.state.forget();
        }
        if self.moves_made != moves {
            self.state.folders = None;
        }
        let set: Vec<(String, bool)> = self.sets.drain(sets..).collect();
        let mut others: HashSet<&str> = HashSet::new();
        others.extend(set.iter().filter(|(_, number)| !number).map(|(name, _)| name.as_str()));
        for (name, _) in &set {
            // In the first round it is what it was.
            let value = match before.get(name) {
                None | Some(Variable::Inherited) => Variable::inherited(name),
                Some(value) if value.is_plain_number() && !others.contains(name.as_str()) => Variable::Number,
                Some(_) => Variable::Unknown,
            };
            self.state.set(name, value);
        }
        let entered = self.state.clone();
        inner(self);
        self.state.or(&entered);
        self.state.or(&before);
    }

    fn test(&mut self, test: &Test) {
        match test {
            Test::And(left, right) | Test::Or(left, right) => self.nested(|walk| {
                walk.test(left);
                walk.maybe(|walk| walk.test(right));
            }),
            Test::Not(inner) => self.nested(|walk| walk.test(inner)),
            Test::Word(word) => drop(self.value(word)),
            Test::Unary { operator, word } => {
                let tokens = self.value(word);
                let plain = |token: &Token| token.literal().is_some_and(names::is_name);
                if matches!(operator.as_str(), "-v" | "-R") && !tokens.iter().all(plain) {
                    self.unreadable(format!("`[[ {operator} .. ]]` evaluates its operand as code"));
                }
            }
            Test::Binary { operator, left, right } => {
                let arithmetic = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"].contains(&operator.as_str());
                let mut numbers = true;
                for word in [left, right] {
                    if arithmetic {
                        numbers &= self.word_is_number(word);
                    } else {
                        self.value(word);
                    }
                }
                if !numbers {
                    self.unreadable("a comparison of numbers in `[[ .. ]]` evaluates its operands as code");
                }
            }
        }
    }
}

/// One more state in which what branches may end.
fn join(ends: &mut Option<State>, end: State) {
    match ends {
        None => *ends = Some(end),
        Some(ends) => ends.or(&end),
    }
}
