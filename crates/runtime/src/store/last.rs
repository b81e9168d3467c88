//! Which session of a working directory was used last: a small file for each, so that no clock has a say. Where it is missing,
//! the times of the journals count.

use std::fs::{self, DirBuilder};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use toolwright_workspace::restore::sha256;

/// Records that the session was used last of those held in `cwd`. Failing is no harm: the times of the journals are there.
pub(crate) fn record(records: &Path, cwd: &Path, id: &str) {
    let path = file(records, cwd);
    if fs::read_to_string(&path).is_ok_and(|known| known == id) {
        return;
    }
    let written = || {
        DirBuilder::new().recursive(true).mode(0o700).create(records)?;
        let mut file = tempfile::NamedTempFile::new_in(records)?;
        file.write_all(id.as_bytes())?;
        file.persist(&path).map_err(|error| error.error)
    };
    drop(written());
}

/// The session that was recorded for `cwd`; it may be gone.
pub(super) fn of(records: &Path, cwd: &Path) -> Option<String> {
    fs::read_to_string(file(records, cwd)).ok()
}

/// Removes what was recorded of sessions that are gone from `root`.
pub(super) fn forget_removed(records: &Path, root: &Path) {
    for entry in fs::read_dir(records).into_iter().flatten().flatten() {
        if fs::read_to_string(entry.path()).is_ok_and(|id| !root.join(id).is_dir()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Named by the hash of the directory.
fn file(records: &Path, cwd: &Path) -> PathBuf {
    records.join(sha256(cwd.as_os_str().as_bytes()))
}
