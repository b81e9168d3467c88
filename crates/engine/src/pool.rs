//! The tools of one agent, in the order a model is shown them. Knows no concrete tool, no permission rule and no model vendor:
//! rules come in as a closure, and how a definition looks on a vendor's wire is the model client's.
//!
//! Order: built-ins sorted by name, one contiguous prefix that is the same from session to session; then the host's own tools,
//! sorted, which are the same in every session of that host; then remote tools, sorted, which differ from person to person.
//! What arrives later is appended, sorted within its batch. Nothing shown is ever moved or taken away, because a provider's
//! prompt cache is a prefix of bytes.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use toolwright_core::{Definition, DynTool, Origin};

mod assemble;
mod explain;
mod hash;
mod record;

#[cfg(test)]
mod tests;

pub(crate) use assemble::rule_names;
pub use assemble::{Arrival, Candidates, DenyRules, Selection};
pub use explain::{Explanation, Layer, Standing};
pub use hash::definition_hash;
pub(crate) use hash::hexadecimal;
pub use record::PoolDifference;

/// The tools of one agent. Changed only between turns.
#[derive(Clone, Default)]
pub struct Pool {
    entries: Vec<PoolEntry>,
    by_name: HashMap<String, usize>,
    /// Indices into `entries`, in the order they came before the model; only ever appended to.
    shown: Vec<usize>,
    left_out: Vec<Explanation>,
    fingerprint: OnceLock<String>,
}

/// One tool of a pool.
#[derive(Clone)]
pub struct PoolEntry {
    tool: Arc<dyn DynTool>,
    hash: Arc<str>,
    exposure: Exposure,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exposure {
    Always,
    Deferred,
    Revealed,
}

impl PoolEntry {
    fn new(tool: Arc<dyn DynTool>, exposure: Exposure) -> Self {
        let hash = definition_hash(tool.definition()).into();
        Self { tool, hash, exposure }
    }

    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &Arc<dyn DynTool> {
        &self.tool
    }

    /// The tool's definition.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        self.tool.definition()
    }

    /// The [`definition_hash`].
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Whether its definition was kept back at the start. Stays true once revealed, so that what is sent does not move, until it
    /// is [settled](Pool::settle).
    #[must_use]
    pub fn is_deferred(&self) -> bool {
        self.exposure != Exposure::Always
    }

    /// Whether the model may call it now: never deferred, or revealed.
    #[must_use]
    pub fn is_visible(&self) -> bool {
        self.exposure != Exposure::Deferred
    }
}

impl Pool {
    /// Every tool in the pool's order, deferred ones included.
    #[must_use]
    pub fn entries(&self) -> &[PoolEntry] {
        &self.entries
    }

    /// How many entries, from the first, are built in.
    #[must_use]
    pub fn built_in_count(&self) -> usize {
        self.entries
            .iter()
            .take_while(|entry| matches!(entry.definition().origin, Origin::BuiltIn { .. }))
            .count()
    }

    /// The tool of this name; where there is none, the first that has it as an alias.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&PoolEntry> {
        match self.by_name.get(name) {
            Some(index) => self.entries.get(*index),
            None => self.entries.iter().find(|entry| entry.definition().answers_to(name)),
        }
    }

    /// What the model may call, in the order it came before the model: each call gives what the last one gave, with what was
    /// revealed or arrived since at its end.
    pub fn visible(&self) -> impl Iterator<Item = &PoolEntry> {
        self.shown.iter().filter_map(|index| self.entries.get(*index))
    }

    /// What waits for a reveal, in the pool's order.
    pub fn deferred(&self) -> impl Iterator<Item = &PoolEntry> {
        self.entries.iter().filter(|entry| !entry.is_visible())
    }

    /// Lets the model call deferred tools by their name or an alias, and gives the names that were not callable before.
    /// Names that are unknown or already visible change nothing.
    pub fn reveal<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let mut revealed = Vec::new();
        for name in names {
            let Some(own) = self.get(name).map(|entry| entry.definition().name.clone()) else { continue };
            let Some(index) = self.by_name.get(&own).copied() else { continue };
            let Some(entry) = self.entries.get_mut(index) else { continue };
            if entry.exposure == Exposure::Deferred {
                entry.exposure = Exposure::Revealed;
                self.shown.push(index);
                revealed.push(own);
            }
        }
        if !revealed.is_empty() {
            self.fingerprint = OnceLock::new();
        }
        revealed
    }

    /// Puts revealed tools before the model like tools that never were deferred: the conversation no longer holds what
    /// revealed them. Their places stay.
    pub fn settle<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        for name in names {
            let index = self.by_name.get(name).copied();
            if let Some(entry) = index.and_then(|index| self.entries.get_mut(index))
                && entry.exposure == Exposure::Revealed
            {
                entry.exposure = Exposure::Always;
            }
        }
    }

    /// A hash over the definitions of the visible tools, byte for byte and in order: the same as long as a model client
    /// would serialise the same array. Computed once a change.
    pub fn fingerprint(&self) -> &str {
        self.fingerprint.get_or_init(|| hash::shown(self.visible().map(PoolEntry::definition)))
    }

    fn push(&mut self, entry: PoolEntry) {
        let index = self.entries.len();
        self.by_name.insert(entry.definition().name.clone(), index);
        if entry.is_visible() {
            self.shown.push(index);
        }
        self.entries.push(entry);
        self.fingerprint = OnceLock::new();
    }
}

impl fmt::Debug for PoolEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PoolEntry")
            .field("name", &self.definition().name)
            .field("hash", &self.hash)
            .field("exposure", &self.exposure)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Pool")
            .field("entries", &self.entries)
            .field("left_out", &self.left_out)
            .finish_non_exhaustive()
    }
}
