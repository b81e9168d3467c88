//! What one agent has read: a hash of the bytes it was shown, for each file. Times and sizes alone prove nothing.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};
use toolwright_services::FileState;

/// The bytes an agent was shown of a file, and how long it was. `sha256:HEX` where it was all, else `sha256:HEX@FROM-TO/LENGTH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    hash: [u8; 32],
    part: Option<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    range: Range<u64>,
    length: u64,
}

impl Fingerprint {
    /// Of a whole file.
    pub(crate) fn whole(bytes: &[u8]) -> Self {
        Self { hash: Sha256::digest(bytes).into(), part: None }
    }

    /// Of the bytes `range` of a file of `length` bytes.
    pub(crate) fn part(hash: [u8; 32], range: Range<u64>, length: u64) -> Self {
        Self { hash, part: Some(Part { range, length }) }
    }

    /// The hash of what was shown, in small hexadecimal digits.
    pub(crate) fn hex(&self) -> String {
        self.hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.part.is_none()
    }

    /// Whether a file of these bytes is the one that was read, as far as it was.
    pub(crate) fn fits(&self, bytes: &[u8]) -> bool {
        let shown = match &self.part {
            None => Some(bytes),
            Some(part) if part.length != bytes.len() as u64 => None,
            Some(part) => usize::try_from(part.range.start)
                .ok()
                .zip(usize::try_from(part.range.end).ok())
                .and_then(|(from, to)| bytes.get(from..to)),
        };
        shown.is_some_and(|shown| <[u8; 32]>::from(Sha256::digest(shown)) == self.hash)
    }

    fn to_text(&self) -> String {
        let hex = self.hex();
        match &self.part {
            None => format!("sha256:{hex}"),
            Some(Part { range, length }) => format!("sha256:{hex}@{}-{}/{length}", range.start, range.end),
        }
    }

    fn from_text(text: &str) -> Option<Self> {
        let text = text.strip_prefix("sha256:")?;
        let (hex, part) = text.split_once('@').map_or((text, None), |(hex, part)| (hex, Some(part)));
        let mut hash = [0; 32];
        if hex.len() != 64 {
            return None;
        }
        for (index, byte) in hash.iter_mut().enumerate() {
            *byte = u8::from_str_radix(hex.get(index * 2..index * 2 + 2)?, 16).ok()?;
        }
        let part = match part {
            None => None,
            Some(part) => {
                let (range, length) = part.split_once('/')?;
                let (from, to) = range.split_once('-')?;
                Some(Part { range: from.parse().ok()?..to.parse().ok()?, length: length.parse().ok()? })
            }
        };
        Some(Self { hash, part })
    }
}

/// What one agent has read, by the files' real paths.
#[derive(Debug, Default)]
pub(crate) struct ReadState(Mutex<Inner>);

#[derive(Debug, Default, Clone)]
struct Inner {
    read: BTreeMap<PathBuf, Fingerprint>,
    changed: Vec<FileState>,
}

impl ReadState {
    pub(crate) fn record(&self, path: &Path, fingerprint: Fingerprint) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Reading the same again is no news for a journal.
        if inner.read.get(path) == Some(&fingerprint) {
            return;
        }
        inner.changed.push(FileState { path: path.to_owned(), hash: fingerprint.to_text() });
        inner.read.insert(path.to_owned(), fingerprint);
    }

    pub(crate) fn get(&self, path: &Path) -> Option<Fingerprint> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).read.get(path).cloned()
    }

    pub(crate) fn all(&self) -> Vec<FileState> {
        let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let states = inner.read.iter();
        states.map(|(path, read)| FileState { path: path.clone(), hash: read.to_text() }).collect()
    }

    pub(crate) fn take_changed(&self) -> Vec<FileState> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).changed)
    }

    /// A state in a form of another version counts as not read.
    pub(crate) fn restore(&self, states: &[FileState]) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for state in states {
            match Fingerprint::from_text(&state.hash) {
                Some(fingerprint) => inner.read.insert(state.path.clone(), fingerprint),
                None => inner.read.remove(&state.path),
            };
        }
    }

    pub(crate) fn copy(&self) -> Self {
        let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Self(Mutex::new(Inner { read: inner.read.clone(), changed: Vec::new() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_fits_what_was_shown_and_survives_text() {
        let whole = Fingerprint::whole(b"abcdef");
        let part = Fingerprint::part(Sha256::digest(b"cd").into(), 2..4, 6);
        assert!(whole.fits(b"abcdef") && !whole.fits(b"abcdeg"));
        assert!(part.fits(b"XXcdXX") && !part.fits(b"abcd") && !part.fits(b"abXdef"));
        for fingerprint in [whole, part] {
            assert_eq!(Fingerprint::from_text(&fingerprint.to_text()), Some(fingerprint));
        }
        for bad in ["", "md5:00", "sha256:zz", &format!("sha256:{}@1", "0".repeat(64))] {
            assert_eq!(Fingerprint::from_text(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_copy_is_its_own_and_has_no_news() {
        let state = ReadState::default();
        state.record(Path::new("/a"), Fingerprint::whole(b"1"));
        state.record(Path::new("/a"), Fingerprint::whole(b"1"));
        let copy = state.copy();
        copy.record(Path::new("/b"), Fingerprint::whole(b"2"));
        assert_eq!((state.all().len(), copy.all().len()), (1, 2));
        assert_eq!(
            (state.take_changed().len(), state.take_changed().len(), copy.take_changed().len()),
            (1, 0, 1)
        );
        let restored = ReadState::default();
        restored.restore(&copy.all());
        assert_eq!(restored.all(), copy.all());
        assert_eq!(restored.take_changed(), []);
    }
}
