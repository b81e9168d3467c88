//! Reading a window of lines, and the files whose names promise something else than text.

use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use toolwright_core::{Cancel, ErrorKind, ToolError};
use toolwright_services::{Files, TextWindow, Window};

use crate::{Cut, Output};

/// Lines shown where no limit is given.
const DEFAULT_LINES: u64 = 2_000;
/// Bytes of text after which no further line is shown, whatever the limit: about 25,000 tokens.
const MOST_BYTES: usize = 100_000;
/// Bytes of one line that are shown.
pub(crate) const LINE_BYTES: usize = 2_000;
/// A larger notebook is shown without a look at its form.
const MOST_NOTEBOOK_BYTES: u64 = 16 << 20;

pub(crate) async fn read(
    files: &dyn Files,
    path: PathBuf,
    offset: Option<u64>,
    limit: Option<u64>,
    cancel: &Cancel,
) -> Result<Output, ToolError> {
    let window = Window {
        first_line: offset.unwrap_or(1).max(1),
        lines: limit.unwrap_or(DEFAULT_LINES),
        bytes: MOST_BYTES,
        line_bytes: LINE_BYTES,
    };
    let seen = files.read(&path, window, cancel).await?;
    if let Some(promised) = promised(&path) {
        return Err(broken(&path, promised, seen.size));
    }
    if has_extension(&path, "ipynb") && seen.size <= MOST_NOTEBOOK_BYTES {
        let bytes = files.read_bytes(&path, MOST_NOTEBOOK_BYTES, cancel).await?;
        if let Err(error) = serde_json::from_slice::<IgnoredAny>(&bytes) {
            let message = format!(
                "{} is named like a notebook, but is no valid JSON ({error}); repair it with a command, or rename it to \
                 read it as text",
                path.display()
            );
            return Err(ToolError::new(ErrorKind::Failed, message));
        }
    }
    Ok(output(path, window, seen))
}

fn output(path: PathBuf, window: Window, seen: TextWindow) -> Output {
    Output {
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

/// What a name says a file is, where that is no text. The file itself turned out to be text.
fn promised(path: &Path) -> Option<&'static str> {
    const NAMES: [(&str, &str); 7] = [
        ("png", "a PNG image"),
        ("jpg", "a JPEG image"),
        ("jpeg", "a JPEG image"),
        ("gif", "a GIF image"),
        ("webp", "a WebP image"),
        ("bmp", "a BMP image"),
        ("pdf", "a PDF document"),
    ];
    NAMES.iter().find(|(extension, _)| has_extension(path, extension)).map(|(_, what)| *what)
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

fn broken(path: &Path, promised: &str, size: u64) -> ToolError {
    let holds = if size == 0 { "is empty" } else { "holds plain text" };
    let message = format!(
        "{} is named like {promised}, but {holds}: it is broken, or misnamed (`cat` shows what it holds)",
        path.display()
    );
    ToolError::new(ErrorKind::Failed, message)
}
