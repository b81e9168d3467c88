//! Which tools' definitions are kept back until a search reveals them, and the words about it. Knows of one tool by name only:
//! the search, without which nothing may be kept back.

use serde_json::Value;
use toolwright_core::{Definition, Environment, Loading, Origin};

use crate::pool::rule_names;

#[cfg(test)]
mod tests;

/// The tool that reveals others.
pub const TOOL_SEARCH: &str = "ToolSearch";

/// The share of the context, in percent, that definitions may take before `auto` defers them.
const AUTO_PERCENT: u8 = 10;

/// Characters a token has on average in definitions: good enough for a threshold, and needs no tokeniser.
const CHARACTERS_PER_TOKEN: u64 = 4;

/// When definitions are kept back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeferralMode {
    /// Always, where a tool may be.
    #[default]
    On,
    /// When the definitions that could be kept back take more than this share of the model's context.
    Auto {
        /// In percent, 0 to 100.
        percent: u8,
    },
    /// Never.
    Off,
}

/// A value that says nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{place}: `{value}` is not understood; use `true`, `false`, `auto` or `auto:N` (N from 0 to 100, in percent of the context)"
)]
pub struct DeferralModeError {
    /// The variable or the setting.
    pub place: &'static str,
    /// What was given.
    pub value: String,
}

/// The variable and the setting of the mode; the variable counts where both are there.
const VARIABLE: &str = "ENABLE_TOOL_SEARCH";
const SETTING: &str = "enableToolSearch";

impl DeferralMode {
    /// What the variable `ENABLE_TOOL_SEARCH`, else the setting `enableToolSearch` (text or a truth value) says: `true`,
    /// `false`, `auto` or `auto:N`. Neither means [`On`](Self::On).
    ///
    /// # Errors
    /// When a value says nothing.
    pub fn of(environment: &Environment) -> Result<Self, DeferralModeError> {
        let error = |place, value: &str| DeferralModeError { place, value: value.into() };
        if let Some(value) = environment.variable(VARIABLE) {
            return Self::parse(value).ok_or_else(|| error(VARIABLE, value));
        }
        match environment.settings.get(SETTING) {
            None | Some(Value::Null | Value::Bool(true)) => Ok(Self::On),
            Some(Value::Bool(false)) => Ok(Self::Off),
            Some(Value::String(value)) => Self::parse(value).ok_or_else(|| error(SETTING, value)),
            Some(other) => Err(error(SETTING, &other.to_string())),
        }
    }

    fn parse(value: &str) -> Option<Self> {
        let lower = value.trim().to_ascii_lowercase();
        match lower.as_str() {
            "" | "true" | "1" | "yes" | "on" => Some(Self::On),
            "false" | "0" | "no" | "off" => Some(Self::Off),
            "auto" => Some(Self::Auto { percent: AUTO_PERCENT }),
            other => {
                let percent = other.strip_prefix("auto:")?.parse().ok()?;
                (percent <= 100).then_some(Self::Auto { percent })
            }
        }
    }
}

/// What decides about one agent's tools.
#[derive(Debug, Clone, Default)]
pub struct DeferralPolicy {
    /// When.
    pub mode: DeferralMode,
    /// The model's context in tokens, for [`DeferralMode::Auto`]; 0: not known, so nothing counts as too much.
    pub context_tokens: u64,
    /// Never kept back: names of tools, or `mcp__server` for all of a server (its `alwaysLoad` setting).
    pub always_load: Vec<String>,
}

impl DeferralPolicy {
    /// For each tool of a pool, whether its definition is kept back.
    #[must_use]
    pub fn decide(&self, definitions: &[&Definition]) -> Vec<bool> {
        let searchable = definitions.iter().any(|definition| definition.name == TOOL_SEARCH);
        let deferrable: Vec<bool> =
            definitions.iter().map(|definition| self.is_deferrable(definition)).collect();
        let wanted = searchable
            && match self.mode {
                DeferralMode::On => true,
                DeferralMode::Off => false,
                DeferralMode::Auto { percent } => {
                    let deferred =
                        definitions.iter().zip(&deferrable).filter(|(_, is_deferrable)| **is_deferrable);
                    let tokens: u64 = deferred.map(|(definition, _)| tokens(definition)).sum();
                    self.context_tokens > 0
                        && tokens.saturating_mul(100) > self.context_tokens.saturating_mul(u64::from(percent))
                }
            };
        if wanted { deferrable } else { vec![false; definitions.len()] }
    }

    /// The rules for one tool, the first that applies: always loaded by the settings; the search itself; remote; its own wish.
    fn is_deferrable(&self, definition: &Definition) -> bool {
        let names = rule_names(definition);
        if definition.name == TOOL_SEARCH || self.always_load.iter().any(|name| names.contains(name)) {
            return false;
        }
        matches!(definition.origin, Origin::Remote { .. }) || definition.loading == Loading::Deferred
    }
}

/// The text that tells the model which tools it may search for; none where there is none. Said once for the tools of the
/// start, and again for those of each later arrival.
#[must_use]
pub fn announce_deferred<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut text = format!(
        "These tools exist too, but their definitions are not loaded. Load those you need with {TOOL_SEARCH} before you call \
         them:"
    );
    let bare = text.len();
    for name in names {
        text.push('\n');
        text.push_str(name);
    }
    (text.len() > bare).then_some(text)
}

/// The answer to a call of a tool whose definition the model has not seen: the call is not run on a guess, and the definition
/// comes with the answer, so that the next call can be right. The host reveals the tool with it.
#[must_use]
pub fn answer_not_loaded(definition: &Definition) -> String {
    format!(
        "{name} was not run: its definition was not loaded, so the input was a guess. It is loaded now. Call it again with an \
         input that fits.\n\n{name}: {description}\n\nInput schema: {schema}",
        name = definition.name,
        description = definition.description,
        schema = definition.input_schema,
    )
}

fn tokens(definition: &Definition) -> u64 {
    let characters = definition.name.len()
        + definition.description.chars().count()
        + definition.input_schema.to_string().chars().count();
    u64::try_from(characters).unwrap_or(u64::MAX).div_ceil(CHARACTERS_PER_TOKEN)
}
