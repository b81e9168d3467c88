//! A catalogue of real servers' tools, queries with what they mean, and how often a ranker finds that. The catalogue is not ours
//! to keep: it is read where it lies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_core::{Definition, DynTool, Environment, Loading, Origin, Services};
use toolwright_services::{CatalogEntry, FixedCatalog, ToolCatalog};
use toolwright_testkit::{TempWorkspace, context};

/// Where the folder of the catalogue is said.
const VARIABLE: &str = "TOOL_SEARCH_CASES";
/// Where it lies when nothing is said, from the repository's root.
const USUAL: &str = "../shared/cases/tool-search";
/// What is looked at of an answer for recall.
pub(crate) const FIRST: usize = 5;
/// What is looked at for the rank of the first hit: the most a search gives.
pub(crate) const MOST: usize = 20;

/// The sets of queries; how each was made is told beside them.
pub(crate) const SETS: [(&str, &str); 6] = [
    ("handed", include_str!("../../cases/tool-search/handed.jsonl")),
    ("own", include_str!("../../cases/tool-search/own.jsonl")),
    ("drawn", include_str!("../../cases/tool-search/drawn.jsonl")),
    ("unseen", include_str!("../../cases/tool-search/unseen.jsonl")),
    ("later", include_str!("../../cases/tool-search/later.jsonl")),
    ("held back", include_str!("../../cases/tool-search/held-back.jsonl")),
];

/// A tool of the catalogue.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Listed {
    pub(crate) server: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) title: Option<String>,
    #[serde(default)]
    pub(crate) description: Option<String>,
    #[serde(default)]
    pub(crate) input_schema: Value,
}

impl Listed {
    pub(crate) fn full_name(&self) -> String {
        format!("mcp__{}__{}", self.server, self.name)
    }

    fn entry(&self) -> CatalogEntry {
        let mut definition = Definition::new(self.full_name(), self.description.clone().unwrap_or_default());
        definition.origin = Origin::Remote { server: self.server.clone(), tool: self.name.clone() };
        definition.search_hint = self.title.clone().unwrap_or_default();
        definition.input_schema = self.input_schema.clone();
        definition.loading = Loading::Deferred;
        CatalogEntry { definition: Arc::new(definition), visible: false }
    }
}

/// A query and what it means.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Query {
    kind: String,
    pub(crate) query: String,
    /// Groups of alternatives, as `server/name`.
    pub(crate) relevant: Vec<Vec<String>>,
}

/// Whether it is one of a group of alternatives.
pub(crate) fn means(group: &[String], name: &str) -> bool {
    group.iter().any(|meant| format!("mcp__{}", meant.replacen('/', "__", 1)) == name)
}

/// How often what was meant was found.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Quality {
    queries: f64,
    recall: f64,
    reciprocal: f64,
}

impl Quality {
    /// The share of the groups of which one is among the first five.
    pub(crate) fn recall(&self) -> f64 {
        self.recall / self.queries.max(1.0)
    }

    /// The mean of one through the rank of the first hit.
    pub(crate) fn mrr(&self) -> f64 {
        self.reciprocal / self.queries.max(1.0)
    }

    fn add(&mut self, query: &Query, found: &[String]) {
        let first = found.get(..FIRST.min(found.len())).unwrap_or_default();
        let hit = query.relevant.iter().filter(|group| first.iter().any(|name| means(group, name))).count();
        let rank = found.iter().position(|name| query.relevant.iter().any(|group| means(group, name)));
        self.queries += 1.0;
        self.recall += count(hit) / count(query.relevant.len()).max(1.0);
        self.reciprocal += rank.map_or(0.0, |rank| 1.0 / (1.0 + count(rank)));
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn count(number: usize) -> f64 {
    number as f64
}

/// The catalogue in that folder, or where it usually lies; the error says where none is.
pub(crate) fn catalogue(folder: Option<PathBuf>) -> Result<Vec<Listed>, String> {
    #[expect(clippy::disallowed_methods, reason = "a bench is told by its own environment where things lie")]
    let said = folder.or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = said.unwrap_or_else(|| root.join(USUAL)).join("catalogue.json");
    let text = std::fs::read_to_string(&path).map_err(|error| {
        format!("no catalogue at {} ({error}); {VARIABLE} says its folder", path.display())
    })?;
    serde_json::from_str(&text).map_err(|error| format!("{} is no catalogue: {error}", path.display()))
}

/// One query a line.
pub(crate) fn queries(lines: &str) -> Vec<Query> {
    let lines = lines.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).expect("a query a line")).collect()
}

/// The quality of a ranker over queries, in all and by their kinds.
pub(crate) fn measure(
    queries: &[Query],
    mut rank: impl FnMut(&str) -> Vec<String>,
) -> (Quality, BTreeMap<String, Quality>) {
    let mut all = Quality::default();
    let mut kinds: BTreeMap<String, Quality> = BTreeMap::new();
    for query in queries {
        let found = rank(&query.query);
        all.add(query, &found);
        kinds.entry(query.kind.clone()).or_default().add(query, &found);
    }
    (all, kinds)
}

/// The search over a catalogue, asked as a model asks it.
pub(crate) struct Search {
    tool: Arc<dyn DynTool>,
    workspace: TempWorkspace,
}

impl Search {
    pub(crate) fn over(catalogue: &[Listed]) -> Self {
        let mut services = Services::new(Arc::new(Environment::default()));
        let entries = catalogue.iter().map(Listed::entry).collect();
        services.offer::<dyn ToolCatalog>(Arc::new(FixedCatalog(entries)));
        let tool =
            (toolwright_tool_tool_search::REGISTRATION.build)(&services).expect("a catalogue is offered");
        Self { tool, workspace: TempWorkspace::new() }
    }

    /// The names it finds, best first.
    pub(crate) fn ask(&self, query: &str) -> Vec<String> {
        let call =
            Arc::clone(&self.tool).parse(json!({"query": query, "max_results": MOST})).expect("a query");
        let reply = at_once(call.run(&context(&self.workspace))).expect("an answer");
        let found = reply.output["found"].as_array().cloned().unwrap_or_default();
        found.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect()
    }
}

/// What a future gives that waits for nothing. A runtime of its own for each query would be most of what is measured.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}
