//! What the model reads of Glob: its description and its answers.

use std::borrow::Cow;
use std::fmt::Write as _;

use toolwright_core::{Content, Example, Prompt};
use toolwright_workspace::walk::shown;

use crate::logic::MOST_HIDDEN;
use crate::{Glob, Output};

impl Prompt for Glob {
    fn description(&self) -> Cow<'static, str> {
        include_str!("prompt.md").into()
    }

    fn answer(&self, output: &Output) -> Vec<Content> {
        vec![Content::text(answer(output))]
    }

    fn search_hint(&self) -> &'static str {
        "find list files names folder directory wildcard"
    }

    fn examples() -> &'static [Example] {
        &[
            Example { title: "files of a kind", input: r#"{"pattern": "**/*.rs"}"# },
            Example { title: "below a folder", input: r#"{"pattern": "*.{md,txt}", "path": "{cwd}/docs"}"# },
            Example { title: "no such file", input: r#"{"pattern": "src/**/*.py"}"# },
        ]
    }
}

fn answer(output: &Output) -> String {
    let mut text = String::new();
    for file in &output.files {
        let _ = writeln!(text, "{}", shown(file, &output.cwd));
    }
    let shown_files = output.files.len() as u64;
    if output.total == 0 && output.interrupted {
        let _ = writeln!(text, "No file in {} matched so far.", output.root.display());
    } else if output.total == 0 {
        let _ = writeln!(text, "No file matches in {}.", output.root.display());
    } else if shown_files < output.total {
        let _ = writeln!(
            text,
            "(first {shown_files} of {}, last changed first; narrow the pattern or the path to see others)",
            output.total
        );
    }
    if output.total == 0 && output.has_comma {
        text.push_str(
            "A comma outside of braces is a character of a name; for several patterns write `{*.a,*.b}`.\n",
        );
    }
    if output.is_folder {
        text.push_str("The pattern names a folder; end it with `/**` to list what is in it.\n");
    }
    if output.hidden > 0 {
        let more = if output.hidden >= MOST_HIDDEN { "more than " } else { "" };
        let _ = writeln!(
            text,
            "Ignore rules (.gitignore, .ignore) hide {more}{} that would match; begin the pattern or `path` with the \
             ignored file or folder to see them.",
            counted(output.hidden, "file")
        );
    }
    if output.unreadable > 0 {
        let _ = writeln!(text, "{} could not be read.", counted(output.unreadable, "entry"));
    }
    if output.timed_out {
        text.push_str(
            "The time limit ended the search: there may be more files. Narrow the `path` or the pattern.\n",
        );
    } else if output.interrupted {
        text.push_str("The search was interrupted: there may be more files.\n");
    }
    text.truncate(text.trim_end().len());
    text
}

/// `1 file`, `2 files`.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    match (count, thing.strip_suffix('y')) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {thing}s"),
    }
}
