//! What the model reads of Read: its description and its answers.

use std::borrow::Cow;
use std::fmt::Write as _;

use toolwright_core::{Content, Example, Prompt};

use crate::logic::LINE_BYTES;
use crate::{Output, Read};

impl Prompt for Read {
    fn description(&self) -> Cow<'static, str> {
        include_str!("prompt.md").into()
    }

    fn answer(&self, output: &Output) -> Vec<Content> {
        vec![Content::text(answer(output))]
    }

    fn search_hint(&self) -> &'static str {
        "open show view cat file content text lines"
    }

    fn answer_limit(&self) -> usize {
        usize::MAX
    }

    fn examples() -> &'static [Example] {
        &[
            Example { title: "a file", input: r#"{"file_path": "{cwd}/src/main.rs"}"# },
            Example { title: "some lines", input: r#"{"file_path": "notes.txt", "offset": 3, "limit": 2}"# },
            Example { title: "past the end", input: r#"{"file_path": "notes.txt", "offset": 100}"# },
        ]
    }
}

fn answer(output: &Output) -> String {
    if output.lines == 0 {
        return nothing(output);
    }
    let mut text = String::with_capacity(output.text.len() + output.text.len() / 8);
    let mut cut = output.cut.iter().peekable();
    let lines = output.text.strip_suffix('\n').unwrap_or(&output.text).split('\n');
    for (number, line) in (output.first_line..).zip(lines) {
        let _ = write!(text, "{number}\t{line}");
        if let Some(cut) = cut.next_if(|cut| cut.line == number) {
            let _ = write!(text, "… [cut: {} more bytes]", cut.omitted);
        }
        text.push('\n');
    }
    for note in notes(output) {
        let _ = write!(text, "\n[{note}]");
    }
    text
}

/// Why there are no lines to show.
fn nothing(output: &Output) -> String {
    match output.total_lines {
        Some(0) => "[the file is empty: 0 lines]".into(),
        Some(total) => format!(
            "[nothing to show: the file has {}, and line {} is past its end]",
            counted(total, "line"),
            output.first_line
        ),
        None => "[nothing to show]".into(),
    }
}

fn notes(output: &Output) -> impl Iterator<Item = String> {
    let last = output.first_line + output.lines - 1;
    let more = output.more.then(|| {
        let of = output.total_lines.map(|total| format!(" of {total}")).unwrap_or_default();
        format!("lines {}-{last}{of} are shown; go on with offset {}", output.first_line, last + 1)
    });
    let cut = output.cut.first().map(|first| {
        let (line, from) = (first.line, LINE_BYTES + 1);
        format!("lines over {LINE_BYTES} bytes are cut; for the rest of line {line}: sed -n {line}p FILE | cut -b {from}-")
    });
    let encoding =
        output.encoding.as_ref().map(|encoding| format!("stored as {encoding}, which changes keep"));
    [more, cut, encoding].into_iter().flatten()
}

/// `1 line`, `2 lines`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
