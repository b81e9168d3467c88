//! A path of a call and where it leads, found once: everything that is done with it is done there.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolwright_core::{DecidedPaths, Led};
use toolwright_services::{DeniedPaths, FilesError};

use crate::hard_links::denied_by_another_name;
use crate::held::{self, Access, Held, Kind};
use crate::links::{self, Leads};
use crate::near::{self, Manner};
use crate::network::machine;

/// What holds for all paths of a call.
#[derive(Clone, Default)]
pub(crate) struct Call {
    pub(crate) decided: DecidedPaths,
    pub(crate) denied: Option<Arc<dyn DeniedPaths>>,
}

/// A path, and where it leads.
#[derive(Clone)]
pub(crate) struct Target {
    /// As it was asked for.
    pub(crate) path: PathBuf,
    /// Without links.
    pub(crate) real: PathBuf,
    denied: Option<Arc<dyn DeniedPaths>>,
}

impl Target {
    /// Where `path` led when the call was decided, or leads now where nobody decided.
    pub(crate) fn of(path: &Path, call: &Call) -> Result<Self, FilesError> {
        let own = || path.to_owned();
        if path.as_os_str().as_encoded_bytes().contains(&0) {
            return Err(FilesError::BadPath { path: own(), reason: "it has a NUL character" });
        }
        let real = match call.decided.led(path) {
            Led::To(real) => real,
            Led::Unknown if is_own_handle(path) => PathBuf::new(),
            Led::Unknown => now(path),
            Led::NotDecided => {
                let source = io::Error::other("this call was decided without it");
                return Err(FilesError::Io { path: own(), doing: "opened", source });
            }
        };
        if is_own_handle(path) || is_own_handle(&real) {
            return Err(FilesError::Special { path: own(), what: "a device or an open handle" });
        }
        Ok(Self { path: own(), real, denied: call.denied.clone() })
    }

    /// A path that has no links.
    pub(crate) fn at(real: &Path) -> Self {
        Self { path: real.to_owned(), real: real.to_owned(), denied: None }
    }

    /// The name in its folder, held open.
    pub(crate) fn held(&self) -> io::Result<Held> {
        Held::of(&self.real)
    }

    /// A regular file open for reading, and what is known of it. `access`: what is done with it in the end.
    pub(crate) fn open(&self, access: Access) -> Result<(File, Metadata), FilesError> {
        let failed = |error| self.failed("read", error);
        let held = self.held().map_err(failed)?;
        self.is_regular(held.kind().map_err(failed)?)?;
        let file = held.open(Access::Read).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(FilesError::LeadsElsewhere { path: self.path.clone() });
        }
        self.is_no_other_name(&file, &metadata, access)?;
        Ok((file, metadata))
    }

    /// Whether there is a file; an error if there is something else.
    pub(crate) fn is_there(&self) -> Result<bool, FilesError> {
        match self.held().and_then(|held| held.kind()) {
            Ok(kind) => self.is_regular(kind).map(|()| true),
            Err(error) if is_missing(&error) => Ok(false),
            Err(error) => Err(self.failed("read", error)),
        }
    }

    /// A file that a rule denies by name is as denied by another of its names.
    fn is_no_other_name(&self, file: &File, metadata: &Metadata, access: Access) -> Result<(), FilesError> {
        let Some(denied) = self.denied.as_deref().filter(|_| held::may_have_other_names(metadata)) else {
            return Ok(());
        };
        match denied_by_another_name(file, access, denied) {
            Some(rule) => Err(FilesError::Denied { path: self.path.clone(), rule }),
            None => Ok(()),
        }
    }

    fn is_regular(&self, kind: Kind) -> Result<(), FilesError> {
        let special = |what| Err(FilesError::Special { path: self.path.clone(), what });
        match kind {
            Kind::File => Ok(()),
            Kind::Folder => Err(FilesError::Folder { path: self.path.clone() }),
            Kind::Link => Err(self.failed("read", held::link_in_the_way())),
            Kind::Pipe => special("a named pipe"),
            Kind::Socket => special("a socket"),
            Kind::Device => special("a device"),
        }
    }

    /// What went wrong, as one of the kinds a caller can tell apart.
    pub(crate) fn failed(&self, doing: &'static str, error: io::Error) -> FilesError {
        let path = self.path.clone();
        if is_missing(&error) {
            return self.not_found();
        }
        if held::leads_elsewhere(&error) {
            // Links that lead in a circle lead nowhere, then as now.
            return match links::follow(&self.real, links::target, machine) {
                Leads::Round(_) => FilesError::Io { path, doing, source: error },
                Leads::To(_) | Leads::Far { .. } => FilesError::LeadsElsewhere { path },
            };
        }
        match error.kind() {
            io::ErrorKind::PermissionDenied => FilesError::PermissionDenied { path, doing },
            io::ErrorKind::IsADirectory => FilesError::Folder { path },
            _ => FilesError::Io { path, doing, source: error },
        }
    }

    /// The error for a file that is not there, with what the person may have meant.
    pub(crate) fn not_found(&self) -> FilesError {
        let near = near::of(&self.path, &self.real, self.denied.as_deref(), Manner::Files);
        FilesError::NotFound {
            path: self.path.clone(),
            near: near.names,
            nearest_folder: near.nearest_folder,
        }
    }
}

/// Where a path leads now.
pub(crate) fn now(path: &Path) -> PathBuf {
    match links::follow(path, links::target, |_| None) {
        Leads::To(real) | Leads::Round(real) | Leads::Far { at: real, .. } => real,
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Devices and handles of this process: by name, because a handle may be a regular file that the host itself reads.
fn is_own_handle(path: &Path) -> bool {
    let mut names = path.components().skip(1).map(|component| component.as_os_str().as_encoded_bytes());
    match names.next() {
        Some(b"dev") => names.next() != Some(b"shm"),
        Some(b"proc") => names.any(|name| name == b"fd"),
        _ => false,
    }
}
