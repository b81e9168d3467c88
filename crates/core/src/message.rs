//! The conversation as we keep it: no vendor's shape, and nothing a vendor needs back is lost.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Outcome;

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Unique in the session.
    pub id: String,
    /// Who speaks.
    pub role: Speaker,
    /// What is said, in order.
    pub content: Vec<Block>,
    /// The tool use during which this message was made: it is transient until that tool use resolves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_tool_use: Option<String>,
}

impl Message {
    /// A person's message of one text.
    #[must_use]
    pub fn user(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { id: id.into(), role: Speaker::User, content: vec![Block::text(text)], source_tool_use: None }
    }

    /// The tool uses in it, in order: id, name, input.
    pub fn tool_uses(&self) -> impl Iterator<Item = (&str, &str, &ToolInput)> {
        self.content.iter().filter_map(|block| match block {
            Block::ToolUse { id, name, input } => Some((id.as_str(), name.as_str(), input)),
            _ => None,
        })
    }

    /// All its text blocks, joined by a line feed.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|block| match block {
            Block::Content(Content::Text { text }) => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// Who speaks a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The person, or the results of tools.
    User,
    /// The model.
    Assistant,
    /// The host, in the middle of a conversation.
    System,
}

/// One piece of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Block {
    /// What the model thought; goes back unchanged, signature included.
    Thinking {
        /// The thought.
        text: String,
        /// The vendor's proof that it is unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// The model calls a tool.
    ToolUse {
        /// Unique in the conversation; its result names it.
        id: String,
        /// The tool's name as the model wrote it.
        name: String,
        /// What the model wrote.
        input: ToolInput,
    },
    /// The answer to one tool use.
    ToolResult {
        /// The tool use it answers.
        tool_use_id: String,
        /// The answer.
        content: Vec<Content>,
        /// Whether the model is told that it failed.
        outcome: Outcome,
    },
    /// Kept word for word and given back to the vendor it came from alone.
    Vendor {
        /// The model client's name (`anthropic`).
        vendor: String,
        /// The block as it came.
        value: Value,
    },
    /// Text or media.
    #[serde(untagged)]
    Content(Content),
}

impl Block {
    /// A text block.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Content(Content::text(text))
    }
}

/// What a person or a tool says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Plain text.
    Text {
        /// The text.
        text: String,
    },
    /// An image, a PDF or audio. A model client turns what its model cannot take into a sentence.
    Media {
        /// The MIME type.
        media_type: String,
        /// Base64, standard alphabet, padded.
        data: String,
    },
    /// The name of a deferred tool that the model may call from here on.
    ToolReference {
        /// The tool's name.
        tool_name: String,
    },
    /// A kind of content this version does not know; kept as it came.
    #[serde(untagged)]
    Unknown(Value),
}

impl Content {
    /// Plain text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// The text, if it is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            Self::Media { .. } | Self::ToolReference { .. } | Self::Unknown(_) => None,
        }
    }
}

/// What the model wrote as a tool's input; text where it was no JSON, so that nothing half-read ever runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolInput {
    /// Whole JSON.
    Json(Value),
    /// What came was cut or garbled.
    Malformed(String),
}
