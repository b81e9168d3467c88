//! What the model reads of Agent: its description, with the kinds of this host, and its answers.

use std::borrow::Cow;
use std::fmt::Write as _;

use toolwright_core::{Content, Example, Prompt};

use crate::{Agent, Output};

impl Prompt for Agent {
    fn description(&self) -> Cow<'static, str> {
        let mut text = include_str!("prompt.md").to_owned();
        for kind in &self.kinds {
            let _ = writeln!(text, "- {}: {}", kind.name, kind.when_to_use);
        }
        text.into()
    }

    fn answer(&self, output: &Output) -> Vec<Content> {
        let tail = format!("({}, {})", output.agent_id, used(output));
        vec![Content::text(format!("{}\n\n{tail}", output.text.trim_end()))]
    }

    fn search_hint(&self) -> &'static str {
        "subagent delegate task parallel explore plan research"
    }

    fn examples() -> &'static [Example] {
        &[
            Example {
                title: "a search of its own",
                input: r#"{"description": "Find the retry code", "prompt": "Find where requests are retried.", "subagent_type": "Explore"}"#,
            },
            Example {
                title: "the general kind",
                input: r#"{"description": "Update the tests", "prompt": "Make the tests pass.\nSay what you changed."}"#,
            },
        ]
    }
}

/// `3 tool uses, 1200 tokens`.
pub(crate) fn used(output: &Output) -> String {
    format!("{}, {}", counted(output.tool_uses, "tool use"), counted(tokens(output), "token"))
}

/// All tokens of a run, read and written.
pub(crate) fn tokens(output: &Output) -> u64 {
    output
        .input_tokens
        .saturating_add(output.output_tokens)
        .saturating_add(output.cache_read_input_tokens)
        .saturating_add(output.cache_creation_input_tokens)
}

pub(crate) fn counted(count: u64, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}
