//! What a file is, told by its content, and the part of it that is shown.

mod document;
mod limits;
mod media;
mod notebook;
mod picture;
mod shown;

use std::path::{Path, PathBuf};

use toolwright_core::{Cancel, ErrorKind, ToolError};
use toolwright_services::{Apart, Files, FilesError, TextWindow, Window};

use crate::{Cut, Input, Output, Text};
pub(crate) use document::Pages;
pub(crate) use limits::Limits;
pub(crate) use shown::Shown;

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

    /// Whether a part was asked for.
    fn is_part(self) -> bool {
        self.first > 1 || self.limit.is_some()
    }
}

/// Where files are, and how they are read.
#[derive(Clone, Copy)]
pub(crate) struct Means<'a> {
    pub(crate) files: &'a dyn Files,
    /// Without it what is risky is done in this process.
    pub(crate) apart: Option<&'a dyn Apart>,
    pub(crate) limits: Limits,
}

pub(crate) async fn read(
    means: Means<'_>,
    path: PathBuf,
    wanted: Wanted,
    cancel: &Cancel,
) -> Result<Output, ToolError> {
    if media::is_promised(&path) || wanted.pages.is_some() {
        return media::read(means, path, wanted, cancel).await;
    }
    if has_extension(&path, "ipynb") {
        let shown = notebook::read(means, path.clone(), wanted, cancel).await?;
        if shown.is_ok() || !wanted.is_part() {
            return shown;
        }
    }
    let window = means.limits.window(wanted);
    match means.files.read(&path, window, cancel).await {
        Ok(seen) => Ok(Output::Text(text(path, window, seen))),
        // Names lie, and some have no extension.
        Err(FilesError::Binary { what, .. }) if media::is_shown(&what) => {
            media::read(means, path, wanted, cancel).await
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
