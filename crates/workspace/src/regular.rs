//! Opening regular files, and nothing but regular files: a pipe, a device or a terminal is never opened, so nothing hangs.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

use toolwright_services::FilesError;

use crate::path;

/// A regular file open for reading, and what is known of it.
pub(crate) fn open(path: &Path) -> Result<(File, Metadata), FilesError> {
    look(path)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // If it became a pipe since the look, opening it returns at once.
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    let file = options.open(path).map_err(|error| failed(path, "read", error))?;
    let metadata = file.metadata().map_err(|error| failed(path, "read", error))?;
    is_regular(path, &metadata)?;
    Ok((file, metadata))
}

/// What is known of a regular file.
pub(crate) fn look(path: &Path) -> Result<Metadata, FilesError> {
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(FilesError::BadPath { path: path.to_owned(), reason: "it has a NUL character" });
    }
    if is_own_handle(path) {
        return Err(FilesError::Special { path: path.to_owned(), what: "a device or an open handle" });
    }
    let metadata = std::fs::metadata(path).map_err(|error| failed(path, "read", error))?;
    is_regular(path, &metadata)?;
    Ok(metadata)
}

/// What is known of a regular file; nothing where there is none.
pub(crate) fn look_if_there(path: &Path) -> Result<Option<Metadata>, FilesError> {
    match look(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(FilesError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What went wrong, as one of the kinds a caller can tell apart.
pub(crate) fn failed(path: &Path, doing: &'static str, error: io::Error) -> FilesError {
    let path = path.to_owned();
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => path::not_found(&path),
        io::ErrorKind::PermissionDenied => FilesError::PermissionDenied { path, doing },
        io::ErrorKind::IsADirectory => FilesError::Folder { path },
        _ => FilesError::Io { path, doing, source: error },
    }
}

/// Devices and handles of this process: by name, because a handle may be a regular file that the host itself reads.
fn is_own_handle(path: &Path) -> bool {
    let mut names = path.components().skip(1).map(|component| component.as_os_str().as_encoded_bytes());
    match names.next() {
        Some(b"dev") => names.next() != Some(b"shm"),
        Some(b"proc") => names.any(|name| name == b"fd"),
        _ => false,
    }
}

fn is_regular(path: &Path, metadata: &Metadata) -> Result<(), FilesError> {
    let kind = metadata.file_type();
    if kind.is_file() {
        return Ok(());
    }
    if kind.is_dir() {
        return Err(FilesError::Folder { path: path.to_owned() });
    }
    Err(FilesError::Special { path: path.to_owned(), what: special(kind) })
}

#[cfg(unix)]
fn special(kind: std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_: std::fs::FileType) -> &'static str {
    "no file"
}
