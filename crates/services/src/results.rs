//! Where tools put what is too large for an answer.

use std::path::{Path, PathBuf};

/// A folder that goes with the session. What lies there may be read by the model without a question, so an answer can name it.
///
/// Without this capability a tool has to do with a folder for temporary files, where what it names stays.
pub trait ResultFolder: Send + Sync {
    /// The folder, absolute. It may not be there yet.
    fn path(&self) -> &Path;
}

impl ResultFolder for PathBuf {
    fn path(&self) -> &Path {
        self
    }
}
