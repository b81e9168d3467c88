//! Folders by their path, for systems without handles of folders. Links are looked for before and, where something is opened,
//! after it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::{Access, Identity, Kind, Status};

/// A folder, by its path.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn open(real: &Path) -> io::Result<Self> {
        let metadata = fs::symlink_metadata(real)?;
        if fs::canonicalize(real)? != real {
            return Err(link_in_the_way());
        }
        if metadata.is_dir() { Ok(Self(real.to_owned())) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    pub(crate) fn open_to_list(real: &Path) -> io::Result<Self> {
        Self::open(real)
    }

    pub(crate) fn below(&self, relative: &Path) -> io::Result<Self> {
        Self::open(&self.0.join(relative))
    }

    pub(crate) fn hold(&self, relative: &Path) -> io::Result<Self> {
        self.below(relative)
    }

    pub(crate) fn kind(&self, relative: &Path) -> io::Result<Kind> {
        self.status(relative.as_os_str()).map(|status| status.kind)
    }

    pub(crate) fn status(&self, name: &OsStr) -> io::Result<Status> {
        let kind = match fs::symlink_metadata(self.0.join(name))?.file_type() {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Folder,
            kind if kind.is_symlink() => Kind::Link,
            _ => Kind::Device,
        };
        Ok(Status { kind, identity: None, has_other_names: false })
    }

    pub(crate) fn open_file(&self, name: &OsStr, access: Access) -> io::Result<File> {
        let path = self.0.join(name);
        let file = OpenOptions::new().read(true).write(access == Access::Write).open(&path)?;
        if fs::canonicalize(&path)? == path { Ok(file) } else { Err(link_in_the_way()) }
    }

    pub(crate) fn create_file(&self, name: &OsStr, _: u16) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).create_new(true).open(self.0.join(name))
    }

    pub(crate) fn make_folder(&self, name: &OsStr) -> io::Result<Self> {
        let path = self.0.join(name);
        match fs::create_dir(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Self::open(&path),
        }
    }

    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    pub(crate) fn rename_to_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        fs::hard_link(self.0.join(from), self.0.join(to))?;
        self.remove_file(from)
    }

    pub(crate) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    pub(crate) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(self.0.join(name))
    }

    pub(crate) fn names(&self) -> io::Result<impl Iterator<Item = OsString>> {
        Ok(fs::read_dir(&self.0)?.filter_map(Result::ok).map(|entry| entry.file_name()))
    }

    pub(crate) fn lockable(&self) -> io::Result<File> {
        File::open(&self.0)
    }
}

pub(crate) fn leads_elsewhere(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|error| error.is::<InTheWay>())
}

pub(crate) fn link_in_the_way() -> io::Error {
    io::Error::other(InTheWay)
}

/// Files cannot be told apart from other files here.
pub(crate) fn identity(_: &File) -> Option<Identity> {
    None
}

#[derive(Debug, thiserror::Error)]
#[error("a link is in its way")]
struct InTheWay;
