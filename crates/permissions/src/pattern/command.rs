//! Patterns for one simple command. Knows no shell syntax beyond where a quoted text begins and ends.

use std::borrow::Cow;

use super::{Case, Glob, Literal, PatternError};

/// `git status`, `git diff *`, `npm run:*`, `ls*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandPattern {
    bare: Glob,
    /// Where the pattern ends in a blank and a star, or `:*`: the bare prefix and a blank and anything.
    with_words: Option<Glob>,
    /// The text as it was written, where no star in it stands for anything else.
    written: Option<String>,
    /// Whether it has what separates commands: it then speaks of more than one of them.
    compound: bool,
}

impl CommandPattern {
    pub(crate) fn parse(text: &str) -> Result<Self, PatternError> {
        let whole = Glob::stars(text);
        let compound = text.contains(['|', '&', ';', '\n']);
        let text = squeezed(text.trim());
        let prefix = text.strip_suffix(":*").or_else(|| text.strip_suffix(" *")).map(str::trim_end);
        let bare = Glob::stars(prefix.unwrap_or(&text));
        if bare.is_empty() {
            return Err("names no command".into());
        }
        let with_words = prefix.is_some().then(|| bare.clone().then_words());
        let written = if prefix.is_none() { whole.text() } else { None };
        Ok(Self { bare, with_words, written, compound })
    }

    /// What the commands that it means have in common, and the texts.
    pub(crate) fn literal(&self) -> Literal {
        match (self.bare.text(), &self.with_words) {
            (Some(text), None) => Literal::Whole(text),
            (Some(text), Some(_)) => Literal::Beginning(text),
            (None, None) => Literal::longer(self.bare.beginning(), self.bare.end()),
            (None, Some(_)) => Literal::Beginning(self.bare.beginning()),
        }
    }

    /// The text of a whole call that it is, character by character, where it can be one.
    pub(crate) fn whole_text(&self) -> Option<&str> {
        self.written.as_deref()
    }

    pub(crate) fn matches(&self, command: &str) -> bool {
        self.bare.matches(command, Case::Exact)
            || self.with_words.as_ref().is_some_and(|glob| glob.matches(command, Case::Exact))
    }

    /// Also where blanks differ: for deny and ask.
    pub(crate) fn matches_widely(&self, command: &str) -> bool {
        if self.matches(command) {
            return true;
        }
        let squeezed = squeezed(command.trim());
        squeezed != command && self.matches(&squeezed)
    }

    /// Whether it is, character by character, the whole text of a call.
    pub(crate) fn is_text(&self, text: &str) -> bool {
        self.written.as_deref() == Some(text)
    }

    /// Whether it is the whole text of a call, also where blanks differ, or speaks of several commands, as they stand there:
    /// for deny and ask.
    pub(crate) fn means_text(&self, text: &str) -> bool {
        (self.written.is_some() || self.compound) && self.matches_widely(text)
    }

    /// Whether it gives exactly this text.
    pub(crate) fn is_exactly(&self, command: &str) -> bool {
        self.with_words.is_none() && self.bare.is_exact() && self.bare.matches(command, Case::Exact)
    }
}

/// Makes each run of blanks and tabs outside quotes one blank.
pub(crate) fn squeezed(text: &str) -> Cow<'_, str> {
    if !text.contains("  ") && !text.contains('\t') {
        return text.into();
    }
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
    squeezed.into()
}
