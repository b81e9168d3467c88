//! Files: every one must be seen, so they are searched as the walk meets them. Held are the first that may be shown, no more.

use std::cmp::{Ordering, Reverse};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use toolwright_workspace::walk::{First, Flow, Walk, Walked, by_bytes, each_file};

use super::Query;
use super::tally::Tally;
use super::worker::Worker;
use crate::{FileHits, OutputMode};

/// What was found.
pub(super) struct Found {
    /// The first files with a hit, in the order in which they are shown.
    pub(super) hits: Vec<FileHits>,
    /// How many files have one.
    pub(super) total: u64,
    pub(super) tally: Tally,
    pub(super) walked: Walked,
}

/// Looks through every file; keeps the first `most` with a hit.
pub(super) fn search(query: &Query, walk: &Walk<'_>, most: usize) -> Found {
    let all = Mutex::new((First::new(most), Tally::default()));
    let plan = &query.plan;
    // The order costs a look at the age of each file with a hit, asked of the file while it is open.
    let by_age = plan.mode == OutputMode::FilesWithMatches;
    let walked = each_file(walk, || {
        let mut worker = Worker::new(plan, &walk.bounds.cancel);
        let mut own = Own { first: First::new(most), tally: Tally::default(), all: &all };
        Box::new(move |file| {
            if !query.filter.keeps(file.relative()) || !file.is_allowed() {
                return Flow::Continue;
            }
            let mut modified = None;
            let looked = file.open().and_then(|mut opened| {
                let looked = worker.look(&mut opened)?;
                modified = (by_age && looked.hits.is_some()).then(|| opened.modified()).flatten();
                Ok(looked)
            });
            if let Some((hits, _)) = own.tally.count(looked, || file.path().to_owned()) {
                let (modified, path) = (Reverse(modified), file.path());
                let make = || Hit { modified, hits: FileHits { path: path.to_owned(), ..hits } };
                own.first.add(|last| last.compare(modified, path), make);
            }
            Flow::Continue
        })
    });
    let (first, tally) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    let total = first.total();
    let hits = first.into_sorted().into_iter().map(|hit| hit.hits).collect();
    Found { hits, total, tally, walked }
}

/// A file with a hit; the order of these is that of the answer.
#[derive(Debug, PartialEq)]
struct Hit {
    modified: Reverse<Option<SystemTime>>,
    hits: FileHits,
}

impl Hit {
    fn compare(&self, modified: Reverse<Option<SystemTime>>, path: &Path) -> Ordering {
        self.modified.cmp(&modified).then_with(|| by_bytes(&self.hits.path, path))
    }
}

impl Eq for Hit {}

impl Ord for Hit {
    fn cmp(&self, other: &Self) -> Ordering {
        self.compare(other.modified, &other.hits.path)
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A thread's finds, handed over once, when its visitor is dropped.
struct Own<'a> {
    first: First<Hit>,
    tally: Tally,
    all: &'a Mutex<(First<Hit>, Tally)>,
}

impl Drop for Own<'_> {
    fn drop(&mut self) {
        let (first, tally) =
            (std::mem::replace(&mut self.first, First::new(0)), std::mem::take(&mut self.tally));
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.0.join(first);
        all.1.join(tally);
    }
}
