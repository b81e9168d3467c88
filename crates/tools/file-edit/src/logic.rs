//! Finding the one place that is meant, and replacing it. The text is taken literally; a place that differs is taken for it only
//! as `ladder` allows.

mod closest;
mod ladder;

use std::path::{Path, PathBuf};

use toolwright_core::{Cancel, ErrorKind, ToolError};
use toolwright_services::{Files, FilesError, Splice};
use toolwright_workspace::patch;

use crate::Output;
pub use ladder::Aid;

/// What should be replaced by what.
pub(crate) struct Change<'a> {
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    pub(crate) replace_all: bool,
    /// Nothing that differs is taken.
    pub(crate) strict: bool,
}

pub(crate) fn validate(file_path: &str, old: &str, new: &str) -> Result<(), ToolError> {
    let wrong = if file_path.is_empty() {
        "`file_path` is empty; give the path of a file"
    } else if file_path.ends_with('/') {
        "`file_path` ends in a slash, which names a folder; give the path of a file"
    } else if new.contains('\0') {
        "`new_string` has a NUL character, with which no program takes the file for a text; write such bytes with a command"
    } else if old == new && !old.is_empty() {
        "`old_string` and `new_string` are the same, so there is nothing to change; the file was left alone"
    } else {
        return Ok(());
    };
    Err(ToolError::new(ErrorKind::InvalidInput, wrong))
}

/// Fills a file that is not there, or is empty.
pub(crate) async fn create(
    files: &dyn Files,
    path: PathBuf,
    text: &str,
    cancel: &Cancel,
) -> Result<Output, ToolError> {
    match files.open(&path, cancel).await {
        Ok(document) if !document.text.is_empty() => return Err(has_content(&path)),
        // One that was not read may still be empty; writing finds out.
        Ok(_) | Err(FilesError::NotFound { .. } | FilesError::NotRead { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    go_on(&path, cancel)?;
    match files.write(&path, text).await {
        Ok(_) => Ok(Output { path, created: true, replaced: 0, patch: patch::of_texts("", text), aid: None }),
        Err(FilesError::NotRead { .. }) => Err(has_content(&path)),
        Err(error) => Err(error.into()),
    }
}

pub(crate) async fn edit(
    files: &dyn Files,
    path: PathBuf,
    change: &Change<'_>,
    cancel: &Cancel,
) -> Result<Output, ToolError> {
    let document = files.open(&path, cancel).await?;
    let (old, new) = (document.in_view(change.old), document.in_view(change.new));
    if old == new {
        let message = "`old_string` and `new_string` differ in line endings alone, which Edit keeps as the file has them; \
                       convert the file with a command";
        return Err(ToolError::new(ErrorKind::InvalidInput, message));
    }
    let (splices, aid) = match places(&document.text, &old, change.replace_all).as_slice() {
        [] => nearly(&path, &document.text, (&old, &new), change)?,
        [_, _, ..] if !change.replace_all => return Err(not_the_only_one(&path, &document.text, &old)),
        starts => {
            let splice =
                |start: &usize| Splice { range: *start..start + old.len(), text: new.clone().into_owned() };
            (starts.iter().map(splice).collect(), None)
        }
    };
    let patch = patch::of_splices(&document.text, &splices);
    let replaced = splices.len();
    go_on(&path, cancel)?;
    files.splice(&document, splices).await?;
    Ok(Output { path, created: false, replaced, patch, aid })
}

/// The one place that differs as little as may be forgiven.
fn nearly(
    path: &Path,
    text: &str,
    (old, new): (&str, &str),
    change: &Change<'_>,
) -> Result<(Vec<Splice>, Option<Aid>), ToolError> {
    let found = if change.replace_all { None } else { ladder::find(text, old, new) };
    match found {
        Some(found) if !change.strict => Ok((vec![found.splice], Some(found.aid))),
        found => Err(not_there(path, text, old, found.map(|found| found.aid))),
    }
}

/// Nothing is written once the call is interrupted; a write that began is finished.
fn go_on(path: &Path, cancel: &Cancel) -> Result<(), FilesError> {
    if cancel.is_cancelled() { Err(FilesError::Cancelled { path: path.to_owned() }) } else { Ok(()) }
}

/// Where `old` begins: every place that does not overlap the one before, or enough to know whether there is just one.
fn places(text: &str, old: &str, all: bool) -> Vec<usize> {
    if all {
        return text.match_indices(old).map(|(start, _)| start).collect();
    }
    overlapping(text, old).take(2).collect()
}

/// All places where `old` begins, those too that overlap: `aa` is in `aaa` twice, and which was meant cannot be known.
fn overlapping<'a>(text: &'a str, old: &'a str) -> impl Iterator<Item = usize> + 'a {
    let step = old.chars().next().map_or(1, char::len_utf8);
    let find = move |from: usize| text.get(from..)?.find(old).map(|at| from + at);
    std::iter::successors(find(0), move |last| find(last + step))
}

fn has_content(path: &Path) -> ToolError {
    let message = format!(
        "`old_string` is empty, which creates a file, but {} has content already; give the text to replace as `old_string`",
        path.display()
    );
    ToolError::new(ErrorKind::InvalidInput, message)
}

fn not_there(path: &Path, text: &str, old: &str, near: Option<Aid>) -> ToolError {
    let mut hint = closest::hint(text, old);
    if near.is_some() {
        hint.push_str("\n(The setting `edit.strict` is on: only the exact text is replaced)");
    }
    ToolError::new(
        ErrorKind::Failed,
        format!("`old_string` is not in {}, which was left alone. {hint}", path.display()),
    )
}

fn not_the_only_one(path: &Path, text: &str, old: &str) -> ToolError {
    /// Places named; more do not help to choose.
    const SOME: usize = 5;
    let mut lines = Vec::new();
    let (mut line, mut counted, mut count) = (1, 0, 0_usize);
    for start in overlapping(text, old) {
        count += 1;
        if lines.len() < SOME {
            line += text.get(counted..start).unwrap_or_default().matches('\n').count();
            counted = start;
            lines.push(line.to_string());
        }
    }
    let more = if count > SOME { ", .." } else { "" };
    let message = format!(
        "`old_string` is in {} {count} times (lines {}{more}), so which one is meant is not clear; the file was left \
         alone. Give more of the lines around the one, or set `replace_all` to change them all",
        path.display(),
        lines.join(", ")
    );
    ToolError::new(ErrorKind::Failed, message)
}
