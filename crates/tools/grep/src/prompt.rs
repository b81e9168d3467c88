//! What the model reads of Grep: its description and its answers.

use std::borrow::Cow;
use std::fmt::Write as _;

use toolwright_core::{Content, Example, Prompt};
use toolwright_workspace::walk::shown;

use crate::logic::{MOST_AT_ONCE, MOST_HIDDEN};
use crate::{FileHits, Grep, Output, OutputMode, Unfinished, Why};

impl Prompt for Grep {
    fn description(&self) -> Cow<'static, str> {
        include_str!("prompt.md").into()
    }

    fn answer(&self, output: &Output) -> Vec<Content> {
        vec![Content::text(answer(output))]
    }

    fn search_hint(&self) -> &'static str {
        "search find text in file contents regex ripgrep"
    }

    fn examples() -> &'static [Example] {
        &[
            Example { title: "files with matches", input: r#"{"pattern": "fn \\w+", "type": "rust"}"# },
            Example {
                title: "lines with context",
                input: r#"{"pattern": "TODO", "output_mode": "content", "-C": 1, "path": "{cwd}"}"#,
            },
            Example { title: "count", input: r#"{"pattern": "todo", "-i": true, "output_mode": "count"}"# },
            Example { title: "nothing found", input: r#"{"pattern": "generated", "glob": "*.rs"}"# },
        ]
    }
}

fn answer(output: &Output) -> String {
    let mut text = String::new();
    match output.mode {
        OutputMode::Content => output.files.iter().for_each(|file| lines(&mut text, file, output)),
        OutputMode::FilesWithMatches => output.files.iter().for_each(|file| {
            let _ = writeln!(text, "{}", shown(&file.path, &output.cwd));
        }),
        OutputMode::Count => output.files.iter().for_each(|file| {
            let _ = writeln!(text, "{}:{}", shown(&file.path, &output.cwd), file.count);
        }),
    }
    notes(&mut text, output);
    text.truncate(text.trim_end().len());
    text
}

fn lines(text: &mut String, file: &FileHits, output: &Output) {
    if !text.is_empty() {
        text.push('\n');
    }
    let path = shown(&file.path, &output.cwd);
    if file.binary {
        let _ = writeln!(text, "{path}: binary file, {}, not shown", counted(file.count, "matching line"));
        return;
    }
    let _ = writeln!(text, "{path}");
    let mut last = None;
    for line in &file.lines {
        if output.with_context && last.is_some_and(|last| line.number > last + 1) {
            text.push_str("--\n");
        }
        last = Some(line.number);
        let _ = match (output.numbered, line.matches) {
            (true, true) => writeln!(text, "{}:{}", line.number, line.text),
            (true, false) => writeln!(text, "{}-{}", line.number, line.text),
            (false, _) => writeln!(text, "{}", line.text),
        };
    }
    if file.ended_at_nul {
        text.push_str("(a NUL byte follows, where the search of a file that was not named ends)\n");
    }
}

fn notes(text: &mut String, output: &Output) {
    let rows = if output.mode == OutputMode::Content { "line" } else { "file" };
    let none_yet = output.interrupted && output.offset == 0;
    if output.shown == 0 && (output.total == Some(0) || none_yet) {
        let _ = match output.searched {
            searched if output.interrupted => {
                writeln!(text, "No match in the {} searched so far.", counted(searched, "file"))
            }
            0 => writeln!(text, "No file to search in {}.", output.root.display()),
            _ => writeln!(
                text,
                "No match in {} ({} searched).",
                output.root.display(),
                counted(output.searched, "file")
            ),
        };
        if output.escaped_bar {
            text.push_str(
                "`\\|` in the pattern is the character `|`; for one or the other write `foo|bar`.\n",
            );
        }
    } else if output.shown == 0
        && let Some(total) = output.total
    {
        let _ = writeln!(text, "There are only {}; use an offset below that.", counted(total, rows));
    } else if output.mode == OutputMode::Count {
        let files = counted(output.total.unwrap_or(output.shown), "file");
        let _ = writeln!(text, "{} in {files}", counted(output.matching_lines, "matching line"));
    }
    if output.shown > 0 && output.has_more() && !output.interrupted {
        let (first, last) = (output.offset + 1, output.offset + output.shown);
        let of = output.total.map(|total| format!(" of {total}")).unwrap_or_default();
        let _ = writeln!(
            text,
            "\n({rows}s {first} to {last}{of}; there are more: use offset {last}, or a narrower pattern)"
        );
    }
    if output.hidden > 0 {
        let more = if output.hidden >= MOST_HIDDEN { "more than " } else { "" };
        let _ = writeln!(
            text,
            "Ignore rules (.gitignore, .ignore) kept {more}{} out of the search; give the ignored file or folder as \
             `path` to search it.",
            counted(output.hidden, "file")
        );
    }
    if output.binary > 0 && output.shown == 0 {
        let _ = writeln!(
            text,
            "{} left out; give one as `path` to search it.",
            counted(output.binary, "binary file")
        );
    }
    if output.unreadable > 0 {
        let _ = writeln!(text, "{} could not be read.", counted(output.unreadable, "entry"));
    }
    unfinished(text, output);
    if output.timed_out {
        text.push_str("The time limit ended the search: there may be more. Give a `path`, `glob` or `type` to search less.\n");
    } else if output.interrupted {
        text.push_str("The search was interrupted: there may be more.\n");
    }
}

/// Names files that may hold more than was found.
fn unfinished(text: &mut String, output: &Output) {
    for Unfinished { path, why } in &output.unfinished {
        let path = shown(path, &output.cwd);
        let _ = match why {
            Why::GaveUp => writeln!(
                text,
                "{path}: the pattern takes too long on a line of it, which was passed over; make the pattern simpler."
            ),
            Why::TooLong => writeln!(
                text,
                "{path}: not searched to its end; a line, or with `multiline` the whole file, is longer than the {} MB that are \
                 searched at once.",
                MOST_AT_ONCE / 1024 / 1024
            ),
        };
    }
    let more = output.unfinished_total.saturating_sub(output.unfinished.len() as u64);
    if more > 0 {
        let _ = writeln!(text, "The same of {}.", counted(more, "other file"));
    }
}

/// `1 file`, `2 files`.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    match (count, thing.strip_suffix('y')) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {thing}s"),
    }
}
