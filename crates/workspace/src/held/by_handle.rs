//! Folders by their handle.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, fstat, mkdirat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;

use super::{Access, Identity, Kind, Status};

/// A folder that is looked into by name alone needs no right to list it, where the system can tell the two apart.
#[cfg(target_os = "linux")]
const HOLD: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);
#[cfg(not(target_os = "linux"))]
const HOLD: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

const LIST: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

/// If it became a pipe or a terminal since the look, opening it returns at once and changes nothing.
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// A folder held open.
#[derive(Debug)]
pub(crate) struct Folder(OwnedFd);

impl Folder {
    /// `real`: absolute, without links, `.` and `..`.
    pub(crate) fn open(real: &Path) -> io::Result<Self> {
        Ok(Self(below(CWD, real, HOLD)?))
    }

    /// The same, to list it.
    pub(crate) fn open_to_list(real: &Path) -> io::Result<Self> {
        Ok(Self(below(CWD, real, LIST)?))
    }

    /// A folder in it, to list it.
    pub(crate) fn below(&self, relative: &Path) -> io::Result<Self> {
        Ok(Self(below(self.0.as_fd(), relative, LIST)?))
    }

    /// A folder in it, to look into by name.
    pub(crate) fn hold(&self, relative: &Path) -> io::Result<Self> {
        Ok(Self(below(self.0.as_fd(), relative, HOLD)?))
    }

    /// What lies there; no link is followed.
    pub(crate) fn kind(&self, relative: &Path) -> io::Result<Kind> {
        match (relative.parent(), relative.file_name()) {
            (Some(folder), Some(name)) if !folder.as_os_str().is_empty() => {
                self.hold(folder)?.status(name).map(|status| status.kind)
            }
            _ => self.status(relative.as_os_str()).map(|status| status.kind),
        }
    }

    /// What has this name.
    pub(crate) fn status(&self, name: &OsStr) -> io::Result<Status> {
        let stat = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            FileType::Fifo => Kind::Pipe,
            FileType::Socket => Kind::Socket,
            _ => Kind::Device,
        };
        Ok(Status { kind, identity: Some(identity_of(&stat)), has_other_names: stat.st_nlink > 1 })
    }

    pub(crate) fn open_file(&self, name: &OsStr, access: Access) -> io::Result<File> {
        let access = match access {
            Access::Read => OFlags::RDONLY,
            Access::Write => OFlags::RDWR,
        };
        Ok(openat(&self.0, name, FILE.union(access), Mode::empty())?.into())
    }

    /// A new file of this name, open for reading and writing; an error if there is anything.
    pub(crate) fn create_file(&self, name: &OsStr, mode: u16) -> io::Result<File> {
        let flags = FILE.union(OFlags::RDWR).union(OFlags::CREATE).union(OFlags::EXCL);
        Ok(openat(&self.0, name, flags, Mode::from_raw_mode(mode.into()))?.into())
    }

    /// A new folder of this name, or the one that somebody made meanwhile.
    pub(crate) fn make_folder(&self, name: &OsStr) -> io::Result<Self> {
        match mkdirat(&self.0, name, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => Ok(Self(below(self.0.as_fd(), Path::new(name), HOLD)?)),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives what has one name another, in the place of what has that.
    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(renameat(&self.0, from, &self.0, to)?)
    }

    /// The same, an error if anything has the other name.
    pub(crate) fn rename_to_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_vendor = "apple"))]
        {
            use rustix::fs::{RenameFlags, renameat_with};
            match renameat_with(&self.0, from, &self.0, to, RenameFlags::NOREPLACE) {
                // Not every file system can.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                done => return Ok(done?),
            }
        }
        rustix::fs::linkat(&self.0, from, &self.0, to, AtFlags::empty())?;
        self.remove_file(from)
    }

    pub(crate) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }

    pub(crate) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// The names in it, without `.` and `..`.
    pub(crate) fn names(&self) -> io::Result<impl Iterator<Item = OsString>> {
        // A handle of its own: that one may not be for listing.
        let listed = openat(&self.0, ".", LIST.union(OFlags::CLOEXEC), Mode::empty())?;
        let entries = Dir::new(listed)?;
        let names = entries.filter_map(Result::ok).map(|entry| entry.file_name().to_bytes().to_vec());
        let names = names.filter(|name| !matches!(name.as_slice(), b"." | b".."));
        Ok(names.map(std::os::unix::ffi::OsStringExt::from_vec))
    }

    /// A handle with which the folder can be locked.
    pub(crate) fn lockable(&self) -> io::Result<File> {
        Ok(openat(&self.0, ".", LIST.union(OFlags::CLOEXEC), Mode::empty())?.into())
    }
}

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Whether an error says that the path has a link.
pub(crate) fn leads_elsewhere(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}

/// The error for a link that was met.
pub(crate) fn link_in_the_way() -> io::Error {
    Errno::LOOP.into()
}

/// Which file it is, where the system says so.
pub(crate) fn identity(file: &File) -> Option<Identity> {
    fstat(file).ok().as_ref().map(identity_of)
}

fn identity_of(stat: &Stat) -> Identity {
    #[expect(clippy::useless_conversion, reason = "of other types on some systems")]
    Identity { device: u64::try_from(stat.st_dev).unwrap_or(0), number: u64::from(stat.st_ino) }
}

/// Opens a folder below another, or from the root where `path` is absolute; every name in `path` must be a folder itself.
fn below(folder: BorrowedFd<'_>, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let flags = flags.union(OFlags::CLOEXEC);
    #[cfg(target_os = "linux")]
    {
        use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

        use rustix::fs::{ResolveFlags, openat2};
        static MISSING: AtomicBool = AtomicBool::new(false);
        if !MISSING.load(Relaxed) {
            match openat2(folder, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
                Err(Errno::NOSYS) => MISSING.store(true, Relaxed),
                // Some containers forbid what they do not know.
                Err(Errno::PERM) => {}
                opened => return opened,
            }
        }
    }
    chain(folder, path, flags)
}

/// The same, name by name.
fn chain(folder: BorrowedFd<'_>, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let start = if path.is_absolute() { Path::new("/") } else { Path::new(".") };
    let names = || path.components().filter(|part| matches!(part, Component::Normal(_)));
    let mut left = names().count();
    let flags_of = |left: usize| if left == 0 { flags } else { HOLD.union(OFlags::CLOEXEC) };
    let mut at = openat(folder, start, flags_of(left), Mode::empty())?;
    for name in names() {
        left -= 1;
        let name = OsStr::from_bytes(name.as_os_str().as_bytes());
        at = match openat(&at, name, flags_of(left).union(OFlags::NOFOLLOW), Mode::empty()) {
            // What is no folder may be a link: the systems have different words for it.
            Err(error @ (Errno::NOTDIR | Errno::MLINK)) => {
                let link = statat(&at, name, AtFlags::SYMLINK_NOFOLLOW)
                    .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink);
                return Err(if link { Errno::LOOP } else { error });
            }
            opened => opened?,
        };
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use toolwright_testkit::TempWorkspace;

    use super::*;

    #[test]
    fn a_link_anywhere_on_the_way_is_not_followed() {
        let workspace = TempWorkspace::new();
        let root = workspace.path().canonicalize().unwrap();
        workspace.write("a/b/file", "");
        symlink("a", root.join("link")).unwrap();
        symlink("b", root.join("a/link")).unwrap();
        symlink("missing", root.join("a/nowhere")).unwrap();
        let check = |path: &str, expect: Result<(), Errno>| {
            for open in [below, chain] {
                let path = root.join(path);
                assert_eq!(open(CWD, &path, HOLD).map(drop), expect, "{}", path.display());
                let here = Folder::open(&root).unwrap();
                let relative = path.strip_prefix(&root).unwrap();
                if !relative.as_os_str().is_empty() {
                    assert_eq!(
                        open(here.as_fd(), relative, LIST).map(drop),
                        expect,
                        "{}",
                        relative.display()
                    );
                }
            }
        };
        check("", Ok(()));
        check("a/b", Ok(()));
        check("link", Err(Errno::LOOP));
        check("link/b", Err(Errno::LOOP));
        check("a/link", Err(Errno::LOOP));
        check("a/nowhere", Err(Errno::LOOP));
        check("a/missing", Err(Errno::NOENT));
        check("a/b/file", Err(Errno::NOTDIR));
        check("a/b/file/x", Err(Errno::NOTDIR));
    }
}
