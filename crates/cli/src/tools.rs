//! `tools`: what this binary can do, and why a tool is not among it.

use serde_json::{Value, json};
use toolwright::core::{Loading, Origin};
use toolwright::engine::{Explanation, Pool, Standing};

/// One tool a line: name, where it comes from.
pub(crate) fn names(pool: &Pool) -> String {
    let entries = pool.entries().iter().map(|entry| entry.definition());
    let rows: Vec<_> = entries.map(|tool| (tool.name.clone(), origin_words(&tool.origin))).collect();
    columns(&rows)
}

/// `[{name, package, origin, loading}]`.
pub(crate) fn json(pool: &Pool) -> String {
    let entries = pool.entries().iter().map(|entry| {
        let tool = entry.definition();
        let (origin, package) = match &tool.origin {
            Origin::BuiltIn { package } => ("built-in", Value::from(package.as_str())),
            Origin::Remote { server, .. } => ("remote", json!(server)),
            Origin::Host => ("host", Value::Null),
        };
        let loading = match tool.loading {
            Loading::Always => "always",
            Loading::Deferred => "deferred",
            Loading::OnRequest => "on-request",
        };
        json!({"name": tool.name, "package": package, "origin": origin, "loading": loading})
    });
    let list: Value = entries.collect();
    serde_json::to_string_pretty(&list).unwrap_or_default()
}

/// Each tool and what became of it.
pub(crate) fn explained(explanations: &[Explanation]) -> String {
    let rows: Vec<_> = explanations
        .iter()
        .map(|tool| {
            let standing = match &tool.standing {
                Standing::Shown => "offered from the start".into(),
                Standing::Deferred => "offered once a search reveals it".into(),
                Standing::Revealed => "offered: a search revealed it".into(),
                Standing::LeftOut { layer, reason } => format!("left out ({}): {reason}", layer.name()),
            };
            (tool.name.clone(), standing)
        })
        .collect();
    columns(&rows)
}

fn origin_words(origin: &Origin) -> String {
    match origin {
        Origin::BuiltIn { package } => package.clone(),
        Origin::Remote { server, tool } => format!("{tool} of the server {server}"),
        Origin::Host => "this program".into(),
    }
}

fn columns(rows: &[(String, String)]) -> String {
    let widest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let lines = rows.iter().map(|(name, words)| format!("{name:widest$}  {words}\n"));
    toolwright_render::safe_text(&lines.collect::<String>())
}
