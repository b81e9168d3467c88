//! What the model reads of NotebookEdit: its description and its answers.

use std::borrow::Cow;
use std::fmt::Write as _;

use toolwright_core::{Content, Example, Prompt};

use crate::{EditMode, NotebookEdit, Output};

impl Prompt for NotebookEdit {
    fn description(&self) -> Cow<'static, str> {
        include_str!("prompt.md").into()
    }

    fn answer(&self, output: &Output) -> Vec<Content> {
        vec![Content::text(answer(output))]
    }

    fn search_hint(&self) -> &'static str {
        "jupyter ipynb notebook cell change insert delete python"
    }

    fn examples() -> &'static [Example] {
        &[
            Example {
                title: "a new source",
                input: r#"{"notebook_path": "{cwd}/plot.ipynb", "cell_id": "load", "new_source": "import csv\nrows = []"}"#,
            },
            Example {
                title: "a cell more",
                input: r#"{"notebook_path": "plot.ipynb", "cell_id": "load", "cell_type": "markdown", "new_source": "The plot", "edit_mode": "insert"}"#,
            },
            Example {
                title: "a cell less",
                input: r#"{"notebook_path": "plot.ipynb", "cell_id": "title", "edit_mode": "delete"}"#,
            },
        ]
    }
}

fn answer(output: &Output) -> String {
    let (cell, kind, path) = (&output.cell, output.kind(), output.path.display());
    let mut text = match output.edit_mode {
        EditMode::Replace => format!("Replaced the source of {kind} `{cell}` in {path}."),
        EditMode::Insert => {
            let place = match &output.after {
                Some(after) => format!("after cell `{after}`"),
                None => "at the top, as no `cell_id` was given".into(),
            };
            format!("Inserted {kind} `{cell}` {place}, in {path}.")
        }
        EditMode::Delete => format!("Deleted {kind} `{cell}` from {path}."),
    };
    if output.outputs_cleared {
        text.push_str(" Its outputs, which were of the old source, are cleared.");
    }
    if output.renumbered > 0 {
        let _ = write!(text, " {}.", renumbered(output));
    }
    text
}

fn renumbered(output: &Output) -> String {
    let shift = match output.edit_mode {
        EditMode::Delete => "one less",
        EditMode::Insert | EditMode::Replace => "one more",
    };
    let cells = if output.renumbered == 1 { "cell" } else { "cells" };
    format!("The number in the name of the {} {cells} below without an id is {shift} now", output.renumbered)
}
