//! How a conversation that nears its limit is shortened: when, what of it stays as it is, what the model is asked for, and
//! what stands in the place of the rest. Asking is the driver's.
//!
//! A summary is asked for at the end of the same conversation, with the same tools and system prompt before it, so that a
//! provider reads it from its cache. Where the conversation no longer fits even so, less and less of it is sent.

use serde_json::Value;
use toolwright_core::{Block, Content, Message, Speaker, ToolInput, Usage};

use crate::repair::replace_media;

#[cfg(test)]
mod tests;

/// What is asked for.
const ASK: &str = include_str!("compaction.md");

/// What of the context stays as it is at most: one part of so many.
const KEPT_PART: u64 = 10;

/// Characters a token has on average.
const CHARACTERS_PER_TOKEN: u64 = 4;

/// Characters of the person's last words that a summary repeats.
const LAST_WORDS: usize = 4_000;

/// Characters that are left of a long text in a request that did not fit whole.
const SHORTENED: usize = 1_000;

/// What the decision is made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompactionLimits {
    /// The model's context, in tokens; 0: not known, so nothing is shortened before the provider says that it is full.
    pub context_tokens: u64,
    /// Kept free for the next answer, in tokens.
    pub reserved_tokens: u64,
    /// The share of the rest, in percent, above which the conversation is shortened; above 100 counts as 100.
    pub percent: u8,
}

impl CompactionLimits {
    /// The usual ones for a context of so many tokens.
    #[must_use]
    pub fn of(context_tokens: u64) -> Self {
        Self { context_tokens, reserved_tokens: 16_000.min(context_tokens / 4), percent: 90 }
    }

    /// Whether to shorten before the next request. `usage` is the newest request's own: what it read and wrote is what the
    /// next one will read at least.
    #[must_use]
    pub fn is_crowded(&self, usage: &Usage) -> bool {
        if self.context_tokens == 0 {
            return false;
        }
        let room = self.context_tokens.saturating_sub(self.reserved_tokens);
        let used = usage.context_tokens().saturating_add(usage.output_tokens);
        used.saturating_mul(100) > room.saturating_mul(u64::from(self.percent.min(100)))
    }

    /// How many messages at the end stay as they are: a small part of the context, beginning where no result loses its tool
    /// use.
    #[must_use]
    pub fn kept(&self, messages: &[Message]) -> usize {
        let most = usize::try_from(self.context_tokens.saturating_mul(CHARACTERS_PER_TOKEN) / KEPT_PART);
        let most = most.unwrap_or(usize::MAX);
        let (mut kept, mut size) = (0, 0_usize);
        for (number, message) in (1..).zip(messages.iter().rev()) {
            size = size.saturating_add(length(message));
            // All of it would be no shortening.
            if size > most || number == messages.len() {
                break;
            }
            if !has_results(message) {
                kept = number;
            }
        }
        kept
    }
}

/// How much of the conversation goes into the request for its summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reduction {
    /// All of it.
    Nothing,
    /// Only the beginning of every long text and input, and words in the place of media.
    LongTexts,
    /// Of that, the newer half.
    OlderHalf,
}

impl Reduction {
    /// The next to try when this one does not fit.
    #[must_use]
    pub const fn further(self) -> Option<Self> {
        match self {
            Self::Nothing => Some(Self::LongTexts),
            Self::LongTexts => Some(Self::OlderHalf),
            Self::OlderHalf => None,
        }
    }
}

/// The conversation as it is sent for a summary, the request for it at its end. What it gives is to be repaired like any
/// other.
#[must_use]
pub fn ask_for_summary(messages: &[Message], reduction: Reduction) -> Vec<Message> {
    let mut asked: Vec<Message> = match reduction {
        Reduction::Nothing => messages.to_vec(),
        Reduction::LongTexts => shortened(messages),
        Reduction::OlderHalf => shortened(messages.get(messages.len() / 2..).unwrap_or_default()),
    };
    asked.push(Message::user("ask-for-summary", ASK.trim_end()));
    asked
}

/// What stands in the place of `gone`: the summary, and the person's last words where they went too.
#[must_use]
pub fn summary_message(id: String, gone: &[Message], kept: &[Message], summary: &str) -> Message {
    let mut text = format!(
        "The conversation was longer than fits. What came before is summarised here:\n\n{}",
        summary.trim()
    );
    let last_words =
        (!kept.iter().any(is_persons)).then(|| gone.iter().rev().find(|message| is_persons(message)));
    if let Some(message) = last_words.flatten() {
        text.push_str("\n\nThe person's last words were:\n\n");
        text.push_str(&beginning(&message.text(), LAST_WORDS));
    }
    text.push_str(
        "\n\nGo on from where it stopped, without speaking of the summary. Read a file again before you rely on its exact \
         text.",
    );
    Message::user(id, text)
}

/// Said by a person, not the results of tools.
fn is_persons(message: &Message) -> bool {
    message.role == Speaker::User && !has_results(message)
}

fn has_results(message: &Message) -> bool {
    message.content.iter().any(|block| matches!(block, Block::ToolResult { .. }))
}

/// Characters, roughly: good enough for a part of a context.
fn length(message: &Message) -> usize {
    message
        .content
        .iter()
        .map(|block| match block {
            Block::Content(content) => content_length(content),
            Block::ToolResult { content, .. } => content.iter().map(content_length).sum(),
            Block::Thinking { text, .. } => text.len(),
            Block::ToolUse { input: ToolInput::Json(input), .. } => input.to_string().len(),
            Block::ToolUse { input: ToolInput::Malformed(text), .. } => text.len(),
            _ => 0,
        })
        .sum()
}

fn content_length(content: &Content) -> usize {
    match content {
        Content::Text { text } => text.len(),
        Content::Media { data, .. } => data.len(),
        _ => 0,
    }
}

fn shortened(messages: &[Message]) -> Vec<Message> {
    let mut messages = replace_media(messages, "left out for this summary");
    for block in messages.iter_mut().flat_map(|message| &mut message.content) {
        match block {
            Block::Content(content) => shorten_content(content),
            Block::ToolResult { content, .. } => content.iter_mut().for_each(shorten_content),
            Block::ToolUse { input: ToolInput::Json(input), .. } => shorten_input(input),
            Block::ToolUse { input: ToolInput::Malformed(text), .. } => *text = beginning(text, SHORTENED),
            // A thought is taken back whole or not at all.
            _ => {}
        }
    }
    messages
}

fn shorten_content(content: &mut Content) {
    if let Content::Text { text } = content {
        *text = beginning(text, SHORTENED);
    }
}

fn shorten_input(input: &mut Value) {
    match input {
        Value::String(text) => *text = beginning(text, SHORTENED),
        Value::Array(items) => items.iter_mut().for_each(shorten_input),
        Value::Object(fields) => fields.values_mut().for_each(shorten_input),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{} [.. shortened]", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
