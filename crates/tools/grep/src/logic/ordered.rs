//! Files walked in order and searched beside each other: the search ends once the first files have given enough, and gives
//! the same hits however many threads there are. What comes after is not even listed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use toolwright_workspace::walk::{InOrder, Met, Walk, WalkError, Walked, in_order, threads};

use super::rows;
use super::worker::{Looked, Plan, Worker};
use crate::FileHits;

/// Files a thread takes at once: few, so that little is searched in vain, and enough to keep the lock quiet.
const BLOCK: usize = 8;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// In the order of the files.
    pub(super) hits: Vec<FileHits>,
    pub(super) searched: u64,
    pub(super) binary: u64,
    pub(super) unreadable: u64,
    /// Every file was looked through to its end.
    pub(super) complete: bool,
    /// How the walk ended.
    pub(super) walked: Walked,
}

struct State<'a> {
    files: InOrder<'a>,
    next: usize,
    running: BTreeSet<usize>,
    hits: BTreeMap<usize, Vec<FileHits>>,
    searched: u64,
    binary: u64,
    unreadable: u64,
    enough: bool,
    cut: bool,
}

/// Looks through the files that `keep` wants until `plan.most_lines` rows are found in the first of them.
pub(super) fn search(
    walk: &Walk<'_>,
    plan: &Plan,
    keep: impl Fn(&Path) -> bool + Sync,
) -> Result<Found, WalkError> {
    let state = Mutex::new(State::new(in_order(walk)?));
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        let mut worker = Worker::new(plan, walk.cancel);
        loop {
            // A statement of its own, so that the lock is not held over the look.
            let taken = lock().take(&keep);
            let Some((block, files)) = taken else { return };
            let look = |file: &Met| worker.look(file.open()?, || file.path());
            let looked = files.iter().map(look).collect();
            lock().give(block, looked, plan);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads() {
            scope.spawn(work);
        }
        work();
    });
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let walked = state.files.end();
    Ok(Found {
        hits: state.hits.into_values().flatten().collect(),
        searched: state.searched,
        binary: state.binary,
        unreadable: state.unreadable + walked.unreadable,
        complete: !state.enough && !state.cut && !walk.cancel.is_cancelled(),
        walked,
    })
}

impl<'a> State<'a> {
    fn new(files: InOrder<'a>) -> Self {
        Self {
            files,
            next: 0,
            running: BTreeSet::new(),
            hits: BTreeMap::new(),
            searched: 0,
            binary: 0,
            unreadable: 0,
            enough: false,
            cut: false,
        }
    }

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
        self.running.insert(block);
        Some((block, files))
    }

    fn give(&mut self, block: usize, looked: Vec<std::io::Result<Looked>>, plan: &Plan) {
        self.running.remove(&block);
        self.searched += looked.len() as u64;
        for look in looked {
            match look {
                Ok(Looked { hits, cut, binary }) => {
                    self.cut |= cut;
                    self.binary += u64::from(binary);
                    if let Some(hits) = hits {
                        self.hits.entry(block).or_default().push(hits);
                    }
                }
                Err(_) => self.unreadable += 1,
            }
        }
        // Blocks are taken in order, so all before the first that still runs are done.
        let first_open = self.running.first().copied().unwrap_or(self.next);
        let done = self.hits.range(..first_open).flat_map(|(_, hits)| hits);
        self.enough = done.map(|hits| rows(hits, plan.mode)).sum::<u64>() >= plan.most_lines;
    }
}
