//! Keeping what files held before tools changed them: bytes by their hash in the session's folder, and an event that says
//! which file they were. Knows no tool; taking changes back is in `rewind`.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use toolwright_core::{Environment, Unavailable};
use toolwright_engine::event::{EventBody, FileBefore};
use toolwright_services::{FileChange, KeepsOld, OldFile};
use toolwright_workspace::restore::{self, Found};

use crate::Session;

/// Where old bytes lie in a session's folder.
const FOLDER: &str = "checkpoints";

/// How much of a session's old bytes is kept: the setting `checkpoints`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckpointLimits {
    /// Bytes of one session together; 0: nothing is kept.
    #[serde(rename = "maxSessionBytes")]
    pub session_bytes: u64,
    /// Bytes of one file above which it is not kept.
    #[serde(rename = "maxFileBytes")]
    pub file_bytes: u64,
}

impl CheckpointLimits {
    /// As the settings have it.
    ///
    /// # Errors
    /// When the setting does not fit.
    pub fn of(environment: &Environment) -> Result<Self, Unavailable> {
        environment.settings("checkpoints")
    }
}

impl Default for CheckpointLimits {
    fn default() -> Self {
        Self { session_bytes: 256 << 20, file_bytes: 16 << 20 }
    }
}

/// Old bytes by their hash.
#[derive(Debug)]
pub(crate) struct Kept {
    folder: PathBuf,
    limits: CheckpointLimits,
    /// Bytes that lie there; counted when first needed.
    used: Mutex<Option<u64>>,
}

impl Kept {
    /// Those of the session in `folder`. Touches nothing yet.
    pub(crate) fn of(folder: &Path, limits: CheckpointLimits) -> Self {
        Self { folder: folder.join(FOLDER), limits, used: Mutex::default() }
    }

    /// Keeps them, and says so; or why not.
    pub(crate) fn keep(&self, old: &OldFile<'_>) -> FileBefore {
        let size = old.bytes.len() as u64;
        let before = |not_kept| FileBefore { hash: old.sha256.into(), size, mode: old.mode, not_kept };
        before(self.store(old.sha256, old.bytes).err())
    }

    /// Keeps what was found at `path`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn keep_file(&self, path: &Path, found: &Found) -> io::Result<FileBefore> {
        let Found { sha256, size, mode } = found;
        if let Err(why) = self.allows(*size) {
            return Ok(FileBefore { hash: sha256.clone(), size: *size, mode: *mode, not_kept: Some(why) });
        }
        Ok(self.keep(&OldFile { bytes: &restore::bytes(path)?, sha256, mode: *mode }))
    }

    /// Whether the limits let a file of this size be kept at all.
    fn allows(&self, size: u64) -> Result<(), String> {
        let CheckpointLimits { session_bytes, file_bytes } = self.limits;
        if session_bytes == 0 {
            return Err("the setting `checkpoints.maxSessionBytes` is 0".into());
        }
        if size > file_bytes {
            return Err(format!(
                "it had {size} bytes, more than the {file_bytes} of the setting `checkpoints.maxFileBytes`"
            ));
        }
        Ok(())
    }

    fn store(&self, hash: &str, bytes: &[u8]) -> Result<(), String> {
        let session_bytes = self.limits.session_bytes;
        let size = bytes.len() as u64;
        self.allows(size)?;
        let path = self.folder.join(hash);
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        // One of another length is what a full disk left of it.
        if fs::metadata(&path).is_ok_and(|found| found.len() == size) {
            return Ok(());
        }
        let lies_there = used.unwrap_or_else(|| self.count());
        if lies_there.saturating_add(size) > session_bytes {
            return Err(format!(
                "the session keeps {lies_there} bytes already; the setting `checkpoints.maxSessionBytes` is {session_bytes}"
            ));
        }
        self.put(&path, bytes).map_err(|error| format!("it could not be stored: {error}"))?;
        *used = Some(lies_there + size);
        Ok(())
    }

    /// By way of another name, so that a kill leaves no half of it under its hash.
    fn put(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let half = path.with_extension("half");
        let file = OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(&half);
        let written = file.and_then(|mut file| file.write_all(bytes)).and_then(|()| fs::rename(&half, path));
        if written.is_err() {
            let _ = fs::remove_file(&half);
        }
        written
    }

    fn count(&self) -> u64 {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
    }

    /// The bytes of this hash. Whether they are still those is for the caller to check.
    pub(crate) fn get(&self, hash: &str) -> io::Result<Vec<u8>> {
        // A hash is a name in this folder, never a path out of it.
        if hash.is_empty() || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the name is no hash"));
        }
        fs::read(self.folder.join(hash))
    }
}

/// Keeps what the calls of one agent are about to change.
pub(crate) struct Keeper {
    session: Arc<Session>,
    kept: Arc<Kept>,
    agent: Arc<str>,
    parent_tool_use_id: Option<String>,
    /// The call that began last: what writes runs alone.
    call: Mutex<String>,
}

impl Keeper {
    pub(crate) fn new(
        session: &Arc<Session>,
        agent: &str,
        parent_tool_use_id: Option<&str>,
    ) -> Option<Arc<Self>> {
        Some(Arc::new(Self {
            session: Arc::clone(session),
            kept: session.kept.clone()?,
            agent: agent.into(),
            parent_tool_use_id: parent_tool_use_id.map(Into::into),
            call: Mutex::default(),
        }))
    }

    /// What changes from now on is of this call.
    pub(crate) fn begins(&self, tool_use_id: &str) {
        *self.call.lock().unwrap_or_else(PoisonError::into_inner) = tool_use_id.into();
    }
}

impl KeepsOld for Keeper {
    fn keep(&self, change: &FileChange<'_>) -> io::Result<()> {
        // JSON cannot hold such a name, so the change cannot be recorded; it can still be made.
        if change.path.to_str().is_none() {
            return Ok(());
        }
        let tool_use_id = self.call.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let body = EventBody::Checkpoint {
            tool_use_id,
            path: change.path.into(),
            before: change.before.map(|old| self.kept.keep(&old)),
            after: Some(change.after.into()),
            made_folder: change.made_folder.map(Into::into),
        };
        self.session
            .publish(&self.agent, self.parent_tool_use_id.as_deref(), body, None)
            .map(drop)
            .map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn old<'a>(bytes: &'a [u8], sha256: &'a str) -> OldFile<'a> {
        OldFile { bytes, sha256, mode: None }
    }

    #[test]
    fn what_is_too_much_is_said_and_not_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = Kept::of(folder.path(), CheckpointLimits { session_bytes: 10, file_bytes: 6 });
        let check = |bytes: &[u8], hash: &str, said: Option<&str>| {
            let before = kept.keep(&old(bytes, hash));
            let why = before.not_kept.unwrap_or_default();
            assert_eq!(why.is_empty(), said.is_none(), "{hash}: {why}");
            assert!(why.contains(said.unwrap_or_default()), "{hash}: {why}");
            assert_eq!(kept.get(hash).is_ok_and(|found| found == bytes), said.is_none(), "{hash}");
        };
        check(b"aaaaaaa", "a1", Some("maxFileBytes"));
        check(b"bbbbbb", "b1", None);
        check(b"ccccc", "c1", Some("maxSessionBytes"));
        check(b"dddd", "d1", None);
        // The same again takes no more room.
        check(b"dddd", "d1", None);
        check(b"e", "e1", Some("maxSessionBytes"));
        // Another run counts what lies there.
        let later = Kept::of(folder.path(), CheckpointLimits { session_bytes: 10, file_bytes: 6 });
        assert!(later.keep(&old(b"f", "f1")).not_kept.is_some());
        assert!(kept.get("../session.jsonl").is_err());
    }
}
