//! How much is shown, and how large a file is taken in: the setting `read`.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use serde::{Deserialize, Serialize};
use toolwright_services::{FilesError, Window};

use super::Wanted;

/// Bytes of text that count as one token; what a model counts depends on the model.
const BYTES_PER_TOKEN: usize = 4;

/// The setting `read`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Limits {
    /// Tokens of text (of four bytes each) after which no further line, cell or page is shown.
    pub(crate) max_tokens: NonZeroUsize,
    /// Lines shown where no limit is given.
    pub(crate) max_lines: NonZeroU64,
    /// Bytes of one line.
    pub(crate) max_line_bytes: NonZeroUsize,
    /// The largest picture, PDF or notebook that is taken in.
    pub(crate) max_file_bytes: NonZeroU64,
    /// Pages of a PDF in one answer.
    pub(crate) max_pages: NonZeroU64,
    /// The longest side of a picture that is sent, in pixels.
    pub(crate) max_image_side: NonZeroU32,
    /// Bytes of a picture that are sent (in base64 they are a third more).
    pub(crate) max_image_bytes: NonZeroUsize,
    /// Pixels of a picture that is decoded.
    pub(crate) max_image_pixels: NonZeroU64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_tokens: const { NonZeroUsize::new(25_000).unwrap() },
            max_lines: const { NonZeroU64::new(2_000).unwrap() },
            max_line_bytes: const { NonZeroUsize::new(2_000).unwrap() },
            max_file_bytes: const { NonZeroU64::new(64 << 20).unwrap() },
            max_pages: const { NonZeroU64::new(20).unwrap() },
            max_image_side: const { NonZeroU32::new(2_000).unwrap() },
            max_image_bytes: const { NonZeroUsize::new(2_800_000).unwrap() },
            max_image_pixels: const { NonZeroU64::new(64_000_000).unwrap() },
        }
    }
}

impl Limits {
    /// Bytes of text in one answer.
    pub(crate) fn bytes(self) -> usize {
        self.max_tokens.get().saturating_mul(BYTES_PER_TOKEN)
    }

    pub(super) fn window(self, wanted: Wanted) -> Window {
        Window {
            first_line: wanted.first,
            lines: wanted.limit.unwrap_or(self.max_lines.get()),
            bytes: self.bytes(),
            line_bytes: self.max_line_bytes.get(),
        }
    }

    /// Says which setting it was, where a file was too large to be taken in.
    pub(super) fn named(self, error: FilesError) -> FilesError {
        match error {
            FilesError::TooLarge { path, size, limit, .. } => {
                FilesError::TooLarge { path, size, limit, setting: Some("read.maxFileBytes") }
            }
            other => other,
        }
    }
}
