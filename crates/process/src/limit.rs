//! Limits that this process puts on itself, for one that was started to do a risky piece of work.

use std::io;
use std::time::Duration;

/// From now on this process may take at most so many bytes of memory (kept on Linux) and so much time of a processor (kept on
/// Unix). Over the one, what allocates ends the process; over the other, the system does. It leaves no core file.
///
/// # Errors
/// When the system refuses.
#[cfg(unix)]
pub fn limit_self(memory: u64, time: Duration) -> io::Result<()> {
    use nix::sys::resource::{Resource, setrlimit};
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    setrlimit(Resource::RLIMIT_CPU, time.as_secs(), time.as_secs())?;
    #[cfg(target_os = "linux")]
    setrlimit(Resource::RLIMIT_AS, memory, memory)?;
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
    Ok(())
}

/// Here the system keeps no such limits.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn limit_self(_: u64, _: Duration) -> io::Result<()> {
    Ok(())
}
