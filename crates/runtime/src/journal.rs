//! The journal of one session: events as JSON lines, appended before they are acted on. No fsync an event: a killed process
//! loses nothing, a power cut may lose the tail.

mod media;
#[cfg(test)]
mod tests;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use toolwright_engine::event::{EventBody, LineError, MAIN_AGENT, SessionEvent, VERSION};
use toolwright_services::ResultFolder;

use crate::RuntimeError;
use crate::store::cleaning::is_there;
use crate::store::{JOURNAL, last, now};

/// Where large results lie in a session's folder.
pub(crate) const RESULTS: &str = "results";

/// Bytes that the results of a session may take together: large answers and whole outputs of commands.
const MOST_RESULTS: u64 = 256 << 20;

/// How long, and how often, a locked journal is tried again.
const LOCK_TRIES: u32 = 30;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// An open session's file.
#[derive(Debug)]
pub struct Journal {
    id: String,
    folder: PathBuf,
    file: Option<File>,
    next_seq: u64,
    /// Where the session was begun, once it was.
    held_in: Option<PathBuf>,
    /// Where it is recorded which session was used last.
    last_used: Option<PathBuf>,
    /// The last line was torn: the next one must not be glued to it.
    torn: bool,
    /// Bytes that results may still take in the session's folder.
    room: Arc<AtomicU64>,
}

impl Drop for Journal {
    /// Closing alone would not do: a child that is being started holds a copy of the file until it runs its program.
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            let _ = file.unlock();
        }
    }
}

impl Journal {
    /// A session that is kept nowhere: tests, single calls.
    #[must_use]
    pub fn nowhere() -> Self {
        let room = Arc::new(AtomicU64::new(0));
        let (id, folder) = ("none".into(), PathBuf::new());
        Self { id, folder, file: None, next_seq: 0, held_in: None, last_used: None, torn: false, room }
    }

    pub(crate) fn open(id: String, folder: PathBuf, next_seq: u64) -> Result<Self, RuntimeError> {
        let path = folder.join(JOURNAL);
        let mut options = OpenOptions::new();
        let file = open(options.create(true).append(true).read(true).mode(0o600), &path)
            .map_err(RuntimeError::storage("cannot open", &path))?;
        match lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RuntimeError::InUse { id }),
            // A file system without locks: two writers are then not noticed.
            Err(TryLockError::Error(_)) => {}
        }
        if !is_there(&file, &path) {
            let gone = io::Error::new(io::ErrorKind::NotFound, "the session was removed at this moment");
            return Err(RuntimeError::storage("cannot open", &path)(gone));
        }
        let room =
            Arc::new(AtomicU64::new(MOST_RESULTS.saturating_sub(size_of_files(&folder.join(RESULTS)))));
        Ok(Self { id, folder, file: Some(file), next_seq, held_in: None, last_used: None, torn: false, room })
    }

    /// Bytes that results may still take in the session's folder; whoever stores one takes them from it.
    pub(crate) const fn room(&self) -> &Arc<AtomicU64> {
        &self.room
    }

    /// The session's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The session's folder; none for a session that is kept nowhere.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.file.is_some().then_some(self.folder.as_path())
    }

    pub(crate) fn recording_in(mut self, folder: Option<PathBuf>) -> Self {
        self.last_used = folder;
        self
    }

    /// Goes on behind these events, the last of which may be torn.
    pub(crate) fn go_on_after(&mut self, events: &[SessionEvent], whole: bool) {
        self.next_seq = events.last().map_or(0, |event| event.seq.saturating_add(1));
        self.held_in = events.iter().find_map(started_in).map(Into::into);
        self.torn = !whole;
    }

    /// Writes a kept event, gives a passing one its place alone.
    pub(crate) fn append(
        &mut self,
        agent: &str,
        parent_tool_use_id: Option<&str>,
        body: EventBody,
    ) -> Result<SessionEvent, RuntimeError> {
        let kept = body.is_kept();
        let event = SessionEvent {
            v: VERSION,
            seq: self.next_seq,
            at: now(),
            agent: agent.into(),
            parent_tool_use_id: parent_tool_use_id.map(Into::into),
            body,
        };
        if !kept {
            return Ok(event);
        }
        if let Some(file) = &mut self.file {
            let mut line = if self.torn { String::from("\n") } else { String::new() };
            let failed = RuntimeError::storage("cannot write", self.folder.join(JOURNAL));
            let json = match media::take_out(&event, &self.folder.join(RESULTS))? {
                Some(json) => json,
                None => match event.to_line() {
                    Ok(json) => json,
                    Err(error) => return Err(failed(error.into())),
                },
            };
            line.push_str(&json);
            line.push('\n');
            // One write a line: a kill between two leaves whole lines. A full disk may have taken half of it.
            self.torn = true;
            file.write_all(line.as_bytes()).map_err(failed)?;
            self.torn = false;
            if let Some((cwd, records)) = started_in(&event).zip(self.last_used.as_ref()) {
                let held_in = self.held_in.get_or_insert_with(|| cwd.into());
                last::record(records, held_in, &self.id);
            }
        }
        self.next_seq += 1;
        Ok(event)
    }

    /// Keeps a large text as a file of the session and gives its path. Writing the same name twice changes nothing.
    pub(crate) fn keep_result(&self, name: &str, text: &str) -> Result<PathBuf, RuntimeError> {
        let path = keep_in(&self.folder.join(RESULTS), name, text)?;
        let take = |left: u64| Some(left.saturating_sub(text.len() as u64));
        _ = self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        Ok(path)
    }
}

/// The folder of a session's results, as tools see it.
#[derive(Debug)]
pub(crate) struct StoredResults {
    pub(crate) folder: PathBuf,
    pub(crate) room: Arc<AtomicU64>,
}

impl ResultFolder for StoredResults {
    fn path(&self) -> &Path {
        &self.folder
    }

    fn room(&self) -> Option<Arc<AtomicU64>> {
        Some(Arc::clone(&self.room))
    }
}

/// Bytes of the files in a folder; 0 where there is none.
fn size_of_files(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|found| found.len()).sum()
}

/// Reads a line that [`Journal::append`] wrote to the journal in `folder`.
pub(crate) fn read_line(line: &str, folder: &Path) -> Result<SessionEvent, LineError> {
    media::put_back(line, &folder.join(RESULTS))
        .map_or_else(|| SessionEvent::from_line(line), |line| SessionEvent::from_line(&line))
}

fn keep_in(folder: &Path, name: &str, text: &str) -> Result<PathBuf, RuntimeError> {
    let path = folder.join(name);
    // What a full disk or a power cut left under the name may have its length and other bytes.
    let same_length = fs::metadata(&path).is_ok_and(|found| found.len() == text.len() as u64);
    if same_length && fs::read(&path).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(path);
    }
    fs::create_dir_all(folder).map_err(RuntimeError::storage("cannot make", folder))?;
    let failed = |error| RuntimeError::storage("cannot write", &path)(error);
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.persist(&path).map_err(|error| failed(error.error))?;
    Ok(path)
}

/// Where the main agent begins, or goes on.
fn started_in(event: &SessionEvent) -> Option<&Path> {
    match &event.body {
        EventBody::Started { cwd, .. } if event.agent == MAIN_AGENT => Some(cwd),
        _ => None,
    }
}

/// Opens a journal. Anything but a regular file is refused, not waited for: a named pipe would never be at its end.
pub(crate) fn open(options: &OpenOptions, path: &Path) -> io::Result<File> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    options.open(path)
}

/// Takes the lock. A child that a killed process was about to start holds it between its fork and its exec: that passes.
fn lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            taken => return taken,
        }
    }
    file.try_lock()
}
