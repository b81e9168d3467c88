//! The table of models: data in `models.json`, found by the longest prefix of a name.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{ModelError, ModelErrorKind};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    default: String,
    nicknames: BTreeMap<String, String>,
    models: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    prefix: String,
    pub(super) context_tokens: u32,
    pub(super) max_output_tokens: u32,
    #[serde(default)]
    pub(super) adaptive_thinking: bool,
    #[serde(default)]
    pub(super) no_tool_references: bool,
}

/// The vendor's name for `name`, and what is known of it.
pub(super) fn find(name: &str) -> Result<(String, Entry), ModelError> {
    let broken = |error: &dyn std::fmt::Display| {
        ModelError::new(ModelErrorKind::NotConfigured, format!("the table of models: {error}"))
    };
    let table: Table = serde_json::from_str(include_str!("models.json")).map_err(|error| broken(&error))?;
    let name = match name.trim() {
        "" => table.default,
        name => table.nicknames.get(name).cloned().unwrap_or_else(|| name.to_owned()),
    };
    let fits = table.models.into_iter().filter(|entry| name.starts_with(&entry.prefix));
    let entry = fits.max_by_key(|entry| entry.prefix.len());
    let entry = entry.ok_or_else(|| broken(&format_args!("no entry for {name}")))?;
    Ok((name, entry))
}
