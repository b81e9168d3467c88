//! The tools an agent could have: what a search for tools looks through.

use std::sync::Arc;

use toolwright_core::Definition;

/// One tool of the catalog.
#[derive(Debug, Clone, PartialEq)]
pub struct CatalogEntry {
    /// What is known of it.
    pub definition: Arc<Definition>,
    /// Whether the model already sees it.
    pub visible: bool,
}

/// The tools of the asking agent's pool, deferred ones included.
pub trait ToolCatalog: Send + Sync {
    /// In the pool's order.
    fn entries(&self) -> Vec<CatalogEntry>;

    /// Changes whenever `entries` would give something else: an index built for one number may be kept while it stays.
    fn generation(&self) -> u64;
}

/// A list that stays; empty, it is the null.
#[derive(Debug, Clone, Default)]
pub struct FixedCatalog(pub Vec<CatalogEntry>);

impl ToolCatalog for FixedCatalog {
    fn entries(&self) -> Vec<CatalogEntry> {
        self.0.clone()
    }

    fn generation(&self) -> u64 {
        0
    }
}
