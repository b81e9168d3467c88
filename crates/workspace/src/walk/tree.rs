//! One folder after the other: entered, listed, and its entries kept or left out. Shared by the walk of many threads and the
//! walk in order.

use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::folder::{Buffer, Folder, Kind, PathIn, below};
use super::rules::{Link, Signs};
use super::{LeftOut, Opened, Rules, Walk, Walked};
use crate::hard_links::existing;
use crate::held::{Identity, identity};

/// Entries that rules leave out are kept for a count up to here.
const MOST_LEFT_OUT: usize = 10_000;

/// Entries that most folders have no more of.
const USUAL_ENTRIES: usize = 32;

/// What all threads of a walk know.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub(super) walk: Walk<'a>,
    /// Files that rules deny by name: they may have others.
    pub(super) named: Arc<[Identity]>,
    unreadable: AtomicU64,
    cancelled: AtomicBool,
    left_out: Mutex<Vec<LeftOut>>,
}

/// A folder that is to be entered.
#[derive(Debug)]
pub(super) struct Next {
    path: PathBuf,
    real: Option<PathBuf>,
    rules: Arc<Link>,
}

/// A folder's entries, before any rule was asked about them: in a folder of many thousands that is done as they are met.
#[derive(Debug)]
pub(super) struct Listing {
    pub(super) place: Place,
    /// Files and folders, in no order.
    pub(super) entries: Vec<(OsString, Kind)>,
}

/// An open folder and the rules that hold in it.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) folder: Arc<Folder>,
    pub(super) rules: Arc<Link>,
}

impl Place {
    /// A folder in this one.
    pub(super) fn next(&self, name: &OsStr) -> Next {
        let real = self.folder.real().map(|real| real.join(name));
        Next { path: self.folder.path().join(name), real, rules: Arc::clone(&self.rules) }
    }

    pub(super) fn paths(&self) -> PathsIn {
        PathsIn { named: PathIn::new(self.folder.path()), real: self.folder.real().map(PathIn::new) }
    }
}

/// The paths of a folder's entries, one at a time, in both forms.
#[derive(Debug)]
pub(super) struct PathsIn {
    named: PathIn,
    real: Option<PathIn>,
}

impl PathsIn {
    pub(super) fn of(&mut self, name: &OsStr) -> Paths<'_> {
        Paths { named: self.named.of(name), real: self.real.as_mut().map(|real| real.of(name)) }
    }
}

/// A path as it is shown, and where a link leads to the root also as it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paths<'p> {
    pub(super) named: &'p Path,
    real: Option<&'p Path>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(walk: Walk<'a>) -> Self {
        Self {
            walk,
            named: existing(walk.policy.named()).map(|(_, identity)| identity).collect(),
            unreadable: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
            left_out: Mutex::default(),
        }
    }

    pub(super) fn root(&self) -> Next {
        let rules = match self.walk.rules {
            Rules::Obeyed => Link::above(self.walk.root.real()),
            Rules::Off => Link::none(),
        };
        let root = self.walk.root;
        Next { path: root.path().to_owned(), real: root.is_linked().then(|| root.real().to_owned()), rules }
    }

    /// Whether the walk was cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        let cancelled = self.walk.bounds.cancel.is_cancelled();
        if cancelled {
            self.cancelled.store(true, Relaxed);
        }
        cancelled
    }

    /// Lists a folder. None where it cannot be read, or the walk was cancelled meanwhile.
    pub(super) fn enter(&self, next: Next, buffer: &mut Buffer) -> Option<Listing> {
        if self.is_cancelled() {
            return None;
        }
        let relative = below(&next.path, self.walk.root.path());
        let here = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
        let Ok(handle) = self.walk.root.handle().below(here) else {
            self.unreadable.fetch_add(1, Relaxed);
            return None;
        };
        let mut folder = Folder::new(next.path, next.real, handle);
        let (mut signs, mut cancelled) = (Signs::default(), false);
        let mut entries = Vec::with_capacity(USUAL_ENTRIES);
        let unreadable = folder.entries(buffer, |name, kind| {
            signs.see(name.as_encoded_bytes());
            if kind != Kind::Other && name != ".git" {
                entries.push((name.to_owned(), kind));
            }
            cancelled = self.is_cancelled();
            if cancelled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.unreadable.fetch_add(unreadable, Relaxed);
        if cancelled {
            return None;
        }
        let rules = match self.walk.rules {
            Rules::Obeyed => {
                let real = folder.real().unwrap_or(folder.path());
                Link::below(&next.rules, folder.handle(), real, signs)
            }
            Rules::Off => next.rules,
        };
        Some(Listing { place: Place { folder: Arc::new(folder), rules }, entries })
    }

    /// Whether no ignore rule leaves an entry out, and no rule denies a folder.
    pub(super) fn keeps(&self, paths: Paths<'_>, is_folder: bool, rules: &Link) -> bool {
        let Paths { named, real } = paths;
        if !rules.is_empty() && rules.leaves_out(real.unwrap_or(named), is_folder) {
            let mut left_out = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
            if left_out.len() < MOST_LEFT_OUT {
                left_out.push(LeftOut { path: named.to_owned(), is_folder });
            }
            return false;
        }
        // Files are asked for when they are wanted.
        !is_folder || !self.denies(paths)
    }

    /// Whether a rule denies it in one of its forms.
    fn denies(&self, paths: Paths<'_>) -> bool {
        let denies = |path: &Path| self.walk.policy.denies_read(path).is_some();
        denies(paths.named) || paths.real.is_some_and(denies)
    }

    /// Whether a rule denies a file, by this name or another.
    pub(super) fn denies_file(&self, paths: Paths<'_>, folder: &Folder, name: &OsStr) -> bool {
        self.denies(paths) || (!self.named.is_empty() && folder.is_one_of(name, &self.named))
    }

    pub(super) fn open(&self, folder: &Folder, name: &OsStr) -> io::Result<Opened> {
        open(folder, name, &self.named)
    }

    /// How it ended.
    pub(super) fn end(self, seen: u64) -> Walked {
        Walked {
            seen,
            unreadable: self.unreadable.into_inner(),
            cancelled: self.cancelled.into_inner(),
            left_out: self.left_out.into_inner().unwrap_or_else(PoisonError::into_inner),
        }
    }
}

/// Opens a file, if it is none of those that are denied by another name.
pub(super) fn open(folder: &Folder, name: &OsStr, named: &[Identity]) -> io::Result<Opened> {
    let opened = folder.open_file(name)?;
    if !named.is_empty() && identity(&opened.file).is_none_or(|own| named.contains(&own)) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Ok(opened)
}
