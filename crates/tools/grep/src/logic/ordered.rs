//! Files walked in order and searched beside each other: the search ends once files have given enough, and gives the same hits
//! however many threads there are. What comes after is not even listed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use toolwright_workspace::walk::{InOrder, Met, Walk, Walked, in_order, together};

use super::rows;
use super::tally::Tally;
use super::worker::{Plan, Worker};
use crate::FileHits;

/// Files a thread takes at once: few, so that little is searched in vain, and enough to keep the lock quiet.
const BLOCK: usize = 8;

/// What was found.
#[derive(Debug)]
pub(super) struct Found {
    /// In the order of the files.
    pub(super) hits: Vec<FileHits>,
    pub(super) tally: Tally,
    /// Every file was looked through to its end.
    pub(super) complete: bool,
    /// How the walk ended.
    pub(super) walked: Walked,
}

struct State<'a> {
    files: InOrder<'a>,
    next: usize,
    /// By the number of their block.
    hits: BTreeMap<usize, Vec<FileHits>>,
    tally: Tally,
    enough: bool,
}

/// Looks through the files that `keep` wants until `plan.most_lines` rows are found. No more than that is held, and as much by
/// each thread.
pub(super) fn search(walk: &Walk<'_>, plan: &Plan, keep: impl Fn(&Path) -> bool + Sync) -> Found {
    let files = in_order(walk);
    let state = State { files, next: 0, hits: BTreeMap::new(), tally: Tally::default(), enough: false };
    let state = Mutex::new(state);
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        let mut worker = Worker::new(plan, &walk.bounds.cancel);
        let mut tally = Tally::default();
        loop {
            // A statement of its own, so that the lock is not held over the look.
            let taken = lock().take(&keep);
            let Some((block, files)) = taken else { break };
            let hits = look(&files, &mut worker, &mut tally, plan);
            if !hits.is_empty() {
                lock().give(block, hits, plan);
            }
        }
        lock().tally.join(tally);
    };
    together(walk.bounds, work);
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    Found {
        hits: state.hits.into_values().flatten().collect(),
        tally: state.tally,
        complete: !state.enough && !walk.bounds.cancel.is_cancelled(),
        walked: state.files.end(),
    }
}

/// Looks through a block of files, or as many of its first as give enough.
fn look(files: &[Met], worker: &mut Worker<'_>, tally: &mut Tally, plan: &Plan) -> Vec<FileHits> {
    let (mut found, mut all) = (Vec::new(), 0);
    for file in files {
        let looked = file.open().and_then(|mut opened| worker.look(&mut opened));
        let Some((mut hits, cut)) = tally.count(looked, || file.path()) else { continue };
        hits.path = file.path();
        all += rows(&hits, plan.mode);
        found.push(hits);
        if cut || all >= plan.most_lines {
            break;
        }
    }
    found
}

impl State<'_> {
    fn take(&mut self, keep: impl Fn(&Path) -> bool) -> Option<(usize, Vec<Met>)> {
        if self.enough {
            return None;
        }
        let files: Vec<Met> = std::iter::from_fn(|| self.files.next(&keep)).take(BLOCK).collect();
        if files.is_empty() {
            return None;
        }
        let block = self.next;
        self.next += 1;
        Some((block, files))
    }

    fn give(&mut self, block: usize, hits: Vec<FileHits>, plan: &Plan) {
        self.hits.insert(block, hits);
        let mut all = 0;
        let full = self.hits.iter().find(|(_, hits)| {
            all += hits.iter().map(|hits| rows(hits, plan.mode)).sum::<u64>();
            all >= plan.most_lines
        });
        // Blocks are taken in order: no block that is still to come has one of the first rows, nor has one behind those that
        // have enough. One that is still being looked through may have.
        if let Some(last) = full.map(|(block, _)| *block) {
            self.enough = true;
            self.hits.split_off(&(last + 1));
        }
    }
}
