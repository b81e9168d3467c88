//! What a script has done so far that changes how the rest reads: folders and variables.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::Place;

/// What is known of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Variable {
    /// One of these texts.
    OneOf(Rc<Vec<Value>>),
    /// A whole number.
    Number,
    /// The hexadecimal name of a commit, or nothing.
    Commit,
    /// Numbers, dates and other words that name no file of the work.
    Figures,
    /// Anything without a sign that stands in a pattern.
    Plain,
    /// Anything.
    Unknown,
    /// Anything, and it may be what was inherited: the script may not have set it.
    Inherited,
}

/// A text that a variable may have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Value {
    pub(crate) text: Rc<str>,
    /// It is a glob that stands for the names it matches, quoted or not: those a loop goes through.
    pub(crate) glob: bool,
}

impl Variable {
    /// What is known of one that the script may have set or not.
    pub(crate) fn inherited(name: &str) -> Self {
        if crate::names::is_harmless(name) { Self::Unknown } else { Self::Inherited }
    }

    /// The texts it may be, as far as they are known.
    pub(crate) fn known(&self) -> &[Value] {
        match self {
            Self::OneOf(values) => values,
            Self::Number | Self::Figures | Self::Commit | Self::Plain | Self::Unknown | Self::Inherited => {
                &[]
            }
        }
    }

    /// Whether each text it may be is one that stands for no program that does more than show.
    pub(crate) fn starts_nothing(&self) -> bool {
        const NOTHING: [&str; 8] = ["", "0", "1", "cat", "less", "more", "true", ":"];
        match self {
            Self::OneOf(values) => values.iter().all(|value| NOTHING.contains(&&*value.text)),
            Self::Number => true,
            Self::Figures | Self::Commit | Self::Plain | Self::Unknown | Self::Inherited => false,
        }
    }

    /// Whether arithmetic may evaluate every value it may have: they are numbers.
    pub(crate) fn is_number(&self) -> bool {
        match self {
            Self::OneOf(values) => {
                !values.is_empty() && values.iter().all(|value| is_number(&value.text) && !value.glob)
            }
            Self::Number => true,
            Self::Figures | Self::Commit | Self::Plain | Self::Unknown | Self::Inherited => false,
        }
    }
}

pub(crate) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.len() < 19 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number that begins with no zero: with one it is octal, and may be none.
pub(crate) fn is_plain_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    is_number(digits)
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
}

/// The folders the script may be in, and its variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    /// Every folder it may be in; none: unknown.
    pub(crate) folders: Option<Rc<Vec<PathBuf>>>,
    variables: Rc<HashMap<Rc<str>, Variable>>,
    /// Arrays whose subscripts are keys, not arithmetic.
    keyed: Rc<HashSet<String>>,
}

const MOST_FOLDERS: usize = 8;
/// More values than these are not told apart.
pub(crate) const MOST_VALUES: usize = 32;

impl State {
    pub(crate) fn new(place: &Place) -> Self {
        // Without a folder relative paths are read from one that nothing lies in.
        let start = place.cwd.clone().unwrap_or_else(|| PathBuf::from("/\u{fffd}"));
        Self { folders: Some(Rc::new(vec![start])), variables: Rc::default(), keyed: Rc::default() }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Variable> {
        self.variables.get(name)
    }

    pub(crate) fn set(&mut self, name: &str, value: Variable) {
        Rc::make_mut(&mut self.variables).insert(name.into(), value);
    }

    pub(crate) fn is_keyed(&self, name: &str) -> bool {
        self.keyed.contains(name)
    }

    pub(crate) fn set_keyed(&mut self, name: &str, keyed: bool) {
        if self.keyed.contains(name) != keyed {
            let names = Rc::make_mut(&mut self.keyed);
            if keyed {
                names.insert(name.into());
            } else {
                names.remove(name);
            }
        }
    }

    pub(crate) fn enter(&mut self, target: Option<&str>) {
        self.folders = match (self.folders.take(), target) {
            (Some(folders), Some(target)) => {
                Some(Rc::new(folders.iter().map(|folder| plain(&folder.join(target))).collect()))
            }
            _ => None,
        };
        // A glob that a variable holds was matched in another folder.
        let matched = |value: &Variable| match value {
            Variable::OneOf(values) => values.iter().any(|value| value.glob),
            _ => false,
        };
        if self.variables.values().any(matched) {
            let variables = Rc::make_mut(&mut self.variables);
            variables
                .values_mut()
                .filter(|value| matched(value))
                .for_each(|value| *value = Variable::Unknown);
        }
    }

    /// Nothing is known any more: whatever ran may have set any variable and gone anywhere.
    pub(crate) fn forget(&mut self) {
        self.folders = None;
        self.forget_variables();
    }

    /// The same of the variables alone.
    pub(crate) fn forget_variables(&mut self) {
        self.keyed = Rc::default();
        let known = |value: &&mut Variable| **value != Variable::Inherited;
        Rc::make_mut(&mut self.variables)
            .values_mut()
            .filter(known)
            .for_each(|value| *value = Variable::Unknown);
    }

    /// In another process: what this one has set is not handed to it.
    pub(crate) fn clear_variables(&mut self) {
        self.variables = Rc::default();
        self.keyed = Rc::default();
    }

    /// What happened last may not have happened: the folders before it count as well.
    pub(crate) fn or_folders(&mut self, before: Option<&Rc<Vec<PathBuf>>>) {
        if self.folders.as_ref() == before {
            return;
        }
        self.folders = self.folders.take().zip(before).and_then(|(mut now, before)| {
            let folders = Rc::make_mut(&mut now);
            folders.extend(before.iter().cloned());
            folders.sort();
            folders.dedup();
            (folders.len() <= MOST_FOLDERS).then_some(now)
        });
    }

    /// What happened last may not have happened: the state before it counts as well.
    pub(crate) fn or(&mut self, before: &Self) {
        self.or_folders(before.folders.as_ref());
        if self.keyed != before.keyed {
            self.keyed = Rc::new(self.keyed.intersection(&before.keyed).cloned().collect());
        }
        if Rc::ptr_eq(&self.variables, &before.variables) {
            return;
        }
        let variables = Rc::make_mut(&mut self.variables);
        for name in before.variables.keys() {
            // Set in the other alone.
            if !variables.contains_key(name) {
                variables.insert(Rc::clone(name), Variable::inherited(name));
            }
        }
        for (name, value) in variables {
            let merged = match (before.variables.get(name), &*value) {
                (Some(old), new) if old == new => continue,
                (None, _) => Variable::inherited(name),
                (Some(Variable::Inherited), _) | (_, Variable::Inherited) => Variable::Inherited,
                (Some(Variable::OneOf(old)), Variable::OneOf(new))
                    if new.len() + old.len() <= MOST_VALUES =>
                {
                    let mut all: Vec<Value> = new.iter().chain(old.iter()).cloned().collect();
                    all.sort();
                    all.dedup();
                    Variable::OneOf(Rc::new(all))
                }
                (Some(old), new) if old.is_plain_number() && new.is_plain_number() => Variable::Number,
                _ => Variable::Unknown,
            };
            *value = merged;
        }
    }
}

/// Without `.`, and `..` taken back by the text alone, as `cd` does.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain
}
