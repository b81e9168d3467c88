//! The one walker: parallel, obeys `.gitignore` and `.ignore`, sees hidden files, never enters `.git`, follows no links.
//! Knows no tool and no pattern language; what to keep is its caller's closure.
//!
//! The rules are those of the tree itself: `.gitignore` up to the repository's root, `.ignore` at any height, and
//! `.git/info/exclude`. A person's global ignore file is not read: a search gives the same answer on every machine.

mod nearest;
mod place;
#[cfg(test)]
mod tests;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use ignore::{DirEntry, WalkBuilder, WalkState};
use toolwright_core::{Cancel, ErrorKind, ToolError};
use toolwright_services::PathPolicy;

pub use nearest::nearest_names;
pub use place::{absolute, shown};

/// More threads than this only stand in each other's way.
const MOST_THREADS: usize = 12;

/// Where to walk, and what to leave out.
#[derive(Clone, Copy)]
pub struct Walk<'a> {
    /// An absolute folder. It may be a link, and may itself be ignored: it was named.
    pub root: &'a Path,
    /// What it denies is never seen, nor anything below it.
    pub policy: &'a dyn PathPolicy,
    /// Asked at every entry.
    pub cancel: &'a Cancel,
    /// Whether ignore rules hold.
    pub rules: Rules,
}

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Walk")
            .field("root", &self.root)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

/// Whether ignore rules hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// What `.gitignore` and `.ignore` name is left out.
    Obeyed,
    /// Everything is seen (`.git` and denied paths excepted).
    Off,
}

/// The order of found files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By path, byte by byte: the same on every run.
    Path,
    /// Last changed first; of one age, by path.
    NewestFirst,
}

/// Whether a walk goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End the whole walk.
    Stop,
}

/// How a walk ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Walked {
    /// Regular files seen, those the caller did not keep included.
    pub seen: u64,
    /// Entries that could not be read (no permission, gone meanwhile).
    pub unreadable: u64,
    /// It was cancelled before its end: something may be missing.
    pub cancelled: bool,
}

/// Found files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Files {
    /// Absolute paths, in the order asked for.
    pub paths: Vec<PathBuf>,
    /// How the walk ended.
    pub walked: Walked,
}

/// Why there was no walk.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WalkError {
    /// There is nothing of that name.
    #[error("{} does not exist{}", path.display(), nearest::did_you_mean(near))]
    Missing {
        /// What was asked for.
        path: PathBuf,
        /// Entries beside it with a similar name; absolute.
        near: Vec<PathBuf>,
    },
    /// It is a file or something else.
    #[error("{} is not a directory", path.display())]
    NotADirectory {
        /// What was asked for.
        path: PathBuf,
    },
    /// A rule hides it.
    #[error("{} must not be read: the rule `{rule}` denies it", path.display())]
    Denied {
        /// What was asked for.
        path: PathBuf,
        /// The rule.
        rule: String,
    },
    /// The system does not let us read it.
    #[error("{} cannot be read: {reason}", path.display())]
    Unreadable {
        /// What was asked for.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
}

impl From<WalkError> for ToolError {
    fn from(error: WalkError) -> Self {
        let kind = match &error {
            WalkError::Missing { .. } => ErrorKind::NotFound,
            WalkError::NotADirectory { .. } => ErrorKind::InvalidInput,
            WalkError::Denied { .. } => ErrorKind::Denied,
            WalkError::Unreadable { .. } => ErrorKind::Failed,
        };
        Self::new(kind, error.to_string())
    }
}

/// How many threads a walk or a search uses.
#[must_use]
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS)
}

/// All regular files that `keep` (given the path relative to the root) wants, sorted.
///
/// # Errors
/// When the root is missing, no folder, denied or unreadable.
pub fn files(walk: &Walk<'_>, order: Order, keep: impl Fn(&Path) -> bool + Sync) -> Result<Files, WalkError> {
    let found: Mutex<Vec<Found>> = Mutex::default();
    let walked = each_file(walk, || {
        let mut own = Gathered { files: Vec::new(), all: &found };
        let keep = &keep;
        Box::new(move |file: &File<'_>| {
            if keep(file.relative()) && file.is_allowed() {
                let modified = match order {
                    Order::Path => None,
                    Order::NewestFirst => file.modified(),
                };
                own.files.push((modified, file.path().to_owned()));
            }
            Flow::Continue
        })
    })?;
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by(|(one_age, one), (other_age, other)| {
        other_age.cmp(one_age).then_with(|| by_bytes(one, other))
    });
    Ok(Files { paths: found.into_iter().map(|(_, path)| path).collect(), walked })
}

/// How many files that `keep` wants ignore rules hide, counted up to `most`, where a walk that obeyed them saw `visible` such
/// files. Costs a walk of everything: for an empty answer.
///
/// # Errors
/// As [`files`].
pub fn hidden_by_rules(
    walk: &Walk<'_>,
    visible: u64,
    most: u64,
    keep: impl Fn(&Path) -> bool + Sync,
) -> Result<u64, WalkError> {
    let (count, most) = (AtomicU64::new(0), visible.saturating_add(most));
    each_file(&Walk { rules: Rules::Off, ..*walk }, || {
        let (keep, count) = (&keep, &count);
        Box::new(move |file: &File<'_>| {
            let wanted = keep(file.relative()) && file.is_allowed();
            if wanted && count.fetch_add(1, Relaxed) + 1 >= most { Flow::Stop } else { Flow::Continue }
        })
    })?;
    Ok(count.into_inner().min(most).saturating_sub(visible))
}

/// Paths compared byte by byte: quicker than by component, and as stable.
#[must_use]
pub fn by_bytes(one: &Path, other: &Path) -> std::cmp::Ordering {
    one.as_os_str().as_encoded_bytes().cmp(other.as_os_str().as_encoded_bytes())
}

/// A regular file met on a walk.
#[derive(Debug)]
pub struct File<'a> {
    entry: &'a DirEntry,
    walk: &'a Walk<'a>,
}

impl File<'_> {
    /// Its absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.entry.path()
    }

    /// Its path relative to the root.
    #[must_use]
    pub fn relative(&self) -> &Path {
        self.path().strip_prefix(self.walk.root).unwrap_or_else(|_| self.path())
    }

    /// Whether no rule hides it. Asked by [`files`]; a caller of [`each_file`] asks it of what it would open, so that rules
    /// are not matched against files nobody wants.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.walk.policy.denies_read(self.path()).is_none()
    }

    /// When it was last changed, where the system says so.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        self.entry.metadata().ok()?.modified().ok()
    }
}

/// What is done with each file: one a thread, so it may own buffers.
pub type Visit<'a> = Box<dyn FnMut(&File<'_>) -> Flow + Send + 'a>;

/// Shows every regular file to a visitor of its thread, in no order.
///
/// # Errors
/// When the root is missing, no folder, denied or unreadable.
pub fn each_file<'a>(walk: &Walk<'a>, visitor: impl Fn() -> Visit<'a>) -> Result<Walked, WalkError> {
    check_root(walk)?;
    let (seen, unreadable) = (AtomicU64::new(0), AtomicU64::new(0));
    let cancelled = AtomicBool::new(false);
    let obeyed = walk.rules == Rules::Obeyed;
    let mut builder = WalkBuilder::new(walk.root);
    builder
        .hidden(false)
        .parents(obeyed)
        .ignore(obeyed)
        .git_ignore(obeyed)
        .git_exclude(obeyed)
        .git_global(false)
        .follow_links(false)
        .current_dir(walk.root)
        .threads(threads());
    builder.build_parallel().run(|| {
        let mut visit = visitor();
        let (seen, unreadable, cancelled) = (&seen, &unreadable, &cancelled);
        Box::new(move |entry| {
            if walk.cancel.is_cancelled() {
                cancelled.store(true, Relaxed);
                return WalkState::Quit;
            }
            let Ok(entry) = entry else {
                unreadable.fetch_add(1, Relaxed);
                return WalkState::Continue;
            };
            if entry.depth() > 0 && entry.file_name() == ".git" {
                return WalkState::Skip;
            }
            match entry.file_type() {
                Some(kind) if kind.is_dir() && entry.depth() > 0 => {
                    let denied = walk.policy.denies_read(entry.path()).is_some();
                    if denied { WalkState::Skip } else { WalkState::Continue }
                }
                Some(kind) if kind.is_file() => {
                    seen.fetch_add(1, Relaxed);
                    match visit(&File { entry: &entry, walk }) {
                        Flow::Continue => WalkState::Continue,
                        Flow::Stop => WalkState::Quit,
                    }
                }
                _ => WalkState::Continue,
            }
        })
    });
    Ok(Walked {
        seen: seen.into_inner(),
        unreadable: unreadable.into_inner(),
        cancelled: cancelled.into_inner(),
    })
}

fn check_root(walk: &Walk<'_>) -> Result<(), WalkError> {
    let path = walk.root.to_owned();
    // Denied before missing: whether a hidden path exists is nobody's business.
    if let Some(rule) = walk.policy.denies_read(&path) {
        return Err(WalkError::Denied { path, rule });
    }
    match std::fs::metadata(&path) {
        Ok(metadata) if metadata.is_dir() => match std::fs::read_dir(&path) {
            Ok(_) => Ok(()),
            Err(error) => Err(WalkError::Unreadable { path, reason: error.to_string() }),
        },
        Ok(_) => Err(WalkError::NotADirectory { path }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let near = nearest_names(&path, walk.policy);
            Err(WalkError::Missing { path, near })
        }
        // A file where a folder should be on the way.
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            Err(WalkError::Missing { path, near: Vec::new() })
        }
        Err(error) => Err(WalkError::Unreadable { path, reason: error.to_string() }),
    }
}

type Found = (Option<SystemTime>, PathBuf);

/// A thread's finds, handed over once, when its visitor is dropped.
struct Gathered<'a> {
    files: Vec<Found>,
    all: &'a Mutex<Vec<Found>>,
}

impl Drop for Gathered<'_> {
    fn drop(&mut self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut self.files);
    }
}
