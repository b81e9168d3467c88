//! Patterns for one simple command. Knows no shell syntax beyond where a quoted text begins and ends.

use super::{Case, Glob, Misread};

/// `git status`, `git diff *`, `npm run:*`, `ls*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandPattern {
    bare: Glob,
    /// Where the pattern ends in a blank and a star, or `:*`: the bare prefix and a blank and anything.
    with_words: Option<Glob>,
}

impl CommandPattern {
    pub(crate) fn parse(text: &str) -> Result<Self, Misread> {
        let text = squeezed(text.trim());
        let prefix = text.strip_suffix(":*").or_else(|| text.strip_suffix(" *")).map(str::trim_end);
        let bare = Glob::stars(prefix.unwrap_or(&text));
        if bare.is_empty() {
            return Err("names no command".into());
        }
        let with_words = prefix.is_some().then(|| bare.clone().then_words());
        Ok(Self { bare, with_words })
    }

    pub(crate) fn matches(&self, command: &str) -> bool {
        self.bare.matches(command, Case::Exact)
            || self.with_words.as_ref().is_some_and(|glob| glob.matches(command, Case::Exact))
    }

    /// Also where blanks differ: for deny and ask.
    pub(crate) fn matches_widely(&self, command: &str) -> bool {
        self.matches(command) || self.matches(&squeezed(command.trim()))
    }

    /// Whether it gives exactly this text.
    pub(crate) fn is_exactly(&self, command: &str) -> bool {
        self.with_words.is_none() && self.bare.is_exact() && self.bare.matches(command, Case::Exact)
    }
}

/// Makes each run of blanks and tabs outside quotes one blank.
fn squeezed(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    let mut quote = None;
    let mut escaped = false;
    for character in text.chars() {
        let blank = matches!(character, ' ' | '\t') && quote.is_none() && !escaped;
        if blank {
            if !squeezed.ends_with(' ') {
                squeezed.push(' ');
            }
            continue;
        }
        squeezed.push(character);
        match (quote, character) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
    }
    squeezed
}
