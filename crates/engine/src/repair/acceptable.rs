//! What every provider accepts, written down once: repair makes it true, tests hold other code to it.

use std::collections::HashSet;

use toolwright_core::{Block, Content, Message, Speaker};

use super::blocks;

/// Whether a provider would accept these messages. An empty list is accepted here, and never sent.
///
/// 1. The first message is the person's; no speaker speaks twice in a row; no message is empty; none is still transient.
/// 2. Tool uses and thoughts are the model's, and no message of the model ends in a thought. No tool use is a vendor's block.
/// 3. Ids of tool uses are not empty and differ; names have 1 to 64 of `A-Z a-z 0-9 _ -`.
/// 4. The message after tool uses is the person's and begins with exactly one result for each, in call order. There are no
///    other results.
/// 5. No text is empty or white space alone, no result is empty, media have a type and data.
/// 6. A last message that is the model's does not end in white space.
///
/// # Errors
/// The first rule that is broken, with the message's id.
pub fn acceptable(messages: &[Message]) -> Result<(), String> {
    let mut seen = HashSet::new();
    let mut asked: Vec<&str> = Vec::new();
    let mut before = None;
    for message in messages {
        let fail = |what: String| Err(format!("message `{}`: {what}", message.id));
        if before.is_none() && message.role != Speaker::User {
            return fail("the first message is not the person's".into());
        }
        if before == Some(message.role) {
            return fail(format!("{:?} speaks twice in a row", message.role));
        }
        if message.content.is_empty() {
            return fail("it is empty".into());
        }
        if message.source_tool_use.is_some() {
            return fail("it is still transient".into());
        }
        if let Err(what) = results(message, &asked) {
            return fail(what);
        }
        asked = message.tool_uses().map(|(id, ..)| id).collect();
        for block in &message.content {
            if let Err(what) = one(block, message.role, &mut seen) {
                return fail(what);
            }
        }
        if matches!(message.content.last(), Some(Block::Thinking { .. })) {
            return fail("it ends in a thought".into());
        }
        before = Some(message.role);
    }
    if !asked.is_empty() {
        return Err(format!("the conversation ends before the results of {}", asked.join(", ")));
    }
    match messages.last().map(|message| (message.role, message.content.last())) {
        Some((Speaker::Assistant, Some(Block::Content(Content::Text { text }))))
            if text.trim_end().len() < text.len() =>
        {
            Err("the last message is the model's and ends in white space".into())
        }
        _ => Ok(()),
    }
}

/// The results stand at the front, one for each that was asked for, in order.
fn results(message: &Message, asked: &[&str]) -> Result<(), String> {
    let given = |block: &Block| matches!(block, Block::ToolResult { .. });
    let front: Vec<_> = message
        .content
        .iter()
        .map_while(|block| match block {
            Block::ToolResult { tool_use_id, .. } => Some(tool_use_id.as_str()),
            _ => None,
        })
        .collect();
    if front != asked {
        return Err(format!("results {front:?} where {asked:?} were asked for"));
    }
    if message.content.iter().skip(front.len()).any(given) {
        return Err("a result does not stand at the front".into());
    }
    if message.role != Speaker::User && !front.is_empty() {
        return Err("results in another mouth than the person's".into());
    }
    Ok(())
}

fn one<'a>(block: &'a Block, role: Speaker, seen: &mut HashSet<&'a str>) -> Result<(), String> {
    let fault = |content: &Content| blocks::fault(content).map_or(Ok(()), |what| Err(what.into()));
    match block {
        Block::Content(content) => fault(content),
        Block::Thinking { .. } if role != Speaker::Assistant => {
            Err("a thought that is not the model's".into())
        }
        Block::ToolUse { .. } if role != Speaker::Assistant => {
            Err("a tool use that is not the model's".into())
        }
        Block::ToolUse { id, .. } if id.is_empty() || !seen.insert(id) => {
            Err(format!("the tool use id `{id}` is empty or not new"))
        }
        Block::ToolUse { name, .. } if blocks::sendable_name(name) != name.as_str() => {
            Err(format!("the tool's name `{name}`"))
        }
        Block::ToolResult { content, tool_use_id, .. } if content.is_empty() => {
            Err(format!("the result of `{tool_use_id}` is empty"))
        }
        Block::ToolResult { content, .. } => content.iter().try_for_each(fault),
        Block::Vendor { value, .. } if blocks::is_tool_use(value) => {
            Err("a tool use as a vendor's block, which has no result".into())
        }
        Block::Vendor { .. } if role == Speaker::System => Err("a vendor's block in the host's mouth".into()),
        _ => Ok(()),
    }
}
