//! What the model reads of Write: its description and its answers.

use std::borrow::Cow;

use toolwright_core::{Content, Example, Prompt};

use crate::{Output, Write};

impl Prompt for Write {
    fn description(&self) -> Cow<'static, str> {
        include_str!("prompt.md").into()
    }

    fn answer(&self, output: &Output) -> Vec<Content> {
        vec![Content::text(answer(output))]
    }

    fn search_hint(&self) -> &'static str {
        "create new save overwrite file content"
    }

    fn examples() -> &'static [Example] {
        &[
            Example {
                title: "a new file",
                input: r#"{"file_path": "{cwd}/docs/guide.md", "content": "Guide\n\nFirst steps.\n"}"#,
            },
            Example {
                title: "over a file",
                input: r#"{"file_path": "notes.txt", "content": "one\nTWO\nthree\n"}"#,
            },
            Example { title: "with its CR LF", input: r#"{"file_path": "dos.txt", "content": "a\nc\n"}"# },
        ]
    }
}

fn answer(output: &Output) -> String {
    let done = if output.created { "Created" } else { "Replaced" };
    let kept = output.stored_as.as_ref().map(|kept| format!(" It kept how it is stored: {kept}."));
    format!(
        "{done} {} ({}).{}",
        output.path.display(),
        counted(output.lines, "line"),
        kept.unwrap_or_default()
    )
}

/// `1 line`, `2 lines`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
