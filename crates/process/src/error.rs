//! What keeps a child from running at all. A child that ran and failed is a `Finished`, not an error.

use std::io;
use std::path::PathBuf;

/// Why a child could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// There is no such program on the child's `PATH`.
    #[error("the program `{program}` was not found; install it or give its full path")]
    NotFound {
        /// As asked for.
        program: String,
    },
    /// The folder to start in is not there.
    #[error("the folder {} cannot be entered; start in one that exists", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The system refused for another reason.
    #[error("`{program}` could not be started: {source}")]
    Start {
        /// As asked for.
        program: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// Its state could not be learned.
    #[error("`{program}` was lost sight of: {source}")]
    Wait {
        /// As asked for.
        program: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}
