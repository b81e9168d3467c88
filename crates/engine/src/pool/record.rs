//! A pool as the journal keeps it, and its return after a resume: the same tools in the same order, and a word about each that
//! is gone or changed.

use std::sync::OnceLock;

use super::{Exposure, Pool, PoolEntry};
use crate::deferral::TOOL_SEARCH;
use crate::event::PoolTool;

/// What a resumed session finds otherwise than it was.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PoolDifference {
    /// A journaled tool is not here.
    Missing {
        /// Its name.
        name: String,
    },
    /// A journaled tool has another definition now, and the new one is used.
    Changed {
        /// Its name.
        name: String,
        /// The hash of the definition that was journaled.
        was: String,
        /// The hash of the one there is.
        is: String,
    },
    /// A tool the journal does not know; it stands after those it knows.
    New {
        /// Its name.
        name: String,
    },
}

impl Pool {
    /// What the journal keeps, in the pool's order.
    #[must_use]
    pub fn record(&self) -> Vec<PoolTool> {
        self.entries
            .iter()
            .map(|entry| PoolTool {
                name: entry.definition().name.clone(),
                hash: entry.hash.to_string(),
                deferred: entry.is_deferred(),
            })
            .collect()
    }

    /// Puts a freshly assembled pool into the journaled order. What was deferred then is deferred now, whatever the policy
    /// says today (unless nothing is left to search with), and what was shown is shown; `revealed` is revealed again, in its
    /// order. Tools the journal does not know follow as if they had arrived late.
    ///
    /// Where a tool had arrived visible after a reveal, the two stand the other way round in [`visible`](Self::visible);
    /// the pool's own order is exact.
    pub fn restore(&mut self, journaled: &[PoolTool], revealed: &[String]) -> Vec<PoolDifference> {
        let mut fresh: Vec<Option<PoolEntry>> =
            std::mem::take(&mut self.entries).into_iter().map(Some).collect();
        let positions = std::mem::take(&mut self.by_name);
        let searchable = positions.contains_key(TOOL_SEARCH);
        self.shown.clear();
        self.fingerprint = OnceLock::new();
        let mut differences = Vec::new();
        for tool in journaled {
            let found = positions.get(&tool.name).and_then(|index| fresh.get_mut(*index));
            let Some(mut entry) = found.and_then(Option::take) else {
                // A name journaled twice was found the first time.
                if !self.by_name.contains_key(&tool.name) {
                    differences.push(PoolDifference::Missing { name: tool.name.clone() });
                }
                continue;
            };
            if *entry.hash != *tool.hash {
                differences.push(PoolDifference::Changed {
                    name: tool.name.clone(),
                    was: tool.hash.clone(),
                    is: entry.hash.to_string(),
                });
            }
            entry.exposure = if tool.deferred && searchable { Exposure::Deferred } else { Exposure::Always };
            self.push(entry);
        }
        self.reveal(revealed.iter().map(String::as_str));
        for entry in fresh.into_iter().flatten() {
            differences.push(PoolDifference::New { name: entry.definition().name.clone() });
            self.push(entry);
        }
        // An arrival may have been revealed before its pool was journaled: it is new here, and revealed all the same.
        self.reveal(revealed.iter().map(String::as_str));
        differences
    }
}
