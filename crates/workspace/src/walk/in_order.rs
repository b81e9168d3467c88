//! A walk in the order of paths, one file at a time: whoever has enough stops asking, and what was not asked for was not
//! looked at.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::folder::{Folder, Kind, Opened};
use super::tree::{Listing, Tree};
use super::{Walk, WalkError, Walked, check_root};

/// A walk in the order of paths, byte by byte.
#[derive(Debug)]
pub struct InOrder<'a> {
    tree: Tree<'a>,
    /// The folders above where the walk is; of each, the entries that are left.
    open: Vec<Listing>,
    seen: u64,
}

/// A file met on a walk in order.
#[derive(Debug)]
pub struct Met {
    folder: Arc<Folder>,
    name: OsString,
}

/// Walks in the order of paths.
///
/// # Errors
/// When the root is missing, no folder, denied or unreadable.
pub fn in_order<'a>(walk: &Walk<'a>) -> Result<InOrder<'a>, WalkError> {
    check_root(walk)?;
    let tree = Tree::new(*walk);
    let open = tree.enter(tree.root()).map(sorted).into_iter().collect();
    Ok(InOrder { tree, open, seen: 0 })
}

impl InOrder<'_> {
    /// The next file that `keep` (given the path relative to the root) wants and no rule denies.
    pub fn next(&mut self, keep: impl Fn(&Path) -> bool) -> Option<Met> {
        while let Some(listing) = self.open.last_mut() {
            if self.tree.is_cancelled() {
                return None;
            }
            let Some((name, kind)) = listing.entries.pop_front() else {
                self.open.pop();
                continue;
            };
            if kind == Kind::Folder {
                let next = listing.next(&name);
                self.open.extend(self.tree.enter(next).map(sorted));
                continue;
            }
            self.seen += 1;
            let met = Met { folder: Arc::clone(&listing.folder), name };
            let path = met.path();
            let relative = path.strip_prefix(self.tree.walk.root).unwrap_or(&path);
            if keep(relative) && self.tree.walk.policy.denies_read(&path).is_none() {
                return Some(met);
            }
        }
        None
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
        self.folder.open_file(&self.name)
    }
}

/// In the order that whole paths have: a folder stands where its name with a `/` behind it would.
fn sorted(mut listing: Listing) -> Listing {
    listing.entries.make_contiguous().sort_unstable_by(|one, other| bytes(one).cmp(bytes(other)));
    listing
}

fn bytes((name, kind): &(OsString, Kind)) -> impl Iterator<Item = &u8> {
    let slash: &[u8] = if *kind == Kind::Folder { b"/" } else { b"" };
    name.as_encoded_bytes().iter().chain(slash)
}
