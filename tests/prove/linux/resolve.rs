//! Paths with their links resolved as the traced process would. What no command can change is resolved once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Folders of the system, which belong to its owner.
const SYSTEM: [&str; 6] = ["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc"];

/// What was resolved.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// Commands may change what is in there.
    temporary: PathBuf,
    /// Commands may change nothing else in there: they are stopped before.
    root: PathBuf,
    folders: RefCell<BTreeMap<PathBuf, PathBuf>>,
    read_by_all: RefCell<BTreeSet<PathBuf>>,
}

impl Resolved {
    pub(crate) fn new(root: &Path, temporary: &Path) -> Self {
        Self {
            temporary: temporary.into(),
            root: root.into(),
            folders: RefCell::default(),
            read_by_all: RefCell::default(),
        }
    }

    /// Whether every program may read what is spelled so: libraries and locales, which are nearly all that is opened.
    pub(crate) fn is_read_by_all(&self, path: &Path) -> bool {
        self.read_by_all.borrow().contains(path)
    }

    /// Keeps that every program may read it.
    pub(crate) fn read_by_all(&self, path: &Path) {
        if is_below_one(path, &SYSTEM) {
            self.read_by_all.borrow_mut().insert(path.into());
        }
    }

    /// What does not exist is appended as it is spelled.
    pub(crate) fn real(&self, path: &Path) -> PathBuf {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return resolved(path) };
        if !self.is_fixed(folder) {
            return resolved(path);
        }
        // Put together again, since `link/` spelled with a slash would be what the link leads to.
        let real = self.folder(folder).join(name);
        if real.is_symlink() { resolved(&real) } else { real }
    }

    fn folder(&self, folder: &Path) -> PathBuf {
        if let Some(real) = self.folders.borrow().get(folder) {
            return real.clone();
        }
        let real = resolved(folder);
        // A link to where commands may change something.
        if !real.starts_with(&self.temporary) {
            self.folders.borrow_mut().insert(folder.into(), real.clone());
        }
        real
    }

    /// Whether no command can make it another folder.
    fn is_fixed(&self, folder: &Path) -> bool {
        let is_own =
            folder.starts_with(&self.root) && !folder.starts_with(&self.temporary) && is_plain(folder);
        is_own || is_below_one(folder, &SYSTEM)
    }
}

fn is_below_one(path: &Path, folders: &[&str]) -> bool {
    folders.iter().any(|folder| path.starts_with(folder)) && is_plain(path)
}

fn is_plain(path: &Path) -> bool {
    path.components().all(|component| component != Component::ParentDir)
}

fn resolved(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => resolved(folder).join(name),
        _ => path.into(),
    }
}
