//! What a person sees of NotebookEdit.

use std::path::Path;

use toolwright_core::{Detail, Role, Tool as _, Ui, View};
use toolwright_workspace::patch::{Patch, of_texts};

use crate::{EditMode, Input, NotebookEdit, Output};

impl Ui for NotebookEdit {
    fn call_view(&self, input: &Input, detail: Detail) -> View {
        let mut words = vec![(Role::Name, Self::NAME.into()), (Role::Path, input.notebook_path.clone())];
        words.push((Role::Muted, plan(input)));
        let line = View::Line(words);
        match (detail, &input.new_source) {
            (Detail::Condensed, _) | (_, None) => line,
            // What it replaces is known once it is done.
            (_, Some(source)) => list(line, &of_texts("", source), Path::new(&input.notebook_path)),
        }
    }

    fn result_view(&self, _: &Input, output: &Output, detail: Detail) -> View {
        let line = View::words(Role::Count, done(output));
        match detail {
            Detail::Condensed => line,
            Detail::Verbose | Detail::Transcript => list(line, &output.patch, &output.path),
        }
    }

    fn rejected_view(&self, input: &Input, _: Detail) -> View {
        self.call_view(input, Detail::Condensed)
    }

    fn activity(&self, input: &Input) -> String {
        format!("Editing {}", input.notebook_path)
    }

    fn summary(&self, _: &Input, output: &Output) -> Option<String> {
        Some(done(output))
    }
}

/// The line, and what changes in the cell below it. Lines are counted in the cell.
fn list(line: View, patch: &Patch, path: &Path) -> View {
    let diffs = patch.hunks.iter().map(|hunk| View::Diff {
        path: path.to_owned(),
        first_line: hunk.first_line,
        before: hunk.before.clone(),
        after: hunk.after.clone(),
    });
    View::List(std::iter::once(line).chain(diffs).collect())
}

fn plan(input: &Input) -> String {
    let cell = input.cell_id.as_deref();
    match (input.edit_mode, cell) {
        (EditMode::Replace, Some(cell)) => format!("cell {cell}"),
        (EditMode::Delete, Some(cell)) => format!("delete cell {cell}"),
        (EditMode::Insert, Some(cell)) => format!("insert after cell {cell}"),
        (EditMode::Insert, None) => "insert at the top".into(),
        (EditMode::Replace | EditMode::Delete, None) => "no cell".into(),
    }
}

fn done(output: &Output) -> String {
    let what = match output.edit_mode {
        EditMode::Replace => "changed",
        EditMode::Insert => "inserted",
        EditMode::Delete => "deleted",
    };
    format!("{} {} {what}", output.kind(), output.cell)
}
