//! Hashes of definitions. Two questions, two hashes: is it the same tool (keys in any order), and are these the same bytes.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use toolwright_core::{Definition, Origin};

/// SHA-256, in hexadecimal, of the canonical JSON (keys sorted) of what the model and the rules know of a tool: name, aliases,
/// origin, description, guidance, schemas. What only the host reads (limits, loading, search words) is left out, so that a
/// program of a newer version does not take every tool for a changed one.
#[must_use]
pub fn definition_hash(definition: &Definition) -> String {
    let origin = match &definition.origin {
        Origin::BuiltIn { package } => json!({"built_in": package}),
        Origin::Remote { server, tool } => json!({"server": server, "tool": tool}),
        Origin::Host => json!("host"),
    };
    let canonical = sorted(&json!({
        "name": definition.name,
        "aliases": definition.aliases,
        "origin": origin,
        "description": definition.description,
        "guidance": definition.guidance,
        "input_schema": definition.input_schema,
        "output_schema": definition.output_schema,
    }));
    hexadecimal(&Sha256::digest(canonical.to_string()))
}

/// A hash over what a client would serialise, keys in the order they have.
pub(super) fn shown<'a>(definitions: impl Iterator<Item = &'a Definition>) -> String {
    let mut hasher = Sha256::new();
    for definition in definitions {
        hasher.update(wire(definition));
    }
    hexadecimal(&hasher.finalize())
}

/// The parts of a definition that go to a model, as bytes; ends with a line feed, which JSON text never holds.
pub(super) fn wire(definition: &Definition) -> String {
    let parts = [json!(definition.name), json!(definition.description), definition.input_schema.clone()];
    let mut text = Value::from(parts.to_vec()).to_string();
    text.push('\n');
    text
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut pairs: Vec<_> = fields.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            pairs.sort_by(|left, right| left.0.cmp(&right.0));
            Value::Object(pairs.into_iter().collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}
