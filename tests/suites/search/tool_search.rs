//! ToolSearch's cases from the field: tools of servers that are kept back, a query, and what it must reveal.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{ContextChange, Definition, Environment, Loading, Origin, Services};
use toolwright_services::{CatalogEntry, FixedCatalog, ToolCatalog};
use toolwright_testkit::{TempWorkspace, block_on, context};
use toolwright_tests::{Tally, cases::Verdict};

#[test]
fn handed_cases() {
    let mut tally = Tally::default();
    for line in include_str!("../../cases/drivers/tool-search.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        let verdict = check(&case).map_or_else(Verdict::Failed, |()| Verdict::Passed);
        let word = |name: &str| case[name].as_str().unwrap_or_default();
        tally.add("ToolSearch", word("id"), word("why"), &verdict);
    }
    println!("{}", tally.report());
    assert!(tally.failures().is_empty(), "{}\n{}", tally.report(), tally.failures().join("\n"));
}

fn deferred(name: &str) -> CatalogEntry {
    let mut parts = name.trim_start_matches("mcp__").splitn(2, "__").map(str::to_owned);
    let mut next = || parts.next().unwrap_or_default();
    let mut definition = Definition::new(name, "");
    definition.origin = Origin::Remote { server: next(), tool: next() };
    definition.loading = Loading::Deferred;
    CatalogEntry { definition: Arc::new(definition), visible: false }
}

fn check(case: &Value) -> Result<(), String> {
    let names = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let entries = names(&case["input"]["deferred"]).iter().map(|name| deferred(name)).collect();
    let mut services = Services::new(Arc::new(Environment::default()));
    services.offer::<dyn ToolCatalog>(Arc::new(FixedCatalog(entries)));
    let tool = (toolwright_tool_tool_search::REGISTRATION.build)(&services).map_err(|why| why.to_string())?;
    let call = tool.parse(json!({"query": case["input"]["query"]})).map_err(|error| error.to_string())?;
    let workspace = TempWorkspace::new();
    let expect = &case["expect"];
    let reply = match block_on(call.run(&context(&workspace))) {
        Ok(reply) => reply,
        Err(error) if expect["is_error"] != false => return says(expect, &error.to_string()),
        Err(error) => return Err(error.to_string()),
    };
    let revealed: Vec<String> = reply
        .changes
        .iter()
        .flat_map(|change| match change {
            ContextChange::RevealTools(names) => names.clone(),
            _ => Vec::new(),
        })
        .collect();
    if revealed != names(&expect["loaded"]) {
        return Err(format!("it reveals {revealed:?}"));
    }
    let text: Vec<&str> = reply.answer.iter().filter_map(toolwright_core::Content::as_text).collect();
    says(expect, &text.join("\n"))
}

fn says(expect: &Value, text: &str) -> Result<(), String> {
    let patterns = expect["contains_re"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for pattern in patterns {
        let pattern = regex::Regex::new(pattern).map_err(|error| error.to_string())?;
        if !pattern.is_match(text) {
            return Err(format!("{pattern} is not in {text:?}"));
        }
    }
    if expect["block_nonempty"].is_string() && text.trim().is_empty() {
        return Err("it says nothing".into());
    }
    Ok(())
}
