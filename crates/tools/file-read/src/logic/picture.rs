//! Pictures: decoded whole before they are sent, so that a damaged one is an error here, and brought within a model's limits.

use std::path::PathBuf;
use std::sync::Arc;

use toolwright_core::ToolError;

use super::Limits;
use crate::{Media, Output};

#[cfg(feature = "images")]
mod fit;

/// A picture that may be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Picture {
    pub(super) size: (u32, u32),
    pub(super) shown_size: (u32, u32),
    pub(super) media: Media,
}

#[cfg(feature = "images")]
pub(super) async fn read(
    path: PathBuf,
    bytes: Arc<Vec<u8>>,
    mime: &'static str,
    limits: Limits,
) -> Result<Output, ToolError> {
    let fitted = toolwright_workspace::aside(move || fit::fit(&bytes, mime, limits))
        .await
        .unwrap_or_else(|| Err(fit::BadPicture::panicked()));
    match fitted {
        Ok(Picture { size, shown_size, media }) => {
            Ok(Output::Image(crate::Image { path, file_type: mime.into(), size, shown_size, media }))
        }
        Err(error) => Err(super::failed(&path, &format!("{}, so it is not shown", error.describe(mime)))),
    }
}

/// A picture within a notebook; nothing where it cannot be shown.
#[cfg(feature = "images")]
pub(super) fn embedded(bytes: Vec<u8>, limits: Limits) -> Option<Picture> {
    let mime = infer::get(&bytes)?.mime_type();
    fit::fit(&bytes, mime, limits).ok()
}

/// A picture made here, brought within the limits; nothing where it cannot be.
#[cfg(feature = "pdf-render")]
pub(super) fn drawn(image: image::DynamicImage, limits: Limits) -> Option<Media> {
    let size = (image.width(), image.height());
    fit::shrink(image, true, size, limits).ok().map(|picture| picture.media)
}

#[cfg(not(feature = "images"))]
pub(super) async fn read(
    path: PathBuf,
    _: Arc<Vec<u8>>,
    mime: &'static str,
    _: Limits,
) -> Result<Output, ToolError> {
    Err(super::media::left_out(path, mime))
}

#[cfg(not(feature = "images"))]
pub(super) fn embedded(_: Vec<u8>, _: Limits) -> Option<Picture> {
    None
}
