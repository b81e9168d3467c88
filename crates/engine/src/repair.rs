//! A history made into one that a provider accepts, before every request: a lost result, a cut message or a bad image must
//! never make a session unusable. Knows no vendor: what only one of them asks for (characters of an id, shape of an input)
//! is its client's.

use std::borrow::Cow;

use toolwright_core::{Block, Content, Message, Speaker};

use crate::state::INTERRUPTED_RUN;

mod acceptable;
mod answers;
mod blocks;

#[cfg(test)]
mod tests;

pub use acceptable::acceptable;

use answers::Answers;

/// Stands where a conversation would begin with something other than the person's words.
const LOST_START: &str = "(What came before is not part of this conversation any more.)";

/// How to repair.
#[derive(Debug, Clone, Copy)]
pub struct RepairOptions<'a> {
    /// The answer to a tool use that has none.
    pub dangling: &'a str,
    /// Whether thoughts without a signature are left out: for vendors that take back only what they signed.
    pub drop_unsigned_thinking: bool,
}

impl Default for RepairOptions<'_> {
    fn default() -> Self {
        Self { dangling: INTERRUPTED_RUN, drop_unsigned_thinking: false }
    }
}

/// The history as it may be sent: [`acceptable`] holds for what it gives, and what was acceptable is given back as it is,
/// without a copy. An empty history stays empty.
///
/// Every tool use gets exactly one result, right after its message and in call order: the first there is, or
/// [`RepairOptions::dangling`]. A tool use whose id was used before gets another id, and the results after it go with it.
/// Results without a tool use become text. Messages made while a tool ran are left out as long as that call has no result.
#[must_use]
pub fn repair<'a>(messages: &'a [Message], options: &RepairOptions<'_>) -> Cow<'a, [Message]> {
    let unsigned = options.drop_unsigned_thinking
        && messages.iter().flat_map(|message| &message.content).any(blocks::is_unsigned_thinking);
    if !unsigned && acceptable(messages).is_ok() {
        return Cow::Borrowed(messages);
    }
    Cow::Owned(rebuild(messages, options))
}

/// The same history with words in the place of every image, document and sound: what is sent after a provider said that it
/// cannot read one of them. `why` completes the sentence `(image/png left out: ..)`.
#[must_use]
pub fn replace_media(messages: &[Message], why: &str) -> Vec<Message> {
    let mut messages = messages.to_vec();
    for block in messages.iter_mut().flat_map(|message| &mut message.content) {
        match block {
            Block::Content(content) => blocks::replace_media(content, why),
            Block::ToolResult { content, .. } => {
                content.iter_mut().for_each(|content| blocks::replace_media(content, why));
            }
            _ => {}
        }
    }
    messages
}

fn rebuild(messages: &[Message], options: &RepairOptions<'_>) -> Vec<Message> {
    let answers = Answers::of(messages);
    let mut out = Vec::with_capacity(messages.len() + 1);
    let mut results: Vec<Block> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        if answers.is_transient(message) {
            continue;
        }
        let mut content = blocks::sendable(index, message, &answers, options.drop_unsigned_thinking);
        match message.role {
            Speaker::User => {
                results.append(&mut content);
                content = std::mem::take(&mut results);
            }
            Speaker::Assistant | Speaker::System => push_results(&mut out, &mut results),
        }
        push(
            &mut out,
            Message { id: message.id.clone(), role: message.role, content, source_tool_use: None },
        );
        results.extend(answers.results(index, options.dangling));
    }
    push_results(&mut out, &mut results);
    trim_end(&mut out);
    out
}

fn push_results(out: &mut Vec<Message>, results: &mut Vec<Block>) {
    let Some(Block::ToolResult { tool_use_id, .. }) = results.first() else { return };
    let id = format!("results-{tool_use_id}");
    push(out, Message { id, role: Speaker::User, content: std::mem::take(results), source_tool_use: None });
}

/// Appends a message; joins it to the last where one speaker would speak twice.
fn push(out: &mut Vec<Message>, message: Message) {
    if message.content.is_empty() {
        return;
    }
    match out.last_mut() {
        Some(last) if last.role == message.role => {
            last.content.extend(message.content);
            return;
        }
        None if message.role != Speaker::User => {
            out.push(Message::user(format!("before-{}", message.id), LOST_START));
        }
        _ => {}
    }
    out.push(message);
}

/// A model that goes on with its own unfinished message may not be given one that ends in white space.
fn trim_end(out: &mut [Message]) {
    let Some(last) = out.last_mut().filter(|message| message.role == Speaker::Assistant) else { return };
    if let Some(Block::Content(Content::Text { text })) = last.content.last_mut() {
        text.truncate(text.trim_end().len());
    }
}
