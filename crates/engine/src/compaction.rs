//! How a conversation that nears its limit is shortened: when, what of it stays as it is, what the model is asked for, and
//! what stands in the place of the rest. Asking is the driver's.
//!
//! A summary is asked for at the end of the same conversation, with the same tools and system prompt before it, so that a
//! provider reads it from its cache. Where the conversation no longer fits even so, less and less of it is sent.

use serde_json::Value;
use toolwright_core::{Block, Content, Message, Speaker, StopReason, ToolInput, Usage};

use crate::repair::replace_media;

#[cfg(test)]
mod tests;

/// What is asked for.
const ASK: &str = include_str!("compaction.md");

/// What of the context stays as it is at most: one part of so many.
const KEPT_PART: u64 = 10;

/// Characters a token has on average.
const CHARACTERS_PER_TOKEN: u64 = 4;

/// Characters of the newest prompt that stand behind a summary, where the model's context is not known.
const PROMPT: u64 = 100_000;

/// Characters that are left of a long text in a request that did not fit whole.
const SHORTENED: usize = 1_000;

/// The same of a prompt or of an earlier summary, in which each sentence may count.
const SHORTENED_PROMPT: usize = 20_000;

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
    /// Of that, the newer half, behind the prompt or the earlier summary with which the conversation begins.
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

/// Why an answer to the request for a summary is none. Taken in its place, it would replace the conversation by a refusal or
/// by half of the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoSummary {
    /// It has no text.
    #[error("the model wrote none")]
    Empty,
    /// It calls a tool; its text announces the call.
    #[error("the model called a tool instead of writing it")]
    ToolUse,
    /// The output limit cut it.
    #[error("it was cut off at the output limit")]
    Cut,
    /// The model's context was full before it was whole.
    #[error("the model's context was full before it was whole")]
    ContextFull,
    /// The model declined.
    #[error("the model declined to write it")]
    Refused,
    /// The provider paused before it was whole.
    #[error("the provider paused before it was whole")]
    Paused,
    /// The answer ended for a reason that is not known.
    #[error("it ended for a reason that is not known")]
    Unknown,
}

impl NoSummary {
    /// What is wrong with an answer that ended so, if anything is.
    #[must_use]
    pub fn of(stop: StopReason, text: &str) -> Option<Self> {
        match stop {
            StopReason::EndTurn | StopReason::StopSequence => text.trim().is_empty().then_some(Self::Empty),
            StopReason::ToolUse => Some(Self::ToolUse),
            StopReason::MaxTokens => Some(Self::Cut),
            StopReason::ContextFull => Some(Self::ContextFull),
            StopReason::Refusal => Some(Self::Refused),
            StopReason::PauseTurn => Some(Self::Paused),
            _ => Some(Self::Unknown),
        }
    }
}

/// The conversation as it is sent for a summary, the request for it at its end, with what was wrong with the answer to the
/// request before. What it gives is to be repaired like any other.
#[must_use]
pub fn ask_for_summary(
    messages: &[Message],
    reduction: Reduction,
    before: Option<NoSummary>,
) -> Vec<Message> {
    let mut asked: Vec<Message> = match reduction {
        Reduction::Nothing => messages.to_vec(),
        Reduction::LongTexts => shortened(messages),
        Reduction::OlderHalf => {
            let (older, newer) = messages.split_at(messages.len() / 2);
            let first = older.first().filter(|message| is_prompt(message));
            let mut kept = shortened(first.map(std::slice::from_ref).unwrap_or_default());
            kept.extend(shortened(newer));
            kept
        }
    };
    let mut ask = ASK.trim_end().to_owned();
    if let Some(before) = before {
        ask.push_str(&format!(
            "\n\nThe last answer to this was of no use: {before}. Write the summary as text, in at most 1,000 words."
        ));
    }
    asked.push(Message::user("ask-for-summary", ask));
    asked
}

impl CompactionLimits {
    /// What stands in the place of the messages before `kept`: the summary, and `prompt`, the newest one, where it went too.
    /// Of a prompt that is large beside the context the beginning and the end are repeated.
    #[must_use]
    pub fn summary_message(
        &self,
        id: String,
        summary: &str,
        prompt: Option<&Message>,
        kept: &[Message],
    ) -> Message {
        let mut text = format!(
            "The conversation was longer than fits. What came before is summarised here:\n\n{}",
            summary.trim()
        );
        let gone = prompt.filter(|prompt| kept.iter().all(|message| message.id != prompt.id));
        if let Some(prompt) = gone {
            let most = match self.context_tokens {
                0 => PROMPT,
                tokens => tokens.saturating_mul(CHARACTERS_PER_TOKEN) / KEPT_PART,
            };
            text.push_str("\n\nThe person's last words were:\n\n");
            text.push_str(&both_ends(&prompt.text(), usize::try_from(most).unwrap_or(usize::MAX)));
        }
        text.push_str(
            "\n\nGo on from where it stopped, without speaking of the summary. Read a file again before you rely on its exact \
             text.",
        );
        Message::user(id, text)
    }
}

/// A prompt or an earlier summary: of the user's side, and no results of tools.
fn is_prompt(message: &Message) -> bool {
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
    for message in &mut messages {
        let is_prompt = is_prompt(message);
        message.content.iter_mut().for_each(|block| shorten_block(block, is_prompt));
    }
    messages
}

fn shorten_block(block: &mut Block, is_prompt: bool) {
    match block {
        Block::Content(Content::Text { text }) if is_prompt => *text = both_ends(text, SHORTENED_PROMPT),
        Block::Content(content) => shorten_content(content),
        Block::ToolResult { content, .. } => content.iter_mut().for_each(shorten_content),
        Block::ToolUse { input: ToolInput::Json(input), .. } => shorten_input(input),
        Block::ToolUse { input: ToolInput::Malformed(text), .. } => *text = beginning(text, SHORTENED),
        // A thought is taken back whole or not at all.
        _ => {}
    }
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

/// The beginning and the end, two parts to one, and how much is left out between them.
fn both_ends(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let (head, tail) = (most - most / 3, most / 3);
    let at = |characters: usize| text.char_indices().nth(characters).map_or(text.len(), |(place, _)| place);
    let (head, tail) = (text.get(..at(head)), text.get(at(length - tail)..));
    format!(
        "{}\n[.. {} characters of this message are left out ..]\n{}",
        head.unwrap_or_default(),
        length - most,
        tail.unwrap_or_default()
    )
}
