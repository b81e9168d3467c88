//! Whether git's own files of a repository are where they belong: below its top, or, for a worktree or a repository within
//! another, with the repository that knows of it. By a link, a pointer or a list of other folders git would read what lies
//! elsewhere, and it prints lines of many of its files.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::config;

/// More entries than these are not looked through.
const MOST_ENTRIES: usize = 50_000;
/// Folders in which git reads nothing but objects, which it checks, or which it starts and is told not to.
const NOT_READ: [&str; 2] = ["hooks", "lfs"];

/// A sentence that says what lies elsewhere. `shared`: the folder that a worktree shares with its repository.
pub(super) fn elsewhere(top: &Path, git: &Path, shared: Option<&Path>) -> Option<String> {
    // What is not there is not read.
    let real_git = git.canonicalize().ok()?;
    let real_top = top.canonicalize().ok()?;
    let real_shared = shared.and_then(|shared| shared.canonicalize().ok());
    if !real_git.starts_with(&real_top) && !knows_of(&real_git, &real_top) {
        return Some(format!(
            "git would read the repository {}, which knows nothing of {}",
            git.display(),
            top.display()
        ));
    }
    if let Some(shared) = &real_shared
        && real_git.parent() != Some(&shared.join("worktrees"))
    {
        return Some(format!(
            "git would read the repository {}, of which {} is no worktree",
            shared.display(),
            top.display()
        ));
    }
    let homes: Vec<&Path> =
        [&real_top, &real_git].into_iter().chain(&real_shared).map(PathBuf::as_path).collect();
    let inside = |path: &Path| homes.iter().any(|home| path.starts_with(home));
    let mut left = MOST_ENTRIES;
    for folder in [Some(&real_git), real_shared.as_ref()].into_iter().flatten() {
        if let Some(why) = link_out(folder, &inside, 0, &mut left).or_else(|| other_objects(folder, &inside))
        {
            return Some(why);
        }
    }
    None
}

/// A worktree's folder names the pointer that leads to it; a repository within another says where its files are.
fn knows_of(git: &Path, top: &Path) -> bool {
    let pointer = fs::read(git.join("gitdir")).unwrap_or_default();
    let pointer = git.join(OsStr::from_bytes(pointer.trim_ascii_end()));
    if pointer.canonicalize().ok() == Some(top.join(".git")) {
        return true;
    }
    let bytes = fs::read(git.join("config")).unwrap_or_default();
    config::settings(&bytes).unwrap_or_default().iter().any(|setting| {
        let leads = |value: &String| git.join(value).canonicalize().ok().as_deref() == Some(top);
        setting.section == "core" && setting.key == "worktree" && setting.value.as_ref().is_some_and(leads)
    })
}

fn link_out(folder: &Path, inside: &dyn Fn(&Path) -> bool, depth: usize, left: &mut usize) -> Option<String> {
    let cannot = || Some(format!("what lies in {} cannot be told", folder.display()));
    let Ok(entries) = fs::read_dir(folder) else { return cannot() };
    for entry in entries {
        let Ok((entry, kind)) = entry.and_then(|entry| entry.file_type().map(|kind| (entry, kind))) else {
            return cannot();
        };
        *left = left.saturating_sub(1);
        if *left == 0 || depth > 64 {
            return cannot();
        }
        let name = entry.file_name();
        if depth == 0 && NOT_READ.iter().any(|known| name == *known) {
            continue;
        }
        let path = entry.path();
        if kind.is_symlink() {
            // One that leads nowhere may name a branch.
            if path.canonicalize().is_ok_and(|target| !inside(&target)) {
                return Some(format!("git would read {}, which leads elsewhere", path.display()));
            }
        } else if kind.is_dir() && !holds_objects(folder, &name) {
            let found = link_out(&path, inside, depth + 1, left);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// `objects/0f`, `objects/pack`.
fn holds_objects(folder: &Path, name: &OsStr) -> bool {
    folder.file_name().is_some_and(|folder| folder == "objects") && (name.len() == 2 || name == "pack")
}

/// Folders of other repositories from which objects are taken.
fn other_objects(git: &Path, inside: &dyn Fn(&Path) -> bool) -> Option<String> {
    let objects = git.join("objects");
    let list = objects.join("info/alternates");
    let bytes = fs::read(&list).ok()?;
    let out = |line: &[u8]| {
        let line = line.trim_ascii_end();
        let quoted = line.starts_with(b"\"");
        let blank = line.is_empty() || line.starts_with(b"#");
        !blank
            && (quoted
                || !objects.join(OsStr::from_bytes(line)).canonicalize().is_ok_and(|folder| inside(&folder)))
    };
    bytes
        .split(|byte| *byte == b'\n')
        .any(out)
        .then(|| format!("git would read objects of other repositories, which {} names", list.display()))
}
