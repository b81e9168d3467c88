//! New JSON in the manner of the file: its indents, its way to store a source, its escapes. What stays is copied as it is.

use std::ops::Range;

use toolwright_services::Splice;
use toolwright_workspace::notebook::{Cell, Member, Notebook, items};

use crate::CellType;

/// What stands between the values of an object or a list.
#[derive(Clone)]
struct Layout {
    /// Before the first.
    lead: String,
    /// Between two: the comma and the white space around it.
    comma: String,
    /// After the last.
    tail: String,
}

impl Layout {
    /// As an object or list is laid out; nothing for an empty one.
    fn of<'a>(
        text: &str,
        whole: &Range<usize>,
        values: impl IntoIterator<Item = &'a Range<usize>>,
    ) -> Option<Self> {
        let values: Vec<_> = values.into_iter().collect();
        let (first, last) = (values.first()?, values.last()?);
        let lead = text.get(whole.start + 1..first.start)?.to_owned();
        let comma = match values.get(1) {
            Some(second) => text.get(first.end..second.start)?.to_owned(),
            None if lead.contains('\n') => format!(",{lead}"),
            None if text.contains("\": ") => ", ".into(),
            None => ",".into(),
        };
        Some(Self { comma, lead, tail: text.get(last.end..whole.end - 1)?.to_owned() })
    }

    /// That of what lies within one of these values.
    fn deeper(&self, step: &str) -> Self {
        if !self.lead.contains('\n') {
            return Self { tail: self.lead.clone(), ..self.clone() };
        }
        let lead = format!("{}{step}", self.lead);
        Self { comma: format!(",{lead}"), lead, tail: self.lead.clone() }
    }
}

/// The cell's object with members set (or, with none, taken out). All others stay byte for byte.
pub(super) fn changed(
    notebook: &Notebook<'_>,
    cell: &Cell,
    mut values: Vec<(&str, Option<String>)>,
) -> String {
    let text = notebook.text;
    let layout = members(notebook, Some(cell));
    let colon = colon(notebook, &cell.members);
    let mut parts: Vec<(Option<usize>, String)> = Vec::new();
    for (index, member) in cell.members.iter().enumerate() {
        let name = text.get(member.range.start..member.value.start).unwrap_or_default();
        // The last of a name is the one that counts.
        let counts = !cell.members.iter().skip(index + 1).any(|later| later.key == member.key);
        let set = values.iter().position(|(key, _)| *key == member.key).filter(|_| counts);
        match set.map(|at| values.swap_remove(at).1) {
            None => parts.push((Some(index), notebook.get(member.range.clone()).to_owned())),
            Some(None) => {}
            Some(Some(value)) => parts.push((Some(index), format!("{name}{value}"))),
        }
    }
    for (key, value) in values {
        if let Some(value) = value {
            parts.push((None, format!("\"{key}\"{colon}{value}")));
        }
    }
    let mut object = format!("{{{}", layout.lead);
    let mut previous: Option<Option<usize>> = None;
    for (index, part) in parts {
        if let Some(previous) = previous {
            object.push_str(between(notebook, cell, previous, index).unwrap_or(&layout.comma));
        }
        object.push_str(&part);
        previous = Some(index);
    }
    object + &layout.tail + "}"
}

/// What stands between two members that followed each other.
fn between<'a>(
    notebook: &Notebook<'a>,
    cell: &Cell,
    first: Option<usize>,
    second: Option<usize>,
) -> Option<&'a str> {
    let (first, second) = (first?, second?);
    let (end, start) = (cell.members.get(first)?.range.end, cell.members.get(second)?.range.start);
    (first + 1 == second).then(|| notebook.text.get(end..start))?
}

/// A new cell's object, laid out like `neighbour`.
pub(super) fn cell(
    notebook: &Notebook<'_>,
    neighbour: Option<&Cell>,
    id: Option<&str>,
    kind: CellType,
    text: &str,
) -> String {
    let layout = members(notebook, neighbour);
    let colon = colon(notebook, neighbour.map_or(&notebook.members, |cell| &cell.members));
    let mut members = vec![("cell_type", format!("\"{}\"", kind.name()))];
    if kind == CellType::Code {
        members.push(("execution_count", "null".into()));
    }
    members.extend(id.map(|id| ("id", format!("\"{id}\""))));
    members.push(("metadata", "{}".into()));
    if kind == CellType::Code {
        members.push(("outputs", "[]".into()));
    }
    members.push(("source", source(notebook, neighbour, text)));
    let members: Vec<_> =
        members.into_iter().map(|(key, value)| format!("\"{key}\"{colon}{value}")).collect();
    format!("{{{}{}{}}}", layout.lead, members.join(&layout.comma), layout.tail)
}

/// The cell's text among the others: after one of them, or at the top.
pub(super) fn placed(notebook: &Notebook<'_>, after: Option<usize>, cell: &str) -> Splice {
    let list = notebook.list.clone().unwrap_or_default();
    let at = |at: usize, text: String| Splice { range: at..at, text };
    let layout = cells(notebook);
    if let Some(previous) = after.and_then(|after| notebook.cells.get(after)) {
        return at(previous.range.end, format!("{}{cell}", layout.comma));
    }
    match notebook.cells.first() {
        Some(first) => at(first.range.start, format!("{cell}{}", layout.comma)),
        None => Splice { range: list, text: format!("[{}{cell}{}]", layout.lead, layout.tail) },
    }
}

/// A source as it is stored: as the cell's own is, or that of the others, or as a list of lines.
pub(super) fn source(notebook: &Notebook<'_>, cell: Option<&Cell>, source: &str) -> String {
    let ascii = is_ascii_by_escapes(notebook.text);
    let own_first = || cell.into_iter().chain(&notebook.cells).filter_map(|cell| cell.value("source"));
    let is_list = |range: &Range<usize>| items(notebook.text, range.start).is_some();
    if own_first().next().is_some_and(|range| !is_list(&range)) {
        return quoted(source, ascii);
    }
    let like = |range: Range<usize>| Layout::of(notebook.text, &range, &items(notebook.text, range.start)?);
    let layout =
        own_first().find_map(like).unwrap_or_else(|| members(notebook, cell).deeper(&step(notebook)));
    let lines: Vec<_> = source.split_inclusive('\n').map(|line| quoted(line, ascii)).collect();
    if lines.is_empty() {
        return "[]".into();
    }
    format!("[{}{}{}]", layout.lead, lines.join(&layout.comma), layout.tail)
}

fn members(notebook: &Notebook<'_>, cell: Option<&Cell>) -> Layout {
    let own = cell.and_then(|cell| {
        Layout::of(notebook.text, &cell.range, cell.members.iter().map(|member| &member.range))
    });
    own.unwrap_or_else(|| cells(notebook).deeper(&step(notebook)))
}

fn cells(notebook: &Notebook<'_>) -> Layout {
    let list = notebook.list.clone().unwrap_or_default();
    let own = Layout::of(notebook.text, &list, notebook.cells.iter().map(|cell| &cell.range));
    own.unwrap_or_else(|| root(notebook).deeper(&step(notebook)))
}

fn root(notebook: &Notebook<'_>) -> Layout {
    // The file's edges may be white space; where the braces stand does not matter here.
    let ranges = || notebook.members.iter().map(|member| &member.range);
    let brace = notebook.text.find('{').unwrap_or(0);
    let end = notebook.text.rfind('}').map_or(notebook.text.len(), |at| at + 1);
    let none = || Layout { lead: String::new(), comma: ", ".into(), tail: String::new() };
    Layout::of(notebook.text, &(brace..end), ranges()).unwrap_or_else(none)
}

/// The indent of one level.
fn step(notebook: &Notebook<'_>) -> String {
    let lead = root(notebook).lead;
    lead.rsplit_once('\n').map(|(_, indent)| indent.to_owned()).unwrap_or_default()
}

/// What stands between a name and its value.
fn colon<'a>(notebook: &Notebook<'a>, members: &[Member]) -> &'a str {
    let first = members
        .first()
        .or(notebook.members.first())
        .and_then(|first| notebook.text.get(first.range.start..first.value.start));
    first.and_then(|name| Some(name.rsplit_once('"')?.1)).unwrap_or(": ")
}

/// Whether the file writes what is not ASCII as escapes: it has some, and no such character.
fn is_ascii_by_escapes(text: &str) -> bool {
    if !text.is_ascii() {
        return false;
    }
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('\\') {
        let code = after.strip_prefix('u').and_then(|hex| u32::from_str_radix(hex.get(..4)?, 16).ok());
        if code.is_some_and(|code| code > 0x7F) {
            return true;
        }
        rest = after.get(1..).unwrap_or_default();
    }
    false
}

fn quoted(text: &str, ascii: bool) -> String {
    let json = serde_json::Value::from(text).to_string();
    if !ascii || json.is_ascii() {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() * 2);
    for character in json.chars() {
        if character.is_ascii() {
            escaped.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            escaped.push_str(&format!("\\u{unit:04x}"));
        }
    }
    escaped
}
