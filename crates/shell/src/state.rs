//! What a script has done so far that changes how the rest reads: folders and variables.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::Place;

/// What is known of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Variable {
    /// One of these texts.
    OneOf(Vec<String>),
    /// A whole number.
    Number,
    /// Anything.
    Unknown,
}

/// The folders the script may be in, and its variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    /// Every folder it may be in; none: unknown.
    pub(crate) folders: Option<Vec<PathBuf>>,
    pub(crate) variables: HashMap<String, Variable>,
}

const MOST_FOLDERS: usize = 8;
const MOST_VALUES: usize = 64;

impl State {
    pub(crate) fn new(place: &Place) -> Self {
        // Without a folder relative paths are read from one that nothing lies in.
        let start = place.cwd.clone().unwrap_or_else(|| PathBuf::from("/\u{fffd}"));
        Self { folders: Some(vec![start]), variables: HashMap::new() }
    }

    pub(crate) fn enter(&mut self, target: Option<&str>) {
        self.folders = match (self.folders.take(), target) {
            (Some(folders), Some(target)) => {
                Some(folders.iter().map(|folder| plain(&folder.join(target))).collect())
            }
            _ => None,
        };
    }

    /// What happened last may not have happened: the state before it counts as well.
    pub(crate) fn or(&mut self, before: &Self) {
        if self.folders != before.folders {
            self.folders = self.folders.take().zip(before.folders.clone()).map(|(mut now, before)| {
                now.extend(before);
                now.sort();
                now.dedup();
                now
            });
            if self.folders.as_ref().is_some_and(|folders| folders.len() > MOST_FOLDERS) {
                self.folders = None;
            }
        }
        for name in before.variables.keys() {
            // Set in the other alone.
            self.variables.entry(name.clone()).or_insert(Variable::Unknown);
        }
        for (name, value) in &mut self.variables {
            match (before.variables.get(name), &mut *value) {
                (Some(old), new) if old == new => {}
                (Some(Variable::OneOf(old)), Variable::OneOf(new)) if new.len() + old.len() < MOST_VALUES => {
                    new.extend(old.iter().cloned());
                    new.sort();
                    new.dedup();
                }
                (_, new) => *new = Variable::Unknown,
            }
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
