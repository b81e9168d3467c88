//! Which cell is meant, and the one piece of text that changes it. How new text is laid out is `layout`'s.

mod find;
mod layout;

use std::ops::Range;
use std::path::{Path, PathBuf};

use toolwright_core::{Cancel, ErrorKind, ToolError};
use toolwright_services::{Files, FilesError, Splice};
use toolwright_workspace::notebook::{self, Cell, Notebook};
use toolwright_workspace::patch;

use crate::{CellType, EditMode, Input, Output};

/// What is to be done, with all that it needs.
pub(crate) enum Change<'a> {
    Replace { source: &'a str, kind: Option<CellType> },
    Insert { source: &'a str, kind: CellType },
    Delete,
}

/// The cell that is named; an empty name names none.
pub(crate) fn cell_id(input: &Input) -> Option<&str> {
    input.cell_id.as_deref().filter(|id| !id.is_empty())
}

pub(crate) fn validate(input: &Input) -> Result<(), ToolError> {
    if input.notebook_path.is_empty() {
        return Err(invalid("`notebook_path` is empty; give the path of a notebook"));
    }
    if input.edit_mode != EditMode::Insert && cell_id(input).is_none() {
        return Err(invalid("`cell_id` is missing; give the id of the cell to change, as Read shows it"));
    }
    change(input).map(|_| ())
}

pub(crate) fn change(input: &Input) -> Result<Change<'_>, ToolError> {
    let source = || input.new_source.as_deref().ok_or_else(|| invalid("`new_source` is missing; give it"));
    Ok(match input.edit_mode {
        EditMode::Replace => Change::Replace { source: source()?, kind: input.cell_type },
        EditMode::Insert => {
            let missing =
                || invalid("`cell_type` is missing; with `insert` give `code`, `markdown` or `raw`");
            Change::Insert { source: source()?, kind: input.cell_type.ok_or_else(missing)? }
        }
        EditMode::Delete => Change::Delete,
    })
}

pub(crate) async fn edit(
    files: &dyn Files,
    path: PathBuf,
    cell_id: Option<&str>,
    change: &Change<'_>,
    cancel: &Cancel,
) -> Result<Output, ToolError> {
    let document = files.open(&path, cancel).await?;
    let notebook = read(&path, &document.text)?;
    let at = cell_id.map(|wanted| find::cell(&notebook, &path, wanted)).transpose()?;
    let (splice, output) = match (change, at) {
        (Change::Replace { source, kind }, Some(at)) => replace(&notebook, path, at, source, *kind)?,
        (Change::Delete, Some(at)) => delete(&notebook, path, at),
        (Change::Insert { source, kind }, at) => insert(&notebook, path, at, source, *kind),
        (Change::Replace { .. } | Change::Delete, None) => return Err(invalid("`cell_id` is missing")),
    };
    // Nothing is written once the call is interrupted; a write that began is finished.
    if cancel.is_cancelled() {
        return Err(FilesError::Cancelled { path: output.path }.into());
    }
    files.splice(&document, vec![splice]).await?;
    Ok(output)
}

fn read<'a>(path: &Path, text: &'a str) -> Result<Notebook<'a>, ToolError> {
    let notebook = notebook::parse(text).map_err(|error| {
        let path = path.display();
        ToolError::new(
            ErrorKind::Failed,
            format!("{path} was left alone: {error}; as text, Edit changes it (Read with `limit` shows a broken notebook's lines)"),
        )
    })?;
    if notebook.list.is_none() || (1..4).contains(&notebook.format.0) {
        let message = format!(
            "{} was left alone: it has the old notebook format {}, whose cells are not edited; convert it first \
             (`jupyter nbconvert --to notebook --inplace`)",
            path.display(),
            notebook.format.0
        );
        return Err(ToolError::new(ErrorKind::Failed, message));
    }
    Ok(notebook)
}

fn replace(
    notebook: &Notebook<'_>,
    path: PathBuf,
    at: usize,
    source: &str,
    kind: Option<CellType>,
) -> Result<(Splice, Output), ToolError> {
    let Some(cell) = notebook.cells.get(at) else { return Err(invalid("`cell_id` names no cell")) };
    let kind = kind.map_or(cell.kind.as_str(), |kind| kind.name());
    let before = notebook.source(cell).unwrap_or_default();
    let source = as_stored(source, &before);
    if before == source && kind == cell.kind {
        let message =
            format!("cell `{}` has this source already, so there is nothing to change", cell.handle);
        return Err(invalid(&message));
    }
    let mut values = vec![("source", Some(layout::source(notebook, Some(cell), &source)))];
    let has = |key: &str| cell.value(key).is_some();
    let turned = kind != cell.kind;
    if turned {
        values.push(("cell_type", Some(format!("\"{kind}\""))));
    }
    // What ran was the old source. Cells of other types must not have these, and code cells must.
    for (key, empty) in [("outputs", "[]"), ("execution_count", "null")] {
        match kind {
            "code" if turned || has(key) => values.push((key, Some(empty.into()))),
            "code" => {}
            _ if turned => values.push((key, None)),
            _ => {}
        }
    }
    if turned && kind == "code" {
        values.push(("attachments", None));
    }
    let empty = |range: Range<usize>| {
        notebook::items(notebook.text, range.start).is_none_or(|items| items.is_empty())
    };
    let output = Output {
        cell: cell.handle.clone(),
        cell_type: kind.into(),
        outputs_cleared: cell.value("outputs").is_some_and(|range| !empty(range)),
        patch: patch::of_texts(&before, &source),
        ..output(notebook, path, EditMode::Replace, at)
    };
    let text = layout::changed(notebook, cell, values);
    Ok((Splice { range: cell.range.clone(), text }, output))
}

fn insert(
    notebook: &Notebook<'_>,
    path: PathBuf,
    after: Option<usize>,
    source: &str,
    kind: CellType,
) -> (Splice, Output) {
    let source = as_stored(source, "");
    let place = after.map_or(0, |after| after + 1);
    let neighbour = after.and_then(|after| notebook.cells.get(after)).or_else(|| notebook.cells.first());
    let with_ids = notebook.format >= (4, 5) || notebook.cells.iter().any(|cell| cell.id.is_some());
    let id = with_ids.then(|| new_id(&notebook.cells, &source));
    let text = layout::cell(notebook, neighbour, id.as_deref(), kind, &source);
    let output = Output {
        cell: id.unwrap_or_else(|| format!("cell-{place}")),
        cell_type: kind.name().into(),
        cells: notebook.cells.len() + 1,
        after: after.and_then(|after| notebook.cells.get(after)).map(|cell| cell.handle.clone()),
        renumbered: nameless(notebook.cells.get(place..)),
        patch: patch::of_texts("", &source),
        ..output(notebook, path, EditMode::Insert, place)
    };
    (layout::placed(notebook, after, &text), output)
}

fn delete(notebook: &Notebook<'_>, path: PathBuf, at: usize) -> (Splice, Output) {
    let cells = &notebook.cells;
    let cell = cells.get(at);
    let range = |index: usize| cells.get(index).map(|cell| cell.range.clone());
    // With the comma: the one after it, or before it where it is the last.
    let removed = match (at.checked_sub(1).and_then(range), range(at), range(at + 1)) {
        (_, Some(own), Some(next)) => own.start..next.start,
        (Some(previous), Some(own), None) => previous.end..own.end,
        _ => notebook.list.as_ref().map_or(0..0, |list| list.start + 1..list.end - 1),
    };
    let before = cell.and_then(|cell| notebook.source(cell)).unwrap_or_default();
    let output = Output {
        cell: cell.map(|cell| cell.handle.clone()).unwrap_or_default(),
        cell_type: cell.map(|cell| cell.kind.clone()).unwrap_or_default(),
        cells: cells.len().saturating_sub(1),
        renumbered: nameless(cells.get(at + 1..)),
        patch: patch::of_texts(&before, ""),
        ..output(notebook, path, EditMode::Delete, at)
    };
    (Splice { range: removed, text: String::new() }, output)
}

fn output(notebook: &Notebook<'_>, path: PathBuf, edit_mode: EditMode, place: usize) -> Output {
    Output {
        path,
        edit_mode,
        cell: String::new(),
        cell_type: String::new(),
        place,
        cells: notebook.cells.len(),
        after: None,
        outputs_cleared: false,
        renumbered: 0,
        patch: patch::Patch::default(),
    }
}

/// How many of these cells are called by their place.
fn nameless(cells: Option<&[Cell]>) -> usize {
    cells.unwrap_or_default().iter().filter(|cell| cell.id.as_ref() != Some(&cell.handle)).count()
}

/// Lines of a cell end with LF, unless those of the cell end otherwise.
fn as_stored(source: &str, before: &str) -> String {
    if before.contains('\r') { source.to_owned() } else { source.replace("\r\n", "\n") }
}

/// An id that no cell has. It follows from the content, so that the same edit makes the same file.
fn new_id(cells: &[Cell], source: &str) -> String {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    (source, cells.len()).hash(&mut hasher);
    loop {
        let id = format!("{:08x}", hasher.finish() & 0xFFFF_FFFF);
        if cells.iter().all(|cell| cell.id.as_ref() != Some(&id)) {
            return id;
        }
        1_u8.hash(&mut hasher);
    }
}

fn invalid(message: &str) -> ToolError {
    ToolError::new(ErrorKind::InvalidInput, message)
}
