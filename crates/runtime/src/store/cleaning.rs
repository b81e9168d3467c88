//! Removing sessions that nobody went on with: the folder with the journal, the kept bytes and the stored results. When that
//! is done is the host's choice; what another process has open stays.

use std::fs::{self, File, FileType, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use toolwright_core::{Environment, Unavailable};

use super::{JOURNAL, SessionStore, last};
use crate::journal::open;

/// The setting, in days.
const SETTING: &str = "cleanupPeriodDays";
const DEFAULT_DAYS: u64 = 30;
const DAY: u64 = 24 * 60 * 60;
/// Sessions that are removed at once, so that nobody waits long for the end of a program: the next one removes more.
const MOST: usize = 100;
/// A folder on its way out: renamed first, so that no half session is ever listed.
const LEAVING: &str = ".leaving-";

/// What cleaning came to.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Cleaned {
    /// The ids of sessions that are gone.
    pub removed: Vec<String>,
    /// Those that could not be removed, and why.
    pub failed: Vec<(String, io::Error)>,
}

/// How long a session stays that nobody goes on with: the setting `cleanupPeriodDays`, by default 30 days.
///
/// # Errors
/// When it is no number, or 0, which is read as "keep nothing" by one and as "keep all" by another: nothing is removed then.
pub fn cleanup_period(environment: &Environment) -> Result<Duration, Unavailable> {
    let days: Option<u64> = environment.settings(SETTING)?;
    match days.unwrap_or(DEFAULT_DAYS) {
        0 => Err(Unavailable(format!(
            "setting `{SETTING}`: 0 may mean to keep nothing or to keep all, so no session is removed; give 1 or more days \
             (36500 keeps all)"
        ))),
        days => Ok(Duration::from_secs(days.saturating_mul(DAY))),
    }
}

impl SessionStore {
    /// Removes the sessions in which nothing was recorded for `period` before `now`, the oldest first and at most a hundred of
    /// them. One that a process has open stays, whatever its age.
    #[must_use]
    pub fn clean(&self, period: Duration, now: SystemTime) -> Cleaned {
        let mut cleaned = Cleaned::default();
        let Some(limit) = now.checked_sub(period) else { return cleaned };
        let mut entries: Vec<_> = fs::read_dir(&self.root).into_iter().flatten().flatten().collect();
        entries.sort_unstable_by_key(fs::DirEntry::file_name);
        let mut left = MOST;
        for entry in entries {
            if left == 0 {
                break;
            }
            let Ok(name) = entry.file_name().into_string() else { continue };
            if !entry.file_type().is_ok_and(|kind: FileType| kind.is_dir()) {
                continue;
            }
            // What a kill left of an earlier cleaning.
            if name.starts_with(LEAVING) {
                let _ = fs::remove_dir_all(entry.path());
                left -= 1;
                continue;
            }
            // The id tells when it began: what is younger than that needs no look.
            if began(&name).is_none_or(|began| began >= limit) {
                continue;
            }
            match self.remove_unused(&name, limit) {
                Ok(true) => {
                    cleaned.removed.push(name);
                    left -= 1;
                }
                Ok(false) => {}
                // Another program removed it meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => cleaned.failed.push((name, error)),
            }
        }
        if let Some(records) = self.last_used.as_ref().filter(|_| !cleaned.removed.is_empty()) {
            last::forget_removed(records, &self.root);
        }
        cleaned.removed.sort_unstable();
        cleaned
    }

    fn remove_unused(&self, id: &str, limit: SystemTime) -> io::Result<bool> {
        let folder = self.root.join(id);
        let journal = folder.join(JOURNAL);
        let file = match open(File::options().read(true), &journal) {
            Ok(file) => Some(file),
            // Killed in its first moment.
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let metadata = file.as_ref().map_or_else(|| fs::metadata(&folder), File::metadata)?;
        if metadata.modified()? >= limit {
            return Ok(false);
        }
        match file.as_ref().map(File::try_lock) {
            None | Some(Ok(())) => {}
            Some(Err(TryLockError::WouldBlock)) => return Ok(false),
            // Without locks nobody knows whether it is open; so long after its last line it hardly is.
            Some(Err(TryLockError::Error(_))) => {}
        }
        let leaving = self.root.join(format!("{LEAVING}{id}"));
        fs::rename(&folder, &leaving)?;
        fs::remove_dir_all(&leaving)?;
        Ok(true)
    }
}

/// Whether this is the name of a session, and not of anything else in the folder.
pub(super) fn is_id(name: &str) -> bool {
    began(name).is_some()
}

/// When the session of this id began; nothing for a name that is no id of ours.
fn began(id: &str) -> Option<SystemTime> {
    let (time, drawn) = id.split_once('-')?;
    let digits =
        |text: &str, length: usize| text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !digits(time, 11) || !digits(drawn, 8) {
        return None;
    }
    UNIX_EPOCH.checked_add(Duration::from_millis(u64::from_str_radix(time, 16).ok()?))
}

/// Whether the file is still where it was opened: a session may have been removed between the opening and the lock.
pub(crate) fn is_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let (Ok(own), Ok(there)) = (file.metadata(), fs::metadata(path)) else { return false };
    (own.dev(), own.ino()) == (there.dev(), there.ino())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::journal::Journal;

    fn id(now: SystemTime, days: u64) -> String {
        let at = now.duration_since(UNIX_EPOCH).unwrap_or_default() - Duration::from_secs(days * DAY);
        format!("{:011x}-{:08x}", at.as_millis(), days)
    }

    #[test]
    fn what_nobody_went_on_with_goes_and_what_is_open_stays() {
        let home = tempfile::tempdir().unwrap();
        let store = SessionStore::new(home.path().join("sessions"));
        let now = SystemTime::now();
        // Begun so many days ago, and last written to so many days ago.
        let sessions = [(40, 40), (40, 3), (29, 29), (31, 31), (100, 100)];
        for (begun, used) in sessions {
            let folder = store.root().join(id(now, begun + used));
            fs::create_dir_all(folder.join("results")).unwrap();
            fs::write(folder.join("results/x.txt"), "x").unwrap();
            let journal = File::create(folder.join(JOURNAL)).unwrap();
            journal.set_modified(now - Duration::from_secs(used * DAY)).unwrap();
        }
        for other in ["notes", ".leaving-x", "0-0"] {
            fs::create_dir_all(store.root().join(other)).unwrap();
        }
        let open = Journal::open(id(now, 200), store.root().join(id(now, 200)), 0).unwrap();
        let cleaned = store.clean(Duration::from_secs(30 * DAY), now);
        assert!(cleaned.failed.is_empty(), "{cleaned:?}");
        let mut expect = [id(now, 80), id(now, 62)];
        expect.sort_unstable();
        assert_eq!(cleaned.removed, expect);
        let mut left: Vec<_> = fs::read_dir(store.root())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort_unstable();
        let mut expect = vec![id(now, 43), id(now, 58), id(now, 200), "notes".into(), "0-0".into()];
        expect.sort_unstable();
        assert_eq!(left, expect);
        drop(open);
        assert_eq!(store.clean(Duration::from_secs(30 * DAY), now).removed, [id(now, 200)]);
        // A clock that is wrong, and a period that reaches before all time.
        assert!(store.clean(Duration::from_secs(30 * DAY), UNIX_EPOCH).removed.is_empty());
        assert!(store.clean(Duration::MAX, now).removed.is_empty());
    }

    #[test]
    fn programs_that_clean_at_once_are_in_nobodys_way_and_each_does_a_part() {
        let home = tempfile::tempdir().unwrap();
        let store = SessionStore::new(home.path().join("sessions"));
        let now = SystemTime::now();
        for days in 100..400 {
            let folder = store.root().join(id(now, days));
            fs::create_dir_all(folder.join("results")).unwrap();
            let journal = File::create(folder.join(JOURNAL)).unwrap();
            journal.set_modified(now - Duration::from_secs(50 * DAY)).unwrap();
        }
        let clean = || store.clean(Duration::from_secs(30 * DAY), now);
        let first = clean();
        let oldest: Vec<_> = (300..400).rev().map(|days| id(now, days)).collect();
        assert_eq!(first.removed, oldest);
        let rest: Vec<Cleaned> = std::thread::scope(|threads| {
            let threads: Vec<_> = (0..8).map(|_| threads.spawn(clean)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(rest.iter().all(|cleaned| cleaned.failed.is_empty()), "{rest:?}");
        assert_eq!(rest.iter().map(|cleaned| cleaned.removed.len()).sum::<usize>(), 200);
        assert_eq!(fs::read_dir(store.root()).unwrap().count(), 0);
    }

    #[test]
    fn the_period_is_said_in_days() {
        let check = |set: serde_json::Value, expect: Result<u64, &str>| {
            let settings = set.as_object().cloned().unwrap_or_default();
            let period = cleanup_period(&Environment::new(Default::default(), settings));
            match (period, expect) {
                (Ok(period), Ok(days)) => assert_eq!(period.as_secs(), days * DAY),
                (Err(why), Err(part)) => assert!(why.0.contains(part), "{why:?}"),
                (period, _) => panic!("{set}: {period:?}"),
            }
        };
        check(json!({}), Ok(30));
        check(json!({"cleanupPeriodDays": 1}), Ok(1));
        check(json!({"cleanupPeriodDays": 36500}), Ok(36500));
        check(json!({"cleanupPeriodDays": 0}), Err("36500 keeps all"));
        check(json!({"cleanupPeriodDays": -1}), Err("cleanupPeriodDays"));
    }
}
