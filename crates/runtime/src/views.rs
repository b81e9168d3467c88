//! What an agent's own tools may see of it: its conversation and its catalog. They share the agent's state and never change it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use toolwright_core::{Block, Content, Definition, Message};
use toolwright_engine::{AgentState, Pool};
use toolwright_model::Abilities;
use toolwright_services::{CatalogEntry, Conversation, ToolCatalog};

pub(crate) struct SharedConversation {
    /// Weak: the agent holds the tools, and a tool may hold this.
    pub(crate) state: Weak<RwLock<AgentState>>,
    /// What the model takes.
    pub(crate) abilities: Abilities,
    /// Whether the provider refused the conversation's media, so that words stand in their place.
    pub(crate) media_refused: Arc<AtomicBool>,
}

impl SharedConversation {
    /// Whether the model sees this piece of a result as it is.
    fn is_seen(&self, content: &Content) -> bool {
        match content {
            Content::Media { media_type, .. } => {
                self.abilities.takes(media_type) && !self.media_refused.load(Ordering::Relaxed)
            }
            _ => true,
        }
    }
}

impl Conversation for SharedConversation {
    fn still_shows(&self, tool_use_id: &str) -> bool {
        let Some(state) = self.state.upgrade() else { return false };
        let state = state.read().unwrap_or_else(PoisonError::into_inner);
        if state.shortened.contains(tool_use_id) {
            return false;
        }
        state.messages.iter().rev().flat_map(|message| &message.content).any(|block| match block {
            Block::ToolResult { tool_use_id: id, content, .. } => {
                id == tool_use_id && content.iter().all(|content| self.is_seen(content))
            }
            _ => false,
        })
    }

    fn messages(&self) -> Vec<Message> {
        let Some(state) = self.state.upgrade() else { return Vec::new() };
        let state = state.read().unwrap_or_else(PoisonError::into_inner);
        state.messages.clone()
    }
}

pub(crate) struct SharedCatalog {
    /// Weak: the pool holds the tools, and a tool may hold this.
    pool: Weak<RwLock<Pool>>,
    /// Definitions by hash: copied once, not once a search.
    copies: Mutex<HashMap<String, Arc<Definition>>>,
}

impl SharedCatalog {
    pub(crate) fn new(pool: &Arc<RwLock<Pool>>) -> Self {
        Self { pool: Arc::downgrade(pool), copies: Mutex::default() }
    }
}

impl ToolCatalog for SharedCatalog {
    fn entries(&self) -> Vec<CatalogEntry> {
        let Some(pool) = self.pool.upgrade() else { return Vec::new() };
        let pool = pool.read().unwrap_or_else(PoisonError::into_inner);
        let mut copies = self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = pool.entries().iter().map(|entry| {
            let copy = copies.entry(entry.hash().to_owned());
            let definition = Arc::clone(copy.or_insert_with(|| Arc::new(entry.definition().clone())));
            CatalogEntry { definition, visible: entry.is_visible() }
        });
        entries.collect()
    }

    fn generation(&self) -> u64 {
        let Some(pool) = self.pool.upgrade() else { return 0 };
        let pool = pool.read().unwrap_or_else(PoisonError::into_inner);
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
    fn what_a_result_still_shows() {
        let media = |media_type: &str| Content::Media { media_type: media_type.into(), data: String::new() };
        let result = |id: &str, content| Block::ToolResult {
            tool_use_id: id.into(),
            content,
            outcome: toolwright_core::Outcome::Success,
        };
        let mut message = Message::user("m", "");
        message.content = vec![
            result("text", vec![Content::text("a")]),
            result("short", vec![Content::text("a [..]")]),
            result("image", vec![Content::text("a picture"), media("image/png")]),
            result("sound", vec![media("audio/wav")]),
        ];
        let mut state = AgentState::default();
        state.messages.push(message);
        state.shortened.insert("short".into());
        let state = Arc::new(RwLock::new(state));
        let mut abilities = Abilities::TEXT;
        abilities.media_types = &["image/*"];
        let conversation = SharedConversation {
            state: Arc::downgrade(&state),
            abilities,
            media_refused: Arc::new(AtomicBool::new(false)),
        };
        let shown =
            || ["text", "short", "image", "sound", "other"].map(|id| u8::from(conversation.still_shows(id)));
        assert_eq!(shown(), [1, 0, 1, 0, 0]);
        conversation.media_refused.store(true, Ordering::Relaxed);
        assert_eq!(shown(), [1, 0, 0, 0, 0]);
        drop(state);
        assert_eq!(shown(), [0; 5]);
    }

    /// A tool holds the catalog, and the pool holds the tool: neither may keep the other.
    #[test]
    fn a_pool_ends_with_its_agent() {
        let pool = Arc::new(RwLock::new(Pool::default()));
        let catalog: Arc<dyn ToolCatalog> = Arc::new(SharedCatalog::new(&pool));
        let held = Arc::clone(&catalog);
        let search = tool_fn(
            Definition::new("Held", "Holds."),
            Effects::READ_ONLY,
            move |_: Arc<serde_json::Value>, _| {
                let held = Arc::clone(&held);
                async move { Ok(DynReply::text(held.entries().len().to_string())) }
            },
        );
        let ended = Arc::downgrade(&search);
        let candidates = Candidates { host: vec![search], ..Candidates::default() };
        *pool.write().unwrap() =
            Pool::assemble(candidates, &Selection::default(), &DeferralPolicy::default());
        assert_eq!(catalog.entries().len(), 1);
        drop(pool);
        assert!(ended.upgrade().is_none() && catalog.entries().is_empty());
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
        let catalog = SharedCatalog::new(&pool);
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
