//! What is counted while files are looked through, by each thread for itself.

use std::io;
use std::path::PathBuf;

use toolwright_workspace::walk::{First, by_bytes};

use super::worker::Looked;
use crate::{FileHits, Unfinished};

/// Files named that were not searched to their end.
const MOST_NAMED: usize = 5;

/// What was counted.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) searched: u64,
    pub(super) binary: u64,
    pub(super) unreadable: u64,
    pub(super) matching_lines: u64,
    pub(super) unfinished: First<Unfinished>,
}

impl Default for Tally {
    fn default() -> Self {
        let unfinished = First::new(MOST_NAMED);
        Self { searched: 0, binary: 0, unreadable: 0, matching_lines: 0, unfinished }
    }
}

impl Tally {
    /// Counts a look; gives the hits, if there were any, and whether they are cut.
    pub(super) fn count(
        &mut self,
        looked: io::Result<Looked>,
        path: impl Fn() -> PathBuf,
    ) -> Option<(FileHits, bool)> {
        self.searched += 1;
        let Ok(Looked { hits, unfinished, cut, binary }) = looked else {
            self.unreadable += 1;
            return None;
        };
        self.binary += u64::from(binary);
        if let Some(why) = unfinished {
            let unfinished = Unfinished { path: path(), why };
            let last = |last: &Unfinished| by_bytes(&last.path, &unfinished.path);
            self.unfinished.add(last, || unfinished.clone());
        }
        let hits = hits?;
        self.matching_lines += hits.count;
        Some((hits, cut))
    }

    /// Adds what another thread counted.
    pub(super) fn join(&mut self, other: Self) {
        self.searched += other.searched;
        self.binary += other.binary;
        self.unreadable += other.unreadable;
        self.matching_lines += other.matching_lines;
        self.unfinished.join(other.unfinished);
    }
}
