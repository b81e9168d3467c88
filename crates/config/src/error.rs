//! What is wrong with a file, and what to do about it.

use std::io;
use std::path::PathBuf;

/// A settings file that cannot be used. It is never skipped: it may hold the rules that keep a person safe.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The text is no JSON.
    #[error("{file}:{line}:{column}: {message}; {hint}")]
    Syntax {
        /// The file, or what stands for it (`--settings`).
        file: String,
        /// From 1.
        line: u32,
        /// From 1, in characters.
        column: u32,
        /// What is wrong.
        message: String,
        /// What to do.
        hint: &'static str,
    },
    /// A value is not what its key wants.
    #[error("{file}:{line}:{column}: `{key}` {message}")]
    Value {
        /// The file, or what stands for it (`--settings`).
        file: String,
        /// From 1.
        line: u32,
        /// From 1, in characters.
        column: u32,
        /// The key, with the keys around it: `permissions.deny`.
        key: String,
        /// What it is and what it should be.
        message: String,
    },
    /// It is there and could not be read.
    #[error("{} could not be read: {source}; repair it or move it away, settings are never skipped", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is there and is no settings file.
    #[error("{} {problem}; repair it or move it away, settings are never skipped", file.display())]
    NoSettingsFile {
        /// The file.
        file: PathBuf,
        /// What it is instead.
        problem: &'static str,
    },
    /// A file given by flag is not there.
    #[error("--settings: there is no file {}; give a file or JSON that begins with `{{`", file.display())]
    Missing {
        /// The file.
        file: PathBuf,
    },
    /// The store of trusted folders could not be used.
    #[error("the list of trusted folders {} could not be used: {source}", file.display())]
    TrustStore {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is no place to keep what must be kept.
    #[error("there is no place for trusted folders: set HOME or TOOLWRIGHT_HOME")]
    NoHome,
}
