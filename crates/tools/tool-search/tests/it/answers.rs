//! Queries in, tools out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value, json};
use toolwright_core::{Content, ContextChange, Definition, DynReply, Environment, Loading, Origin, Services};
use toolwright_services::{CatalogEntry, FixedCatalog, ToolCatalog};
use toolwright_testkit::{TempWorkspace, block_on, context, test_services};

/// Services with a catalog of deferred remote tools and one the model sees already.
pub(crate) fn offering(workspace: &TempWorkspace, tools: &[(&str, &str, &str)]) -> Services {
    let remote = tools.iter().map(|(server, tool, description)| {
        let mut definition = Definition::new(format!("mcp__{server}__{tool}"), *description);
        definition.origin = Origin::Remote { server: (*server).into(), tool: (*tool).into() };
        definition.loading = Loading::Deferred;
        CatalogEntry { definition: Arc::new(definition), visible: false }
    });
    let read = CatalogEntry { definition: Arc::new(Definition::new("Read", "Reads a file.")), visible: true };
    let mut services = test_services(workspace);
    services.offer::<dyn ToolCatalog>(Arc::new(FixedCatalog(remote.chain([read]).collect())));
    services
}

fn search(tools: &[(&str, &str, &str)], query: &str) -> DynReply {
    let workspace = TempWorkspace::new();
    let services = offering(&workspace, tools);
    let tool = (toolwright_tool_tool_search::REGISTRATION.build)(&services).expect("offered");
    let call = tool.parse(json!({"query": query})).expect("a query");
    block_on(call.run(&context(&workspace))).expect("an answer")
}

/// The names that each query finds, best first; one index for all of them.
pub(crate) fn names(tools: &[(&str, &str, &str)], queries: &[&str]) -> Vec<Vec<String>> {
    let workspace = TempWorkspace::new();
    let services = offering(&workspace, tools);
    let tool = (toolwright_tool_tool_search::REGISTRATION.build)(&services).expect("offered");
    let answers = queries.iter().map(|query| {
        let call = Arc::clone(&tool).parse(json!({"query": query})).expect("a query");
        let reply = block_on(call.run(&context(&workspace))).expect("an answer");
        let found = reply.output["found"].as_array().cloned().unwrap_or_default();
        found.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect()
    });
    answers.collect()
}

const TOOLS: [(&str, &str, &str); 4] = [
    ("plugin_long_x", "ask_codex", "Asks."),
    ("github", "create_pull_request", "Opens a request to merge a branch."),
    ("github", "listIssues", "Lists issues."),
    ("gitlab", "list_issues", "Lists issues."),
];

#[test]
fn words_find_tools_and_reveal_them() {
    let check = |query: &str, expect: &[&str]| {
        let reply = search(&TOOLS, query);
        let revealed = match reply.changes.as_slice() {
            [ContextChange::RevealTools(names)] => names.clone(),
            _ => Vec::new(),
        };
        assert_eq!(revealed, expect, "{query}");
        let references =
            reply.answer.iter().filter(|content| matches!(content, Content::ToolReference { .. }));
        assert_eq!(references.count(), expect.len(), "{query}");
    };
    check("ask_codex", &["mcp__plugin_long_x__ask_codex"]);
    check("merging branches", &["mcp__github__create_pull_request"]);
    check("gitlab issue", &["mcp__gitlab__list_issues", "mcp__github__listIssues"]);
    check("+github issues", &["mcp__github__listIssues", "mcp__github__create_pull_request"]);
    check("+issue +github", &["mcp__github__listIssues"]);
    check("select:mcp__gitlab__list_issues,Read", &["mcp__gitlab__list_issues"]);
    check("select:list_issues", &["mcp__gitlab__list_issues"]);
    check("+payroll", &[]);
}

#[test]
fn an_unknown_name_gets_the_nearest() {
    let reply = search(&TOOLS, "select:mcp__gitlab__list_isues");
    let text = reply.answer[0].as_text().expect("text");
    assert!(
        text.starts_with(
            "No tool is called mcp__gitlab__list_isues; the nearest are mcp__gitlab__list_issues"
        ),
        "{text}"
    );
    assert!(reply.outcome.is_failure() && reply.changes.is_empty());
}

#[test]
fn without_a_catalog_it_is_not_offered() {
    let reason =
        (toolwright_tool_tool_search::REGISTRATION.build)(&Services::default()).err().expect("not offered");
    assert_eq!(reason.to_string(), "this host offers no ToolCatalog");
}

#[test]
fn where_nothing_is_kept_back_it_is_not_offered() {
    let check = |variable: &str, setting: Value, expect: Result<(), &str>| {
        let variables = BTreeMap::from([("ENABLE_TOOL_SEARCH".to_owned(), variable.to_owned())]);
        let settings = Map::from_iter([("enableToolSearch".to_owned(), setting.clone())]);
        let mut services = Services::new(Arc::new(Environment::new(variables, settings)));
        services.offer::<dyn ToolCatalog>(Arc::new(FixedCatalog::default()));
        let built = (toolwright_tool_tool_search::REGISTRATION.build)(&services);
        let reason = built.map(|_| ()).map_err(|reason| reason.to_string());
        assert_eq!(reason, expect.map_err(str::to_owned), "{variable} {setting}");
    };
    check("", Value::Null, Ok(()));
    check("true", json!(false), Ok(()));
    check("auto:5", json!(false), Ok(()));
    check("False", json!(true), Err("`ENABLE_TOOL_SEARCH` turns it off"));
    check("", json!("off"), Err("`enableToolSearch` turns it off"));
    check("", json!(false), Err("`enableToolSearch` turns it off"));
    check("", json!("auto"), Ok(()));
}

/// A catalog whose tools may come, change and become visible.
#[derive(Default)]
struct Moving(Mutex<(u64, Vec<CatalogEntry>)>);

impl Moving {
    fn set(&self, entries: Vec<CatalogEntry>) {
        let mut held = self.0.lock().expect("no panic");
        *held = (held.0 + 1, entries);
    }
}

impl ToolCatalog for Moving {
    fn entries(&self) -> Vec<CatalogEntry> {
        self.0.lock().expect("no panic").1.clone()
    }

    fn generation(&self) -> u64 {
        self.0.lock().expect("no panic").0
    }
}

#[test]
fn what_came_changed_or_became_visible_is_known_to_the_next_search() {
    let entry = |name: &str, description: &str| {
        let definition = Arc::new(Definition::new(name, description));
        CatalogEntry { definition, visible: false }
    };
    let catalog = Arc::new(Moving::default());
    let mut services = Services::default();
    services.offer::<dyn ToolCatalog>(Arc::clone(&catalog) as _);
    let tool = (toolwright_tool_tool_search::REGISTRATION.build)(&services).expect("offered");
    let workspace = TempWorkspace::new();
    let check = |query: &str, expect: Value| {
        let call = Arc::clone(&tool).parse(json!({"query": query})).expect("a query");
        let reply = block_on(call.run(&context(&workspace))).expect("an answer");
        let found = reply.output["found"].as_array().cloned().unwrap_or_default();
        let found: Value = found.iter().map(|tool| json!([tool["name"], tool["visible"]])).collect();
        assert_eq!(found, expect, "{query}");
    };
    let (weather, mail) = (entry("Weather", "The forecast."), entry("Mail", "Sends a mail."));
    catalog.set(vec![weather.clone()]);
    check("forecast", json!([["Weather", false]]));
    check("mail", json!([]));
    catalog.set(vec![weather.clone(), mail.clone()]);
    check("mail", json!([["Mail", false]]));
    catalog.set(vec![weather.clone(), CatalogEntry { visible: true, ..mail }]);
    check("mail", json!([["Mail", true]]));
    catalog.set(vec![weather, entry("Mail", "Reads a newspaper.")]);
    check("newspaper", json!([["Mail", false]]));
}
