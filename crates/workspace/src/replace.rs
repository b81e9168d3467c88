//! Putting new bytes in a file's place so that a crash leaves the old or the new ones, and nothing else of the file is lost:
//! link target, mode, owner, extended attributes, and its other names (hard links).
//!
//! The new bytes go to a temporary file in the same folder, which is then renamed. Nothing is flushed to the disk (no
//! `fsync`): killing the program at any point is safe; after a power cut a file system may keep the old bytes, and the usual
//! ones order the data before the rename. A file that has other names, or that only its owner could make anew, is
//! written in place, because renaming would cut it off from them: `recovery` makes that safe. A temporary file that a
//! killed writer left is removed by the next write into its folder.

mod recovery;
mod stale;

use std::collections::HashSet;
use std::fs::{File, Metadata, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::held::{self, Access, Folder, Held, Identity, Kind, has_other_names};
use recovery::Recovery;
use stale::Temporary;

/// What a file is to hold.
#[derive(Clone, Copy)]
pub(crate) struct New<'a> {
    pub(crate) bytes: &'a [u8],
    /// Its permission bits, where they are not to be those of the file before it or of any new one.
    pub(crate) mode: Option<u32>,
}

impl<'a> From<&'a [u8]> for New<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self { bytes, mode: None }
    }
}

/// What writes files, and cleans up after writers that were killed.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    recovery: Option<Recovery>,
    /// Folders that were looked through for what killed writers left.
    swept: Mutex<HashSet<PathBuf>>,
}

impl Writer {
    /// Keeps what it needs to undo a write in place in `recovery`, and undoes what lies there by now. Without such a folder a
    /// kill may leave part of two texts in a file that is written in place.
    pub(crate) fn new(recovery: Option<PathBuf>) -> Self {
        let recovery = recovery.map(Recovery::at);
        if let Some(recovery) = &recovery {
            recovery.settle_all(SystemTime::now());
        }
        Self { recovery, swept: Mutex::default() }
    }

    /// Undoes what a killed writer left of this file, if one did: whether so.
    pub(crate) fn settle(&self, path: &Path, metadata: &Metadata) -> io::Result<bool> {
        self.recovery.as_ref().map_or(Ok(false), |recovery| recovery.settle(path, metadata))
    }

    /// Makes a new file, whose real path is given; an error if there is anything by now.
    pub(crate) fn create(&self, real: &Path, held: &Held, new: New<'_>) -> io::Result<()> {
        self.sweep(real, &held.folder);
        // What any program's new file gets: the process's mask takes away what it takes away.
        let mut temporary = Temporary::new(&held.folder, 0o666)?;
        temporary.file.write_all(new.bytes)?;
        new.mode.map_or(Ok(()), |mode| set_mode(&temporary.file, mode))?;
        temporary.become_new(&held.name)
    }

    /// Puts these bytes in the place of an existing file's. `real` has no links. `seen`: which file it was when its bytes were
    /// compared; another is not replaced.
    pub(crate) fn replace(&self, real: &Path, seen: Option<Identity>, new: New<'_>) -> io::Result<()> {
        let held = Held::of(real)?;
        self.sweep(real, &held.folder);
        match held.kind()? {
            Kind::File => {}
            Kind::Link => return Err(held::link_in_the_way()),
            _ => return Err(in_the_way()),
        }
        let (target, writable) = match held.open(Access::Write) {
            Ok(target) => (target, true),
            // A program that runs cannot be written, but replaced.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                (held.open(Access::Read)?, false)
            }
            Err(error) => return Err(error),
        };
        let metadata = target.metadata()?;
        if !metadata.is_file() || (seen.is_some() && held::identity(&target) != seen) {
            return Err(in_the_way());
        }
        if has_other_names(&metadata) {
            return if writable { self.in_place(real, target, new) } else { Err(busy()) };
        }
        match like(&held.folder, &target, &metadata, new) {
            Ok(temporary) => temporary.replace(&held.name),
            // The folder is not ours to write, or the copy not ours to make alike; the file itself is.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && writable => {
                self.in_place(real, target, new)
            }
            Err(error) => Err(error),
        }
    }

    fn in_place(&self, named: &Path, mut target: File, new: New<'_>) -> io::Result<()> {
        let New { bytes, mode } = new;
        let mut old = Vec::new();
        target.read_to_end(&mut old)?;
        let keep = |recovery: &Recovery| {
            let kept = recovery.keep(named, &target.metadata()?, &old, bytes);
            // Of another kind: the file itself could be written.
            kept.map_err(|error| {
                let folder = recovery.folder().display();
                io::Error::other(format!(
                    "it has to be written in place, and no copy can be kept in {folder}: {error}"
                ))
            })
        };
        let kept = self.recovery.as_ref().map(keep).transpose()?;
        let written = recovery::overwrite(&mut target, bytes);
        // What the disk had room for before, it has room for again.
        if written.is_err() && recovery::overwrite(&mut target, &old).is_err() {
            return written;
        }
        if let Some(kept) = kept {
            kept.done();
        }
        written?;
        mode.map_or(Ok(()), |mode| set_mode(&target, mode))
    }

    /// Once for each folder.
    fn sweep(&self, real: &Path, held: &Folder) {
        let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
        if swept.insert(folder(real).into()) {
            stale::sweep(held, SystemTime::now());
        }
    }
}

/// Waits until no other program of ours compares and replaces a file in the folder of `path`, and keeps them waiting as long
/// as the result lives. Nothing where the folder cannot be locked: a file system without locks, or a folder that is not
/// there.
///
/// # Errors
/// When another program holds the lock for long: going on without it might lose what that program or another of ours writes.
pub(crate) fn alone(path: &Path) -> io::Result<Option<File>> {
    const TRIES: u32 = 500;
    const PAUSE: Duration = Duration::from_millis(1);
    let parent = folder(path);
    let Ok(folder) = Folder::open(parent).and_then(|folder| folder.lockable()) else { return Ok(None) };
    for _ in 0..TRIES {
        match folder.try_lock() {
            Ok(()) => return Ok(Some(folder)),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::ResourceBusy,
        format!(
            "another program holds a lock on the folder {}; try again when it has ended",
            parent.display()
        ),
    ))
}

/// The permission bits, where the system has them.
#[cfg(unix)]
pub(crate) fn mode(metadata: &Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(metadata.permissions().mode() & 0o7777)
}

/// The permission bits, where the system has them.
#[cfg(not(unix))]
pub(crate) fn mode(_: &Metadata) -> Option<u32> {
    None
}

/// Sets the permission bits of a file, where the system has them.
#[cfg(unix)]
fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

/// Sets the permission bits of a file, where the system has them.
#[cfg(not(unix))]
fn set_mode(_: &File, _: u32) -> io::Result<()> {
    Ok(())
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}

fn in_the_way() -> io::Error {
    io::Error::other("something else was put in its way at this moment; nothing was written")
}

/// A temporary file in the folder with the new bytes and all that the old file has.
fn like<'a>(folder: &'a Folder, old: &File, metadata: &Metadata, new: New<'_>) -> io::Result<Temporary<'a>> {
    let mut temporary = Temporary::new(folder, 0o600)?;
    temporary.file.write_all(new.bytes)?;
    keep_owner(metadata, &temporary.file)?;
    keep_attributes(old, &temporary.file)?;
    temporary.file.set_permissions(metadata.permissions())?;
    new.mode.map_or(Ok(()), |mode| set_mode(&temporary.file, mode))?;
    Ok(temporary)
}

fn busy() -> io::Error {
    io::Error::new(io::ErrorKind::ExecutableFileBusy, "the program runs, and the file has other names")
}

#[cfg(unix)]
fn keep_owner(old: &Metadata, new: &File) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    let own = new.metadata()?;
    if (own.uid(), own.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    std::os::unix::fs::fchown(new, Some(old.uid()), Some(old.gid()))
}

#[cfg(unix)]
fn keep_attributes(old: &File, new: &File) -> io::Result<()> {
    use xattr::FileExt as _;
    let names = match old.list_xattr() {
        Ok(names) => names,
        // A file system without them.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
        Err(error) => return Err(error),
    };
    for name in names {
        let Some(value) = old.get_xattr(&name)? else { continue };
        let set = new.set_xattr(&name, &value);
        // The system's own labels are its to set; what the person or an access list put there must not be lost.
        if !name.as_encoded_bytes().starts_with(b"security.") {
            set?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn keep_owner(_: &Metadata, _: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn keep_attributes(_: &File, _: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use toolwright_testkit::TempWorkspace;

    use super::*;

    #[test]
    fn what_was_put_in_the_way_after_links_were_resolved_is_not_followed() {
        let workspace = TempWorkspace::new();
        let root = workspace.path().canonicalize().unwrap();
        workspace.write("elsewhere/file", "precious");
        workspace.write("folder/file", "old");
        let path = root.join("folder/file");
        let (writer, new) = (Writer::default(), New::from(&b"new"[..]));
        writer.replace(&path, None, new).unwrap();
        assert_eq!(workspace.read("folder/file"), "new");
        // Another file has its name since its bytes were compared.
        let seen = held::identity(&File::open(&path).unwrap());
        workspace.write("folder/other", "old");
        fs::rename(root.join("folder/other"), &path).unwrap();
        assert!(writer.replace(&path, seen, new).is_err());
        assert_eq!(workspace.read("folder/file"), "old");
        // The file became a link.
        fs::remove_file(&path).unwrap();
        symlink(root.join("elsewhere/file"), &path).unwrap();
        assert!(writer.replace(&path, None, new).is_err());
        let create = |path: &Path| writer.create(path, &Held::of(path)?, new);
        assert!(create(&path).is_err());
        // Its folder did.
        fs::remove_dir_all(root.join("folder")).unwrap();
        symlink(root.join("elsewhere"), root.join("folder")).unwrap();
        assert!(writer.replace(&path, None, new).is_err());
        assert!(create(&root.join("folder/made")).is_err());
        assert_eq!(workspace.read("elsewhere/file"), "precious");
        assert_eq!(fs::read_dir(root.join("elsewhere")).unwrap().count(), 1);
    }

    #[test]
    fn a_lock_that_another_program_holds_is_not_passed_over() {
        let workspace = TempWorkspace::new();
        let path = workspace.path().join("file");
        let other = File::open(workspace.path()).unwrap();
        other.lock().unwrap();
        let error = alone(&path).unwrap_err().to_string();
        assert!(error.contains("another program holds a lock on the folder"), "{error}");
        drop(other);
        assert!(alone(&path).unwrap().is_some());
        assert!(alone(&workspace.path().join("no folder/file")).unwrap().is_none());
    }

    #[test]
    fn without_a_copy_nothing_is_written_in_place() {
        let workspace = TempWorkspace::new();
        let root = workspace.path().canonicalize().unwrap();
        workspace.write("file", "old");
        workspace.write("no folder", "");
        fs::hard_link(root.join("file"), root.join("other")).unwrap();
        let writer = Writer::new(Some(root.join("no folder/recovery")));
        let error = writer.replace(&root.join("file"), None, New::from(&b"new"[..])).unwrap_err().to_string();
        assert!(error.contains("no copy can be kept in") && error.contains("no folder"), "{error}");
        assert_eq!(workspace.read("other"), "old");
    }
}
