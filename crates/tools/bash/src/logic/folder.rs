//! The folder a command starts in and the one it ends in.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::path::{Path, PathBuf};

/// The folder itself, or the nearest one above it that is still there.
pub(crate) fn nearest_existing(folder: &Path) -> &Path {
    folder.ancestors().find(|folder| folder.is_dir()).unwrap_or_else(|| Path::new("/"))
}

/// Asks bash for its last folder. The word that marks the answer is new each time, so that nothing the command runs can
/// answer in its place.
pub(crate) struct LastFolder {
    mark: String,
}

impl LastFolder {
    pub(crate) fn new() -> Self {
        let random = || RandomState::new().build_hasher().finish();
        Self { mark: format!("{:016x}{:016x}", random(), random()) }
    }

    /// Commands for the end of the script.
    pub(crate) fn commands(&self) -> String {
        format!("builtin printf %s {}; builtin pwd", self.mark)
    }

    /// The folder in what those commands printed. None when they did not run (`exec`, an `EXIT` trap of the script's own).
    pub(crate) fn read(&self, report: &[u8]) -> Option<PathBuf> {
        let text = std::str::from_utf8(report).ok()?;
        let (_, folder) = text.split_once(self.mark.as_str())?;
        let folder = Path::new(folder.strip_suffix('\n')?);
        folder.is_absolute().then(|| folder.into())
    }
}
