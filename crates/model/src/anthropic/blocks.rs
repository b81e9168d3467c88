//! Blocks as the Messages API sends them, and as we keep them. What we do not know goes with them: an unknown block as a
//! vendor's block, unknown fields of a known block as a vendor's block behind it, which [`merged`] puts back. A tool use stays a
//! tool use whatever its id and name are, so that it gets a result.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};
use toolwright_core::{Block, ToolInput};

use super::VENDOR;

/// A block of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum WireBlock {
    Text {
        text: String,
        #[serde(flatten)]
        more: Map<String, Value>,
    },
    Thinking {
        thinking: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
        #[serde(flatten)]
        more: Map<String, Value>,
    },
    ToolUse {
        #[serde(default, deserialize_with = "text_or_number")]
        id: String,
        #[serde(default, deserialize_with = "text_or_number")]
        name: String,
        #[serde(default)]
        input: Value,
        #[serde(flatten)]
        more: Map<String, Value>,
    },
    #[serde(untagged)]
    Unknown(Value),
}

/// Some gateways send numbers or `null`. An empty id is replaced by whoever takes the call in.
fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => text,
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => String::new(),
    })
}

/// The type of the block that carries the fields we have no place for.
const FIELDS: &str = "toolwright_fields";

impl WireBlock {
    /// As we keep it: the block, and behind it what has no place in it.
    pub(super) fn kept(self) -> (Block, Option<Block>) {
        match self {
            Self::Text { text, more } => (Block::text(text), fields("text", more)),
            Self::Thinking { thinking, signature, more } => {
                (Block::Thinking { text: thinking, signature }, fields("thinking", more))
            }
            Self::ToolUse { id, name, input, mut more } => {
                // What it always says: called by the model itself.
                if more.get("caller") == Some(&json!({"type": "direct"})) {
                    more.remove("caller");
                }
                (Block::ToolUse { id, name, input: ToolInput::Json(input) }, fields("tool_use", more))
            }
            Self::Unknown(value) => (Block::Vendor { vendor: VENDOR.to_owned(), value }, None),
        }
    }
}

fn fields(of: &str, mut more: Map<String, Value>) -> Option<Block> {
    more.retain(|_, value| !value.is_null());
    let value = || json!({"type": FIELDS, "of": of, "fields": more});
    (!more.is_empty()).then(|| Block::Vendor { vendor: VENDOR.to_owned(), value: value() })
}

/// What a block kept behind another one adds to it.
pub(super) fn is_fields(value: &Value) -> bool {
    value.get("type").and_then(Value::as_str) == Some(FIELDS)
}

/// `block` with the fields that `carrier` holds, if they are its own.
pub(super) fn merged(mut block: Value, carrier: &Value) -> Value {
    if block.get("type") == carrier.get("of")
        && let Some(block) = block.as_object_mut()
        && let Some(fields) = carrier.get("fields").and_then(Value::as_object)
    {
        for (name, value) in fields {
            block.entry(name.clone()).or_insert_with(|| value.clone());
        }
    }
    block
}
