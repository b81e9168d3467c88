//! What the model reads of ToolSearch.

use std::borrow::Cow;
use std::fmt::Write as _;

use toolwright_core::{Content, Example, Prompt};

use crate::{Output, ToolSearch};

impl Prompt for ToolSearch {
    fn description(&self) -> Cow<'static, str> {
        include_str!("prompt.md").into()
    }

    /// Words for every model, and a reference a tool: a client whose vendor knows none leaves those out.
    fn answer(&self, output: &Output) -> Vec<Content> {
        let new = output.found.iter().filter(|found| !found.visible);
        let references = new.map(|found| Content::ToolReference { tool_name: found.name.clone() });
        std::iter::once(Content::text(words(output))).chain(references).collect()
    }

    fn examples() -> &'static [Example] {
        &[
            Example { title: "by words", input: r#"{"query": "create github issue"}"# },
            Example {
                title: "by name",
                input: r#"{"query": "select:mcp__slack__post_message,mcp__slack__pots"}"#,
            },
            Example { title: "nothing found", input: r#"{"query": "+payroll run", "max_results": 3}"# },
        ]
    }
}

fn words(output: &Output) -> String {
    let mut text = String::new();
    for found in &output.found {
        let before = if found.visible { " (already loaded)" } else { "" };
        let _ = writeln!(text, "{}{before}: {}", found.name, found.purpose);
    }
    for unknown in &output.unknown {
        let near = match unknown.near.as_slice() {
            [] => "no tool can be loaded here".to_owned(),
            near => format!("the nearest are {}", near.join(", ")),
        };
        let _ = writeln!(text, "No tool is called {}; {near}.", unknown.name);
    }
    if output.found.is_empty() && output.unknown.is_empty() {
        let _ = writeln!(
            text,
            "No match among {} tools. Try other words for the action or its object, and fewer with `+`.",
            output.searched
        );
    }
    text.truncate(text.trim_end().len());
    text
}
