//! What one agent has read: a hash of the bytes it was shown, for each file. Times and sizes alone prove nothing.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};
use toolwright_services::FileState;

/// The bytes an agent was shown of a file, and how to see whether the file is still that one. As text: `sha256:HEX` where the
/// whole was shown, else `sha256:HEX@FROM-TO/LENGTH`, followed by `#HEX` of the whole or by `~` and the file's stamp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    hash: Hash,
    part: Option<Part>,
}

type Hash = [u8; 32];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) range: Range<u64>,
    pub(crate) length: u64,
    pub(crate) rest: Rest,
}

/// How what was not shown is known to be unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rest {
    /// By a hash of the whole.
    Hash(Hash),
    /// Too much to be hashed: by what the system says of the file. Another stamp proves no change, and is taken for one.
    Stamp(String),
    /// By its length alone: read by an older version.
    Length,
}

impl Fingerprint {
    /// Of a whole file.
    pub(crate) fn whole(bytes: &[u8]) -> Self {
        Self::of_whole(Sha256::digest(bytes).into())
    }

    /// Of a whole file with this hash.
    pub(crate) fn of_whole(hash: Hash) -> Self {
        Self { hash, part: None }
    }

    /// Of a part of a file: `hash` is that of the bytes in its range.
    pub(crate) fn part(hash: Hash, part: Part) -> Self {
        Self { hash, part: Some(part) }
    }

    /// The same of the whole file, where its hash is known.
    pub(crate) fn of_whole_file(&self) -> Option<Self> {
        match &self.part {
            None => Some(self.clone()),
            Some(Part { rest: Rest::Hash(hash), .. }) => Some(Self::of_whole(*hash)),
            Some(_) => None,
        }
    }

    /// The same file of `length` bytes, of which nothing counts as shown any more: what was has moved within it.
    pub(crate) fn unseen(self, length: u64) -> Self {
        let part = Part { range: 0..0, length, rest: Rest::Hash(self.hash) };
        Self::part(Sha256::digest(b"").into(), part)
    }

    /// What was shown of one file in two goes: both together, where they touch, else the later one. Of a file that changed in
    /// between, the later one.
    fn after(self, earlier: &Self) -> Self {
        let (Some(now), Some(then)) = (self.of_whole_file(), earlier.of_whole_file()) else { return self };
        if now != then || self.part.is_none() {
            return self;
        }
        let (Some(part), Some(before)) = (&self.part, &earlier.part) else { return then };
        if part.range.start > before.range.end || before.range.start > part.range.end {
            return self;
        }
        let range = part.range.start.min(before.range.start)..part.range.end.max(before.range.end);
        Self::part(self.hash, Part { range, ..part.clone() })
    }

    /// The hash of what was shown, in small hexadecimal digits.
    pub(crate) fn hex(&self) -> String {
        hex(&self.hash)
    }

    /// Whether all of the file was shown.
    pub(crate) fn is_whole(&self) -> bool {
        self.part.as_ref().is_none_or(|part| part.range == (0..part.length))
    }

    /// Whether a file of these bytes and this stamp is the one that was read.
    pub(crate) fn fits(&self, bytes: &[u8], stamp: &str) -> bool {
        let is = |bytes: &[u8], hash: &Hash| Hash::from(Sha256::digest(bytes)) == *hash;
        let Some(part) = &self.part else { return is(bytes, &self.hash) };
        let shown = || {
            let from = usize::try_from(part.range.start).ok()?;
            bytes.get(from..usize::try_from(part.range.end).ok()?)
        };
        match &part.rest {
            Rest::Hash(hash) => is(bytes, hash),
            Rest::Stamp(then) if then != stamp => false,
            // A stamp may be put back, and it costs little to see.
            Rest::Stamp(_) | Rest::Length => {
                part.length == bytes.len() as u64 && shown().is_some_and(|shown| is(shown, &self.hash))
            }
        }
    }

    fn to_text(&self) -> String {
        let hash = self.hex();
        let Some(Part { range, length, rest }) = &self.part else { return format!("sha256:{hash}") };
        let rest = match rest {
            Rest::Hash(hash) => format!("#{}", hex(hash)),
            Rest::Stamp(stamp) => format!("~{stamp}"),
            Rest::Length => String::new(),
        };
        format!("sha256:{hash}@{}-{}/{length}{rest}", range.start, range.end)
    }

    fn from_text(text: &str) -> Option<Self> {
        let text = text.strip_prefix("sha256:")?;
        let Some((hash, part)) = text.split_once('@') else { return from_hex(text).map(Self::of_whole) };
        let (part, rest) = if let Some((part, hash)) = part.split_once('#') {
            (part, Rest::Hash(from_hex(hash)?))
        } else if let Some((part, stamp)) = part.split_once('~') {
            (part, Rest::Stamp(stamp.into()))
        } else {
            (part, Rest::Length)
        };
        let (range, length) = part.split_once('/')?;
        let (from, to) = range.split_once('-')?;
        let range = from.parse().ok()?..to.parse().ok()?;
        Some(Self::part(from_hex(hash)?, Part { range, length: length.parse().ok()?, rest }))
    }
}

fn hex(hash: &Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Hash> {
    let mut hash = [0; 32];
    if text.len() != 64 {
        return None;
    }
    for (index, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(index * 2..index * 2 + 2)?, 16).ok()?;
    }
    Some(hash)
}

/// What the system says of a file that changes whenever its bytes do: number, size, time of change. Same bytes may have
/// another.
pub(crate) fn stamp(metadata: &Metadata) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let (device, inode, size) = (metadata.dev(), metadata.ino(), metadata.size());
        format!("{device:x}.{inode:x}.{size:x}.{}.{}", metadata.ctime(), metadata.ctime_nsec())
    }
    #[cfg(not(unix))]
    format!("{:x}.{:?}", metadata.len(), metadata.modified().ok())
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
        let fingerprint = match inner.read.get(path) {
            Some(earlier) => fingerprint.after(earlier),
            None => fingerprint,
        };
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
        let of = |rest| {
            let part = Part { range: 2..4, length: 6, rest };
            Fingerprint::part(Sha256::digest(b"cd").into(), part)
        };
        let (length, stamped) = (of(Rest::Length), of(Rest::Stamp("1.2".into())));
        let hashed = of(Rest::Hash(Sha256::digest(b"abcdef").into()));
        let check = |read: &Fingerprint, bytes: &[u8], stamp: &str, expect: bool| {
            assert_eq!(read.fits(bytes, stamp), expect, "{read:?} {bytes:?} {stamp}");
        };
        check(&whole, b"abcdef", "", true);
        check(&whole, b"abcdeg", "", false);
        check(&length, b"XXcdXX", "", true);
        check(&length, b"abcd", "", false);
        check(&length, b"abXdef", "", false);
        // The same bytes with another stamp are a change only where the whole could not be hashed.
        check(&hashed, b"abcdef", "3.4", true);
        check(&hashed, b"XXcdXX", "1.2", false);
        check(&stamped, b"abcdef", "1.2", true);
        check(&stamped, b"abcdef", "3.4", false);
        check(&stamped, b"abXdef", "1.2", false);
        for fingerprint in [whole, length, stamped, hashed] {
            assert_eq!(Fingerprint::from_text(&fingerprint.to_text()), Some(fingerprint));
        }
        let zeros = "0".repeat(64);
        for bad in
            ["", "md5:00", "sha256:zz", &format!("sha256:{zeros}@1"), &format!("sha256:{zeros}@1-2/3#1")]
        {
            assert_eq!(Fingerprint::from_text(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_is_shown_piece_by_piece_is_shown() {
        let state = ReadState::default();
        let whole = Sha256::digest(b"abcdef").into();
        let part =
            |range: Range<u64>| Fingerprint::part(whole, Part { range, length: 6, rest: Rest::Hash(whole) });
        let check = |fingerprint: Fingerprint, is_whole: bool| {
            state.record(Path::new("/a"), fingerprint);
            assert_eq!(state.get(Path::new("/a")).map(|read| read.is_whole()), Some(is_whole));
        };
        check(part(0..2), false);
        check(part(4..6), false);
        check(part(1..4), false);
        check(part(0..1), true);
        // Of what was shown whole, a part is no less.
        check(part(2..3), true);
        check(Fingerprint::whole(b"another"), true);
        check(part(0..2), false);
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
