//! One folder after the other: entered, listed, and its entries kept or left out. Shared by the walk of many threads and the
//! walk in order.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::folder::{Buffer, Folder, Kind, below};
use super::rules::{Link, Signs};
use super::{LeftOut, Rules, Walk, Walked};

/// Entries that rules leave out are kept for a count up to here.
const MOST_LEFT_OUT: usize = 10_000;

/// Entries that most folders have no more of.
const USUAL_ENTRIES: usize = 32;

/// What all threads of a walk know.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub(super) walk: Walk<'a>,
    /// Where the root is, where its path has links: rules above it are those of the place.
    real: Option<PathBuf>,
    unreadable: AtomicU64,
    cancelled: AtomicBool,
    left_out: Mutex<Vec<LeftOut>>,
}

/// A folder that is to be entered.
#[derive(Debug)]
pub(super) struct Next {
    pub(super) path: PathBuf,
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
        Next { path: self.folder.path().join(name), rules: Arc::clone(&self.rules) }
    }
}

impl<'a> Tree<'a> {
    pub(super) fn new(walk: Walk<'a>) -> Self {
        let real = walk.root.canonicalize().ok().filter(|real| real != walk.root);
        Self {
            walk,
            real,
            unreadable: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
            left_out: Mutex::default(),
        }
    }

    pub(super) fn root(&self) -> Next {
        let rules = match self.walk.rules {
            Rules::Obeyed => Link::above(self.real.as_deref().unwrap_or(self.walk.root)),
            Rules::Off => Link::none(),
        };
        Next { path: self.walk.root.to_owned(), rules }
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
        let Ok(mut folder) = Folder::open(next.path) else {
            self.unreadable.fetch_add(1, Relaxed);
            return None;
        };
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
            Rules::Obeyed => Link::below(&next.rules, &self.in_real(folder.path()), signs),
            Rules::Off => next.rules,
        };
        Some(Listing { place: Place { folder: Arc::new(folder), rules }, entries })
    }

    /// Whether an entry is walked.
    pub(super) fn keeps(&self, path: &Path, is_folder: bool, rules: &Link) -> bool {
        if !rules.is_empty() && rules.leaves_out(&self.in_real(path), is_folder) {
            let mut left_out = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
            if left_out.len() < MOST_LEFT_OUT {
                left_out.push(LeftOut { path: path.to_owned(), is_folder });
            }
            return false;
        }
        // Files are asked for when they are wanted.
        !is_folder || self.walk.policy.denies_read(path).is_none()
    }

    fn in_real<'p>(&self, path: &'p Path) -> Cow<'p, Path> {
        let Some(real) = &self.real else { return Cow::Borrowed(path) };
        match below(path, self.walk.root) {
            relative if relative.as_os_str().is_empty() => Cow::Owned(real.clone()),
            relative => Cow::Owned(real.join(relative)),
        }
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
