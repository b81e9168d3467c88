//! Files gathered from a walk: the first of them in some order, and how many rules hid. Holds no more than is asked for.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::folder::below;
use super::{File, Files, Flow, LeftOut, Order, Root, Rules, Walk, Walked, by_bytes, each_file};

/// The first `most` of the regular files that `keep` (given the path relative to the root) wants, sorted, and how many there
/// are in all. Holds no more than that many.
#[must_use]
pub fn files(walk: &Walk<'_>, order: Order, most: usize, keep: impl Fn(&Path) -> bool + Sync) -> Files {
    let gathered = Mutex::new(First::new(most));
    let walked = each_file(walk, || {
        let mut own = Gathering { first: First::new(most), all: &gathered };
        let keep = &keep;
        Box::new(move |file: &File<'_>| {
            if keep(file.relative()) && file.is_allowed() {
                let modified = match order {
                    Order::Path => None,
                    Order::NewestFirst => file.modified(),
                };
                let (modified, path) = (Reverse(modified), file.path());
                let make = || Found { modified, path: path.to_owned() };
                own.first.add(|last| last.compare(modified, path), make);
            }
            Flow::Continue
        })
    });
    let gathered = gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
    let total = gathered.total();
    let paths = gathered.into_sorted().into_iter().map(|found| found.path).collect();
    Files { paths, total, walked }
}

/// How many files that `keep` wants ignore rules hid from a walk, counted up to `most`. For an empty answer: it walks what
/// was left out.
#[must_use]
pub fn hidden_by_rules(
    walk: &Walk<'_>,
    walked: &Walked,
    most: u64,
    keep: impl Fn(&Path) -> bool + Sync,
) -> u64 {
    let count = AtomicU64::new(0);
    for LeftOut { path, is_folder } in &walked.left_out {
        let relative = below(path, walk.root.path());
        if *is_folder {
            // One that is gone meanwhile, or denied, hides nothing.
            let Ok(root) = walk.root.below(relative) else { continue };
            if is_denied(walk, &root, Path::new("")) {
                continue;
            }
            let folder = Walk { root: &root, rules: Rules::Off, ..*walk };
            each_file(&folder, || {
                let (keep, count) = (&keep, &count);
                Box::new(move |file: &File<'_>| {
                    let wanted = keep(below(file.path(), walk.root.path())) && file.is_allowed();
                    let full = wanted && count.fetch_add(1, Relaxed) + 1 >= most;
                    if full { Flow::Stop } else { Flow::Continue }
                })
            });
        } else if keep(relative) && !is_denied(walk, walk.root, relative) {
            count.fetch_add(1, Relaxed);
        }
        if count.load(Relaxed) >= most || walk.bounds.cancel.is_cancelled() {
            break;
        }
    }
    count.into_inner().min(most)
}

/// Whether a rule denies what lies there, in one of its forms.
fn is_denied(walk: &Walk<'_>, root: &Root, relative: &Path) -> bool {
    let denies = |path: &Path| walk.policy.denies_read(path).is_some();
    if relative.as_os_str().is_empty() {
        return denies(root.path()) || (root.is_linked() && denies(root.real()));
    }
    denies(&root.path().join(relative)) || (root.is_linked() && denies(&root.real().join(relative)))
}

/// A file and its age; the order of these is the order of answers.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    modified: Reverse<Option<SystemTime>>,
    path: PathBuf,
}

impl Found {
    fn compare(&self, modified: Reverse<Option<SystemTime>>, path: &Path) -> Ordering {
        self.modified.cmp(&modified).then_with(|| by_bytes(&self.path, path))
    }
}

impl Ord for Found {
    fn cmp(&self, other: &Self) -> Ordering {
        self.compare(other.modified, &other.path)
    }
}

impl PartialOrd for Found {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The first of many in their order, and how many there are in all: holds no more than are wanted.
#[derive(Debug)]
pub struct First<T> {
    most: usize,
    total: u64,
    heap: BinaryHeap<T>,
}

impl<T: Ord> First<T> {
    /// Will hold so many at most.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { most, total: 0, heap: BinaryHeap::new() }
    }

    /// Counts one more, and keeps it if it is among the first. `last` says how the last one kept compares with it; it is made only
    /// to be kept.
    pub fn add(&mut self, last: impl FnOnce(&T) -> Ordering, make: impl FnOnce() -> T) {
        self.total += 1;
        self.keep(last, make);
    }

    fn keep(&mut self, last: impl FnOnce(&T) -> Ordering, make: impl FnOnce() -> T) {
        let full = self.heap.len() >= self.most;
        if full && self.heap.peek().is_none_or(|kept| last(kept).is_lt()) {
            return;
        }
        if full {
            self.heap.pop();
        }
        self.heap.push(make());
    }

    /// Takes what another has.
    pub fn join(&mut self, other: Self) {
        self.total += other.total;
        for item in other.heap {
            // Looked at before it is moved.
            let last = self.heap.peek().map(|kept| kept.cmp(&item));
            self.keep(|_| last.unwrap_or(Ordering::Equal), || item);
        }
    }

    /// How many there are in all.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Those that were kept, in order.
    #[must_use]
    pub fn into_sorted(self) -> Vec<T> {
        self.heap.into_sorted_vec()
    }
}

/// A thread's finds, handed over once, when its visitor is dropped.
struct Gathering<'a> {
    first: First<Found>,
    all: &'a Mutex<First<Found>>,
}

impl Drop for Gathering<'_> {
    fn drop(&mut self) {
        let own = std::mem::replace(&mut self.first, First::new(0));
        self.all.lock().unwrap_or_else(PoisonError::into_inner).join(own);
    }
}
