//! Files gathered from a walk: the first of them in some order, and how many rules hid. Holds no more than is asked for.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::{File, Files, Flow, LeftOut, Order, Rules, Walk, WalkError, Walked, by_bytes, each_file};

/// The first `most` of the regular files that `keep` (given the path relative to the root) wants, sorted, and how many there
/// are in all. Holds no more than that many.
///
/// # Errors
/// When the root is missing, no folder, denied or unreadable.
pub fn files(
    walk: &Walk<'_>,
    order: Order,
    most: usize,
    keep: impl Fn(&Path) -> bool + Sync,
) -> Result<Files, WalkError> {
    let gathered: Mutex<First> = Mutex::new(First::new(most));
    let walked = each_file(walk, || {
        let mut own = Gathering { first: First::new(most), all: &gathered };
        let keep = &keep;
        Box::new(move |file: &File<'_>| {
            if keep(file.relative()) && file.is_allowed() {
                let modified = match order {
                    Order::Path => None,
                    Order::NewestFirst => file.modified(),
                };
                own.first.add(Reverse(modified), file.path());
            }
            Flow::Continue
        })
    })?;
    let First { total, heap, .. } = gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
    let paths = heap.into_sorted_vec().into_iter().map(|found| found.path).collect();
    Ok(Files { paths, total, walked })
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
        let wanted = |path: &Path| {
            keep(path.strip_prefix(walk.root).unwrap_or(path)) && walk.policy.denies_read(path).is_none()
        };
        if *is_folder {
            let folder = Walk { root: path, rules: Rules::Off, ..*walk };
            // One that is denied, or gone meanwhile, hides nothing.
            let _ = each_file(&folder, || {
                let (wanted, count) = (&wanted, &count);
                Box::new(move |file: &File<'_>| {
                    let full = wanted(file.path()) && count.fetch_add(1, Relaxed) + 1 >= most;
                    if full { Flow::Stop } else { Flow::Continue }
                })
            });
        } else if wanted(path) {
            count.fetch_add(1, Relaxed);
        }
        if count.load(Relaxed) >= most || walk.cancel.is_cancelled() {
            break;
        }
    }
    count.into_inner().min(most)
}

/// A file and its age; the order of these is the order of answers.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    modified: Reverse<Option<SystemTime>>,
    path: PathBuf,
}

impl Ord for Found {
    fn cmp(&self, other: &Self) -> Ordering {
        self.modified.cmp(&other.modified).then_with(|| by_bytes(&self.path, &other.path))
    }
}

impl PartialOrd for Found {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The first of what was found, and the number of all.
#[derive(Debug)]
struct First {
    most: usize,
    total: u64,
    heap: BinaryHeap<Found>,
}

impl First {
    fn new(most: usize) -> Self {
        Self { most, total: 0, heap: BinaryHeap::new() }
    }

    fn add(&mut self, modified: Reverse<Option<SystemTime>>, path: &Path) {
        self.total += 1;
        let full = self.heap.len() >= self.most;
        let is_late =
            |last: &Found| last.modified.cmp(&modified).then_with(|| by_bytes(&last.path, path)).is_lt();
        if full && self.heap.peek().is_none_or(is_late) {
            return;
        }
        if full {
            self.heap.pop();
        }
        self.heap.push(Found { modified, path: path.to_owned() });
    }
}

/// A thread's finds, handed over once, when its visitor is dropped.
struct Gathering<'a> {
    first: First,
    all: &'a Mutex<First>,
}

impl Drop for Gathering<'_> {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let total = all.total + self.first.total;
        for Found { modified, path } in self.first.heap.drain() {
            all.add(modified, &path);
        }
        all.total = total;
    }
}
