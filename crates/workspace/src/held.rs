//! Opening without following a link. A path whose links were resolved is opened name by name from the root or from a folder
//! that is held open, so that a link that has replaced one of the names since is an error. On Linux one `openat2` with
//! `RESOLVE_NO_SYMLINKS` does it; elsewhere, and on a kernel without it, a chain of `openat` with `O_NOFOLLOW`.
//!
//! This holds for what this program opens. A program that a command starts opens files by name; only a sandbox can confine it.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::SystemTime;

#[cfg(unix)]
#[path = "held/by_handle.rs"]
mod system;
#[cfg(not(unix))]
#[path = "held/by_name.rs"]
mod system;

pub(crate) use system::{Folder, identity, leads_elsewhere, link_in_the_way};

/// What lies at a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    Pipe,
    Socket,
    Device,
}

/// Which file it is, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) device: u64,
    pub(crate) number: u64,
}

/// What is known of what lies at a name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Status {
    pub(crate) kind: Kind,
    /// Where the system tells files apart.
    pub(crate) identity: Option<Identity>,
    pub(crate) has_other_names: bool,
}

/// What a file is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// A name in a folder that is held open: what is done with it is done there.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) folder: Folder,
    pub(crate) name: OsString,
}

impl Held {
    /// `real`: absolute, without links, `.` and `..`. What lies at its last name is not looked at.
    pub(crate) fn of(real: &Path) -> io::Result<Self> {
        let (Some(folder), Some(name)) = (real.parent(), real.file_name()) else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        Ok(Self { folder: Folder::open(folder)?, name: name.to_owned() })
    }

    pub(crate) fn kind(&self) -> io::Result<Kind> {
        self.folder.kind(Path::new(&self.name))
    }

    /// As [`Folder::read_small`].
    pub(crate) fn read_small(&self, most: u64) -> io::Result<Option<Vec<u8>>> {
        self.folder.read_small(&self.name, most)
    }

    /// Opens a file that is no link. Whether it is a regular one is for the caller to see before: opening others may have
    /// effects.
    pub(crate) fn open(&self, access: Access) -> io::Result<File> {
        self.folder.open_file(&self.name, access)
    }
}

impl Folder {
    /// All of a regular file that has no more than `most` bytes; nothing of another.
    pub(crate) fn read_small(&self, name: &OsStr, most: u64) -> io::Result<Option<Vec<u8>>> {
        if self.kind(Path::new(name))? != Kind::File {
            return Ok(None);
        }
        let file = self.open_file(name, Access::Read)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(most)).unwrap_or(0));
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= most))
    }
}

/// Opens a file to read it, by a path whose links were resolved: what was decided on that path holds for what is opened. A link
/// that has replaced one of its names since is an error, and so is what is no regular file; no such thing is opened.
///
/// # Errors
/// What the system says; of kind `InvalidInput` for what is no regular file.
pub fn open_resolved(real: &Path) -> io::Result<File> {
    let no_file = || io::Error::new(io::ErrorKind::InvalidInput, "it is no file");
    let held = Held::of(real)?;
    match held.kind()? {
        Kind::File => {}
        Kind::Link => return Err(link_in_the_way()),
        _ => return Err(no_file()),
    }
    let file = held.open(Access::Read)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(no_file()) }
}

/// A path at which something is to be made; its last folders may be missing.
#[derive(Debug)]
pub(crate) struct NewPath {
    innermost: Folder,
    existing: PathBuf,
    /// Folders, the outermost first.
    missing: Vec<OsString>,
    name: OsString,
}

impl NewPath {
    /// `real` as for [`Held::of`].
    pub(crate) fn to(real: &Path) -> io::Result<Self> {
        let name = real.file_name().ok_or(io::ErrorKind::IsADirectory)?.to_owned();
        let mut missing = Vec::new();
        for folder in real.ancestors().skip(1) {
            match Folder::open(folder) {
                Ok(innermost) => {
                    missing.reverse();
                    return Ok(Self { innermost, existing: folder.to_owned(), missing, name });
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    missing.extend(folder.file_name().map(OsStr::to_owned));
                }
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::NotFound.into())
    }

    /// The outermost folder that is missing.
    pub(crate) fn outermost_missing(&self) -> Option<PathBuf> {
        self.missing.first().map(|name| self.existing.join(name))
    }

    /// Makes the folders that are missing.
    pub(crate) fn make_folders(self) -> io::Result<Held> {
        let mut folder = self.innermost;
        for name in &self.missing {
            folder = folder.make_folder(name)?;
        }
        Ok(Held { folder, name: self.name })
    }
}

/// The innermost folder of `real` that exists, and what of the path is below it. A link in the path counts as missing.
pub(crate) fn innermost(real: &Path) -> Option<(Folder, &Path, &Path)> {
    let mut folders = real.ancestors().skip(1);
    folders.find_map(|folder| Some((Folder::open(folder).ok()?, folder, real.strip_prefix(folder).ok()?)))
}

/// Whether an open file may have had another name when it was opened. A name that was taken away since is seen by the moment of
/// the last change, which nobody can set.
pub(crate) fn may_have_other_names(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        /// Clocks of file systems are coarse, and those of other machines not ours.
        const RECENT: i64 = 10;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        has_other_names(metadata) || metadata.ctime() > now.saturating_sub(RECENT)
    }
    #[cfg(not(unix))]
    {
        has_other_names(metadata)
    }
}

/// Whether a file has other names.
pub(crate) fn has_other_names(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        metadata.nlink() > 1
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}
