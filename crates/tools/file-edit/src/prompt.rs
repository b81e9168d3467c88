//! What the model reads of Edit: its description and its answers.

use std::borrow::Cow;
use std::fmt::Write as _;

use toolwright_core::{Content, Example, Prompt};

use crate::{Edit, Output};

/// Lines of the changed file that an answer shows.
const MOST_LINES: usize = 30;
/// Bytes of a line that an answer shows.
const MOST_BYTES: usize = 300;

impl Prompt for Edit {
    fn description(&self) -> Cow<'static, str> {
        include_str!("prompt.md").into()
    }

    fn answer(&self, output: &Output) -> Vec<Content> {
        vec![Content::text(answer(output))]
    }

    fn search_hint(&self) -> &'static str {
        "change replace modify update text file code"
    }

    fn examples() -> &'static [Example] {
        &[
            Example {
                title: "one place",
                input: r#"{"file_path": "{cwd}/src/main.rs", "old_string": "\"hello\"", "new_string": "\"hello, world\""}"#,
            },
            Example {
                title: "every occurrence",
                input: r#"{"file_path": "notes.txt", "old_string": "item", "new_string": "entry", "replace_all": true}"#,
            },
            Example {
                title: "a new file",
                input: r#"{"file_path": "{cwd}/docs/new.md", "old_string": "", "new_string": "New\n"}"#,
            },
        ]
    }
}

fn answer(output: &Output) -> String {
    let path = output.path.display();
    if output.created {
        return format!("Created {path}.");
    }
    let how = output.aid.map(|aid| format!(", found {}", aid.words())).unwrap_or_default();
    let mut text = format!("Edited {path} ({}{how}). It now reads:", counted(output.replaced, "replacement"));
    let mut room = MOST_LINES;
    for (index, hunk) in output.patch.hunks.iter().enumerate() {
        if room == 0 {
            let _ = write!(text, "\n[{} more not shown]", counted(output.patch.hunks.len() - index, "place"));
            break;
        }
        if index > 0 {
            text.push_str("\n..");
        }
        for (number, line) in (hunk.first_line..).zip(hunk.after.lines()).take(room) {
            let shown = line.get(..line.floor_char_boundary(MOST_BYTES)).unwrap_or(line);
            let cut = if shown.len() < line.len() { "…" } else { "" };
            let _ = write!(text, "\n{number}\t{shown}{cut}");
        }
        room = room.saturating_sub(hunk.after.lines().count());
    }
    if output.patch.hunks.is_empty() {
        text = text.trim_end_matches(" It now reads:").to_owned();
    }
    text
}

/// `1 line`, `2 lines`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
