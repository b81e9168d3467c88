//! The cell a name means: exactly one, or an error that gives the names there are.

use std::path::Path;

use toolwright_core::{ErrorKind, ToolError};
use toolwright_workspace::notebook::Notebook;

/// Names given in an error; more do not help to choose.
const SOME: usize = 40;

pub(super) fn cell(notebook: &Notebook<'_>, path: &Path, wanted: &str) -> Result<usize, ToolError> {
    let named: Vec<_> =
        places(notebook, |index| notebook.cells.get(index).is_some_and(|cell| cell.handle == wanted));
    let why = match named.as_slice() {
        [only] => return Ok(*only),
        [] => none(notebook, wanted),
        several => format!("`{wanted}` means several cells (at the places {})", list(several)),
    };
    let message = format!("{} was left alone: {why}", path.display());
    Err(ToolError::new(ErrorKind::NotFound, message))
}

fn none(notebook: &Notebook<'_>, wanted: &str) -> String {
    let cells = &notebook.cells;
    let sharing =
        places(notebook, |index| cells.get(index).and_then(|cell| cell.id.as_deref()) == Some(wanted));
    if !sharing.is_empty() {
        let names: Vec<_> = sharing.iter().map(|place| format!("cell-{place}")).collect();
        return format!(
            "several cells have the id `{wanted}`; say which one by its place: {}",
            names.join(", ")
        );
    }
    let at_place = wanted.strip_prefix("cell-").and_then(|place| cells.get(place.parse::<usize>().ok()?));
    if let Some(cell) = at_place {
        return format!("there is no cell `{wanted}`; the cell at that place is called `{}`", cell.handle);
    }
    if cells.is_empty() {
        return format!("there is no cell `{wanted}`; the notebook has no cells (`insert` adds one)");
    }
    let names: Vec<_> = cells.iter().take(SOME).map(|cell| format!("`{}`", cell.handle)).collect();
    let more = cells.len().saturating_sub(SOME);
    let more = if more > 0 { format!(" and {more} more, which Read shows") } else { String::new() };
    format!("there is no cell `{wanted}`; its cells are {}{more}", names.join(", "))
}

fn places(notebook: &Notebook<'_>, is: impl Fn(usize) -> bool) -> Vec<usize> {
    (0..notebook.cells.len()).filter(|index| is(*index)).collect()
}

fn list(places: &[usize]) -> String {
    places.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}
