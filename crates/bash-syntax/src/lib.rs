//! Bash text to a syntax tree, and a tree to text that every bash reads in one way. Pure: it opens no file, starts nothing,
//! and knows no rule and no program.
//!
//! [`tree`] is the tree: every word is taken apart down to its expansions, so that nothing of it is read a second time.
//! [`parse()`] makes one of a text, or says why it does not: a text that two versions of bash read differently is refused.

mod parse;
mod print;
pub mod tree;

pub use print::print;

use tree::Script;

/// Reads a text as bash 5.2 and 5.3 read what stands behind `bash -c`, with the options that a shell has at its start.
///
/// It never fails as a whole: what stands before an error is in [`Parsed::script`], because bash would run it.
pub fn parse(text: &str) -> Parsed {
    parse::script(text)
}

/// What came of reading a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The complete commands before the first that could not be read: bash would run those.
    pub script: Script,
    /// Why the rest could not be read.
    pub error: Option<SyntaxError>,
}

/// Why a text could not be read as bash, or is refused although bash reads it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct SyntaxError {
    /// What is wrong, for the person or model that wrote the text.
    pub message: String,
    /// Where, in bytes from the beginning.
    pub at: usize,
}

/// Why a tree has no printed form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct Unprintable {
    /// What cannot be printed so that every bash reads it in one way.
    pub message: String,
}
