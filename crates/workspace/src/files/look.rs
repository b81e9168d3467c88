//! Reading: small files at one go, windows of large ones by a scan that stops, whole ones up to a limit.

use std::fs::{File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};

use sha2::{Digest as _, Sha256};
use toolwright_core::Cancel;
use toolwright_services::{FilesError, TextWindow, Window};

use super::{Inner, Limit, skip};
use crate::held::{self, Access, Identity};
use crate::read_state::{self, Fingerprint, Part, Rest};
use crate::replace;
use crate::target::Target;
use crate::text::{Flow, HEAD, Layout, NotText, Seen};

/// A window of a file of at most [`HEAD`] bytes; nothing for a larger one.
pub(super) fn small(
    inner: &Inner,
    target: &Target,
    window: Window,
) -> Result<Option<TextWindow>, FilesError> {
    let (mut file, metadata) = open(inner, target, Access::Read)?;
    if metadata.len() > HEAD {
        return Ok(None);
    }
    let head = head(&mut file, metadata.len()).map_err(|error| target.failed("read", error))?;
    if head.len() as u64 > HEAD {
        return Ok(None);
    }
    let layout = Layout::of(&head, true, inner.named).map_err(|error| not_text(target, error))?;
    let mut lines = layout.lines(window, true);
    lines
        .feed(head.get(layout.detected.bom.len()..).unwrap_or_default())
        .map_err(|error| not_text(target, error))?;
    let seen = lines.finish(true).map_err(|error| not_text(target, error))?;
    let size = head.len() as u64;
    // Whoever asked for lines behind the end was shown nothing.
    if seen.lines > 0 || seen.total_lines == Some(0) {
        record(inner, target, shown(&layout, &seen, size, Rest::Hash(Sha256::digest(&head).into())));
    }
    Ok(Some(layout.window(seen, size)))
}

/// A window of a file of any size.
pub(super) fn window(
    inner: &Inner,
    target: &Target,
    window: Window,
    cancel: &Cancel,
) -> Result<TextWindow, FilesError> {
    let failed = |error| target.failed("read", error);
    let (mut file, metadata) = open(inner, target, Access::Read)?;
    let head = head(&mut file, metadata.len()).map_err(failed)?;
    let layout =
        Layout::of(&head, head.len() as u64 <= HEAD, inner.named).map_err(|error| not_text(target, error))?;
    let mut lines = layout.lines(window, false);
    let mut flow = lines
        .feed(head.get(layout.detected.bom.len()..).unwrap_or_default())
        .map_err(|error| not_text(target, error))?;
    let mut whole = (metadata.len() <= HASHED).then(|| Sha256::new_with_prefix(&head));
    let mut chunk = head;
    // From before it is read: what changes meanwhile is a change.
    let before = read_state::stamp(&metadata);
    if flow == Flow::More
        && whole.is_none()
        && let Some(unwanted) = lines.unwanted()
    {
        let place =
            skip::lines(&file, chunk.len() as u64, metadata.len(), unwanted, cancel).map_err(failed)?;
        file.seek(SeekFrom::Start(place.offset)).map_err(failed)?;
        lines.skip_to(place.offset, place.ended);
    }
    // Of a file that is not too large the rest is read too: what lies there is known then.
    while flow == Flow::More || whole.is_some() {
        if cancel.is_cancelled() {
            return Err(FilesError::Cancelled { path: target.path.clone() });
        }
        chunk.clear();
        // Even, and filled: a character of UTF-16 is in one chunk.
        (&mut file).take(CHUNK).read_to_end(&mut chunk).map_err(failed)?;
        if chunk.is_empty() {
            break;
        }
        if let Some(whole) = &mut whole {
            whole.update(&chunk);
        }
        if flow == Flow::More {
            flow = lines.feed(&chunk).map_err(|error| not_text(target, error))?;
        }
    }
    let seen = lines.finish(flow == Flow::More).map_err(|error| not_text(target, error))?;
    let size = file.metadata().map_err(failed)?.len();
    if seen.lines > 0 {
        let rest = whole.map_or_else(|| Rest::Stamp(before), |whole| Rest::Hash(whole.finalize().into()));
        record(inner, target, shown(&layout, &seen, size, rest));
    }
    Ok(layout.window(seen, size))
}

/// What a window shows of a file of this size.
fn shown(layout: &Layout, seen: &Seen, size: u64, rest: Rest) -> Fingerprint {
    let first = seen.from <= layout.detected.bom.len() as u64;
    match rest {
        Rest::Hash(hash) if (first && seen.to == size) || size == 0 => Fingerprint::of_whole(hash),
        Rest::Stamp(_) | Rest::Length if seen.from == 0 && seen.to == size => {
            Fingerprint::of_whole(seen.hash)
        }
        rest => {
            // The byte order mark belongs to the first line.
            let from = if first && matches!(rest, Rest::Hash(_)) { 0 } else { seen.from };
            Fingerprint::part(seen.hash, Part { range: from..seen.to, length: size, rest })
        }
    }
}

/// All bytes of a file.
pub(super) fn bytes(
    inner: &Inner,
    target: &Target,
    limit: u64,
    cancel: &Cancel,
) -> Result<Vec<u8>, FilesError> {
    whole(inner, target, Access::Read, Limit { bytes: limit, setting: None }, cancel).map(|whole| whole.bytes)
}

/// All bytes of a file, its stamp and permission bits before they were read, and which file it is.
pub(super) struct Whole {
    pub(super) bytes: Vec<u8>,
    pub(super) stamp: String,
    pub(super) mode: Option<u32>,
    pub(super) identity: Option<Identity>,
}

/// All bytes of a file; does not count as having read it. `access`: what is done with it in the end.
pub(super) fn whole(
    inner: &Inner,
    target: &Target,
    access: Access,
    limit: Limit,
    cancel: &Cancel,
) -> Result<Whole, FilesError> {
    let (mut file, metadata) = open(inner, target, access)?;
    let too_large = |size| {
        Err(FilesError::TooLarge {
            path: target.path.clone(),
            size,
            limit: limit.bytes,
            setting: limit.setting,
        })
    };
    if metadata.len() > limit.bytes {
        return too_large(metadata.len());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    loop {
        if cancel.is_cancelled() {
            return Err(FilesError::Cancelled { path: target.path.clone() });
        }
        let read = (&mut file).take(HEAD).read_to_end(&mut bytes);
        if read.map_err(|error| target.failed("read", error))? == 0 {
            let (stamp, mode) = (read_state::stamp(&metadata), replace::mode(&metadata));
            return Ok(Whole { bytes, stamp, mode, identity: held::identity(&file) });
        }
        if bytes.len() as u64 > limit.bytes {
            return too_large(bytes.len() as u64);
        }
    }
}

/// A regular file, whole: what a killed writer left half is put back first.
fn open(inner: &Inner, target: &Target, access: Access) -> Result<(File, Metadata), FilesError> {
    let (file, metadata) = target.open(access)?;
    match inner.writer.settle(&target.real, &metadata) {
        Ok(false) => Ok((file, metadata)),
        Ok(true) => target.open(access),
        Err(error) => Err(target.failed("put back after an interrupted write", error)),
    }
}

pub(super) fn record(inner: &Inner, target: &Target, fingerprint: Fingerprint) {
    inner.read.record(&target.real, fingerprint);
}

pub(super) fn not_text(target: &Target, error: NotText) -> FilesError {
    let path = target.path.clone();
    match error {
        NotText::Binary(what) => FilesError::Binary { path, what },
        NotText::Undecodable(reason) => FilesError::Encoding { path, reason },
    }
}

const CHUNK: u64 = 1 << 18;
/// Files with up to this many bytes are hashed whole, whatever is shown of them.
const HASHED: u64 = 16 << 20;

/// The first bytes of a file: all of a small one, else one more than [`HEAD`].
fn head(file: &mut File, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(HEAD)).unwrap_or(0) + 1);
    // One more would leave the next chunk of UTF-16 at an odd place.
    file.take(HEAD + 2).read_to_end(&mut bytes)?;
    Ok(bytes)
}
