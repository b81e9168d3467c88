//! Where sessions lie: one folder a session, with the journal and the large results that were taken out of it.

pub(crate) mod cleaning;
pub(crate) mod last;

use std::fmt;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{BufRead as _, BufReader};
use std::mem::discriminant;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use toolwright_engine::event::{EventBody, LineError, MAIN_AGENT, SessionEvent};

use crate::RuntimeError;
use crate::journal::{self, Journal, read_line};

/// The journal's name in a session's folder.
pub(crate) const JOURNAL: &str = "session.jsonl";

/// The folder beside that of the sessions, in the toolwright home, where copies of files lie while they are written in place.
pub const RECOVERY: &str = "recovery";

/// All sessions of a person: the folder `sessions` of the toolwright home.
#[derive(Debug, Clone)]
pub struct SessionStore {
    root: PathBuf,
    /// Where it is recorded which session was used last.
    last_used: Option<PathBuf>,
}

/// A stored session, read back.
#[derive(Debug)]
#[non_exhaustive]
pub struct StoredSession {
    /// To go on writing.
    pub journal: Journal,
    /// What was written, in order.
    pub events: Vec<SessionEvent>,
    /// Lines that were skipped, and why.
    pub warnings: Vec<String>,
    pub(crate) recovery: PathBuf,
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSummary {
    /// Its id.
    pub id: String,
    /// Where it was held.
    pub cwd: PathBuf,
    /// When it began, in milliseconds since 1970.
    pub at: u64,
    /// The first prompt.
    pub prompt: String,
}

impl SessionStore {
    /// Sessions under `root`. Touches nothing yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), last_used: None }
    }

    /// Records in this folder which session of each working directory was used last. Without it, [`latest`](Self::latest) goes
    /// by the times of the journals, which a wrong clock makes wrong.
    #[must_use]
    pub fn recording_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.last_used = Some(folder.into());
        self
    }

    /// The folder of all sessions.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Begins a session: makes its folder, for the owner alone.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn create(&self) -> Result<Journal, RuntimeError> {
        let id = new_id();
        let folder = self.root.join(&id);
        let mut builder = fs::DirBuilder::new();
        builder
            .recursive(true)
            .mode(0o700)
            .create(&folder)
            .map_err(RuntimeError::storage("cannot make", &folder))?;
        Ok(Journal::open(id, folder, 0)?.recording_in(self.last_used.clone()))
    }

    /// Reads a session back. `id` may be its beginning.
    ///
    /// # Errors
    /// When there is none, several fit, another process has it open, it cannot be read, or nothing of the main agent is in it.
    pub fn open(&self, id: &str) -> Result<StoredSession, RuntimeError> {
        let id = self.complete(id)?;
        let folder = self.root.join(&id);
        let path = folder.join(JOURNAL);
        let nothing = || RuntimeError::NothingStored {
            id: id.clone(),
            agent: MAIN_AGENT.into(),
            journal: path.clone(),
        };
        if !path.exists() {
            return Err(nothing());
        }
        // The lock comes first: what another process still writes would be missed.
        let mut journal = Journal::open(id.clone(), folder.clone(), 0)?.recording_in(self.last_used.clone());
        let bytes = fs::read(&path).map_err(RuntimeError::storage("cannot read", &path))?;
        let (events, warnings) = read_lines(&bytes, &folder);
        if !events.iter().any(|event| event.agent == MAIN_AGENT) {
            return Err(nothing());
        }
        journal.go_on_after(&events, bytes.last().is_none_or(|last| *last == b'\n'));
        let recovery = self.root.with_file_name(RECOVERY);
        Ok(StoredSession { journal, events, warnings, recovery })
    }

    /// The session of those held in `cwd` that was used last: begun, or gone on with.
    ///
    /// # Errors
    /// When there is none.
    pub fn latest(&self, cwd: &Path) -> Result<String, RuntimeError> {
        let is_of_cwd = |id: &String| {
            first_event(&self.root.join(id).join(JOURNAL)).is_some_and(
                |event| matches!(event.body, EventBody::Started { cwd: held, .. } if held == cwd),
            )
        };
        let recorded = self
            .last_used
            .as_ref()
            .and_then(|records| last::of(records, cwd))
            .filter(|id| cleaning::is_id(id) && is_of_cwd(id));
        let by_time = || {
            let now = SystemTime::now();
            let mut ids = self.ids();
            // A time that is still to come was written under a wrong clock: nothing follows from it.
            ids.sort_by_cached_key(|id| {
                let metadata = fs::metadata(self.root.join(id).join(JOURNAL));
                metadata.and_then(|metadata| metadata.modified()).ok().filter(|used| *used <= now)
            });
            ids.into_iter().rev().find(is_of_cwd)
        };
        recorded.or_else(by_time).ok_or_else(|| RuntimeError::NothingToContinue { cwd: cwd.into() })
    }

    /// All sessions, newest first.
    #[must_use]
    pub fn list(&self) -> Vec<SessionSummary> {
        self.ids().into_iter().rev().filter_map(|id| self.summary(id)).collect()
    }

    fn summary(&self, id: String) -> Option<SessionSummary> {
        let folder = self.root.join(&id);
        let file = journal::open(fs::File::options().read(true), &folder.join(JOURNAL)).ok()?;
        let mut summary = SessionSummary { id, cwd: PathBuf::new(), at: 0, prompt: String::new() };
        for line in BufReader::new(file).lines().map_while(Result::ok) {
            let Ok(event) = read_line(&line, &folder) else { continue };
            match event.body {
                EventBody::Started { cwd, .. } if summary.at == 0 => {
                    summary.cwd = cwd;
                    summary.at = event.at;
                }
                EventBody::Prompt { message } => {
                    summary.prompt = message.text();
                    break;
                }
                _ => {}
            }
        }
        Some(summary)
    }

    /// Ids in the order the sessions began.
    fn ids(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut ids: Vec<_> = names.filter(|name| cleaning::is_id(name)).collect();
        ids.sort_unstable();
        ids
    }

    fn complete(&self, id: &str) -> Result<String, RuntimeError> {
        let missing = || RuntimeError::NoSession { id: id.into(), root: self.root.clone() };
        // An id is a name in this folder, never a path out of it.
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Err(missing());
        }
        let mut candidates: Vec<_> = self.ids().into_iter().filter(|known| known.starts_with(id)).collect();
        if candidates.iter().any(|known| known == id) {
            return Ok(id.into());
        }
        match candidates.len() {
            0 => Err(missing()),
            1 => Ok(candidates.remove(0)),
            _ => Err(RuntimeError::Ambiguous { id: id.into(), candidates }),
        }
    }
}

/// Sorts by the time it was made; the random part keeps two of one millisecond apart.
fn new_id() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{:011x}-{:08x}", now(), random & 0xffff_ffff)
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Splits on LF alone: other separators occur inside JSON strings. Lines that were skipped for the same kind of reason are one
/// warning.
fn read_lines(bytes: &[u8], folder: &Path) -> (Vec<SessionEvent>, Vec<String>) {
    let mut events = Vec::new();
    let mut skipped: Vec<Skipped> = Vec::new();
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let text = String::from_utf8_lossy(line);
        match read_line(&text, folder) {
            Ok(event) => events.push(event),
            Err(why) => {
                match skipped.iter_mut().find(|skipped| discriminant(&skipped.why) == discriminant(&why)) {
                    Some(skipped) => skipped.count += 1,
                    None => skipped.push(Skipped { line: index + 1, count: 1, why }),
                }
            }
        }
    }
    (events, skipped.iter().map(ToString::to_string).collect())
}

/// Lines that were skipped for one kind of reason.
struct Skipped {
    /// The first of them, from 1.
    line: usize,
    count: usize,
    /// Why the first was.
    why: LineError,
}

impl fmt::Display for Skipped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, count, why } = self;
        match count {
            1 => write!(formatter, "line {line} of the session was skipped: {why}"),
            _ => write!(
                formatter,
                "{count} lines of the session were skipped; the first is line {line}: {why}"
            ),
        }
    }
}

fn first_event(path: &Path) -> Option<SessionEvent> {
    let file = journal::open(fs::File::options().read(true), path).ok()?;
    let mut lines = BufReader::new(file).lines().map_while(Result::ok);
    lines.find_map(|line| SessionEvent::from_line(&line).ok())
}
