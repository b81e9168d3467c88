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

/// Compiled here too, so that it is not found broken on the system it is for.
#[cfg(all(test, unix))]
#[path = "folder/by_path.rs"]
#[expect(dead_code, reason = "only its listing is tested here")]
mod by_path;

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

#[cfg(all(test, unix))]
mod tests {
    use toolwright_testkit::TempWorkspace;

    use super::*;
    use crate::held;

    #[test]
    fn a_folder_by_its_path_shows_what_one_by_its_handle_does() {
        let workspace = TempWorkspace::new();
        let root = workspace.path().canonicalize().unwrap();
        workspace.write("file", "text");
        workspace.write("sub/file", "");
        std::os::unix::fs::symlink("file", root.join("link")).unwrap();
        let handle = || held::Folder::open_to_list(&root).unwrap();
        let (mut by_handle, mut by_path) = (Vec::new(), Vec::new());
        let mut one = Folder::new(root.clone(), None, handle());
        let mut other = by_path::Folder::new(root.clone(), None, handle());
        let unreadable = one.entries(&mut Buffer::default(), |name, kind| {
            by_handle.push((name.to_owned(), format!("{kind:?}")));
            ControlFlow::Continue(())
        });
        assert_eq!(unreadable, 0);
        let unreadable = other.entries(&mut by_path::Buffer, |name, kind| {
            by_path.push((name.to_owned(), format!("{kind:?}")));
            ControlFlow::Continue(())
        });
        assert_eq!(unreadable, 0);
        by_handle.sort();
        by_path.sort();
        assert_eq!((by_path.len(), &by_path), (3, &by_handle));
        let name = OsStr::new("file");
        assert_eq!(other.modified(name), one.modified(name));
        assert!(other.open_file(name).is_ok());
        assert!(other.open_file(OsStr::new("link")).is_err());
    }
}
