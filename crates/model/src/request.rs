//! What is asked of a model: borrowed throughout, so that a long conversation is serialised and never copied. Knows no vendor.

use toolwright_core::{Definition, Message};

/// One request.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The system prompt: texts in order. The last one closes the part a vendor may cache.
    pub system: &'a [&'a str],
    /// The tools in their fixed order: built-ins first, then what came later. Each request of a conversation repeats them
    /// byte for byte, with new ones at the end.
    pub tools: &'a [ToolEntry<'a>],
    /// How many of `tools`, from the first, are built in: that prefix stays the same from session to session.
    pub built_in_tools: usize,
    /// The conversation, already one that a provider accepts (each tool use answered, no empty text).
    pub messages: &'a [Message],
    /// The longest answer wanted; none for the model's own limit.
    pub max_output_tokens: Option<u32>,
    /// How the answer should come.
    pub delivery: Delivery,
}

/// One tool in a request.
#[derive(Debug, Clone, Copy)]
pub struct ToolEntry<'a> {
    /// What the model reads.
    pub definition: &'a Definition,
    /// Hidden until a `Content::ToolReference` names it. Left out where the model knows no references.
    pub deferred: bool,
}

/// How an answer should come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Delivery {
    /// As it is written.
    #[default]
    Stream,
    /// In one piece: what is tried after a stream was lost. The events are the same.
    Whole,
}
