//! What makes writing in place safe. Renaming would cut a file off from its other names, or take it from its owner, so such
//! a file is overwritten; a kill in the middle would leave part of both texts in it.
//!
//! Before that, a record goes to the recovery folder (one for each person, of the host's choosing; not beside the file,
//! whose folder may not be ours to write): the path, the old bytes and the new ones, under the file's device and inode, so
//! that it is found by any of its names. The record comes into being by a rename, is locked by its writer, and is removed
//! when the writing is done. One that is there and locked by nobody belongs to a writer that was killed. It is settled by
//! whoever touches the file next, by any name, and by the next start for all.
//!
//! Settling undoes: where the file holds a mixture of the two texts as a killed write (or a killed settling) leaves it, it
//! gets the old one. Any other bytes are the old text, the new one, or somebody's later change, and stay. So a kill between
//! any two steps leaves the old bytes or the new ones for whoever looks through this crate, and a disk that fills up in the
//! middle the old ones for everybody. Nothing is flushed to the disk (no `fsync`), here as in all replacing: after a power
//! cut a file that was being written in place may hold parts of both, and the record may be lost.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::stale;
use crate::held::{self, Access, Folder, Held, Kind};

/// The recovery folder.
#[derive(Debug, Clone)]
pub(crate) struct Recovery {
    folder: PathBuf,
}

/// The record of a write that goes on: locked as long as this lives.
#[derive(Debug)]
pub(super) struct Kept {
    record: PathBuf,
    _locked: File,
}

impl Kept {
    /// The file holds one text or the other.
    pub(super) fn done(self) {
        // One that stays finds nothing to undo.
        let _ = fs::remove_file(&self.record);
    }
}

impl Recovery {
    pub(super) fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps both texts of `path`, whose metadata are given, until the record is done.
    pub(super) fn keep(&self, path: &Path, metadata: &Metadata, old: &[u8], new: &[u8]) -> io::Result<Kept> {
        make_private(&self.folder)?;
        let record = self.folder.join(key(path, metadata));
        let mut temporary = stale::temporary(&self.folder)?;
        let (named, path) = (path, path.as_os_str().as_encoded_bytes());
        temporary.write_all(MAGIC)?;
        for part in [path, old, new] {
            temporary.write_all(&(part.len() as u64).to_le_bytes())?;
        }
        for part in [path, old, new] {
            temporary.write_all(part)?;
        }
        let persisted = temporary.persist_noclobber(&record).or_else(|error| {
            settle(&record, Some(named))?;
            error.file.persist_noclobber(&record).map_err(|error| error.error)
        });
        match persisted {
            Ok(locked) => Ok(Kept { record, _locked: locked }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(io::Error::other("another program is writing it at this moment; try again"))
            }
            Err(error) => Err(error),
        }
    }

    /// Undoes what a killed writer left of this file. Whether anything was.
    pub(crate) fn settle(&self, path: &Path, metadata: &Metadata) -> io::Result<bool> {
        settle(&self.folder.join(key(path, metadata)), Some(path))
    }

    /// Undoes what killed writers left, of every file that can be found.
    pub(super) fn settle_all(&self, now: SystemTime) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for entry in entries.filter_map(Result::ok) {
            if entry.file_name().as_encoded_bytes().ends_with(RECORD.as_bytes()) {
                // One that cannot be settled now is settled another time.
                let _ = settle(&entry.path(), None);
                let _ = forget_if_old(&entry.path(), now);
            }
        }
        if let Ok(folder) = fs::canonicalize(&self.folder).and_then(|folder| Folder::open(&folder)) {
            stale::sweep(&folder, now);
        }
    }
}

const MAGIC: &[u8] = b"toolwright recovery 1\n";
const RECORD: &str = ".record";

/// What the file was, in a record.
struct Texts<'a> {
    path: PathBuf,
    old: &'a [u8],
    new: &'a [u8],
}

/// Settles a record by way of a name of its file, or of the one it was written by. If that is another file by now, the record
/// stays: the one that was written may have other names.
fn settle(record: &Path, name: Option<&Path>) -> io::Result<bool> {
    let mut file = match OpenOptions::new().read(true).open(record) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(false),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    if is_gone(&file.metadata()?) {
        return Ok(false);
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let found = match read(&bytes) {
        Some(texts) => undo(name.unwrap_or(&texts.path), &texts, record)?,
        // A power cut, or not ours.
        None => Found::Whole,
    };
    if found != Found::Nothing {
        fs::remove_file(record)?;
    }
    Ok(found == Found::Half)
}

/// A record whose file was not met for so long is of no use.
fn forget_if_old(record: &Path, now: SystemTime) -> io::Result<()> {
    const OLD: Duration = Duration::from_secs(30 * 24 * 60 * 60);
    let age = now.duration_since(fs::symlink_metadata(record)?.modified()?).unwrap_or_default();
    if age > OLD { fs::remove_file(record) } else { Ok(()) }
}

/// What was found at the name of a file that was being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// Half of each text: it has the old one now.
    Half,
    /// One of the texts, or what somebody made of it since.
    Whole,
    /// Another file, or none.
    Nothing,
}

fn read(bytes: &[u8]) -> Option<Texts<'_>> {
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let mut lengths = [0_usize; 3];
    for length in &mut lengths {
        let (number, after) = rest.split_first_chunk::<8>()?;
        *length = usize::try_from(u64::from_le_bytes(*number)).ok()?;
        rest = after;
    }
    let [path, old, new] = lengths;
    let (path, rest) = rest.split_at_checked(path)?;
    let (old, rest) = rest.split_at_checked(old)?;
    (rest.len() == new).then_some(Texts { path: as_path(path)?, old, new: rest })
}

fn undo(name: &Path, texts: &Texts<'_>, record: &Path) -> io::Result<Found> {
    // It was written by its real path: a link there now leads to another file.
    let opened = Held::of(name).and_then(|held| match held.kind()? {
        Kind::File => held.open(Access::Write),
        _ => Err(io::ErrorKind::NotFound.into()),
    });
    let mut file = match opened {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound || held::leads_elsewhere(&error) => {
            return Ok(Found::Nothing);
        }
        Err(error) => return Err(error),
    };
    let metadata = file.metadata()?;
    // A device may have another number after a start of the system: then the bytes alone can tell.
    let is_other = record.file_name().is_none_or(|own| own != &*key(name, &metadata));
    let not_half = if is_other { Found::Nothing } else { Found::Whole };
    if !metadata.is_file() || metadata.len() > texts.old.len().max(texts.new.len()) as u64 {
        return Ok(not_half);
    }
    let mut now = Vec::new();
    file.read_to_end(&mut now)?;
    if !is_mixture(&now, texts) {
        return Ok(not_half);
    }
    overwrite(&mut file, texts.old)?;
    Ok(Found::Half)
}

/// Writes from the beginning: longer first, shorter last.
pub(super) fn overwrite(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)
}

/// Whether `now` is what a killed write leaves: the new text so far, and the old one after that; or a killed undoing of that:
/// the old text once more so far.
fn is_mixture(now: &[u8], texts: &Texts<'_>) -> bool {
    let Texts { old, new, .. } = texts;
    if now == *old || now == *new {
        return false;
    }
    let same =
        |now: &[u8], other: &[u8]| now.iter().zip(other).take_while(|(one, other)| one == other).count();
    let undone = same(now, old);
    let (Some(after), Some(new_after)) = (now.get(undone..), new.get(undone..)) else { return false };
    let written = undone + same(after, new_after);
    now.len() == old.len().max(written) && now.get(written..) == Some(old.get(written..).unwrap_or_default())
}

fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

#[cfg(unix)]
fn key(_: &Path, metadata: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt as _;
    format!("{:x}-{:x}{RECORD}", metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn key(path: &Path, _: &Metadata) -> String {
    format!("{}{RECORD}", crate::restore::sha256(path.as_os_str().as_encoded_bytes()))
}

/// Somebody else settled it between the opening and the lock.
#[cfg(unix)]
fn is_gone(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    metadata.nlink() == 0
}

#[cfg(not(unix))]
fn is_gone(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere not every bytes are a path")]
fn as_path(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(std::ffi::OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn as_path(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(all(test, unix))]
#[path = "recovery_tests.rs"]
mod tests;
