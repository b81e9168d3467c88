//! A folder by its path, where the system has no handles.

use super::{ControlFlow, Kind, Opened, OsStr, Path, PathBuf, SystemTime, fs, io};
use crate::held::{self, Access, Identity};

/// Nothing: the standard library has its own.
#[derive(Debug, Default)]
pub(in super::super) struct Buffer;

/// A folder, by its path.
#[derive(Debug)]
pub(in super::super) struct Folder {
    path: PathBuf,
    real: Option<PathBuf>,
    handle: held::Folder,
}

impl Folder {
    pub(in super::super) fn new(path: PathBuf, real: Option<PathBuf>, handle: held::Folder) -> Self {
        Self { path, real, handle }
    }

    pub(in super::super) fn path(&self) -> &Path {
        &self.path
    }

    pub(in super::super) fn real(&self) -> Option<&Path> {
        self.real.as_deref()
    }

    pub(in super::super) fn handle(&self) -> &held::Folder {
        &self.handle
    }

    /// Files cannot be told apart from other files here.
    pub(in super::super) fn is_one_of(&self, _: &OsStr, _: &[Identity]) -> bool {
        false
    }

    pub(in super::super) fn entries(
        &mut self,
        _: &mut Buffer,
        mut each: impl FnMut(&OsStr, Kind) -> ControlFlow<()>,
    ) -> u64 {
        let mut unreadable = 0;
        let Ok(names) = self.handle.names() else { return 1 };
        for name in names {
            let kind = match self.handle.kind(Path::new(&name)) {
                Ok(held::Kind::Folder) => Kind::Folder,
                Ok(held::Kind::File) => Kind::File,
                Ok(_) => Kind::Other,
                Err(_) => {
                    unreadable += 1;
                    continue;
                }
            };
            if each(&name, kind).is_break() {
                break;
            }
        }
        unreadable
    }

    pub(in super::super) fn open_file(&self, name: &OsStr) -> io::Result<Opened> {
        Ok(Opened { file: self.handle.open_file(name, Access::Read)?, short_read_ends: false })
    }

    pub(in super::super) fn modified(&self, name: &OsStr) -> Option<SystemTime> {
        fs::symlink_metadata(self.path.join(name)).ok()?.modified().ok()
    }
}

pub(in super::super) fn modified(file: &fs::File) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}

/// `path` without `root`, which it begins with.
pub(in super::super) fn below<'p>(path: &'p Path, root: &Path) -> &'p Path {
    path.strip_prefix(root).unwrap_or(path)
}

/// The paths of a folder's entries, one at a time in one place.
#[derive(Debug)]
pub(in super::super) struct PathIn {
    folder: PathBuf,
    path: PathBuf,
}

impl PathIn {
    pub(in super::super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), path: folder.to_owned() }
    }

    pub(in super::super) fn of(&mut self, name: &OsStr) -> &Path {
        self.path = self.folder.join(name);
        &self.path
    }
}
