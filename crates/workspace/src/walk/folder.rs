//! A folder that was opened: its entries, and its files opened by their name in it, which is quicker than by their path.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File,
    /// A link, a socket, a device ..: not looked at.
    Other,
}

/// A file opened for reading.
#[derive(Debug)]
pub struct Opened {
    /// The file.
    pub file: fs::File,
    /// It lies on a disk, where a read that gives less than was asked for has met the end. (Files that the kernel makes up
    /// as they are read, and those of other machines, may give less at any time.)
    pub short_read_ends: bool,
}

impl Opened {
    /// When it was last changed, where the system says so. Asked of the open file: no path is looked up again.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        modified(&self.file)
    }
}

#[cfg(unix)]
#[path = "folder/by_handle.rs"]
mod system;
#[cfg(not(unix))]
#[path = "folder/by_path.rs"]
mod system;

pub(super) use system::{Buffer, Folder, PathIn, below, modified};

#[cfg(unix)]
fn time(seconds: impl TryInto<i64>, nanoseconds: impl TryInto<u32>) -> Option<SystemTime> {
    use std::time::Duration;
    let (seconds, nanoseconds) = (seconds.try_into().ok()?, nanoseconds.try_into().ok()?);
    let whole = Duration::from_secs(seconds.unsigned_abs());
    let base = if seconds < 0 {
        SystemTime::UNIX_EPOCH.checked_sub(whole)?
    } else {
        SystemTime::UNIX_EPOCH.checked_add(whole)?
    };
    base.checked_add(Duration::from_nanos(u64::from(nanoseconds)))
}
