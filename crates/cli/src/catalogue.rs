//! `tool-search`: the search for tools over a catalogue of anyone's, so that its ranking can be measured. Asks the tool as a model
//! would; knows nothing of how it ranks.

use std::fs;
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use toolwright::core::{Cancel, Definition, DynTool, Environment, Loading, Origin, Services, ToolContext};
use toolwright::services::{CatalogEntry, FixedCatalog, ToolCatalog};

use crate::environment::Surroundings;
use crate::exit::Exit;
use crate::run::in_runtime;
use crate::stdout::{print, say};

/// The tool that is asked.
const TOOL: &str = toolwright::engine::TOOL_SEARCH;

/// Answers each `{"query", "k"}` of standard input with a list of names, best first, a line each.
pub(crate) fn tool_search(surroundings: &Surroundings, catalogue: &Path) -> Exit {
    let tool = match entries(catalogue).and_then(tool) {
        Ok(tool) => tool,
        Err(message) => {
            say(&message);
            return Exit::Failed;
        }
    };
    in_runtime(answer_all(surroundings, &tool))
}

async fn answer_all(surroundings: &Surroundings, tool: &Arc<dyn DynTool>) -> Exit {
    let mut exit = Exit::Done;
    for (number, line) in (1..).zip(io::stdin().lock().lines()) {
        let answered = match line {
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => answer(surroundings, tool, &line).await,
            Err(error) => Err(error.to_string()),
        };
        // A line for each line, so that answers can be counted off against queries.
        let names = answered.unwrap_or_else(|message| {
            say(&format!("line {number} of standard input: {message}"));
            exit = Exit::Failed;
            Vec::new()
        });
        if print(&json!(names).to_string()).is_err() {
            return Exit::Failed;
        }
    }
    exit
}

/// What a catalogue lists.
fn entries(path: &Path) -> Result<Vec<CatalogEntry>, String> {
    const SHAPE: &str =
        "it should be a list of {\"server\", \"name\", \"title\", \"description\", \"input_schema\"}";
    let place = path.display();
    let text = fs::read_to_string(path).map_err(|error| format!("{place} cannot be read: {error}"))?;
    let list: Vec<Value> =
        serde_json::from_str(&text).map_err(|error| format!("{place} is no catalogue: {error}; {SHAPE}"))?;
    let entries = list.iter().enumerate().map(|(number, tool)| {
        let wrong = || format!("{place}: tool {number} has no `server` or no `name`; {SHAPE}");
        entry(tool).ok_or_else(wrong)
    });
    entries.collect()
}

fn entry(tool: &Value) -> Option<CatalogEntry> {
    let text = |field: &str| tool.get(field).and_then(Value::as_str);
    let (server, name) = (text("server")?, text("name")?);
    let mut definition =
        Definition::new(format!("mcp__{server}__{name}"), text("description").unwrap_or_default());
    definition.origin = Origin::Remote { server: server.into(), tool: name.into() };
    definition.search_hint = text("title").unwrap_or_default().into();
    if let Some(schema) = tool.get("input_schema").filter(|schema| schema.is_object()) {
        definition.input_schema = schema.clone();
    }
    definition.loading = Loading::Deferred;
    Some(CatalogEntry { definition: Arc::new(definition), visible: false })
}

/// The search, over these entries alone.
fn tool(entries: Vec<CatalogEntry>) -> Result<Arc<dyn DynTool>, String> {
    let registry = toolwright::tools().map_err(|error| error.to_string())?;
    let registration = registry
        .registrations()
        .find(|registration| registration.name == TOOL)
        .ok_or_else(|| format!("this binary has no {TOOL}; build it with the feature `tool-search`"))?;
    let mut services = Services::new(Arc::new(Environment::default()));
    services.offer::<dyn ToolCatalog>(Arc::new(FixedCatalog(entries)));
    (registration.build)(&services).map_err(|error| error.to_string())
}

async fn answer(
    surroundings: &Surroundings,
    tool: &Arc<dyn DynTool>,
    line: &str,
) -> Result<Vec<String>, String> {
    let asked: Value = serde_json::from_str(line).map_err(|error| format!("it is no JSON: {error}"))?;
    let query = asked.get("query").and_then(Value::as_str);
    let query = query.ok_or("write it like {\"query\": \"send a message\", \"k\": 5}")?;
    let mut input = json!({"query": query});
    if let Some(most) = asked.get("k").filter(|most| !most.is_null()) {
        input["max_results"] = most.clone();
    }
    let call = Arc::clone(tool).parse(input).map_err(|error| error.to_string())?;
    let context = ToolContext::new("query", "tool-search", &surroundings.cwd, Cancel::default(), |_| {});
    call.validate(&context).await.map_err(|error| error.to_string())?;
    let reply = call.run(&context).await.map_err(|error| error.to_string())?;
    let found = reply.output.get("found").and_then(Value::as_array).into_iter().flatten();
    let names = found.filter_map(|tool| tool.get("name").and_then(Value::as_str));
    Ok(names.map(str::to_owned).collect())
}
