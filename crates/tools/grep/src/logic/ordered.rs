//! Files searched beside each other, with the hits of one after the other: the search ends once the first files, in order,
//! have given enough, and gives the same hits however many threads there are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use toolwright_core::Cancel;
use toolwright_workspace::walk::threads;

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
}

#[derive(Default)]
struct State {
    next: usize,
    running: BTreeSet<usize>,
    hits: BTreeMap<usize, Vec<FileHits>>,
    searched: u64,
    binary: u64,
    unreadable: u64,
    enough: bool,
    cut: bool,
}

/// Looks through `files` until `plan.most_lines` rows are found in the first of them.
pub(super) fn search(files: &[PathBuf], plan: &Plan, cancel: &Cancel) -> Found {
    let state = Mutex::new(State::default());
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        let mut worker = Worker::new(plan, cancel);
        loop {
            // A statement of its own, so that the lock is not held over the look.
            let taken = lock().take(files, cancel);
            let Some((block, files)) = taken else { return };
            let looked = files.iter().map(|file| worker.look(file)).collect();
            lock().give(block, looked, plan);
        }
    };
    std::thread::scope(|scope| {
        let helpers = threads().min(files.len().div_ceil(BLOCK)).saturating_sub(1);
        for _ in 0..helpers {
            scope.spawn(work);
        }
        work();
    });
    let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    Found {
        hits: state.hits.into_values().flatten().collect(),
        searched: state.searched,
        binary: state.binary,
        unreadable: state.unreadable,
        complete: !state.enough && !state.cut && !cancel.is_cancelled(),
    }
}

impl State {
    fn take<'a>(&mut self, files: &'a [PathBuf], cancel: &Cancel) -> Option<(usize, &'a [PathBuf])> {
        if self.enough || cancel.is_cancelled() {
            return None;
        }
        let block = self.next;
        let files = files.chunks(BLOCK).nth(block)?;
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
