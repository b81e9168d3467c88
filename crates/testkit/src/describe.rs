//! A view as plain words with their roles: what a snapshot shows. Real drawing is the `render` crate's.

use std::fmt::Write as _;

use toolwright_core::{Role, View};

/// A view in text: one line a line, words as `role:words` (plain ones bare), blocks fenced or marked.
#[must_use]
pub fn describe(view: &View) -> String {
    let mut text = String::new();
    write_view(view, "", &mut text);
    text
}

fn write_view(view: &View, indent: &str, text: &mut String) {
    match view {
        View::Line(words) => {
            let words: Vec<_> = words.iter().map(|(role, words)| word(*role, words)).collect();
            push(text, indent, &words.join(" | "));
        }
        View::Code { language, text: code, first_line } => {
            let from = first_line.map(|line| format!(" from line {line}")).unwrap_or_default();
            push(text, indent, &format!("code({}){from}:", language.as_deref().unwrap_or("plain")));
            code.lines().for_each(|line| push(text, indent, &format!("  {line}")));
        }
        View::Diff { path, first_line, before, after } => {
            push(text, indent, &format!("diff({}) from line {first_line}:", path.display()));
            before.lines().for_each(|line| push(text, indent, &format!("  - {line}")));
            after.lines().for_each(|line| push(text, indent, &format!("  + {line}")));
        }
        View::List(views) => {
            push(text, indent, "list:");
            let deeper = format!("{indent}  ");
            views.iter().for_each(|view| write_view(view, &deeper, text));
        }
        View::Nothing => push(text, indent, "(nothing)"),
        other => push(text, indent, &format!("{other:?}")),
    }
}

fn push(text: &mut String, indent: &str, line: &str) {
    let line = format!("{indent}{line}");
    let _ = writeln!(text, "{}", line.trim_end());
}

fn word(role: Role, words: &str) -> String {
    match role {
        Role::Plain => words.to_owned(),
        role => format!("{}:{words}", format!("{role:?}").to_lowercase()),
    }
}
