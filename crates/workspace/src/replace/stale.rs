//! Temporary files beside what is written: how they are named, and how those of killed writers are found again. A live
//! writer holds a lock on its own, so that nobody takes it away; knows nothing of what is in them.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

const PREFIX: &str = ".toolwright-";
const SUFFIX: &str = ".tmp";
/// Of the middle of its name, which is drawn.
const DRAWN: usize = 10;
/// Between making a file and locking it lies a moment. Much longer ago, and nobody is in it.
const YOUNG: Duration = Duration::from_secs(60);
/// Where there are no locks, only age tells.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// A temporary file of ours in `folder`, locked as long as it is open.
pub(super) fn temporary(
    builder: &mut tempfile::Builder<'_, '_>,
    folder: &Path,
) -> io::Result<tempfile::NamedTempFile> {
    let temporary = builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(DRAWN).tempfile_in(folder)?;
    // A file system without locks: age has to do.
    let _ = temporary.as_file().try_lock();
    Ok(temporary)
}

/// Removes the temporary files that killed writers left in `folder`.
pub(super) fn sweep(folder: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        if is_ours(entry.file_name().as_encoded_bytes()) {
            // One that cannot be judged or removed stays.
            let _ = remove_if_left(&entry.path(), now);
        }
    }
}

fn is_ours(name: &[u8]) -> bool {
    let drawn = name.strip_prefix(PREFIX.as_bytes()).and_then(|name| name.strip_suffix(SUFFIX.as_bytes()));
    // Six was the number before.
    drawn.is_some_and(|drawn| matches!(drawn.len(), 6 | DRAWN) && drawn.iter().all(u8::is_ascii_alphanumeric))
}

fn remove_if_left(path: &Path, now: SystemTime) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    let age = now.duration_since(metadata.modified()?).unwrap_or_default();
    if !metadata.is_file() || age < YOUNG {
        return Ok(());
    }
    let file = open(path)?;
    let left = match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => age > OLD,
    };
    if left { fs::remove_file(path) } else { Ok(()) }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    options.read(true).open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use toolwright_testkit::TempWorkspace;

    use super::*;

    #[test]
    fn what_killed_writers_left_is_removed_and_nothing_else() {
        let workspace = TempWorkspace::new();
        let now = SystemTime::now();
        let of_the_living = temporary(&mut tempfile::Builder::new(), workspace.path()).unwrap();
        let living = of_the_living.path().file_name().unwrap().to_str().unwrap().to_owned();
        let dead = temporary(&mut tempfile::Builder::new(), workspace.path()).unwrap().keep().unwrap().1;
        let dead = dead.file_name().unwrap().to_str().unwrap().to_owned();
        let others = [".toolwright-abc.tmp", ".toolwright-a.b.c.d.tmp", "toolwright-abcdef.tmp", "x.tmp"];
        others.iter().for_each(|name| workspace.write(*name, ""));
        workspace.write(".toolwright-abcdef.tmp", "");
        std::os::unix::fs::symlink("x.tmp", workspace.join(".toolwright-ABCDEF.tmp")).unwrap();
        fs::create_dir(workspace.join(".toolwright-0bcdef.tmp")).unwrap();
        let left = || {
            let entries = fs::read_dir(workspace.path()).unwrap().map(Result::unwrap);
            let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
            names.sort_unstable();
            names
        };
        let before = left();
        sweep(workspace.path(), now);
        assert_eq!(left(), before, "they are too young");
        sweep(workspace.path(), now + YOUNG * 2);
        let gone = [dead, ".toolwright-abcdef.tmp".to_owned()];
        let expect: Vec<_> = before.into_iter().filter(|name| !gone.contains(name)).collect();
        assert_eq!(left(), expect);
        assert!(expect.contains(&living));
        drop(of_the_living);
    }
}
