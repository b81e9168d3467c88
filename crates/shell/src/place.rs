//! Where a text would run: plain values, since this crate knows no files.

use std::path::{Path, PathBuf};

/// The folders that relative and `~` paths start from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The working directory, absolute. None: not known yet; what depends on it is then judged cautiously.
    pub cwd: Option<PathBuf>,
    /// The person's home.
    pub home: Option<PathBuf>,
    /// The top of the repository that `cwd` lies in, where it is known: what `git rev-parse --show-toplevel` says.
    pub repository: Option<PathBuf>,
    /// Files and folders that are known to be there, among those that [`Analysis::looked_for`](crate::Analysis) names.
    pub there: Vec<PathBuf>,
    /// There are links below what [`Analysis::followed`](crate::Analysis) names, or it is not known that there are none.
    pub links: bool,
}

impl Place {
    /// In `cwd`, with `home`.
    #[must_use]
    pub fn new(cwd: &Path, home: Option<&Path>) -> Self {
        Self { cwd: Some(cwd.into()), home: home.map(Into::into), ..Self::default() }
    }
}
