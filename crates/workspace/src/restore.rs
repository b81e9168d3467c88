//! Files put back as they were: whole bytes and permission bits, or gone. For a person who takes changes back: knows no read
//! state, and follows no link, because what is put back is named by its real path.

use std::io::{self, Read as _};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::held::{self, Access, Held, NewPath};
use crate::replace::{self, New, Writer};
use crate::target::Target;

/// What lies at a path now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The SHA-256 of its bytes, in small hexadecimal digits.
    pub sha256: String,
    /// How many they are.
    pub size: u64,
    /// Its permission bits, where the system has them.
    pub mode: Option<u32>,
}

/// What lies there; nothing where there is nothing.
///
/// # Errors
/// When it is no regular file, when a link now leads elsewhere, or when it cannot be read.
pub fn look(path: &Path) -> io::Result<Option<Found>> {
    let target = Target::at(path);
    if let Err(error) = target.held().and_then(|held| held.kind())
        && held::leads_elsewhere(&error)
    {
        return Err(io::Error::other("a link leads elsewhere from there now"));
    }
    if !target.is_there().map_err(io::Error::other)? {
        return Ok(None);
    }
    let (mut file, metadata) = target.open(Access::Read).map_err(io::Error::other)?;
    let mut hash = Sha256::new();
    let mut chunk = vec![0; 1 << 18];
    let mut size = 0;
    loop {
        let read = file.read(&mut chunk)?;
        if read == 0 {
            break;
        }
        hash.update(chunk.get(..read).unwrap_or_default());
        size += read as u64;
    }
    Ok(Some(Found { sha256: hex(&hash.finalize()), size, mode: replace::mode(&metadata) }))
}

/// The bytes that lie there.
///
/// # Errors
/// As for [`look`], and when there is nothing.
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let (mut file, _) = Target::at(path).open(Access::Read).map_err(io::Error::other)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Puts back what killed programs left half written, as far as copies in `recovery` tell.
pub fn recover(recovery: &Path) {
    drop(Writer::new(Some(recovery.into())));
}

/// The SHA-256 of bytes, in small hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Puts bytes there, in place of what there is or as a new file, with these permission bits. Missing folders are made.
/// `recovery` is where copies lie as long as a file is written in place, as for
/// [`LocalFiles`](crate::LocalFiles::recovering_in).
///
/// # Errors
/// When it cannot be written; what was there is then still there.
pub fn put(path: &Path, bytes: &[u8], mode: Option<u32>, recovery: Option<&Path>) -> io::Result<()> {
    let (writer, new) = (Writer::new(recovery.map(Into::into)), New { bytes, mode });
    if Held::of(path).and_then(|held| held.kind()).is_ok() {
        writer.replace(path, None, new)
    } else {
        writer.create(path, &NewPath::to(path)?.make_folders()?, new)
    }
}

/// Removes a file, and folders that are then empty from its own up to `made_folder`.
///
/// # Errors
/// When the file cannot be removed; folders stay where they cannot.
pub fn remove(path: &Path, made_folder: Option<&Path>) -> io::Result<()> {
    let Held { folder, name } = Held::of(path)?;
    folder.remove_file(&name)?;
    if let Some(outermost) = made_folder {
        remove_folders(path, outermost);
    }
    Ok(())
}

/// Removes folders that are empty, from the one that `path` names a file in up to `outermost`.
pub fn remove_folders(path: &Path, outermost: &Path) {
    for folder in path.ancestors().skip(1).take_while(|folder| folder.starts_with(outermost)) {
        // One that holds something else stays, and so do those around it.
        if Held::of(folder).and_then(|held| held.folder.remove_folder(&held.name)).is_err() {
            break;
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use toolwright_testkit::TempWorkspace;

    use super::*;

    #[test]
    fn a_file_is_put_back_as_it_was_and_nothing_is_done_through_a_link() {
        let workspace = TempWorkspace::new();
        let root = workspace.path().canonicalize().unwrap();
        let path = root.join("a/b/file");
        assert_eq!(look(&path).unwrap(), None);
        put(&path, b"old", Some(0o754), None).unwrap();
        let found = look(&path).unwrap().unwrap();
        assert_eq!((found.sha256, found.size, found.mode), (sha256(b"old"), 3, Some(0o754)));
        put(&path, b"new", Some(0o600), None).unwrap();
        assert_eq!(look(&path).unwrap().unwrap().mode, Some(0o600));
        workspace.write("other/file", "x");
        workspace.write("a/kept", "x");
        remove(&path, Some(&root.join("a"))).unwrap();
        assert!(!root.join("a/b").exists() && root.join("a").exists());
        symlink(root.join("other"), root.join("a/b")).unwrap();
        assert!(look(&path).is_err());
        assert!(look(&root.join("other")).is_err(), "a folder is no file");
    }
}
