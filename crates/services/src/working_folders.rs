//! The folders an agent works in.

use std::path::PathBuf;

/// The folders whose files an agent reads and changes: the one it started in, the project's, and those a person added. What lies
/// in them may be anybody's, so that a program found there is no program of the system.
///
/// Without this capability a tool knows the working directory alone.
pub trait WorkingFolders: Send + Sync {
    /// The folders, absolute, as spelled and with links resolved.
    fn folders(&self) -> Vec<PathBuf>;
}

impl WorkingFolders for Vec<PathBuf> {
    fn folders(&self) -> Vec<PathBuf> {
        self.clone()
    }
}
