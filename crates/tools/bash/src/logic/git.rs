//! What a repository's own configuration makes git start or read, even for `git status`. Looked at before a git command runs
//! unasked; what a person configured for all repositories is theirs and not looked at.

mod config;
mod places;
mod risk;

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use risk::{Repository, Settings};
use toolwright_workspace::git_index;

/// A sentence that names the setting by which a reading git command in `folder` would start another program or read elsewhere,
/// or by which what it does cannot be told. In another repository than that of `start`, where the call starts, settings count too
/// that are overridden for a reading call.
pub(crate) fn what_git_would_start(folder: &Path, start: &Path) -> Option<String> {
    let settings = if folder == start || repository_of(folder) == repository_of(start) {
        Settings::InForce
    } else {
        Settings::All
    };
    // Git goes up from where a link leads.
    let resolved = folder.canonicalize().ok().filter(|resolved| resolved != folder);
    let mut folders = [Some(folder), resolved.as_deref()].into_iter().flatten();
    folders.find_map(|folder| started_above(folder, settings))
}

/// The top of the repository that `folder` lies in, as git tells it.
pub(crate) fn top_of_repository(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    folder.ancestors().find(|folder| at(folder).certain).map(Into::into)
}

/// Those of the paths that are there, where git looks whether they are: not in a folder of its own.
pub(crate) fn there(paths: &[PathBuf]) -> Vec<PathBuf> {
    let of_git = |folder: &Path| {
        folder.components().any(|part| part.as_os_str() == ".git")
            || folder.ancestors().any(|folder| fs::symlink_metadata(folder.join("HEAD")).is_ok())
    };
    let is_there = |path: &&PathBuf| {
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        fs::symlink_metadata(path).is_ok() && folder.is_some_and(|folder| !of_git(&folder))
    };
    paths.iter().filter(is_there).cloned().collect()
}

/// Git's own folder of the repository that `folder` lies in, which its worktrees share.
fn repository_of(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let found = folder.ancestors().map(at).find(|found| found.certain)?;
    let git = found.git_folders.last()?;
    shared(git).as_ref().unwrap_or(git).canonicalize().ok()
}

fn started_above(folder: &Path, settings: Settings) -> Option<String> {
    for folder in folder.ancestors() {
        let found = at(folder);
        if let Some(why) = found.git_folders.iter().find_map(|git| started_in(folder, git, settings, 0)) {
            return Some(why);
        }
        if found.certain {
            return None;
        }
    }
    None
}

/// Repositories within repositories deeper than this are not followed.
const DEEPEST: usize = 8;

/// What git may take for its folder of a repository whose top is one folder.
#[derive(Default)]
struct Found {
    git_folders: Vec<PathBuf>,
    /// Git looks no further up.
    certain: bool,
}

/// A `.git` folder that is none for git is passed over, and then the folder itself may be a bare repository: what git may take
/// for one is looked at, and only where it surely does so nothing above it is.
fn at(folder: &Path) -> Found {
    let dot_git = folder.join(".git");
    let mut found = Found::default();
    if dot_git.is_file() {
        // One that cannot be read as a pointer ends git with an error.
        found.git_folders.extend(fs::read(&dot_git).ok().and_then(|bytes| pointed_to(folder, &bytes)));
        found.certain = true;
        return found;
    }
    if dot_git.is_dir() {
        found.certain = is_surely_git_folder(&dot_git);
        found.git_folders.push(dot_git);
    }
    let may_be_bare = fs::symlink_metadata(folder.join("HEAD")).is_ok()
        && ["objects", "commondir", "refs"]
            .iter()
            .any(|name| fs::symlink_metadata(folder.join(name)).is_ok());
    if !found.certain && may_be_bare {
        found.certain = is_surely_git_folder(folder);
        found.git_folders.push(folder.into());
    }
    found
}

/// Where a `.git` file points: a name of any bytes, of which only line ends behind it are none.
fn pointed_to(folder: &Path, pointer: &[u8]) -> Option<PathBuf> {
    let mut name = pointer.strip_prefix(b"gitdir: ")?;
    while let Some(shorter) = name.strip_suffix(b"\n").or_else(|| name.strip_suffix(b"\r")) {
        name = shorter;
    }
    Some(folder.join(OsStr::from_bytes(name)))
}

fn is_surely_git_folder(git: &Path) -> bool {
    let head = fs::read(git.join("HEAD")).unwrap_or_default();
    let names_branch = head.strip_prefix(b"ref:").is_some_and(|name| name.trim_ascii().starts_with(b"refs/"));
    let digits = head.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    (names_branch || digits >= 40) && git.join("objects").is_dir() && git.join("refs").is_dir()
}

/// The folder a worktree shares with its repository.
fn shared(git: &Path) -> Option<PathBuf> {
    let bytes = fs::read(git.join("commondir")).ok()?;
    Some(git.join(OsStr::from_bytes(bytes.trim_ascii_end())))
}

fn started_in(top: &Path, git: &Path, counted: Settings, depth: usize) -> Option<String> {
    let shared = shared(git);
    if let Some(why) = places::elsewhere(top, git, shared.as_deref()) {
        return Some(why);
    }
    let files = [
        Some(git.join("config")),
        Some(git.join("config.worktree")),
        shared.map(|shared| shared.join("config")),
    ];
    let repository = Repository { top, git, counted };
    let mut long_names = false;
    for file in files.into_iter().flatten() {
        let setting = match fs::read(&file) {
            Ok(bytes) => match config::settings(&bytes) {
                Ok(settings) => {
                    long_names |= settings.iter().any(|setting| {
                        setting.value.as_ref().is_some_and(|value| value.eq_ignore_ascii_case("sha256"))
                    });
                    settings.iter().find_map(|setting| repository.risk(setting))
                }
                Err(config::Malformed) => Some("settings that cannot be read".into()),
            },
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => None,
            Err(_) => Some("settings that cannot be read".into()),
        };
        if let Some(setting) = setting {
            return Some(format!(
                "git would act on `{setting}` in {}, which may start a program or read another file",
                file.display()
            ));
        }
    }
    let index = git.join("index");
    let Ok(bytes) = fs::read(&index) else { return None };
    let Some(within) = git_index::repositories(&bytes, if long_names { 32 } else { 20 }) else {
        return Some(format!("which repositories {} names cannot be told", index.display()));
    };
    // `git status` and `git diff` look into each with the settings it has.
    within.iter().map(|name| top.join(name)).find_map(|within| {
        at(&within).git_folders.iter().find_map(|git| {
            if depth == DEEPEST {
                return Some(format!("{} is a repository too deep within others", within.display()));
            }
            started_in(&within, git, counted, depth + 1)
        })
    })
}
