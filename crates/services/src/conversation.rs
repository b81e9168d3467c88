//! A look at the asking agent's own conversation.

use toolwright_core::Message;

/// What the model will still see of the conversation.
pub trait Conversation: Send + Sync {
    /// Whether the result of this tool use is still in the conversation, whole (not compacted away, not shortened).
    fn still_shows(&self, tool_use_id: &str) -> bool;

    /// The messages so far.
    fn messages(&self) -> Vec<Message>;
}

/// Messages that stay; empty, it is the null.
#[derive(Debug, Clone, Default)]
pub struct FixedConversation(pub Vec<Message>);

impl Conversation for FixedConversation {
    fn still_shows(&self, tool_use_id: &str) -> bool {
        self.0.iter().flat_map(|message| &message.content).any(|block| {
            matches!(block, toolwright_core::Block::ToolResult { tool_use_id: id, .. } if id == tool_use_id)
        })
    }

    fn messages(&self) -> Vec<Message> {
        self.0.clone()
    }
}
