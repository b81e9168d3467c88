//! What the model reads.

use std::borrow::Cow;

use toolwright_core::{Content, Example, Prompt};

use crate::{Bash, End, Output};

impl Prompt for Bash {
    fn description(&self) -> Cow<'static, str> {
        include_str!("prompt.md").into()
    }

    fn answer(&self, output: &Output) -> Vec<Content> {
        let mut lines: Vec<String> = Vec::new();
        if !output.text.is_empty() {
            lines.push(output.text.clone());
        }
        match (output.exit_code, output.signal) {
            // Stopped by us: the note says so, and the signal says nothing more.
            _ if output.end != End::Exited => {}
            (Some(0), _) if output.text.is_empty() => lines.push("(no output)".into()),
            (Some(0) | None, None) => {}
            (Some(code), _) => lines.push(format!("[exit code {code}]")),
            (None, Some(signal)) => lines.push(format!("[ended by signal {signal}]")),
        }
        lines.extend(output.notes.iter().map(|note| format!("[{note}]")));
        vec![Content::text(lines.join("\n"))]
    }

    fn search_hint(&self) -> &'static str {
        "shell terminal execute run script process git build test install"
    }

    /// It bounds itself and keeps the whole in a file of its own.
    fn answer_limit(&self) -> usize {
        usize::MAX
    }

    fn examples() -> &'static [Example] {
        &[
            Example {
                title: "Run a command",
                input: r#"{"command": "echo hello", "description": "Print a greeting"}"#,
            },
            Example { title: "A command that fails", input: r#"{"command": "ls no-such-file; exit 3"}"# },
            Example {
                title: "With a time limit",
                input: r#"{"command": "mkdir -p out && echo done > out/state", "timeout": 5000}"#,
            },
        ]
    }
}
