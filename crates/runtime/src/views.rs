//! What an agent's own tools may see of it: its conversation and its catalog. They share the agent's state and never change it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
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
        // A server that says that its list changed may give a tool other words under its old name.
        let mut hasher = DefaultHasher::new();
        pool.entries().iter().for_each(|entry| (entry.hash(), entry.is_visible()).hash(&mut hasher));
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use toolwright_core::{DynReply, DynTool, Effects, Origin, tool_fn};
    use toolwright_engine::{Candidates, DeferralPolicy, Selection, TOOL_SEARCH};

    use super::*;

    fn tool(name: &str, description: &str, origin: Origin) -> Arc<dyn DynTool> {
        let mut definition = Definition::new(name, description);
        definition.origin = origin;
        tool_fn(definition, Effects::READ_ONLY, |_: Arc<serde_json::Value>, _| async {
            Ok(DynReply::text("done"))
        })
    }

    #[test]
    fn every_change_of_a_pool_is_another_generation() {
        let remote = |description| {
            tool("mcp__a__x", description, Origin::Remote { server: "a".into(), tool: "x".into() })
        };
        let policy = DeferralPolicy::default();
        let candidates = Candidates {
            host: vec![tool(TOOL_SEARCH, "Searches.", Origin::Host)],
            remote: vec![remote("Before.")],
            ..Candidates::default()
        };
        let pool = Pool::assemble(candidates, &Selection::default(), &policy);
        let pool = Arc::new(RwLock::new(pool));
        let catalog = SharedCatalog::new(Arc::clone(&pool));
        let first = catalog.generation();
        assert_eq!(first, catalog.generation());
        pool.write().unwrap().reveal(["mcp__a__x"]);
        let revealed = catalog.generation();
        pool.write().unwrap().arrive(vec![remote("After.")], &Selection::default(), &policy);
        let changed = catalog.generation();
        assert!(first != revealed && revealed != changed && first != changed);
        assert_eq!(catalog.entries().last().unwrap().definition.description, "After.");
    }
}
