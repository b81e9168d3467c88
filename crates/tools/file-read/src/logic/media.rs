//! Files that are no text, told apart by their content. A file that is not what its name promises is an error, never media:
//! a model's server refuses a whole conversation for one bad picture.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolwright_core::{Cancel, ToolError};

use super::{Means, Wanted, document, failed, has_extension, picture};
use crate::Output;

const PDF: &str = "application/pdf";

pub(super) async fn read(
    means: Means<'_>,
    path: PathBuf,
    wanted: Wanted,
    cancel: &Cancel,
) -> Result<Output, ToolError> {
    let Means { files, apart, limits } = means;
    let bytes = files.read_bytes(&path, limits.max_file_bytes.get(), cancel).await;
    let bytes = Arc::new(bytes.map_err(|error| limits.named(error))?);
    let found = sniff(&bytes);
    if wanted.pages.is_some() && found != PDF {
        let what = describe(&bytes, found);
        return Err(failed(&path, &format!("{what}, and `pages` is for PDFs; leave it out")));
    }
    let asked = document::Asked { wanted: wanted.pages, limits };
    let output = match found {
        PDF => document::read(path.clone(), Arc::clone(&bytes), asked, apart, cancel).await?,
        found if is_shown(found) => picture::read(path.clone(), Arc::clone(&bytes), found, limits).await?,
        found => return Err(broken(&path, &describe(&bytes, found))),
    };
    files.shown(&path, &bytes)?;
    Ok(output)
}

/// Whether a MIME type is one of those that are shown.
pub(super) fn is_shown(mime: &str) -> bool {
    mime == PDF || mime.starts_with("image/")
}

/// Whether a name says that a file is one of those.
pub(super) fn is_promised(path: &Path) -> bool {
    promised(path).is_some()
}

/// What this build leaves out is refused as any binary file is.
#[cfg(not(all(feature = "images", feature = "pdf")))]
pub(super) fn left_out(path: PathBuf, mime: &str) -> ToolError {
    toolwright_services::FilesError::Binary { path, what: mime.into() }.into()
}

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

/// The MIME type the content shows; empty where it shows none.
fn sniff(bytes: &[u8]) -> &'static str {
    /// Readers of PDFs take a header that stands this far in.
    const HEADER_WITHIN: usize = 1_024;
    let head = bytes.get(..HEADER_WITHIN).unwrap_or(bytes);
    match infer::get(bytes).map(|kind| kind.mime_type()) {
        Some(mime) => mime,
        None if head.windows(5).any(|window| window == b"%PDF-") => PDF,
        None => "",
    }
}

fn describe(bytes: &[u8], found: &str) -> String {
    if bytes.is_empty() {
        "is empty".into()
    } else if !found.is_empty() {
        format!("holds {found}")
    } else if !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok() {
        "holds plain text".into()
    } else {
        "holds something else".into()
    }
}

fn broken(path: &Path, holds: &str) -> ToolError {
    match promised(path) {
        Some(promised) => failed(
            path,
            &format!(
                "is named like {promised}, but {holds}: it is broken, or misnamed (`file` or `cat` shows what it is)"
            ),
        ),
        None => failed(path, &format!("{holds}, which is not shown")),
    }
}
