//! Changing files: only what was read and is still so, exactly, and at one go.

use std::any::Any;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use toolwright_core::Cancel;
use toolwright_services::{Document, FileChange, FilesError, LineEnds, OldFile, Splice, TextFormat, Written};

use super::Inner;
use super::look::{self, Whole};
use crate::held::{Access, Identity, NewPath};
use crate::read_state::Fingerprint;
use crate::replace::{self, New};
use crate::target::Target;
use crate::text::{self, Layout, Stored};

/// What a document needs to be written back.
struct Origin {
    stored: Stored,
    fingerprint: Fingerprint,
    /// The bytes themselves, up to [`COMPARED`]: comparing them is quicker than hashing.
    bytes: Vec<u8>,
}

const COMPARED: usize = 16 << 20;

impl Origin {
    fn fits(&self, bytes: &[u8], stamp: &str) -> bool {
        if self.bytes.is_empty() { self.fingerprint.fits(bytes, stamp) } else { self.bytes == bytes }
    }
}

/// What was written last, and its hash: who changes one file again and again compares it, which is quicker than hashing.
#[derive(Debug, Default)]
pub(super) struct Latest(Mutex<Option<(Vec<u8>, Fingerprint)>>);

impl Latest {
    /// Larger ones are not worth their memory.
    const MOST: usize = 4 << 20;

    fn keep(&self, bytes: Vec<u8>, fingerprint: Fingerprint) {
        let kept = (bytes.len() <= Self::MOST).then_some((bytes, fingerprint));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = kept;
    }

    /// Whether a file of these bytes and this stamp is the one that was read.
    fn fits(&self, read: &Fingerprint, bytes: &[u8], stamp: &str) -> bool {
        let latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match (latest.as_ref(), read.of_whole_file()) {
            (Some((known, fingerprint)), Some(whole)) if known == bytes => *fingerprint == whole,
            _ => read.fits(bytes, stamp),
        }
    }
}

pub(super) fn open(inner: &Inner, target: &Target, cancel: &Cancel) -> Result<Document, FilesError> {
    let path = &target.path;
    let read = inner.read.get(&target.real);
    let Whole { bytes, stamp, .. } = look::whole(inner, target, Access::Write, inner.limit, cancel)?;
    let Some(read) = read else { return Err(not_read(inner, target, bytes)) };
    if !inner.latest.fits(&read, &bytes, &stamp) {
        return Err(FilesError::Changed { path: path.to_owned() });
    }
    // What fits a hash of the whole has that hash: it is computed once.
    let fingerprint = read.of_whole_file().unwrap_or_else(|| Fingerprint::whole(&bytes));
    let kept = if bytes.len() <= COMPARED { bytes.clone() } else { Vec::new() };
    let (text, stored) = take_in(inner, target, bytes)?;
    let format = stored.format();
    let origin = Arc::new(Origin { stored, fingerprint, bytes: kept });
    Ok(Document { path: path.to_owned(), text, format, origin })
}

/// The bytes of a document with pieces replaced.
pub(super) fn spliced(document: &Document, splices: Vec<Splice>) -> Result<Vec<u8>, FilesError> {
    let bad = || FilesError::BadSplice { path: document.path.clone() };
    let Origin { stored, .. } = document.origin.downcast_ref().ok_or_else(bad)?;
    let in_view = |splice: Splice| Splice { text: document.in_view(&splice.text).into_owned(), ..splice };
    let splices = splices.into_iter().map(in_view).collect();
    let (view, stored) = stored.splice(&document.text, splices).ok_or_else(bad)?;
    give_out(&document.path, view, &stored)
}

/// Writes the bytes where the document came from, if it is still there as it was.
pub(super) fn put_back(
    inner: &Inner,
    target: &Target,
    origin: &Arc<dyn Any + Send + Sync>,
    bytes: Vec<u8>,
) -> Result<(), FilesError> {
    let path = &target.path;
    let Some(origin) = origin.downcast_ref::<Origin>() else {
        return Err(FilesError::BadSplice { path: path.to_owned() });
    };
    let _writing = inner.writing.lock().unwrap_or_else(PoisonError::into_inner);
    let _alone = replace::alone(&target.real).map_err(|error| target.failed("written", error))?;
    let Whole { bytes: now, stamp, mode, identity } =
        look::whole(inner, target, Access::Write, inner.limit, &Cancel::default())?;
    if !origin.fits(&now, &stamp) {
        return Err(FilesError::Changed { path: path.to_owned() });
    }
    put(inner, target, Before { bytes: &now, fingerprint: &origin.fingerprint, mode, identity }, bytes)
}

pub(super) fn write(inner: &Inner, target: &Target, text: String) -> Result<Written, FilesError> {
    let path = &target.path;
    let _writing = inner.writing.lock().unwrap_or_else(PoisonError::into_inner);
    if !target.is_there()? {
        return create(inner, target, text);
    }
    let _alone = replace::alone(&target.real).map_err(|error| target.failed("written", error))?;
    let Whole { bytes, stamp, mode, identity } =
        look::whole(inner, target, Access::Write, inner.limit, &Cancel::default())?;
    let read = inner.read.get(&target.real);
    match &read {
        Some(read) if !inner.latest.fits(read, &bytes, &stamp) => {
            return Err(FilesError::Changed { path: path.to_owned() });
        }
        Some(read) if !read.is_whole() => return Err(FilesError::PartlyRead { path: path.to_owned() }),
        Some(_) => {}
        // Nothing can be lost of a file that holds nothing.
        None if bytes.is_empty() => {}
        None => return Err(not_read(inner, target, bytes)),
    }
    let old = if inner.keeper().is_some() { bytes.clone() } else { Vec::new() };
    let fingerprint =
        read.and_then(|read| read.of_whole_file()).unwrap_or_else(|| Fingerprint::whole(&bytes));
    let (before, stored) = take_in(inner, target, bytes)?;
    let (text, stored) = stored.in_its_place(text);
    let format = match stored.format() {
        // As it was given.
        format if format.line_ends == LineEnds::Lf => {
            TextFormat { line_ends: text::line_ends(text.as_bytes(), 1, false), ..format }
        }
        format => format,
    };
    let bytes = give_out(path, text, &stored)?;
    put(inner, target, Before { bytes: &old, fingerprint: &fingerprint, mode, identity }, bytes)?;
    Ok(Written { before: Some(before), format })
}

fn create(inner: &Inner, target: &Target, text: String) -> Result<Written, FilesError> {
    let path = &target.path;
    let failed = |error| target.failed("written", error);
    if target.real.file_name().is_none() {
        return Err(FilesError::BadPath { path: path.to_owned(), reason: "it names no file" });
    }
    let bytes = text.into_bytes();
    let fingerprint = Fingerprint::whole(&bytes);
    let new = NewPath::to(&target.real).map_err(failed)?;
    let made_folder = new.outermost_missing();
    let change = FileChange {
        path: &target.real,
        before: None,
        after: &fingerprint.hex(),
        made_folder: made_folder.as_deref(),
    };
    keep(inner, path, &change)?;
    let held = new.make_folders().map_err(|error| {
        let folder = target.real.parent().unwrap_or(&target.real);
        Target::at(folder).failed("made", error)
    })?;
    inner.writer.create(&target.real, &held, New::from(&*bytes)).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => FilesError::Changed { path: path.to_owned() },
        _ => failed(error),
    })?;
    look::record(inner, target, fingerprint);
    let format = match Layout::of(&bytes, true, inner.named) {
        Ok(layout) => layout.into_format(),
        Err(_) => Stored::NEW.format(),
    };
    Ok(Written { before: None, format })
}

/// What a file holds that is about to be replaced.
struct Before<'a> {
    bytes: &'a [u8],
    fingerprint: &'a Fingerprint,
    mode: Option<u32>,
    identity: Option<Identity>,
}

fn put(inner: &Inner, target: &Target, before: Before<'_>, bytes: Vec<u8>) -> Result<(), FilesError> {
    let fingerprint = Fingerprint::whole(&bytes);
    let old = OldFile { bytes: before.bytes, sha256: &before.fingerprint.hex(), mode: before.mode };
    let after = &fingerprint.hex();
    let change = FileChange { path: &target.real, before: Some(old), after, made_folder: None };
    keep(inner, &target.path, &change)?;
    let replaced = inner.writer.replace(&target.real, before.identity, New::from(&*bytes));
    replaced.map_err(|error| target.failed("written", error))?;
    // A change in what was shown shows no more of the rest.
    let partly = inner.read.get(&target.real).is_some_and(|read| !read.is_whole());
    let (length, whole) = (bytes.len() as u64, fingerprint.clone());
    inner.latest.keep(bytes, whole);
    let fingerprint = if partly { fingerprint.unseen(length) } else { fingerprint };
    look::record(inner, target, fingerprint);
    Ok(())
}

/// Nobody is sent to read what cannot be read.
fn not_read(inner: &Inner, target: &Target, bytes: Vec<u8>) -> FilesError {
    match take_in(inner, target, bytes) {
        Ok(_) => FilesError::NotRead { path: target.path.clone() },
        Err(error) => error,
    }
}

fn keep(inner: &Inner, path: &Path, change: &FileChange<'_>) -> Result<(), FilesError> {
    let Some(keeper) = inner.keeper() else { return Ok(()) };
    keeper.keep(change).map_err(|source| FilesError::NotKept { path: path.to_owned(), source })
}

/// Bytes as a view, if they can be given out again exactly.
fn take_in(inner: &Inner, target: &Target, bytes: Vec<u8>) -> Result<(String, Stored), FilesError> {
    Stored::take_in(bytes, inner.named).map_err(|error| look::not_text(target, error))
}

/// A view as the bytes that are stored.
fn give_out(path: &Path, view: String, stored: &Stored) -> Result<Vec<u8>, FilesError> {
    let encoding = stored.format().encoding;
    stored.give_out(view).map_err(|character| FilesError::Unrepresentable {
        path: path.to_owned(),
        encoding,
        character,
    })
}
