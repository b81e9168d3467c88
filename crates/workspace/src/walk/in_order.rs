//! A walk in the order of paths, one file at a time: whoever has enough stops asking, and what was not asked for was not
//! looked at.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::folder::{Buffer, Folder, Kind, Opened, below};
use super::tree::{Listing, Next, PathsIn, Place, Tree, open};
use super::{Walk, Walked};
use crate::held::Identity;

/// A walk in the order of paths, byte by byte.
#[derive(Debug)]
pub struct InOrder<'a> {
    tree: Tree<'a>,
    /// The folders above where the walk is; of each, the entries that are left.
    open: Vec<Open>,
    buffer: Buffer,
    seen: u64,
}

/// A folder in which the walk is.
#[derive(Debug)]
struct Open {
    place: Place,
    paths: PathsIn,
    /// A heap, not a sorted list: sorting a folder of many thousands would hold a cancelled search up.
    left: BinaryHeap<Reverse<Entry>>,
}

/// An entry; these stand in the order that whole paths have: a folder where its name with a `/` behind it would.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    name: OsString,
    kind: Kind,
}

/// A file met on a walk in order.
#[derive(Debug)]
pub struct Met {
    folder: Arc<Folder>,
    name: OsString,
    named: Arc<[Identity]>,
}

/// Walks in the order of paths.
#[must_use]
pub fn in_order<'a>(walk: &Walk<'a>) -> InOrder<'a> {
    let mut walk = InOrder { tree: Tree::new(*walk), open: Vec::new(), buffer: Buffer::default(), seen: 0 };
    let root = walk.tree.root();
    walk.enter(root);
    walk
}

impl InOrder<'_> {
    /// The next file that `keep` (given the path relative to the root) wants and no rule denies.
    pub fn next(&mut self, keep: impl Fn(&Path) -> bool) -> Option<Met> {
        while let Some(Open { place, paths, left }) = self.open.last_mut() {
            if self.tree.is_cancelled() {
                return None;
            }
            let Some(Reverse(Entry { name, kind })) = left.pop() else {
                self.open.pop();
                continue;
            };
            let paths = paths.of(&name);
            if kind == Kind::Folder {
                if self.tree.keeps(paths, true, &place.rules) {
                    let next = place.next(&name);
                    self.enter(next);
                }
                continue;
            }
            self.seen += 1;
            self.tree.walk.bounds.seen.fetch_add(1, Relaxed);
            let relative = below(paths.named, self.tree.walk.root.path());
            if keep(relative)
                && self.tree.keeps(paths, false, &place.rules)
                && !self.tree.denies_file(paths, &place.folder, &name)
            {
                let named = Arc::clone(&self.tree.named);
                return Some(Met { folder: Arc::clone(&place.folder), name, named });
            }
        }
        None
    }

    fn enter(&mut self, next: Next) {
        let Some(Listing { place, entries }) = self.tree.enter(next, &mut self.buffer) else { return };
        let left = entries.into_iter().map(|(name, kind)| Reverse(Entry { name, kind })).collect();
        self.open.push(Open { paths: place.paths(), place, left });
    }

    /// How it ended, or how far it is.
    #[must_use]
    pub fn end(self) -> Walked {
        self.tree.end(self.seen)
    }
}

impl Met {
    /// Its absolute path.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// Opens it.
    ///
    /// # Errors
    /// When the system does not let us.
    pub fn open(&self) -> io::Result<Opened> {
        open(&self.folder, &self.name, &self.named)
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let (one, two) = (self.name.as_encoded_bytes(), other.name.as_encoded_bytes());
        let common = one.len().min(two.len());
        // At once what both names have, which is quicker than byte by byte.
        let begun = one.get(..common).cmp(&two.get(..common));
        begun.then_with(|| self.rest(common).cmp(other.rest(common)))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Entry {
    /// What stands behind the first bytes of its name.
    fn rest(&self, from: usize) -> impl Iterator<Item = &u8> {
        let slash: &[u8] = if self.kind == Kind::Folder { b"/" } else { b"" };
        self.name.as_encoded_bytes().iter().skip(from).chain(slash)
    }
}
