//! The snapshot of the process's environment: taken here, once, and nowhere else.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

/// What the process was started with.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    /// The variables that are text.
    pub(crate) variables: BTreeMap<String, String>,
    /// The working directory, absolute.
    pub(crate) cwd: PathBuf,
}

impl Surroundings {
    /// As they are now.
    ///
    /// # Errors
    /// When the working directory is gone.
    #[expect(clippy::disallowed_methods, reason = "the one place where the process's environment is read")]
    pub(crate) fn take() -> io::Result<Self> {
        // What is in it is for this process: without this, any command that runs as the same user could read the model's key
        // from /proc. Where the system has no such switch, it stays readable, as it is for every other program.
        #[cfg(target_os = "linux")]
        let _ = nix::sys::prctl::set_dumpable(false);
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Ok(Self { variables: variables.collect(), cwd: std::env::current_dir()? })
    }
}
