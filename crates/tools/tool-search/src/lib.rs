//! ToolSearch: finds deferred tools by name or by what they do, and reveals them. Knows tools by their definitions alone.

mod logic;
mod prompt;
mod ui;

use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright_core::{
    ContextChange, Definition, Effects, Environment, ErrorKind, Outcome, Reply, Services, Tool, ToolContext,
    ToolError, Unavailable, Verdict, register,
};
use toolwright_services::ToolCatalog;

use logic::{Index, Query, find};

/// The variable and the setting that say whether definitions are kept back at all; the variable counts where both are there.
const VARIABLE: &str = "ENABLE_TOOL_SEARCH";
const SETTING: &str = "enableToolSearch";

/// The ToolSearch tool.
pub struct ToolSearch {
    catalog: Arc<dyn ToolCatalog>,
    /// Built by the first search.
    index: Mutex<Option<Held>>,
}

/// The index of one generation of the catalog.
struct Held {
    generation: u64,
    definitions: Vec<Arc<Definition>>,
    index: Arc<Index>,
}

register!(ToolSearch);

/// What the model gives.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// `select:NAME,NAME`, or words; `+word` must occur in the tool's name or early in its description.
    pub query: String,
    /// At most so many tools. Default 5, at most 20.
    #[serde(default)]
    #[schemars(extend("x-aliases" = ["limit"]))]
    pub max_results: Option<u32>,
}

/// What was found.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// Tools that may be called from here on, best first.
    pub found: Vec<Found>,
    /// Names asked for that are none.
    #[serde(default)]
    pub unknown: Vec<Unknown>,
    /// How many tools there were to search.
    pub searched: u64,
}

/// A found tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// Its name.
    pub name: String,
    /// What it is for, in a line.
    pub purpose: String,
    /// The model could call it before.
    pub visible: bool,
}

/// A name that is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Unknown {
    /// As it was asked for.
    pub name: String,
    /// The names most like it.
    pub near: Vec<String>,
}

impl std::fmt::Debug for ToolSearch {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ToolSearch").finish_non_exhaustive()
    }
}

impl ToolSearch {
    /// The index of what the catalog has now. What only became visible is no reason to build it again.
    fn index(&self) -> Arc<Index> {
        let generation = self.catalog.generation();
        let mut held = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = &*held
            && held.generation == generation
        {
            return Arc::clone(&held.index);
        }
        let mut entries = self.catalog.entries();
        entries.retain(|entry| entry.definition.name != Self::NAME);
        let definitions: Vec<_> = entries.iter().map(|entry| Arc::clone(&entry.definition)).collect();
        let before = held.take().filter(|held| {
            held.definitions.len() == definitions.len()
                && held.definitions.iter().zip(&definitions).all(|(one, other)| Arc::ptr_eq(one, other))
        });
        let index = match before {
            Some(mut before) => {
                let visible = entries.iter().map(|entry| entry.visible);
                Arc::make_mut(&mut before.index).set_visible(visible);
                before.index
            }
            None => Arc::new(Index::new(entries)),
        };
        *held = Some(Held { generation, definitions, index: Arc::clone(&index) });
        index
    }
}

impl Tool for ToolSearch {
    const NAME: &'static str = "ToolSearch";
    type Input = Input;
    type Output = Output;

    fn new(services: &Services) -> Result<Self, Unavailable> {
        Ok(Self { catalog: services.require::<dyn ToolCatalog>()?, index: Mutex::default() })
    }

    /// With nothing kept back there is nothing to find, and its definition would be paid for unused.
    fn when(environment: &Environment) -> Result<(), Unavailable> {
        let is_off = |value: &str| {
            ["0", "false", "no", "off"].iter().any(|off| value.trim().eq_ignore_ascii_case(off))
        };
        let (place, off) = match (environment.variable(VARIABLE), environment.settings.get(SETTING)) {
            (Some(value), _) => (VARIABLE, is_off(value)),
            (None, Some(Value::Bool(on))) => (SETTING, !on),
            (None, Some(Value::String(value))) => (SETTING, is_off(value)),
            (None, _) => (SETTING, false),
        };
        if off { Err(Unavailable(format!("`{place}` turns it off"))) } else { Ok(()) }
    }

    fn effects(&self, _: &Input) -> Effects {
        Effects::READ_ONLY
    }

    async fn validate(&self, input: &Input, _: &ToolContext) -> Result<(), ToolError> {
        query(input).map(|_| ())
    }

    async fn check(&self, _: &Input, _: &ToolContext) -> Verdict {
        Verdict::Allow
    }

    async fn call(&self, input: &Input, _: &ToolContext) -> Result<Reply<Output>, ToolError> {
        let output = find(&self.index(), &query(input)?);
        let new = output.found.iter().filter(|found| !found.visible).map(|found| found.name.clone());
        let new: Vec<_> = new.collect();
        let changes = if new.is_empty() { Vec::new() } else { vec![ContextChange::RevealTools(new)] };
        let failed = output.found.is_empty() && !output.unknown.is_empty();
        let outcome = if failed { Outcome::Failure } else { Outcome::Success };
        Ok(Reply { output, outcome, changes })
    }
}

fn query(input: &Input) -> Result<Query, ToolError> {
    Query::read(&input.query, input.max_results).ok_or_else(|| {
        ToolError::new(
            ErrorKind::InvalidInput,
            "the query is empty; give words for what the tool should do, or `select:NAME,NAME`",
        )
    })
}
