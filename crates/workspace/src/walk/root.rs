//! Where a search begins, opened once: from then on it does not matter where its name leads.

use std::io;
use std::path::{Path, PathBuf};

use toolwright_core::{DecidedPaths, Led};
use toolwright_services::DeniedPaths;

use super::{Opened, WalkError};
use crate::hard_links::denied_by_another_name;
use crate::held::{self, Access, Folder, Held, Kind};
use crate::near::{self, Manner};
use crate::target::now;

/// An open folder to walk.
#[derive(Debug)]
pub struct Root {
    /// As it was asked for.
    path: PathBuf,
    /// Without links, where that is another path.
    real: Option<PathBuf>,
    handle: Folder,
}

/// What a path names that is to be searched.
#[derive(Debug)]
pub enum Start {
    /// A folder, to be walked.
    Folder(Root),
    /// A file, open.
    File(Opened),
}

impl Start {
    /// Opens `path` (absolute), which may be a link, where it led when the call was decided.
    ///
    /// # Errors
    /// When it is denied, missing, neither file nor folder, or cannot be read.
    pub fn open(path: &Path, decided: &DecidedPaths, denied: &dyn DeniedPaths) -> Result<Self, WalkError> {
        let own = || path.to_owned();
        let real = real(path, decided, denied)?;
        let failed = |error: io::Error| match error.kind() {
            _ if held::leads_elsewhere(&error) => WalkError::LeadsElsewhere { path: own() },
            io::ErrorKind::NotFound => WalkError::Missing {
                path: own(),
                near: near::of(path, &real, Some(denied), Manner::Folders).names,
            },
            // A file where the path has a folder.
            io::ErrorKind::NotADirectory => WalkError::Missing { path: own(), near: Vec::new() },
            _ => WalkError::Unreadable { path: own(), reason: error.to_string() },
        };
        match Folder::open_to_list(&real) {
            Ok(handle) => {
                let real = Some(real).filter(|real| real != path);
                return Ok(Self::Folder(Root { path: own(), real, handle }));
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
            Err(error) => return Err(failed(error)),
        }
        let held = Held::of(&real).map_err(failed)?;
        match held.kind().map_err(failed)? {
            Kind::File => {}
            Kind::Link => return Err(failed(held::link_in_the_way())),
            Kind::Folder | Kind::Pipe | Kind::Socket | Kind::Device => {
                return Err(WalkError::NotADirectory { path: own() });
            }
        }
        let file = held.open(Access::Read).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(WalkError::LeadsElsewhere { path: own() });
        }
        if held::may_have_other_names(&metadata)
            && let Some(rule) = denied_by_another_name(&file, Access::Read, denied)
        {
            return Err(WalkError::Denied { path: own(), rule });
        }
        Ok(Self::File(Opened { file, short_read_ends: false }))
    }
}

impl Root {
    /// Opens a folder as [`Start::open`] does.
    ///
    /// # Errors
    /// As there, and for a file.
    pub fn open(path: &Path, decided: &DecidedPaths, denied: &dyn DeniedPaths) -> Result<Self, WalkError> {
        match Start::open(path, decided, denied)? {
            Start::Folder(root) => Ok(root),
            Start::File(_) => Err(WalkError::NotADirectory { path: path.to_owned() }),
        }
    }

    /// A folder in it.
    pub(super) fn below(&self, relative: &Path) -> io::Result<Self> {
        let handle = self.handle.below(relative)?;
        let real = self.real.as_ref().map(|real| real.join(relative));
        Ok(Self { path: self.path.join(relative), real, handle })
    }

    /// As it was asked for: absolute.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Without links.
    #[must_use]
    pub fn real(&self) -> &Path {
        self.real.as_deref().unwrap_or(&self.path)
    }

    /// Whether a link leads to it.
    pub(super) fn is_linked(&self) -> bool {
        self.real.is_some()
    }

    pub(super) fn handle(&self) -> &Folder {
        &self.handle
    }

    /// What lies at a path in it, no link followed.
    #[must_use]
    pub fn at(&self, relative: &Path) -> Option<Entry> {
        match self.handle.kind(relative).ok()? {
            Kind::Folder => Some(Entry::Folder),
            Kind::File | Kind::Link | Kind::Pipe | Kind::Socket | Kind::Device => Some(Entry::Other),
        }
    }
}

/// What lies at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A folder.
    Folder,
    /// A file, a link, or something else.
    Other,
}

/// Where a path leads, if it is denied in neither form. Denied before missing, so that an answer does not tell whether a hidden path
/// exists.
fn real(path: &Path, decided: &DecidedPaths, denied: &dyn DeniedPaths) -> Result<PathBuf, WalkError> {
    let own = || path.to_owned();
    let allowed = |form: &Path| match denied.denies_read(form) {
        Some(rule) => Err(WalkError::Denied { path: own(), rule }),
        None => Ok(()),
    };
    allowed(path)?;
    let unreadable = |reason: String| WalkError::Unreadable { path: own(), reason };
    let real = match decided.led(path) {
        Led::To(real) => real,
        Led::Unknown => now(path),
        Led::NotDecided => return Err(unreadable("this call was decided without it".into())),
    };
    if real != path {
        allowed(&real)?;
    }
    Ok(real)
}
