//! A tool's definition. Plain data that can be compared, so that a host can detect that a remote tool changed and keep the
//! serialized list of tools stable.

use serde_json::{Value, json};

use crate::Loading;

/// All a model, a ranker or a rule needs to know of a tool. Built once, compared to see whether a remote one changed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Definition {
    /// The name the model calls.
    pub name: String,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// Where it comes from.
    pub origin: Origin,
    /// What the model reads of it.
    pub description: String,
    /// A paragraph for the system prompt.
    pub guidance: Option<String>,
    /// Words a search may use.
    pub search_hint: String,
    /// JSON Schema (2020-12) with an object at the root.
    pub input_schema: Value,
    /// JSON Schema of the output, where there is one.
    pub output_schema: Option<Value>,
    /// When the model sees it.
    pub loading: Loading,
    /// Characters of answer text above which the host stores and previews.
    pub answer_limit: usize,
}

impl Definition {
    /// A host's own tool that takes any object. Change the public fields for more.
    ///
    /// ```
    /// use toolwright_core::{Definition, Loading};
    /// let mut definition = Definition::new("deploy", "Deploys the named service.");
    /// definition.loading = Loading::Deferred;
    /// assert_eq!(definition.input_schema["type"], "object");
    /// ```
    #[must_use]
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            aliases: Vec::new(),
            origin: Origin::Host,
            description: description.into(),
            guidance: None,
            search_hint: String::new(),
            input_schema: json!({"type": "object"}),
            output_schema: None,
            loading: Loading::Always,
            answer_limit: 30_000,
        }
    }

    /// Whether `name` is its name or one of its aliases.
    #[must_use]
    pub fn answers_to(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// Why a provider would refuse the input schema, and with it every request that holds the tool.
    ///
    /// The root has to be an object. The Messages API also refuses `oneOf`, `allOf` and `anyOf` there, and an `enum`, a `const`
    /// or a `not` at the root leaves no object that every provider accepts.
    #[must_use]
    pub fn schema_fault(&self) -> Option<String> {
        const REFUSED: [&str; 6] = ["oneOf", "allOf", "anyOf", "enum", "const", "not"];
        if self.input_schema.get("type").and_then(Value::as_str) != Some("object") {
            return Some("its input schema has no object at the root".into());
        }
        let word = REFUSED.iter().find(|word| self.input_schema.get(**word).is_some())?;
        Some(format!(
            "its input schema has `{word}` at the root, which providers refuse; make the input a struct and put the choice into one \
             of its fields"
        ))
    }
}

/// Where a tool comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A tool crate linked into the binary.
    BuiltIn {
        /// The crate's package name.
        package: String,
    },
    /// A tool of an MCP server.
    Remote {
        /// The server's name in the settings.
        server: String,
        /// The tool's name as the server gives it.
        tool: String,
    },
    /// A tool the host made itself (a closure).
    Host,
}
