//! What a person sees: roles and words, never colours or widths. Drawing them is the `render` crate's.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A piece of what a person sees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum View {
    /// One line of words, each with its role.
    Line(Vec<(Role, String)>),
    /// Text in a language (or plain output), shown as it is.
    Code {
        /// A name highlighters know (`rust`, `json`); none for plain output.
        language: Option<String>,
        /// The text.
        text: String,
        /// The number of its first line, where it is a piece of a file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first_line: Option<usize>,
    },
    /// A change of a piece of a file.
    Diff {
        /// The file, absolute; shown relative to the working directory.
        path: PathBuf,
        /// The number of the first line of `before` and `after` in the file, from 1.
        first_line: usize,
        /// The lines as they were, context included.
        before: String,
        /// The lines as they are, context included.
        after: String,
    },
    /// One below the other.
    List(Vec<View>),
    /// Not shown.
    Nothing,
}

impl View {
    /// A line of one word or phrase.
    #[must_use]
    pub fn words(role: Role, words: impl Into<String>) -> Self {
        Self::Line(vec![(role, words.into())])
    }

    /// Plain output, or text in a language.
    #[must_use]
    pub fn code(language: Option<&str>, text: impl Into<String>) -> Self {
        Self::Code { language: language.map(Into::into), text: text.into(), first_line: None }
    }
}

/// What a word in a line is. A renderer decides how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// Just words.
    Plain,
    /// The name of a tool, an agent, a thing.
    Name,
    /// A file or folder; shown relative to the working directory where it lies in it.
    Path,
    /// A command as it runs.
    Command,
    /// A number that matters.
    Count,
    /// What a search found.
    Match,
    /// Of lesser weight.
    Muted,
    /// Something to look at.
    Warning,
    /// What went wrong.
    Error,
}

/// How much a person wants to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// A line or two.
    Condensed,
    /// What matters of the whole.
    Verbose,
    /// All there is.
    Transcript,
}
