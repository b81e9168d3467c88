//! Which paths must not be seen. Walkers and file tools ask; rules decide.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Hides what a deny rule hides.
pub trait PathPolicy: Send + Sync {
    /// The rules as they hold for an agent that works in `cwd` (absolute), compiled for many questions. Asked once
    /// for each call.
    fn in_folder(&self, cwd: &Path) -> Arc<dyn DeniedPaths>;
}

/// What must not be read, for one working directory. Whoever asks does so for a path as it was spelled, and where a link is on
/// the way also for the one it leads to: either may be denied.
pub trait DeniedPaths: Send + Sync {
    /// The rule that denies reading `path` (absolute, without `.` and `..`), if one does. Cheap: a walk asks it of each entry.
    fn denies_read(&self, path: &Path) -> Option<String>;

    /// The paths that deny rules name without a wildcard: another name of such a file (a hard link) is as denied as it is.
    /// In order, so that those of one folder follow one another.
    fn named(&self) -> &[PathBuf];

    /// The paths that deny rules for changing alone name without a wildcard, in order, each with its rule: another name of such
    /// a file may be read and not changed.
    fn named_for_changing(&self) -> &[(PathBuf, String)] {
        &[]
    }
}

/// Hides nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct AllowAllPaths;

impl PathPolicy for AllowAllPaths {
    fn in_folder(&self, _: &Path) -> Arc<dyn DeniedPaths> {
        Arc::new(Self)
    }
}

impl DeniedPaths for AllowAllPaths {
    fn denies_read(&self, _: &Path) -> Option<String> {
        None
    }

    fn named(&self) -> &[PathBuf] {
        &[]
    }
}
