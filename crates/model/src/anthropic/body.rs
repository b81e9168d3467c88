//! A request of the Messages API, written from a borrowed `Request`. What does not change from request to request comes first
//! and in a fixed order, so that the vendor's cache knows it again.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, json};
use toolwright_core::{Block, Content, Message, Outcome, Speaker, ToolInput};

use super::{VENDOR, blocks};
use crate::{Abilities, Delivery, Request, ToolEntry, ids};

pub(super) const MEDIA: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"];

/// A cache mark is looked for at most twenty blocks back.
const LOOKBACK: usize = 18;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<ToolParam<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<BlockParam<'a>>,
    messages: Vec<MessageParam<'a>>,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Value>,
    stream: bool,
}

#[derive(Serialize)]
struct ToolParam<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    defer_loading: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<Mark>,
}

#[derive(Serialize)]
struct MessageParam<'a> {
    role: &'static str,
    content: Vec<BlockParam<'a>>,
}

impl MessageParam<'_> {
    fn is_user(&self) -> bool {
        self.role == "user"
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum BlockParam<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<Mark>,
    },
    Image {
        source: Source<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<Mark>,
    },
    Document {
        source: Source<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<Mark>,
    },
    Thinking {
        thinking: &'a str,
        signature: &'a str,
    },
    ToolUse {
        id: Cow<'a, str>,
        name: &'a str,
        input: Cow<'a, Value>,
    },
    ToolReference {
        tool_name: &'a str,
    },
    ToolResult {
        tool_use_id: Cow<'a, str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        content: Vec<BlockParam<'a>>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<Mark>,
    },
    #[serde(untagged)]
    AsItCame(Cow<'a, Value>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "base64")]
struct Source<'a> {
    media_type: &'a str,
    data: &'a str,
}

#[derive(Clone, Copy, Serialize)]
#[serde(tag = "type", rename = "ephemeral")]
struct Mark {}

/// The bytes of a request.
pub(super) fn build(
    model: &str,
    request: &Request<'_>,
    abilities: Abilities,
    max_tokens: u32,
    adaptive_thinking: bool,
) -> serde_json::Result<Vec<u8>> {
    let writer = Writer { tools: request.tools, abilities };
    let texts = request.system.iter().filter(|text| !text.trim().is_empty());
    let mut system: Vec<_> = texts.map(|text| text_param(*text)).collect();
    if let Some(last) = system.last_mut() {
        mark(last);
    }
    let mut messages = writer.messages(request.messages);
    mark_messages(&mut messages);
    serde_json::to_vec(&Body {
        model,
        tools: writer.tool_params(request.built_in_tools),
        system,
        messages,
        max_tokens,
        thinking: adaptive_thinking.then(|| json!({"type": "adaptive"})),
        stream: request.delivery == Delivery::Stream,
    })
}

struct Writer<'a> {
    tools: &'a [ToolEntry<'a>],
    abilities: Abilities,
}

impl<'a> Writer<'a> {
    fn tool_params(&self, built_in: usize) -> Vec<ToolParam<'a>> {
        let sent = |tool: &ToolEntry<'_>| self.abilities.tool_references || !tool.deferred;
        // A deferred tool is not in the prompt yet, so no mark can stand on it.
        let marked = self.tools.iter().take(built_in).rposition(|tool| !tool.deferred);
        let numbered = self.tools.iter().enumerate().filter(|(_, tool)| sent(tool));
        let param = |(index, tool): (usize, &ToolEntry<'a>)| ToolParam {
            name: &tool.definition.name,
            description: &tool.definition.description,
            input_schema: &tool.definition.input_schema,
            defer_loading: tool.deferred,
            cache_control: (marked == Some(index)).then_some(Mark {}),
        };
        numbered.map(param).collect()
    }

    /// Neighbours of one role become one message; results of tools stand first in theirs.
    fn messages(&self, messages: &'a [Message]) -> Vec<MessageParam<'a>> {
        let mut params: Vec<MessageParam<'a>> = Vec::new();
        for message in messages {
            let role = match message.role {
                Speaker::User | Speaker::System => "user",
                Speaker::Assistant => "assistant",
            };
            let content = self.blocks(message);
            match params.last_mut() {
                Some(last) if last.role == role => last.content.extend(content),
                _ if content.is_empty() => {}
                _ => params.push(MessageParam { role, content }),
            }
        }
        for message in params.iter_mut().filter(|message| message.is_user()) {
            message.content.sort_by_key(|block| !matches!(block, BlockParam::ToolResult { .. }));
        }
        params
    }

    fn blocks(&self, message: &'a Message) -> Vec<BlockParam<'a>> {
        let mut params: Vec<BlockParam<'a>> = Vec::new();
        for block in &message.content {
            match block {
                Block::Vendor { vendor, value } if vendor == VENDOR && blocks::is_fields(value) => {
                    if let Some(last) = params.pop() {
                        params.push(with_fields(last, value));
                    }
                }
                Block::Vendor { vendor, value } if vendor == VENDOR => {
                    params.push(BlockParam::AsItCame(Cow::Borrowed(value)));
                }
                Block::Thinking { text, signature: Some(signature) } if !signature.is_empty() => {
                    params.push(BlockParam::Thinking { thinking: text, signature });
                }
                // Another vendor's: this one would refuse it.
                Block::Thinking { .. } | Block::Vendor { .. } => {}
                Block::ToolUse { id, name, input } => {
                    params.push(BlockParam::ToolUse { id: ids::plain(id), name, input: object(input) });
                }
                Block::ToolResult { tool_use_id, content, outcome } => {
                    let is_error = *outcome == Outcome::Failure;
                    let mut content: Vec<_> = content.iter().filter_map(|part| self.content(part)).collect();
                    if content.is_empty() && is_error {
                        content.push(text_param("(failed without a word)"));
                    }
                    params.push(BlockParam::ToolResult {
                        tool_use_id: ids::plain(tool_use_id),
                        content,
                        is_error,
                        cache_control: None,
                    });
                }
                Block::Content(content) => params.extend(self.content(content)),
                // A kind of block that core has and this client does not know yet.
                _ => {}
            }
        }
        params
    }

    fn content(&self, content: &'a Content) -> Option<BlockParam<'a>> {
        Some(match content {
            Content::Text { text } if text.trim().is_empty() => return None,
            Content::Text { text } => text_param(text.as_str()),
            Content::Media { media_type, data } if self.abilities.takes(media_type) => {
                let source = Source { media_type, data };
                match media_type.strip_prefix("image/") {
                    Some(_) => BlockParam::Image { source, cache_control: None },
                    None => BlockParam::Document { source, cache_control: None },
                }
            }
            Content::Media { media_type, .. } => {
                text_param(format!("[{media_type}, left out: this model cannot read it]"))
            }
            // A reference to a tool that is not sent, or not deferred, would be refused.
            Content::ToolReference { tool_name } if self.is_deferred(tool_name) => {
                BlockParam::ToolReference { tool_name }
            }
            Content::ToolReference { tool_name } => {
                text_param(format!("The tool {tool_name} is available now."))
            }
            Content::Unknown(value) => text_param(value.to_string()),
            // A kind of content that core has and this client does not know yet.
            _ => return None,
        })
    }

    fn is_deferred(&self, name: &str) -> bool {
        self.abilities.tool_references
            && self.tools.iter().any(|tool| tool.deferred && tool.definition.name == name)
    }
}

fn text_param<'a>(text: impl Into<Cow<'a, str>>) -> BlockParam<'a> {
    BlockParam::Text { text: text.into(), cache_control: None }
}

/// The input as the API takes it: an object, whatever the model wrote.
fn object(input: &ToolInput) -> Cow<'_, Value> {
    match input {
        ToolInput::Json(value) if value.is_object() => Cow::Borrowed(value),
        ToolInput::Json(value) => Cow::Owned(json!({"not_an_object": value})),
        ToolInput::Malformed(text) => Cow::Owned(json!({"unreadable_input": text})),
    }
}

fn with_fields<'a>(block: BlockParam<'a>, carrier: &Value) -> BlockParam<'a> {
    match serde_json::to_value(&block) {
        Ok(value) => BlockParam::AsItCame(Cow::Owned(blocks::merged(value, carrier))),
        Err(_) => block,
    }
}

/// Marks the last block of the last user message; and, where a turn had so many blocks that its beginning would be out of
/// sight, that of the user message before.
fn mark_messages(messages: &mut [MessageParam<'_>]) {
    let mut users =
        (0..messages.len()).rev().filter(|index| messages.get(*index).is_some_and(MessageParam::is_user));
    let (Some(last), before) = (users.next(), users.next()) else { return };
    let since = messages.iter().take(last + 1).skip(before.map_or(0, |before| before + 1));
    let far = since.map(|message| message.content.len()).sum::<usize>() > LOOKBACK;
    for index in [Some(last), before.filter(|_| far)].into_iter().flatten() {
        if let Some(message) = messages.get_mut(index) {
            message.content.iter_mut().rev().any(mark);
        }
    }
}

/// Whether the block could take a mark.
fn mark(block: &mut BlockParam<'_>) -> bool {
    match block {
        BlockParam::Text { cache_control, .. }
        | BlockParam::Image { cache_control, .. }
        | BlockParam::Document { cache_control, .. }
        | BlockParam::ToolResult { cache_control, .. } => {
            *cache_control = Some(Mark {});
            true
        }
        BlockParam::Thinking { .. }
        | BlockParam::ToolUse { .. }
        | BlockParam::ToolReference { .. }
        | BlockParam::AsItCame(_) => false,
    }
}
