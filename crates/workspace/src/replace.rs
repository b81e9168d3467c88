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
use std::fs::{self, File, Metadata, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use recovery::Recovery;

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

    /// Makes a new file with these bytes; an error if there is one by now. Its folder exists.
    pub(crate) fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let pinned = Pinned::of(folder(path))?;
        self.sweep(folder(path), &pinned);
        let path = &pinned.join(path)?;
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        let permissions = {
            use std::os::unix::fs::PermissionsExt as _;
            // What any program's new file gets: the process's mask takes away what it takes away.
            Permissions::from_mode(0o666)
        };
        #[cfg(unix)]
        builder.permissions(permissions);
        let mut temporary = stale::temporary(&mut builder, &pinned.path)?;
        temporary.write_all(bytes)?;
        temporary.persist_noclobber(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Puts these bytes in the place of an existing file's. `path` is no link.
    pub(crate) fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let pinned = Pinned::of(folder(path))?;
        self.sweep(folder(path), &pinned);
        let (named, path) = (path, &pinned.join(path)?);
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.custom_flags(libc::O_NOFOLLOW);
        }
        let target = match options.read(true).write(true).open(path) {
            Ok(target) => Some(target),
            // A program that runs cannot be written, but replaced.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => None,
            Err(error) => return Err(error),
        };
        let metadata = fs::symlink_metadata(path)?;
        if !metadata.is_file() {
            return Err(in_the_way());
        }
        if has_other_names(&metadata) {
            return target.map_or_else(|| Err(busy()), |target| self.in_place(named, target, bytes));
        }
        match (like(path, &metadata, bytes), target) {
            (Ok(temporary), _) => temporary.persist(path).map(drop).map_err(|error| error.error),
            // The folder is not ours to write, or the copy not ours to make alike; the file itself is.
            (Err(error), Some(target)) if error.kind() == io::ErrorKind::PermissionDenied => {
                self.in_place(named, target, bytes)
            }
            (Err(error), _) => Err(error),
        }
    }

    fn in_place(&self, named: &Path, mut target: File, bytes: &[u8]) -> io::Result<()> {
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
        written
    }

    /// Once for each folder.
    fn sweep(&self, folder: &Path, pinned: &Pinned) {
        let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
        if swept.insert(folder.into()) {
            stale::sweep(&pinned.path, SystemTime::now());
        }
    }
}

/// Waits until no other program of ours compares and replaces a file in the folder of `path`, and keeps them waiting as long
/// as the result lives. Where the folder cannot be locked, or somebody holds it for long, one goes on without.
pub(crate) fn alone(path: &Path) -> Option<File> {
    const TRIES: u32 = 2_000;
    const PAUSE: Duration = Duration::from_millis(1);
    let folder = File::open(folder(path)).ok()?;
    for _ in 0..TRIES {
        match folder.try_lock() {
            Ok(()) => return Some(folder),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(_)) => return None,
        }
    }
    None
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

/// Sets the permission bits of a file that is no link, where the system has them.
#[cfg(unix)]
pub(crate) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Sets the permission bits of a file that is no link, where the system has them.
#[cfg(not(unix))]
pub(crate) fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}

/// A folder held open: what is done in it is done there, whatever is put in the way of its name meanwhile.
struct Pinned {
    /// What names the open folder.
    path: PathBuf,
    _open: Option<File>,
}

impl Pinned {
    /// An error if the folder is not the one that it was when its links were resolved.
    #[cfg(target_os = "linux")]
    fn of(folder: &Path) -> io::Result<Self> {
        use std::os::fd::AsRawFd as _;
        use std::os::unix::fs::OpenOptionsExt as _;
        let open =
            OpenOptions::new().read(true).custom_flags(libc::O_PATH | libc::O_DIRECTORY).open(folder)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()));
        match fs::read_link(&path) {
            Ok(real) if real == folder => Ok(Self { path, _open: Some(open) }),
            Ok(_) => Err(in_the_way()),
            // Without /proc the name has to do.
            Err(_) => Ok(Self { path: folder.into(), _open: None }),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn of(folder: &Path) -> io::Result<Self> {
        Ok(Self { path: folder.into(), _open: None })
    }

    /// The file of the same name in it.
    fn join(&self, path: &Path) -> io::Result<PathBuf> {
        let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.path.join(name))
    }
}

fn in_the_way() -> io::Error {
    io::Error::other("a link or folder was put in its way at this moment; nothing was written")
}

/// A temporary file beside `path` with the new bytes and all that the old one has.
fn like(path: &Path, metadata: &Metadata, bytes: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let mut temporary = stale::temporary(&mut tempfile::Builder::new(), folder(path))?;
    temporary.write_all(bytes)?;
    keep_owner(metadata, temporary.as_file())?;
    keep_attributes(path, temporary.path())?;
    temporary.as_file().set_permissions(metadata.permissions())?;
    Ok(temporary)
}

fn busy() -> io::Error {
    io::Error::new(io::ErrorKind::ExecutableFileBusy, "the program runs, and the file has other names")
}

#[cfg(unix)]
fn has_other_names(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    metadata.nlink() > 1
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
fn keep_attributes(old: &Path, new: &Path) -> io::Result<()> {
    let names = match xattr::list(old) {
        Ok(names) => names,
        // A file system without them.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
        Err(error) => return Err(error),
    };
    for name in names {
        let Some(value) = xattr::get(old, &name)? else { continue };
        let set = xattr::set(new, &name, &value);
        // The system's own labels are its to set; what the person or an access list put there must not be lost.
        if !name.as_encoded_bytes().starts_with(b"security.") {
            set?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

#[cfg(not(unix))]
fn keep_owner(_: &Metadata, _: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn keep_attributes(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
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
        let writer = Writer::default();
        writer.replace(&path, b"new").unwrap();
        assert_eq!(workspace.read("folder/file"), "new");
        // The file became a link.
        fs::remove_file(&path).unwrap();
        symlink(root.join("elsewhere/file"), &path).unwrap();
        assert!(writer.replace(&path, b"new").is_err());
        assert!(writer.create(&path, b"new").is_err());
        // Its folder did.
        fs::remove_dir_all(root.join("folder")).unwrap();
        symlink(root.join("elsewhere"), root.join("folder")).unwrap();
        assert!(writer.replace(&path, b"new").is_err());
        assert!(writer.create(&root.join("folder/made"), b"new").is_err());
        assert_eq!(workspace.read("elsewhere/file"), "precious");
        assert_eq!(fs::read_dir(root.join("elsewhere")).unwrap().count(), 1);
    }

    #[test]
    fn without_a_copy_nothing_is_written_in_place() {
        let workspace = TempWorkspace::new();
        let root = workspace.path().canonicalize().unwrap();
        workspace.write("file", "old");
        workspace.write("no folder", "");
        fs::hard_link(root.join("file"), root.join("other")).unwrap();
        let writer = Writer::new(Some(root.join("no folder/recovery")));
        let error = writer.replace(&root.join("file"), b"new").unwrap_err().to_string();
        assert!(error.contains("no copy can be kept in") && error.contains("no folder"), "{error}");
        assert_eq!(workspace.read("other"), "old");
    }
}
