//! Temporary files beside what is written: how they are named, and how those of killed writers are found again. A live
//! writer holds a lock on its own, so that nobody takes it away; knows nothing of what is in them.

use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::held::{Access, Folder, Kind};

const PREFIX: &str = ".toolwright-";
const SUFFIX: &str = ".tmp";
/// Of the middle of its name, which is drawn.
const DRAWN: usize = 10;
/// Between making a file and locking it lies a moment. Much longer ago, and nobody is in it.
const YOUNG: Duration = Duration::from_secs(60);
/// Where there are no locks, only age tells.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// A temporary file of ours, locked as long as it is open; removed if it becomes nothing else.
#[derive(Debug)]
pub(super) struct Temporary<'a> {
    pub(super) file: File,
    folder: &'a Folder,
    name: OsString,
    is_left: bool,
}

impl<'a> Temporary<'a> {
    /// With these permission bits, less what the process's mask takes away.
    pub(super) fn new(folder: &'a Folder, mode: u16) -> io::Result<Self> {
        // Names are drawn; what they are drawn for is a folder that is open and not one that has a path.
        let create = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_owned();
            folder.create_file(&name, mode).map(|file| (file, name))
        };
        let drawn = drawn_name().disable_cleanup(true).make_in("/", create)?;
        let (file, name) = drawn.into_parts().0;
        // A file system without locks: age has to do.
        let _ = file.try_lock();
        Ok(Self { file, folder, name, is_left: true })
    }

    /// Puts it in the place of a file.
    pub(super) fn replace(mut self, name: &OsStr) -> io::Result<()> {
        self.folder.rename(&self.name, name)?;
        self.is_left = false;
        Ok(())
    }

    /// Gives it a name that nothing has yet.
    pub(super) fn become_new(mut self, name: &OsStr) -> io::Result<()> {
        self.folder.rename_to_new(&self.name, name)?;
        self.is_left = false;
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if self.is_left {
            // One that stays is found by a later sweep.
            let _ = self.folder.remove_file(&self.name);
        }
    }
}

/// A temporary file of ours in a folder that nobody else changes, locked as long as it is open.
pub(super) fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let temporary = drawn_name().tempfile_in(folder)?;
    let _ = temporary.as_file().try_lock();
    Ok(temporary)
}

fn drawn_name() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(DRAWN);
    builder
}

/// Removes the temporary files that killed writers left in `folder`.
pub(super) fn sweep(folder: &Folder, now: SystemTime) {
    let Ok(names) = folder.names() else { return };
    for name in names.filter(|name| is_ours(name.as_encoded_bytes())) {
        // One that cannot be judged or removed stays.
        let _ = remove_if_left(folder, &name, now);
    }
}

fn is_ours(name: &[u8]) -> bool {
    let drawn = name.strip_prefix(PREFIX.as_bytes()).and_then(|name| name.strip_suffix(SUFFIX.as_bytes()));
    // Six was the number before.
    drawn.is_some_and(|drawn| matches!(drawn.len(), 6 | DRAWN) && drawn.iter().all(u8::is_ascii_alphanumeric))
}

fn remove_if_left(folder: &Folder, name: &OsStr, now: SystemTime) -> io::Result<()> {
    if folder.kind(Path::new(name))? != Kind::File {
        return Ok(());
    }
    let file = folder.open_file(name, Access::Read)?;
    let metadata = file.metadata()?;
    let age = now.duration_since(metadata.modified()?).unwrap_or_default();
    if !metadata.is_file() || age < YOUNG {
        return Ok(());
    }
    let left = match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => age > OLD,
    };
    if left { folder.remove_file(name) } else { Ok(()) }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use toolwright_testkit::TempWorkspace;

    use super::*;

    #[test]
    fn what_killed_writers_left_is_removed_and_nothing_else() {
        let workspace = TempWorkspace::new();
        let now = SystemTime::now();
        let folder = Folder::open(&workspace.path().canonicalize().unwrap()).unwrap();
        let of_the_living = temporary(workspace.path()).unwrap();
        let living = of_the_living.path().file_name().unwrap().to_str().unwrap().to_owned();
        let dead = temporary(workspace.path()).unwrap().keep().unwrap().1;
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
        sweep(&folder, now);
        assert_eq!(left(), before, "they are too young");
        sweep(&folder, now + YOUNG * 2);
        let gone = [dead, ".toolwright-abcdef.tmp".to_owned()];
        let expect: Vec<_> = before.into_iter().filter(|name| !gone.contains(name)).collect();
        assert_eq!(left(), expect);
        assert!(expect.contains(&living));
        drop(of_the_living);
    }
}
