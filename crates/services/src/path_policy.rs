//! Which paths must not be seen. Walkers and file tools ask; rules decide.

use std::path::Path;

/// Hides what a deny rule hides.
pub trait PathPolicy: Send + Sync {
    /// The rule that denies reading `path` (absolute; both the spelled and the resolved form are checked), if one does.
    fn denies_read(&self, path: &Path) -> Option<String>;
}

/// Hides nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct AllowAllPaths;

impl PathPolicy for AllowAllPaths {
    fn denies_read(&self, _: &Path) -> Option<String> {
        None
    }
}
