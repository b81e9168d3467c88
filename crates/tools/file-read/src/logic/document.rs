//! PDFs as the text of their pages. A document that nobody could read (damaged, locked) is an error, never media.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toolwright_core::{Cancel, ErrorKind, ToolError};
use toolwright_services::Apart;

use super::Limits;
use crate::Output;

#[cfg(feature = "pdf")]
mod away;
#[cfg(feature = "pdf-render")]
mod drawn;
#[cfg(feature = "pdf")]
mod layout;
#[cfg(feature = "pdf")]
mod pages;

/// What is wanted of a document.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) wanted: Option<Pages>,
    pub(super) limits: Limits,
}

/// A range of pages: both ends count, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Pages {
    first: u64,
    last: Option<u64>,
}

impl Pages {
    /// Reads `3`, `1-5` or `7-`.
    pub(crate) fn parse(text: &str) -> Result<Self, ToolError> {
        let wrong = || {
            let message =
                format!("`pages` is `{text}`; give one page (`3`) or a range of them (`1-5`, `7-`), from 1");
            ToolError::new(ErrorKind::InvalidInput, message)
        };
        let number = |text: &str| text.trim().parse::<u64>().ok().filter(|page| *page > 0).ok_or_else(wrong);
        let (first, last) = match text.split_once('-') {
            None => (number(text)?, Some(number(text)?)),
            Some((first, "")) => (number(first)?, None),
            Some((first, last)) => (number(first)?, Some(number(last)?)),
        };
        if last.is_some_and(|last| last < first) {
            return Err(wrong());
        }
        Ok(Self { first, last })
    }
}

/// A document that strangers made can make its reader take any amount of memory, so it is read apart where the host can.
#[cfg(feature = "pdf")]
pub(super) async fn read(
    path: PathBuf,
    bytes: Arc<Vec<u8>>,
    asked: Asked,
    apart: Option<&dyn Apart>,
    cancel: &Cancel,
) -> Result<Output, ToolError> {
    let read = match apart {
        Some(apart) => away::read(apart, &bytes, asked, cancel).await,
        None => {
            let cancel = cancel.clone();
            let read = toolwright_workspace::aside(move || {
                pages::read(bytes.to_vec(), asked, pages::Pictures::Never, &cancel)
            })
            .await;
            read.unwrap_or(Err(pages::BadPdf::Damaged))
        }
    };
    match read {
        Ok(pages::Read { pages, first_page, texts, pictures, document }) => {
            Ok(Output::Pdf(crate::Pdf { path, pages, first_page, texts, pictures, document }))
        }
        Err(pages::BadPdf::Cancelled) => Err(toolwright_services::FilesError::Cancelled { path }.into()),
        Err(error) => Err(super::failed(&path, &error.to_string())),
    }
}

#[cfg(not(feature = "pdf"))]
pub(super) async fn read(
    path: PathBuf,
    _: Arc<Vec<u8>>,
    _: Asked,
    _: Option<&dyn Apart>,
    _: &Cancel,
) -> Result<Output, ToolError> {
    Err(super::media::left_out(path, "application/pdf"))
}
