//! Notebooks as their cells: names, sources and outputs, long outputs by their ends, pictures as pictures.

mod outputs;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use toolwright_core::{Cancel, ToolError};
use toolwright_workspace::aside;
use toolwright_workspace::notebook::{self, Cell};

use super::{Limits, Means, Wanted, failed};
use crate::{Notebook, Output, Part};

/// The cells; the error says why where they cannot be shown as such, and its text could be.
pub(super) async fn read(
    means: Means<'_>,
    path: PathBuf,
    wanted: Wanted,
    cancel: &Cancel,
) -> Result<Result<Output, ToolError>, ToolError> {
    let Means { files, limits, .. } = means;
    let bytes = files.read_bytes(&path, limits.max_file_bytes.get(), cancel).await;
    let bytes = bytes.map_err(|error| limits.named(error))?;
    let named = path.clone();
    let shown = aside(move || (render(path, &bytes, wanted, limits), bytes)).await;
    let (shown, bytes) = shown.ok_or_else(|| failed(&named, "could not be shown as a notebook"))?;
    if shown.is_ok() {
        files.shown(&named, &bytes)?;
    }
    Ok(shown)
}

fn render(path: PathBuf, bytes: &[u8], wanted: Wanted, limits: Limits) -> Result<Output, ToolError> {
    let text = std::str::from_utf8(bytes).map_err(|_| broken(&path, "it is not UTF-8"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(broken(&path, "it is empty"));
    }
    let notebook = notebook::parse(text).map_err(|error| broken(&path, &error.to_string()))?;
    let skipped = usize::try_from(wanted.first - 1).unwrap_or(usize::MAX);
    let limit = wanted.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    let mut page = Page { limits, ..Page::default() };
    let mut shown = 0;
    for (place, cell) in notebook.cells.iter().enumerate().skip(skipped).take(limit) {
        if page.bytes >= limits.bytes() {
            break;
        }
        page.cell(&notebook, cell, place);
        shown += 1;
    }
    Ok(Output::Notebook(Notebook {
        language: notebook.language.clone(),
        cells: notebook.cells.len() as u64,
        first_cell: wanted.first,
        shown,
        parts: page.parts,
        path,
    }))
}

fn broken(path: &Path, why: &str) -> ToolError {
    let what = format!(
        "is named like a notebook, but {why}; with `limit` its lines are shown as text, which Edit can repair"
    );
    failed(path, &what)
}

/// What is shown so far.
#[derive(Default)]
struct Page {
    limits: Limits,
    parts: Vec<Part>,
    /// Bytes of text.
    bytes: usize,
    pictures: usize,
    /// Characters of base64.
    picture_bytes: usize,
}

impl Page {
    fn cell(&mut self, notebook: &notebook::Notebook<'_>, cell: &Cell, place: usize) {
        let mut head = format!("<cell id=\"{}\" type=\"{}\"", cell.handle, cell.kind);
        let count = cell.value("execution_count").or_else(|| cell.value("prompt_number"));
        if let Some(count) = count.map(|range| notebook.get(range)).filter(|count| *count != "null") {
            let _ = write!(head, " execution_count=\"{count}\"");
        }
        self.text(&(head + ">\n"));
        match notebook.source(cell) {
            Some(source) => self.block(&shortened(&source, self.limits.bytes(), 0)),
            None => self.text("[its source is missing or no text]\n"),
        }
        if let Some(range) = cell.value("outputs") {
            let range_of = |index| format!(".cells[{place}].outputs[{index}]");
            for (index, output) in outputs::of(notebook.get(range)).iter().enumerate() {
                self.output(output, &range_of(index));
            }
        }
        self.text("</cell>\n");
    }

    fn text(&mut self, text: &str) {
        self.bytes += text.len();
        match self.parts.last_mut() {
            Some(Part::Text(last)) => last.push_str(text),
            Some(Part::Media(_)) | None => self.parts.push(Part::Text(text.into())),
        }
    }

    /// Text that ends with its line.
    fn block(&mut self, text: &str) {
        self.text(text);
        if !text.is_empty() && !text.ends_with('\n') {
            self.text("\n");
        }
    }
}

/// The beginning and the end of a long text, and how much is between.
fn shortened(text: &str, head: usize, tail: usize) -> String {
    if text.len() <= head + tail {
        return text.to_owned();
    }
    let (first, last) = (text.floor_char_boundary(head), text.ceil_char_boundary(text.len() - tail));
    let (start, end) = (text.get(..first).unwrap_or_default(), text.get(last..).unwrap_or_default());
    format!("{start}\n[.. {} bytes left out ..]\n{end}", last - first)
}
