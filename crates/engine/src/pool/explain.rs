//! Tool by tool: where it stands, and which layer took it out. For `tools --explain`; decides nothing.

use toolwright_core::{Definition, Origin};

use super::{Exposure, Pool, PoolEntry};

/// One tool and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The tool's name.
    pub name: String,
    /// Where it comes from; none for a tool that is not in this binary.
    pub origin: Option<Origin>,
    /// What became of it.
    pub standing: Standing,
}

/// What became of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// The model sees it from the start.
    Shown,
    /// It waits for a search to reveal it.
    Deferred,
    /// It waited, and a search revealed it.
    Revealed,
    /// It is not offered.
    LeftOut {
        /// The layer that took it out.
        layer: Layer,
        /// Why, in a sentence for a person.
        reason: String,
    },
}

/// A layer that can take a tool out, in the order they are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Compile time: its crate is not linked.
    Linked,
    /// Load time: the environment is not right for it or the host offers no capability it needs; the reason says which.
    Built,
    /// Its name or its schema is none that a provider takes.
    WellFormed,
    /// Run time: it said itself that it cannot be offered now.
    Enabled,
    /// A deny rule of the permissions.
    Denied,
    /// Simple mode keeps only a few.
    SimpleMode,
    /// The host gave a list of names for this agent and this one is not on it.
    Allowed,
    /// It comes only where the host asks for it by name, and the host did not.
    OnRequest,
    /// An earlier tool has the name.
    Doubled,
}

impl Layer {
    /// Its name in lists.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linked => "linked",
            Self::Built => "environment or capability",
            Self::WellFormed => "well-formed",
            Self::Enabled => "enabled",
            Self::Denied => "denied",
            Self::SimpleMode => "simple mode",
            Self::Allowed => "allow-list",
            Self::OnRequest => "on request",
            Self::Doubled => "doubled",
        }
    }
}

impl Explanation {
    pub(super) fn left_out(definition: &Definition, layer: Layer, reason: String) -> Self {
        Self {
            name: definition.name.clone(),
            origin: Some(definition.origin.clone()),
            standing: Standing::LeftOut { layer, reason },
        }
    }
}

impl Pool {
    /// Every tool that is here or could have been: first the pool in its order, then what was left out, sorted by name.
    #[must_use]
    pub fn explain(&self) -> Vec<Explanation> {
        let mut left_out = self.left_out.clone();
        left_out.sort_by(|left, right| left.name.cmp(&right.name));
        self.entries.iter().map(standing).chain(left_out).collect()
    }
}

fn standing(entry: &PoolEntry) -> Explanation {
    let standing = match entry.exposure {
        Exposure::Always => Standing::Shown,
        Exposure::Deferred => Standing::Deferred,
        Exposure::Revealed => Standing::Revealed,
    };
    Explanation {
        name: entry.definition().name.clone(),
        origin: Some(entry.definition().origin.clone()),
        standing,
    }
}
