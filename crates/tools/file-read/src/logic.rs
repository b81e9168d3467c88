//! What a file is, told by its content, and the part of it that is shown.

mod document;
mod media;
mod notebook;
mod picture;
mod shown;

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toolwright_core::{Cancel, ErrorKind, ToolError};
use toolwright_services::{Files, FilesError, TextWindow, Window};

use crate::{Cut, Input, Output, Text};
pub(crate) use document::Pages;
pub(crate) use shown::Shown;

/// Lines shown where no limit is given.
const DEFAULT_LINES: u64 = 2_000;
/// Bytes of text after which nothing further is shown, whatever the limit: about 25,000 tokens.
const MOST_BYTES: usize = 100_000;

/// How much of a text is shown: the setting `read`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Limits {
    /// Bytes after which no further line is shown.
    #[serde(rename = "maxBytes")]
    pub(crate) bytes: usize,
    /// Bytes of one line.
    #[serde(rename = "maxLineBytes")]
    pub(crate) line_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: MOST_BYTES, line_bytes: 2_000 }
    }
}

/// Which part is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Wanted {
    /// The first line or cell, from 1.
    first: u64,
    limit: Option<u64>,
    pages: Option<Pages>,
}

impl Wanted {
    pub(crate) fn of(input: &Input) -> Result<Self, ToolError> {
        let pages = input.pages.as_deref().filter(|pages| !pages.trim().is_empty());
        Ok(Self {
            first: input.offset.unwrap_or(1).max(1),
            limit: input.limit,
            pages: pages.map(Pages::parse).transpose()?,
        })
    }
}

pub(crate) async fn read(
    files: &dyn Files,
    path: PathBuf,
    wanted: Wanted,
    limits: Limits,
    cancel: &Cancel,
) -> Result<Output, ToolError> {
    if media::is_promised(&path) || wanted.pages.is_some() {
        return media::read(files, path, wanted, cancel).await;
    }
    if has_extension(&path, "ipynb") {
        return notebook::read(files, path, wanted, cancel).await;
    }
    let window = Window {
        first_line: wanted.first,
        lines: wanted.limit.unwrap_or(DEFAULT_LINES),
        bytes: limits.bytes,
        line_bytes: limits.line_bytes,
    };
    match files.read(&path, window, cancel).await {
        Ok(seen) => Ok(Output::Text(text(path, window, seen))),
        // Names lie, and some have no extension.
        Err(FilesError::Binary { what, .. }) if media::is_shown(&what) => {
            media::read(files, path, wanted, cancel).await
        }
        Err(error) => Err(error.into()),
    }
}

fn text(path: PathBuf, window: Window, seen: TextWindow) -> Text {
    Text {
        path,
        first_line: window.first_line,
        lines: seen.lines,
        text: seen.text,
        cut: seen.cut.iter().map(|cut| Cut { line: cut.line, omitted: cut.omitted }).collect(),
        total_lines: seen.total_lines,
        more: seen.more,
        encoding: (seen.format.encoding != "UTF-8").then(|| seen.format.encoding.into()),
    }
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

fn failed(path: &Path, what: &str) -> ToolError {
    ToolError::new(ErrorKind::Failed, format!("{} {what}", path.display()))
}

/// Long work on a thread for such work. A decoder that panics on a file says that the file is damaged.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}
