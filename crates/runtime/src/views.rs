//! What an agent's own tools may see of it: its conversation and its catalog. They share the agent's state and never change it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use toolwright_core::{Block, Definition, Message};
use toolwright_engine::{AgentState, Pool};
use toolwright_services::{CatalogEntry, Conversation, ToolCatalog};

pub(crate) struct SharedConversation(pub(crate) Arc<RwLock<AgentState>>);

impl Conversation for SharedConversation {
    fn still_shows(&self, tool_use_id: &str) -> bool {
        let state = self.0.read().unwrap_or_else(PoisonError::into_inner);
        state
            .messages
            .iter()
            .rev()
            .flat_map(|message| &message.content)
            .any(|block| matches!(block, Block::ToolResult { tool_use_id: id, .. } if id == tool_use_id))
    }

    fn messages(&self) -> Vec<Message> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).messages.clone()
    }
}

pub(crate) struct SharedCatalog {
    pool: Arc<RwLock<Pool>>,
    /// Definitions by hash: copied once, not once a search.
    copies: Mutex<HashMap<String, Arc<Definition>>>,
}

impl SharedCatalog {
    pub(crate) fn new(pool: Arc<RwLock<Pool>>) -> Self {
        Self { pool, copies: Mutex::default() }
    }
}

impl ToolCatalog for SharedCatalog {
    fn entries(&self) -> Vec<CatalogEntry> {
        let pool = self.pool.read().unwrap_or_else(PoisonError::into_inner);
        let mut copies = self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = pool.entries().iter().map(|entry| {
            let copy = copies.entry(entry.hash().to_owned());
            let definition = Arc::clone(copy.or_insert_with(|| Arc::new(entry.definition().clone())));
            CatalogEntry { definition, visible: entry.is_visible() }
        });
        entries.collect()
    }

    fn generation(&self) -> u64 {
        let pool = self.pool.read().unwrap_or_else(PoisonError::into_inner);
        // Tools only come, and only become visible: both counts together name a state of the pool.
        let visible = pool.visible().count();
        u64::try_from(pool.entries().len().saturating_mul(1 << 20).saturating_add(visible))
            .unwrap_or(u64::MAX)
    }
}
