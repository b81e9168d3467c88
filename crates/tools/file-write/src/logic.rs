//! Writing a whole text, and what that changed.

use std::path::PathBuf;

use toolwright_core::Cancel;
use toolwright_services::{Files, FilesError, LineEnds, TextFormat};
use toolwright_workspace::patch::{self, Patch};

use crate::Output;

pub(crate) async fn write(
    files: &dyn Files,
    path: PathBuf,
    content: &str,
    cancel: &Cancel,
) -> Result<Output, FilesError> {
    // A write that began is finished: half of one helps nobody.
    if cancel.is_cancelled() {
        return Err(FilesError::Cancelled { path });
    }
    let written = files.write(&path, content).await?;
    let content = content.replace("\r\n", "\n");
    let created = written.before.is_none();
    let patch = written.before.map_or_else(Patch::default, |before| patch::of_texts(&before, &content));
    let stored_as = if created { None } else { stored_as(&written.format) };
    Ok(Output { path, created, lines: content.lines().count(), patch, stored_as })
}

fn stored_as(format: &TextFormat) -> Option<String> {
    let encoding = (format.encoding != "UTF-8").then_some(format.encoding);
    let mark = format.bom.then_some("a byte order mark");
    let ends = match format.line_ends {
        LineEnds::Lf | LineEnds::Mixed => None,
        LineEnds::CrLf => Some("CR LF line ends"),
        LineEnds::Cr => Some("CR line ends"),
    };
    let parts: Vec<_> = [encoding, mark, ends].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
