//! A request of Chat Completions, written from a borrowed `Request`. Results of tools are messages of their own there, and
//! hold text alone; images go in a user message behind them.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use toolwright_core::{Block, Content, Message, Outcome, Speaker, ToolInput};

use super::{MEDIA, strict};
use crate::{Abilities, Delivery, Request, ids};

/// Longer ids of tool calls are refused by the vendor's own service.
const LONGEST_ID: usize = 40;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<ToolParam<'a>>,
    messages: Vec<MessageParam<'a>>,
    /// The vendor's models refuse the old name; most compatible servers know no other.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Value>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "function")]
struct ToolParam<'a> {
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: Cow<'a, Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum MessageParam<'a> {
    System {
        content: String,
    },
    User {
        #[serde(serialize_with = "string_if_text")]
        content: Vec<Part<'a>>,
    },
    Assistant {
        content: Option<String>,
        /// Servers that show what a model thought want it back in a chain of tool calls.
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning_content: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<CallParam<'a>>,
    },
    Tool {
        tool_call_id: Cow<'a, str>,
        content: String,
    },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part<'a> {
    Text {
        text: Cow<'a, str>,
    },
    /// The address as data, written once.
    ImageUrl {
        image_url: ImageUrl,
    },
}

#[derive(Serialize)]
struct ImageUrl {
    url: String,
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "function")]
struct CallParam<'a> {
    id: Cow<'a, str>,
    function: CalledFunction<'a>,
}

#[derive(Serialize)]
struct CalledFunction<'a> {
    name: &'a str,
    arguments: String,
}

/// The bytes of a request.
pub(super) fn build(
    model: &str,
    request: &Request<'_>,
    limit: Option<u32>,
    own_service: bool,
    strict: bool,
) -> serde_json::Result<Vec<u8>> {
    let streams = request.delivery == Delivery::Stream;
    let tools = request.tools.iter().filter(|tool| !tool.deferred).map(|tool| {
        let definition = tool.definition;
        let rewritten = if strict { strict::rewritten(&definition.input_schema) } else { None };
        let strict = rewritten.is_some();
        let parameters = rewritten.map_or(Cow::Borrowed(&definition.input_schema), Cow::Owned);
        let function =
            Function { name: &definition.name, description: &definition.description, parameters, strict };
        ToolParam { function }
    });
    let mut messages = Vec::new();
    let texts = request.system.iter().copied().filter(|text| !text.trim().is_empty());
    let system = texts.collect::<Vec<_>>().join("\n\n");
    if !system.is_empty() {
        messages.push(MessageParam::System { content: system });
    }
    // Other servers set no limit, and some keep what they need again in an id.
    let longest_id = if own_service { LONGEST_ID } else { usize::MAX };
    for message in request.messages {
        match message.role {
            Speaker::User | Speaker::System => user(message, longest_id, &mut messages),
            Speaker::Assistant => messages.extend(assistant(message, longest_id)),
        }
    }
    serde_json::to_vec(&Body {
        model,
        tools: tools.collect(),
        messages,
        max_completion_tokens: limit.filter(|_| own_service),
        max_tokens: limit.filter(|_| !own_service),
        stream: streams,
        stream_options: streams.then(|| json!({"include_usage": true})),
    })
}

fn user<'a>(message: &'a Message, longest_id: usize, messages: &mut Vec<MessageParam<'a>>) {
    let mut parts = Vec::new();
    for block in &message.content {
        match block {
            Block::ToolResult { tool_use_id, content, outcome } => {
                let texts = content.iter().filter_map(result_text).collect::<Vec<_>>();
                let text = match (texts.join("\n"), outcome) {
                    (text, Outcome::Success) => text,
                    // There is no field for it, and the model should know.
                    (text, Outcome::Failure) => format!("Error: {text}"),
                };
                messages.push(MessageParam::Tool {
                    tool_call_id: ids::short(tool_use_id, longest_id),
                    content: text,
                });
                let images = content.iter().filter(|part| is_image(part)).filter_map(part);
                for image in images {
                    let text = format!("An image from the result of {tool_use_id}:").into();
                    parts.extend([Part::Text { text }, image]);
                }
            }
            Block::Content(content) => parts.extend(part(content)),
            // What an assistant alone says, and kinds of blocks that this client does not know yet.
            _ => {}
        }
    }
    match messages.last_mut() {
        // The templates of many local models want the roles to alternate.
        Some(MessageParam::User { content }) => content.extend(parts),
        _ if parts.is_empty() => {}
        _ => messages.push(MessageParam::User { content: parts }),
    }
}

/// Many compatible servers take a list only where they must.
fn string_if_text<S: Serializer>(parts: &[Part<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    let texts = parts.iter().map(|part| match part {
        Part::Text { text } => Some(text.as_ref()),
        Part::ImageUrl { .. } => None,
    });
    match texts.collect::<Option<Vec<_>>>() {
        Some(texts) => serializer.serialize_str(&texts.join("\n")),
        None => serializer.collect_seq(parts),
    }
}

fn is_image(content: &Content) -> bool {
    matches!(content, Content::Media { media_type, .. } if takes(media_type))
}

fn takes(media_type: &str) -> bool {
    Abilities { tool_references: false, media_types: MEDIA }.takes(media_type)
}

fn result_text(content: &Content) -> Option<Cow<'_, str>> {
    match part(content)? {
        Part::Text { text } => Some(text),
        Part::ImageUrl { .. } => Some("[an image, shown below]".into()),
    }
}

fn part(content: &Content) -> Option<Part<'_>> {
    let text = match content {
        Content::Text { text } if text.trim().is_empty() => return None,
        Content::Text { text } => Cow::Borrowed(text.as_str()),
        Content::Media { media_type, data } if takes(media_type) => {
            let url = format!("data:{media_type};base64,{data}");
            return Some(Part::ImageUrl { image_url: ImageUrl { url } });
        }
        Content::Media { media_type, .. } => {
            format!("[{media_type}, left out: this model cannot read it]").into()
        }
        Content::ToolReference { tool_name } => format!("The tool {tool_name} is available now.").into(),
        Content::Unknown(value) => value.to_string().into(),
        // A kind of content that core has and this client does not know yet.
        _ => return None,
    };
    Some(Part::Text { text })
}

fn assistant(message: &Message, longest_id: usize) -> Option<MessageParam<'_>> {
    let mut thoughts = Vec::new();
    let mut tool_calls = Vec::new();
    for block in &message.content {
        match block {
            // A signed thought is another vendor's.
            Block::Thinking { text, signature } if signature.as_deref().is_none_or(str::is_empty) => {
                thoughts.push(text.as_str());
            }
            Block::ToolUse { id, name, input } => {
                let arguments = match input {
                    ToolInput::Json(value) => value.to_string(),
                    // Servers parse it to fill their templates.
                    ToolInput::Malformed(text) => json!({"unreadable_input": text}).to_string(),
                };
                let id = ids::short(id, longest_id);
                tool_calls.push(CallParam { id, function: CalledFunction { name, arguments } });
            }
            _ => {}
        }
    }
    let content = Some(message.text()).filter(|text| !text.trim().is_empty());
    if content.is_none() && tool_calls.is_empty() {
        return None;
    }
    // An empty thought was an empty field, which some servers miss where it does not come back.
    let reasoning_content = (!thoughts.is_empty()).then(|| thoughts.join("\n"));
    Some(MessageParam::Assistant { content, reasoning_content, tool_calls })
}
