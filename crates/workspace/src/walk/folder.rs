//! A folder that was opened: its entries, and its files opened by their name in it, which is quicker than by their path.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
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

#[cfg(target_os = "linux")]
pub(super) use linux::Folder;
#[cfg(not(target_os = "linux"))]
pub(super) use portable::Folder;

#[cfg(target_os = "linux")]
mod linux {
    use std::os::unix::ffi::OsStrExt;

    use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, fstat, major, openat, statat};

    use super::{Kind, Opened, OsStr, OsString, Path, PathBuf, SystemTime, io};

    const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    // A pipe that took a file's place since it was listed must not hold the search up; nor is a link followed.
    const FILE: OFlags = OFlags::RDONLY
        .union(OFlags::CLOEXEC)
        .union(OFlags::NOCTTY)
        .union(OFlags::NONBLOCK)
        .union(OFlags::NOFOLLOW);

    /// An open folder.
    #[derive(Debug)]
    pub(in super::super) struct Folder {
        path: PathBuf,
        folder: Dir,
        on_disk: bool,
    }

    impl Folder {
        pub(in super::super) fn open(path: PathBuf) -> io::Result<Self> {
            let handle = rustix::fs::open(&path, FOLDER, Mode::empty())?;
            // Devices without a number of their own are no disks: /proc, network and union file systems.
            let on_disk = fstat(&handle).is_ok_and(|stat| major(stat.st_dev) != 0);
            Ok(Self { path, folder: Dir::new(handle)?, on_disk })
        }

        pub(in super::super) fn path(&self) -> &Path {
            &self.path
        }

        /// Shows every entry, without `.` and `..`; gives the number of those that could not be looked at.
        pub(in super::super) fn entries(&mut self, mut each: impl FnMut(OsString, Kind)) -> u64 {
            let mut unreadable = 0;
            while let Some(entry) = self.folder.read() {
                let Ok(entry) = entry else {
                    unreadable += 1;
                    break;
                };
                let name = entry.file_name().to_bytes();
                if name == b"." || name == b".." {
                    continue;
                }
                let name = OsStr::from_bytes(name).to_owned();
                let kind = match entry.file_type() {
                    FileType::Unknown => self.kind(&name),
                    known => Some(known),
                };
                match kind {
                    Some(FileType::Directory) => each(name, Kind::Folder),
                    Some(FileType::RegularFile) => each(name, Kind::File),
                    Some(_) => each(name, Kind::Other),
                    None => unreadable += 1,
                }
            }
            unreadable
        }

        fn kind(&self, name: &OsStr) -> Option<FileType> {
            let stat = statat(self.folder.fd().ok()?, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            Some(FileType::from_raw_mode(stat.st_mode))
        }

        pub(in super::super) fn open_file(&self, name: &OsStr) -> io::Result<Opened> {
            let file = openat(self.folder.fd()?, name, FILE, Mode::empty())?;
            Ok(Opened { file: file.into(), short_read_ends: self.on_disk })
        }

        pub(in super::super) fn modified(&self, name: &OsStr) -> Option<SystemTime> {
            let stat = statat(self.folder.fd().ok()?, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            super::time(stat.st_mtime, stat.st_mtime_nsec)
        }
    }

    #[cfg(test)]
    mod tests {
        use std::io::Read as _;

        use super::*;

        #[test]
        fn files_that_the_kernel_makes_up_may_read_short() {
            let folder = Folder::open(PathBuf::from("/proc/self")).expect("a folder");
            let mut opened = folder.open_file(OsStr::new("status")).expect("a file");
            assert!(!opened.short_read_ends);
            assert!(opened.file.read(&mut [0; 16]).is_ok_and(|read| read > 0));
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod portable {
    use super::{Kind, Opened, OsStr, OsString, Path, PathBuf, SystemTime, fs, io};

    /// A folder, by its path.
    #[derive(Debug)]
    pub(in super::super) struct Folder {
        path: PathBuf,
        entries: Option<fs::ReadDir>,
    }

    impl Folder {
        pub(in super::super) fn open(path: PathBuf) -> io::Result<Self> {
            let entries = Some(fs::read_dir(&path)?);
            Ok(Self { path, entries })
        }

        pub(in super::super) fn path(&self) -> &Path {
            &self.path
        }

        pub(in super::super) fn entries(&mut self, mut each: impl FnMut(OsString, Kind)) -> u64 {
            let mut unreadable = 0;
            for entry in self.entries.take().into_iter().flatten() {
                match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
                    Ok((name, kind)) if kind.is_dir() => each(name, Kind::Folder),
                    Ok((name, kind)) if kind.is_file() => each(name, Kind::File),
                    Ok((name, _)) => each(name, Kind::Other),
                    Err(_) => unreadable += 1,
                }
            }
            unreadable
        }

        pub(in super::super) fn open_file(&self, name: &OsStr) -> io::Result<Opened> {
            Ok(Opened { file: fs::File::open(self.path.join(name))?, short_read_ends: false })
        }

        pub(in super::super) fn modified(&self, name: &OsStr) -> Option<SystemTime> {
            fs::symlink_metadata(self.path.join(name)).ok()?.modified().ok()
        }
    }
}

#[cfg(target_os = "linux")]
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
