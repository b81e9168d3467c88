//! A walk by as many threads as there are cores, in no order.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::SystemTime;

use super::crew::{Crew, together};
use super::folder::{Buffer, Kind, Opened, below};
use super::tree::{Listing, Next, Paths, Place, Tree};
use super::{Flow, Walk, Walked};

/// Files of one folder a thread shows before others may take their part: a folder of ten thousand files keeps all busy.
const FILES_AT_ONCE: usize = 64;

/// A regular file met on a walk.
#[derive(Debug)]
pub struct File<'a> {
    place: &'a Place,
    name: &'a OsStr,
    paths: Paths<'a>,
    tree: &'a Tree<'a>,
}

impl File<'_> {
    /// Its absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.paths.named
    }

    /// Its path relative to the root.
    #[must_use]
    pub fn relative(&self) -> &Path {
        below(self.paths.named, self.tree.walk.root.path())
    }

    /// Whether no rule leaves it out or denies it. Asked by [`files`](super::files); a caller of [`each_file`] asks it of what it
    /// would open, so that rules are not matched against files nobody wants.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.tree.keeps(self.paths, false, &self.place.rules)
            && !self.tree.denies_file(self.paths, &self.place.folder, self.name)
    }

    /// When it was last changed, where the system says so.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        self.place.folder.modified(self.name)
    }

    /// Opens it.
    ///
    /// # Errors
    /// When the system does not let us.
    pub fn open(&self) -> io::Result<Opened> {
        self.tree.open(&self.place.folder, self.name)
    }
}

/// What is done with each file: one a thread, so it may own buffers.
pub type Visit<'a> = Box<dyn FnMut(&File<'_>) -> Flow + Send + 'a>;

/// A piece of a walk.
enum Piece {
    Folder(Next),
    Files(Place, Vec<OsString>),
}

/// Shows every regular file to a visitor of its thread, in no order; also those that rules leave out, in folders that they do
/// not: the visitor asks.
pub fn each_file<'a>(walk: &Walk<'a>, visitor: impl Fn() -> Visit<'a> + Sync) -> Walked {
    let tree = Tree::new(*walk);
    let crew = Crew::new(Piece::Folder(tree.root()));
    let seen = AtomicU64::new(0);
    let member = || {
        let (mut visit, mut buffer) = (visitor(), Buffer::default());
        crew.work(|piece| {
            let shown = match piece {
                Piece::Folder(next) => {
                    tree.enter(next, &mut buffer).map(|listing| share(listing, &tree, &crew))
                }
                Piece::Files(place, files) => Some((place, files)),
            };
            if let Some((place, files)) = shown {
                let shown = show(&files, &place, &tree, &crew, &mut visit);
                seen.fetch_add(shown, Relaxed);
                walk.bounds.seen.fetch_add(shown, Relaxed);
            }
        });
    };
    together(walk.bounds, member);
    tree.end(seen.into_inner())
}

/// Gives the folders in a folder, and all but some of its files, to whoever is free; keeps the rest.
fn share(listing: Listing, tree: &Tree<'_>, crew: &Crew<Piece>) -> (Place, Vec<OsString>) {
    let Listing { place, entries } = listing;
    let mut pieces = Vec::new();
    let mut files = Vec::with_capacity(entries.len().min(FILES_AT_ONCE));
    let mut paths = place.paths();
    for (name, kind) in entries {
        if kind == Kind::File {
            files.push(name);
            if files.len() == FILES_AT_ONCE {
                pieces.push(Piece::Files(place.clone(), std::mem::take(&mut files)));
            }
        } else if !tree.is_cancelled() && tree.keeps(paths.of(&name), true, &place.rules) {
            pieces.push(Piece::Folder(place.next(&name)));
        }
    }
    crew.add(pieces);
    (place, files)
}

/// Shows files of a folder; says how many.
fn show(
    names: &[OsString],
    place: &Place,
    tree: &Tree<'_>,
    crew: &Crew<Piece>,
    visit: &mut Visit<'_>,
) -> u64 {
    let (mut paths, mut seen) = (place.paths(), 0);
    for name in names {
        if crew.is_over() || tree.is_cancelled() {
            break;
        }
        seen += 1;
        if visit(&File { place, name, paths: paths.of(name), tree }) == Flow::Stop {
            crew.end();
        }
    }
    seen
}
