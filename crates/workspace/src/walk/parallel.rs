//! A walk by as many threads as there are cores, in no order.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::SystemTime;

use super::crew::Crew;
use super::folder::{Folder, Kind, Opened};
use super::tree::{Next, Tree};
use super::{Flow, Walk, WalkError, Walked, check_root, threads};

/// Files of one folder a thread shows before others may take their part: a folder of ten thousand files keeps all busy.
const FILES_AT_ONCE: usize = 64;

/// A regular file met on a walk.
#[derive(Debug)]
pub struct File<'a> {
    folder: &'a Folder,
    name: &'a OsStr,
    path: &'a Path,
    walk: &'a Walk<'a>,
}

impl File<'_> {
    /// Its absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.path
    }

    /// Its path relative to the root.
    #[must_use]
    pub fn relative(&self) -> &Path {
        self.path.strip_prefix(self.walk.root).unwrap_or(self.path)
    }

    /// Whether no rule denies it. Asked by [`files`](super::files); a caller of [`each_file`] asks it of what it would open, so that rules
    /// are not matched against files nobody wants.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.walk.policy.denies_read(self.path).is_none()
    }

    /// When it was last changed, where the system says so.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        self.folder.modified(self.name)
    }

    /// Opens it.
    ///
    /// # Errors
    /// When the system does not let us.
    pub fn open(&self) -> io::Result<Opened> {
        self.folder.open_file(self.name)
    }
}

/// What is done with each file: one a thread, so it may own buffers.
pub type Visit<'a> = Box<dyn FnMut(&File<'_>) -> Flow + Send + 'a>;

/// A piece of a walk.
enum Piece {
    Folder(Next),
    Files(Arc<Folder>, Vec<OsString>),
}

/// Shows every regular file to a visitor of its thread, in no order.
///
/// # Errors
/// When the root is missing, no folder, denied or unreadable.
pub fn each_file<'a>(walk: &Walk<'a>, visitor: impl Fn() -> Visit<'a> + Sync) -> Result<Walked, WalkError> {
    check_root(walk)?;
    let tree = Tree::new(*walk);
    let crew = Crew::new(Piece::Folder(tree.root()));
    let seen = AtomicU64::new(0);
    let member = || {
        let (mut visit, mut own) = (visitor(), 0);
        crew.work(|piece| match piece {
            Piece::Folder(next) => {
                let Some(listing) = (!tree.is_cancelled()).then(|| tree.enter(next)).flatten() else {
                    return;
                };
                let folders = listing.entries.iter().filter(|(_, kind)| *kind == Kind::Folder);
                let folders = folders.map(|(name, _)| Piece::Folder(listing.next(name))).collect::<Vec<_>>();
                let folder = &listing.folder;
                let files = listing.entries.into_iter().filter(|(_, kind)| *kind == Kind::File);
                let mut files: Vec<OsString> = files.map(|(name, _)| name).collect();
                let mut others = Vec::new();
                while files.len() > FILES_AT_ONCE {
                    let rest = files.split_off(files.len() - FILES_AT_ONCE);
                    others.push(Piece::Files(Arc::clone(folder), rest));
                }
                crew.add(folders.into_iter().chain(others));
                own += show(&files, folder, &tree, &crew, &mut visit);
            }
            Piece::Files(folder, files) => own += show(&files, &folder, &tree, &crew, &mut visit),
        });
        seen.fetch_add(own, Relaxed);
    };
    std::thread::scope(|scope| {
        for _ in 1..threads() {
            scope.spawn(member);
        }
        member();
    });
    Ok(tree.end(seen.into_inner()))
}

/// Shows files of a folder; says how many.
fn show(
    names: &[OsString],
    folder: &Folder,
    tree: &Tree<'_>,
    crew: &Crew<Piece>,
    visit: &mut Visit<'_>,
) -> u64 {
    let (mut path, mut seen) = (folder.path().to_owned(), 0);
    for name in names {
        if crew.is_over() || tree.is_cancelled() {
            break;
        }
        seen += 1;
        path.push(name);
        let flow = visit(&File { folder, name, path: &path, walk: &tree.walk });
        path.pop();
        if flow == Flow::Stop {
            crew.end();
        }
    }
    seen
}
