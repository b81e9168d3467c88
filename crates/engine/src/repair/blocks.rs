//! Single blocks: what of a message may be sent, in a speaker's mouth. Knows no neighbouring message.

use std::borrow::Cow;

use serde_json::Value;
use toolwright_core::{Block, Content, Message, Speaker, ToolInput};

use super::answers::Answers;

/// What providers take as a tool's name.
const NAME_LIMIT: usize = 64;

/// The blocks of a message that may be sent: without results, which go right after their tool uses.
pub(super) fn sendable(
    index: usize,
    message: &Message,
    answers: &Answers<'_>,
    drop_unsigned_thinking: bool,
) -> Vec<Block> {
    let mut uses = 0;
    let mut content = Vec::with_capacity(message.content.len());
    for (position, block) in message.content.iter().enumerate() {
        let kept = match block {
            Block::Content(content) => sendable_content(content).map(Block::Content),
            Block::Thinking { .. } => {
                let wanted = message.role == Speaker::Assistant
                    && !(drop_unsigned_thinking && is_unsigned_thinking(block));
                wanted.then(|| block.clone())
            }
            Block::ToolUse { name, input, .. } if message.role == Speaker::Assistant => {
                let id = answers.id(index, uses).unwrap_or_default();
                uses += 1;
                Some(Block::ToolUse { id: id.into(), name: sendable_name(name).into(), input: input.clone() })
            }
            // A call in the wrong mouth runs nothing and answers nothing: it is kept as words.
            Block::ToolUse { name, input, .. } => Some(Block::text(call_in_words(name, input))),
            Block::ToolResult { content, .. } => {
                answers.is_orphan(index, position).then(|| Block::text(orphan_in_words(content)))
            }
            Block::Vendor { value, .. } if is_tool_use(value) => Some(Block::text(raw_call_in_words(value))),
            Block::Vendor { .. } => (message.role != Speaker::System).then(|| block.clone()),
            other => Some(other.clone()),
        };
        content.extend(kept);
    }
    // A model's message never ends in a thought: providers refuse it.
    while matches!(content.last(), Some(Block::Thinking { .. })) {
        content.pop();
    }
    content
}

/// A result's content: never empty, no empty text.
pub(super) fn sendable_answer(content: &[Content]) -> Vec<Content> {
    let mut sendable: Vec<_> = content.iter().filter_map(sendable_content).collect();
    if sendable.is_empty() {
        sendable.push(Content::text("(no output)"));
    }
    sendable
}

/// Why a piece of content may not be sent, if so.
pub(super) fn fault(content: &Content) -> Option<&'static str> {
    match content {
        Content::Text { text } if text.trim().is_empty() => Some("an empty text"),
        Content::Media { media_type, data } if media_type.trim().is_empty() || data.trim().is_empty() => {
            Some("media without data or type")
        }
        _ => None,
    }
}

/// The tool's name with nothing in it that a provider refuses.
pub(super) fn sendable_name(name: &str) -> Cow<'_, str> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if name.is_empty() {
        return Cow::Borrowed("unnamed");
    }
    if name.len() <= NAME_LIMIT && name.chars().all(fits) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.chars().take(NAME_LIMIT).map(|letter| if fits(letter) { letter } else { '_' }).collect())
}

pub(super) fn is_unsigned_thinking(block: &Block) -> bool {
    matches!(block, Block::Thinking { signature, .. } if signature.as_deref().is_none_or(str::is_empty))
}

/// Words instead of media.
pub(super) fn replace_media(content: &mut Content, why: &str) {
    if let Content::Media { media_type, .. } = content {
        *content = Content::text(format!("({media_type} left out: {why})"));
    }
}

fn sendable_content(content: &Content) -> Option<Content> {
    match (fault(content), content) {
        (None, _) => Some(content.clone()),
        (Some(_), Content::Media { .. }) => {
            Some(Content::text("(An image or document left out: it was empty.)"))
        }
        (Some(_), _) => None,
    }
}

/// Whether a vendor's block is a call of one of our tools: nothing ran it, so no result would follow it. Older versions stored
/// calls without an id or a name like this.
pub(super) fn is_tool_use(value: &Value) -> bool {
    value.get("type").and_then(Value::as_str) == Some("tool_use")
}

fn raw_call_in_words(value: &Value) -> String {
    let name = value.get("name").and_then(Value::as_str).unwrap_or("a tool without a name");
    let input = value.get("input").cloned().unwrap_or_default();
    call_in_words(name, &ToolInput::Json(input))
}

fn call_in_words(name: &str, input: &ToolInput) -> String {
    match input {
        ToolInput::Json(input) => format!("(A call of {name} that was not made: {input})"),
        ToolInput::Malformed(text) => format!("(A call of {name} that was not made: {text})"),
    }
}

fn orphan_in_words(content: &[Content]) -> String {
    let words = content.iter().map(|content| match content {
        Content::Text { text } => text.as_str(),
        Content::Media { media_type, .. } => media_type.as_str(),
        Content::ToolReference { tool_name } => tool_name.as_str(),
        _ => "something else",
    });
    format!(
        "(The result of a call that is not in this conversation any more: {})",
        words.collect::<Vec<_>>().join("\n")
    )
}
