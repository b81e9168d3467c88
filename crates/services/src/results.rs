//! Where tools put what is too large for an answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A folder that goes with the session. What lies there may be read by the model without a question, so an answer can name it.
///
/// Without this capability a tool has to do with a folder for temporary files, where what it names stays.
pub trait ResultFolder: Send + Sync {
    /// The folder, absolute. It may not be there yet.
    fn path(&self) -> &Path;

    /// Bytes that may still be put there, by all who put something there together; whoever does takes them from it. None: the
    /// folder has no limit.
    fn room(&self) -> Option<Arc<AtomicU64>> {
        None
    }
}

impl ResultFolder for PathBuf {
    fn path(&self) -> &Path {
        self
    }
}
