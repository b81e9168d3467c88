//! Keeping what files held before tools change them, so that a person can take the changes back. Knows no place to keep it in.

use std::io;
use std::path::Path;

/// Is told of every change of a file before it is made, and keeps what would be lost.
pub trait KeepsOld: Send + Sync {
    /// Keeps what a change is about to take away. Nothing is written until this has returned.
    ///
    /// # Errors
    /// When the change cannot be recorded: it is then not made.
    fn keep(&self, change: &FileChange<'_>) -> io::Result<()>;
}

/// A change that is about to be made.
#[derive(Debug, Clone, Copy)]
pub struct FileChange<'a> {
    /// The file, absolute, links resolved.
    pub path: &'a Path,
    /// What it holds; none: there is no file.
    pub before: Option<OldFile<'a>>,
    /// The SHA-256 of what it will hold, in small hexadecimal digits.
    pub after: &'a str,
    /// The outermost folder that is made for it, where its folder is missing.
    pub made_folder: Option<&'a Path>,
}

/// What a file holds.
#[derive(Debug, Clone, Copy)]
pub struct OldFile<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Their SHA-256, in small hexadecimal digits.
    pub sha256: &'a str,
    /// Its permission bits, where the system has them.
    pub mode: Option<u32>,
}
