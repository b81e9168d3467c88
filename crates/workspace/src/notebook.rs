//! Notebooks (`.ipynb`) as the text they are: where each cell and each of its members stands, so that one can be changed and
//! no other byte is. Reads a text and writes nothing; knows no tool and no kernel.

mod scan;

use std::collections::HashMap;
use std::ops::Range;

use serde::Deserialize;
use serde::de::IgnoredAny;

pub use scan::{items, members};

/// A notebook's text and where its parts stand in it. Ranges are bytes of [`text`](Self::text).
#[derive(Debug, Clone)]
pub struct Notebook<'a> {
    /// The whole text.
    pub text: &'a str,
    /// The members of the outermost object.
    pub members: Vec<Member>,
    /// The version of its format, major and minor; 0 where it does not say.
    pub format: (u64, u64),
    /// The language of its code cells, where it says so.
    pub language: Option<String>,
    /// The cells, brackets included; none in formats before 4, which keep cells in worksheets.
    pub list: Option<Range<usize>>,
    /// The cells in order.
    pub cells: Vec<Cell>,
}

/// A cell and where its parts stand.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The object, braces included.
    pub range: Range<usize>,
    /// Its members in order.
    pub members: Vec<Member>,
    /// What it is called here: its id where that is its alone, else `cell-N`, N its place from 0.
    pub handle: String,
    /// Its own id.
    pub id: Option<String>,
    /// `code`, `markdown`, `raw`; empty where it does not say.
    pub kind: String,
}

/// One member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub key: String,
    /// From the name's quote to the value's end.
    pub range: Range<usize>,
    /// The value.
    pub value: Range<usize>,
}

/// Why a text is no notebook.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotebookError {
    /// It is no JSON at all.
    #[error("it is no valid JSON ({0})")]
    NotJson(String),
    /// It is JSON of another kind.
    #[error("it is JSON, but no notebook: {0}")]
    NotNotebook(String),
}

/// Finds a notebook's parts.
///
/// # Errors
/// When the text is no JSON, or none with a list of cells.
pub fn parse(text: &str) -> Result<Notebook<'_>, NotebookError> {
    // From here on the scan may trust that brackets close and strings end.
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| NotebookError::NotJson(error.to_string()))?;
    let other = |what: &str| NotebookError::NotNotebook(what.into());
    let root =
        members(text, scan::space(text, 0)).ok_or_else(|| other("the outermost value is no object"))?;
    let list = value(&root, "cells");
    let places = match &list {
        Some(list) => items(text, list.start).ok_or_else(|| other("`cells` is no list"))?,
        None => worksheets(text, &root).ok_or_else(|| other("it has no list `cells`"))?,
    };
    let mut cells = Vec::with_capacity(places.len());
    for (index, range) in places.into_iter().enumerate() {
        let found = members(text, range.start);
        let members = found.ok_or_else(|| other(&format!("cell {index} (from 0) is no object")))?;
        let id = value(&members, "id").and_then(|range| string(text, range)).filter(|id| !id.is_empty());
        let kind = value(&members, "cell_type").and_then(|range| string(text, range)).unwrap_or_default();
        cells.push(Cell { range, members, handle: String::new(), id, kind });
    }
    name(&mut cells);
    let number = |key| value(&root, key).and_then(|range| text.get(range)?.parse().ok()).unwrap_or(0);
    let format = (number("nbformat"), number("nbformat_minor"));
    Ok(Notebook { text, format, language: language(text, &root), list, cells, members: root })
}

impl Notebook<'_> {
    /// The source of a cell: its lines as one text. None where it has none.
    #[must_use]
    pub fn source(&self, cell: &Cell) -> Option<String> {
        let range = cell.value("source").or_else(|| cell.value("input"))?;
        lines(self.text, range)
    }

    /// The text of a range.
    #[must_use]
    pub fn get(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }
}

impl Cell {
    /// The value of a member; the last one of that name, as other readers take it.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<Range<usize>> {
        value(&self.members, key)
    }
}

/// A text that is stored as one string or as a list of its lines.
#[derive(Deserialize)]
#[serde(untagged)]
enum Lines {
    One(String),
    Many(Vec<String>),
}

fn lines(text: &str, range: Range<usize>) -> Option<String> {
    Some(match serde_json::from_str(text.get(range)?).ok()? {
        Lines::One(text) => text,
        Lines::Many(lines) => lines.concat(),
    })
}

fn value(members: &[Member], key: &str) -> Option<Range<usize>> {
    members.iter().rev().find(|member| member.key == key).map(|member| member.value.clone())
}

fn string(text: &str, range: Range<usize>) -> Option<String> {
    serde_json::from_str(text.get(range)?).ok()
}

/// The cells of all worksheets: format 3 and before.
fn worksheets(text: &str, root: &[Member]) -> Option<Vec<Range<usize>>> {
    let mut cells = Vec::new();
    for sheet in items(text, value(root, "worksheets")?.start)? {
        if let Some(list) = value(&members(text, sheet.start)?, "cells") {
            cells.extend(items(text, list.start)?);
        }
    }
    Some(cells)
}

fn language(text: &str, root: &[Member]) -> Option<String> {
    let metadata = members(text, value(root, "metadata")?.start)?;
    let inside = |object: &str, key: &str| {
        let object = members(text, value(&metadata, object)?.start)?;
        string(text, value(&object, key)?)
    };
    inside("language_info", "name").or_else(|| inside("kernelspec", "language"))
}

/// Gives each cell what it is called here.
fn name(cells: &mut [Cell]) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for id in cells.iter().filter_map(|cell| cell.id.clone()) {
        *seen.entry(id).or_default() += 1;
    }
    for (index, cell) in cells.iter_mut().enumerate() {
        let own = cell.id.as_ref().filter(|id| seen.get(*id) == Some(&1));
        cell.handle = own.cloned().unwrap_or_else(|| format!("cell-{index}"));
    }
}

#[cfg(test)]
mod tests;
