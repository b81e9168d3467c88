//! What this agent was shown by which call, so that it is not shown twice while the first answer still stands.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::Wanted;
use crate::{Output, Unchanged};

/// Outputs of fewer bytes than this are shown again: a note would be no shorter.
const WORTH_A_NOTE: usize = 1_000;

/// The parts of files that calls showed.
#[derive(Default)]
pub(crate) struct Shown(Mutex<HashMap<(PathBuf, Wanted), Last>>);

/// The last call that showed a part, and a hash of what it showed.
struct Last {
    call_id: Arc<str>,
    hash: [u8; 32],
}

impl Shown {
    /// The output, or a note in its place: where the same part with the same content is the answer of a call that
    /// `still_shows`. Never two notes on end: whoever asks again did not find it.
    pub(crate) fn or_unchanged(
        &self,
        output: Output,
        wanted: Wanted,
        call_id: &Arc<str>,
        still_shows: impl Fn(&str) -> bool,
    ) -> Output {
        let Ok(bytes) = serde_json::to_vec(&output) else { return output };
        if bytes.len() < WORTH_A_NOTE {
            return output;
        }
        let hash: [u8; 32] = Sha256::digest(&bytes).into();
        let path = output.path().to_owned();
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = shown.remove(&(path.clone(), wanted));
        match before {
            Some(last) if last.hash == hash && still_shows(&last.call_id) => {
                Output::Unchanged(Unchanged { path, shown_by: last.call_id.as_ref().into() })
            }
            _ => {
                shown.insert((path, wanted), Last { call_id: Arc::clone(call_id), hash });
                output
            }
        }
    }
}

impl Output {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Text(text) => &text.path,
            Self::Notebook(notebook) => &notebook.path,
            Self::Image(image) => &image.path,
            Self::Pdf(pdf) => &pdf.path,
            Self::Unchanged(unchanged) => &unchanged.path,
        }
    }
}
