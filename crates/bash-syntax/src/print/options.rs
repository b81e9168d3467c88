//! Commands that change how bash reads what follows: printed text assumes the options of a shell at its start.

use super::Printer;
use super::{Printed, unprintable};
use crate::tree::{Argument, Part, Simple};

/// Names that `set -o` takes.
const SET: &[&str] = &["posix", "keyword", "verbose", "history", "histexpand", "noexec"];
/// Their letters.
const LETTERS: &[char] = &['k', 'v', 'H', 'n'];
/// Names that `shopt` takes: `alias` does something with the first, the others are the same as those of `set`.
const SHOPT: &[&str] =
    &["expand_aliases", "posix", "keyword", "verbose", "history", "histexpand", "noexec", "extquote"];
/// Variables that change an option when they are set.
const VARIABLES: &[&str] = &["POSIXLY_CORRECT", "BASH_COMPAT", "SHELLOPTS", "BASHOPTS"];

impl Printer {
    /// Refuses a command that changes how the next one is read.
    pub(super) fn keeps_options(simple: &Simple) -> Printed {
        let of_words = simple.words.iter().filter_map(|argument| match argument {
            Argument::Assignment(assignment) => Some(assignment),
            Argument::Word(_) => None,
        });
        let mut names = simple.assignments.iter().chain(of_words).map(|assignment| assignment.name.as_str());
        if let Some(name) = names.find(|name| VARIABLES.contains(name)) {
            return unprintable(format!("`{name}` changes how bash reads what follows"));
        }
        let mut words = simple
            .words
            .iter()
            .map(literal)
            .skip_while(|word| matches!(word.as_deref(), Some("builtin" | "command" | "-p" | "--")));
        let changes = match words.next().flatten().as_deref() {
            Some("set") => set_changes(words),
            Some("shopt") => words.any(|word| {
                word.is_none_or(|word| SHOPT.contains(&word.as_str()) || word.starts_with("compat"))
            }),
            _ => false,
        };
        if changes {
            return unprintable("an option that changes how bash reads what follows");
        }
        Ok(())
    }
}

/// Whether the words behind `set` change how bash reads. A word that is not known may be any option.
fn set_changes(mut words: impl Iterator<Item = Option<String>>) -> bool {
    while let Some(word) = words.next() {
        let Some(word) = word else { return true };
        if word == "--" || word == "-" || !word.starts_with(['-', '+']) {
            return false;
        }
        if word.contains(LETTERS) {
            return true;
        }
        if word.contains('o') {
            match words.next() {
                None => return false,
                Some(name) if name.as_deref().is_none_or(|name| SET.contains(&name)) => return true,
                Some(_) => {}
            }
        }
    }
    false
}

/// The text of a word that is known whole.
fn literal(argument: &Argument) -> Option<String> {
    let Argument::Word(word) = argument else { return None };
    let text = |part: &Part| match part {
        Part::Text(text) | Part::Quoted(text) => Some(text.clone()),
        _ => None,
    };
    word.parts.iter().map(text).collect()
}
