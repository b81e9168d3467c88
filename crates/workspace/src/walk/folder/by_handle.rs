//! A folder held open by its handle.

use std::os::unix::ffi::OsStrExt;
use std::sync::OnceLock;

use rustix::fs::{AtFlags, FileType, fstat, statat};

use super::{ControlFlow, Kind, Opened, OsStr, Path, PathBuf, SystemTime, fs, io};
use crate::held::{self, Access, Identity};

/// An open folder.
#[derive(Debug)]
pub(in super::super) struct Folder {
    path: PathBuf,
    /// Where a link leads to the root of the walk: without it.
    real: Option<PathBuf>,
    handle: held::Folder,
    /// Asked when a file in it is first opened: a walk that only looks at names opens none.
    on_disk: OnceLock<bool>,
}

/// Where listings are read to: one a thread.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(in super::super) struct Buffer(Vec<u8>);

#[cfg(target_os = "linux")]
impl Default for Buffer {
    fn default() -> Self {
        /// Entries asked of the system at once, in bytes.
        const AT_ONCE: usize = 32 * 1024;
        Self(Vec::with_capacity(AT_ONCE))
    }
}

/// Nothing: the system's library has its own.
#[cfg(not(target_os = "linux"))]
#[derive(Debug, Default)]
pub(in super::super) struct Buffer;

impl Folder {
    pub(in super::super) fn new(path: PathBuf, real: Option<PathBuf>, handle: held::Folder) -> Self {
        Self { path, real, handle, on_disk: OnceLock::new() }
    }

    pub(in super::super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its path without links, where that is another.
    pub(in super::super) fn real(&self) -> Option<&Path> {
        self.real.as_deref()
    }

    /// Shows every entry, without `.` and `..`, until told to stop; gives the number of those that could not be looked at.
    #[cfg(target_os = "linux")]
    pub(in super::super) fn entries(
        &mut self,
        buffer: &mut Buffer,
        mut each: impl FnMut(&OsStr, Kind) -> ControlFlow<()>,
    ) -> u64 {
        let mut unreadable = 0;
        let mut entries = rustix::fs::RawDir::new(&self.handle, buffer.0.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let Ok(entry) = entry else {
                unreadable += 1;
                break;
            };
            let name = entry.file_name().to_bytes();
            if self.show(name, entry.file_type(), &mut each, &mut unreadable).is_break() {
                break;
            }
        }
        unreadable
    }

    /// Shows every entry, without `.` and `..`, until told to stop; gives the number of those that could not be looked at.
    #[cfg(not(target_os = "linux"))]
    pub(in super::super) fn entries(
        &mut self,
        _: &mut Buffer,
        mut each: impl FnMut(&OsStr, Kind) -> ControlFlow<()>,
    ) -> u64 {
        let mut unreadable = 0;
        let Ok(entries) = rustix::fs::Dir::read_from(&self.handle) else { return 1 };
        for entry in entries {
            let Ok(entry) = entry else {
                unreadable += 1;
                break;
            };
            let name = entry.file_name().to_bytes();
            if self.show(name, entry.file_type(), &mut each, &mut unreadable).is_break() {
                break;
            }
        }
        unreadable
    }

    fn show(
        &self,
        name: &[u8],
        kind: FileType,
        each: &mut impl FnMut(&OsStr, Kind) -> ControlFlow<()>,
        unreadable: &mut u64,
    ) -> ControlFlow<()> {
        if name == b"." || name == b".." {
            return ControlFlow::Continue(());
        }
        let name = OsStr::from_bytes(name);
        let kind = match kind {
            FileType::Unknown => self.kind(name),
            known => Some(known),
        };
        match kind {
            Some(FileType::Directory) => each(name, Kind::Folder),
            Some(FileType::RegularFile) => each(name, Kind::File),
            Some(_) => each(name, Kind::Other),
            None => {
                *unreadable += 1;
                ControlFlow::Continue(())
            }
        }
    }

    fn kind(&self, name: &OsStr) -> Option<FileType> {
        let stat = statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        Some(FileType::from_raw_mode(stat.st_mode))
    }

    /// A pipe that took a file's place since it was listed does not hold the search up; nor is a link followed.
    pub(in super::super) fn open_file(&self, name: &OsStr) -> io::Result<Opened> {
        let file = self.handle.open_file(name, Access::Read)?;
        Ok(Opened { file, short_read_ends: self.is_on_disk() })
    }

    /// Devices without a number of their own are no disks: /proc, network and union file systems.
    #[cfg(target_os = "linux")]
    fn is_on_disk(&self) -> bool {
        let ask = || fstat(&self.handle).is_ok_and(|stat| rustix::fs::major(stat.st_dev) != 0);
        *self.on_disk.get_or_init(ask)
    }

    /// Not known here.
    #[cfg(not(target_os = "linux"))]
    fn is_on_disk(&self) -> bool {
        *self.on_disk.get_or_init(|| false)
    }

    pub(in super::super) fn modified(&self, name: &OsStr) -> Option<SystemTime> {
        let stat = statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        super::time(stat.st_mtime, stat.st_mtime_nsec)
    }

    /// Whether a file is one of these, by another name.
    pub(in super::super) fn is_one_of(&self, name: &OsStr, files: &[Identity]) -> bool {
        let own = self.handle.status(name).ok().and_then(|status| status.identity);
        own.is_some_and(|own| files.contains(&own))
    }

    pub(in super::super) fn handle(&self) -> &held::Folder {
        &self.handle
    }
}

pub(in super::super) fn modified(file: &fs::File) -> Option<SystemTime> {
    let stat = fstat(file).ok()?;
    super::time(stat.st_mtime, stat.st_mtime_nsec)
}

/// `path` without `root`, which it begins with.
pub(in super::super) fn below<'p>(path: &'p Path, root: &Path) -> &'p Path {
    let rest = path.as_os_str().as_bytes().strip_prefix(root.as_os_str().as_bytes());
    let rest = rest.map(|rest| rest.strip_prefix(b"/").unwrap_or(rest));
    rest.map_or(path, |rest| Path::new(OsStr::from_bytes(rest)))
}

/// The paths of a folder's entries, one at a time in one place.
#[derive(Debug)]
pub(in super::super) struct PathIn {
    path: Vec<u8>,
    folder: usize,
}

impl PathIn {
    pub(in super::super) fn new(folder: &Path) -> Self {
        let mut path = folder.as_os_str().as_bytes().to_vec();
        if !path.ends_with(b"/") {
            path.push(b'/');
        }
        Self { folder: path.len(), path }
    }

    pub(in super::super) fn of(&mut self, name: &OsStr) -> &Path {
        self.path.truncate(self.folder);
        self.path.extend_from_slice(name.as_bytes());
        Path::new(OsStr::from_bytes(&self.path))
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn open(path: &str) -> Folder {
        let handle = held::Folder::open_to_list(Path::new(path)).expect("a folder");
        Folder::new(path.into(), None, handle)
    }

    #[test]
    fn a_listing_ends_where_it_is_told_to() {
        let mut folder = open("/proc");
        let mut shown = 0;
        folder.entries(&mut Buffer::default(), |_, _| {
            shown += 1;
            if shown == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(shown, 3);
    }

    #[test]
    fn files_that_the_kernel_makes_up_may_read_short() {
        let folder = open(&format!("/proc/{}", std::process::id()));
        let mut opened = folder.open_file(OsStr::new("status")).expect("a file");
        assert!(!opened.short_read_ends);
        assert!(opened.file.read(&mut [0; 16]).is_ok_and(|read| read > 0));
    }
}
