//! The one walker: parallel or in order, obeys `.gitignore` and `.ignore`, sees hidden files, never enters `.git`, follows no links:
//! everything is opened from the root's handle.
//! Knows no tool and no pattern language; what to keep is its caller's closure.
//!
//! The rules are those of the tree itself: `.gitignore` up to the repository's root, `.ignore` at any height, and
//! `.git/info/exclude`. A person's global ignore file is not read: a search gives the same answer on every machine.

mod bounded;
mod crew;
mod folder;
mod gather;
mod in_order;
mod parallel;
mod place;
mod root;
mod rules;
#[cfg(test)]
mod tests;
mod tree;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use toolwright_core::{ErrorKind, ToolError};
use toolwright_services::DeniedPaths;
use toolwright_text::look_alike;

pub use bounded::{Bounds, bounded, time_limit};
pub use crew::together;
pub use folder::Opened;
pub use gather::{First, files, hidden_by_rules};
pub use in_order::{InOrder, Met, in_order};
pub use parallel::{File, Visit, each_file};
pub use place::{absolute, shown};
pub use root::{Entry, Root, Start};

/// More threads than this only stand in each other's way.
const MOST_THREADS: usize = 12;

/// Where to walk, and what to leave out.
#[derive(Clone, Copy)]
pub struct Walk<'a> {
    /// An open folder. It may itself be ignored: it was named.
    pub root: &'a Root,
    /// What it denies is never seen, nor anything below it.
    pub policy: &'a dyn DeniedPaths,
    /// Asked at every entry whether it goes on, and told how many files were seen.
    pub bounds: &'a Bounds,
    /// Whether ignore rules hold.
    pub rules: Rules,
}

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Walk")
            .field("root", &self.root)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

/// Whether ignore rules hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// What `.gitignore` and `.ignore` name is left out.
    Obeyed,
    /// Everything is seen (`.git` and denied paths excepted).
    Off,
}

/// The order of found files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By path, byte by byte: the same on every run.
    Path,
    /// Last changed first; of one age, by path.
    NewestFirst,
}

/// Whether a walk goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End the whole walk.
    Stop,
}

/// How a walk ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Walked {
    /// Regular files seen, those the caller did not keep and those that rules leave out included.
    pub seen: u64,
    /// Entries that could not be read (no permission, gone meanwhile).
    pub unreadable: u64,
    /// It was cancelled before its end: something may be missing.
    pub cancelled: bool,
    /// What ignore rules left out (of a folder, not what is in it; of files, those that were asked about); not more than some
    /// thousands.
    pub left_out: Vec<LeftOut>,
}

/// What ignore rules left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    path: PathBuf,
    is_folder: bool,
}

/// Found files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Files {
    /// Absolute paths, in the order asked for.
    pub paths: Vec<PathBuf>,
    /// How many there are in all.
    pub total: u64,
    /// How the walk ended.
    pub walked: Walked,
}

/// Why there was no walk.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WalkError {
    /// There is nothing of that name.
    #[error("{} does not exist{}", path.display(), did_you_mean(path, near))]
    Missing {
        /// What was asked for.
        path: PathBuf,
        /// Entries beside it with a similar name; absolute.
        near: Vec<PathBuf>,
    },
    /// It is a file or something else.
    #[error("{} is not a directory", path.display())]
    NotADirectory {
        /// What was asked for.
        path: PathBuf,
    },
    /// A rule hides it.
    #[error("{} must not be read: the rule `{rule}` denies it", path.display())]
    Denied {
        /// What was asked for.
        path: PathBuf,
        /// The rule.
        rule: String,
    },
    /// A link or another folder was put in its way since the call was decided.
    #[error("{} leads elsewhere now than when this call was decided; nothing was looked at; try again", path.display())]
    LeadsElsewhere {
        /// What was asked for.
        path: PathBuf,
    },
    /// The system does not let us read it.
    #[error("{} cannot be read: {reason}", path.display())]
    Unreadable {
        /// What was asked for.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
}

impl From<WalkError> for ToolError {
    fn from(error: WalkError) -> Self {
        let kind = match &error {
            WalkError::Missing { .. } => ErrorKind::NotFound,
            WalkError::NotADirectory { .. } => ErrorKind::InvalidInput,
            WalkError::Denied { .. } => ErrorKind::Denied,
            WalkError::LeadsElsewhere { .. } | WalkError::Unreadable { .. } => ErrorKind::Failed,
        };
        Self::new(kind, error.to_string())
    }
}

/// How many threads a walk or a search uses.
#[must_use]
pub fn threads() -> usize {
    // Asked once: the answer is read from several files of the system.
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS))
}

/// Paths compared byte by byte: quicker than by component, and as stable.
#[must_use]
pub fn by_bytes(one: &Path, other: &Path) -> std::cmp::Ordering {
    one.as_os_str().as_encoded_bytes().cmp(other.as_os_str().as_encoded_bytes())
}

/// `; did you mean /a/b or /a/c?`, or nothing.
fn did_you_mean(path: &Path, near: &[PathBuf]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let names: Vec<_> =
        near.iter().map(|near| look_alike::guess(&path.to_string_lossy(), &near.to_string_lossy())).collect();
    format!("; did you mean {}?", names.join(" or "))
}
