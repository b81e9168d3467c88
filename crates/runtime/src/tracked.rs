//! Which files a git repository tracks, from its index: what commands show that compare or search those files, and no others.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use toolwright_workspace::git_index::{FOLDER, entries};

/// What a repository tracks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Tracked {
    /// The folder is no top of a repository.
    NoRepository,
    /// It cannot be told.
    Unknown,
    /// These, told from the top.
    Files {
        files: Vec<PathBuf>,
        /// Folders of which all is tracked that is in them.
        folders: Vec<PathBuf>,
    },
}

/// What the repository tracks whose top is this folder.
pub(crate) fn tracked(top: &Path) -> Tracked {
    match git_folder(top) {
        Ok(Some(git)) => read(&git).unwrap_or(Tracked::Unknown),
        Ok(None) => Tracked::NoRepository,
        Err(()) => Tracked::Unknown,
    }
}

/// Git's own folder of a repository, which a file may point to.
fn git_folder(top: &Path) -> Result<Option<PathBuf>, ()> {
    let git = top.join(".git");
    match fs::symlink_metadata(&git) {
        Ok(found) if found.is_dir() => Ok(Some(git)),
        Ok(found) if found.is_file() => {
            let bytes = fs::read(&git).map_err(drop)?;
            let name = bytes.strip_prefix(b"gitdir: ").ok_or(())?.trim_ascii_end();
            Ok(Some(top.join(OsStr::from_bytes(name))))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        _ => Err(()),
    }
}

fn read(git: &Path) -> Option<Tracked> {
    let common = match fs::read(git.join("commondir")) {
        Ok(bytes) => git.join(OsStr::from_bytes(bytes.trim_ascii_end())),
        Err(error) if error.kind() == ErrorKind::NotFound => git.to_owned(),
        Err(_) => return None,
    };
    let settings = fs::read(common.join("config")).ok()?.to_ascii_lowercase();
    if says_otherwise(&settings) {
        return None;
    }
    let index = match fs::read(git.join("index")) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Some(files(Vec::new(), Vec::new())),
        Err(_) => return None,
    };
    let (mut names, mut folders) = (Vec::new(), Vec::new());
    entries(&index, HASH, |mode, name| {
        let path = PathBuf::from(OsStr::from_bytes(name));
        if mode == FOLDER { folders.push(path) } else { names.push(path) }
    })?;
    Some(files(names, folders))
}

fn files(files: Vec<PathBuf>, folders: Vec<PathBuf>) -> Tracked {
    Tracked::Files { files, folders }
}

/// Bytes of an object's name, unless settings say otherwise.
const HASH: usize = 20;

/// Whether settings may make the names of objects longer, or the top of the repository another folder.
fn says_otherwise(settings: &[u8]) -> bool {
    [&b"sha256"[..], b"worktree", b"include"]
        .iter()
        .any(|word| settings.windows(word.len()).any(|part| part == *word))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use toolwright_testkit::TempWorkspace;

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "a real git writes the index that is read")]
    fn git(folder: &Path, arguments: &[&str]) {
        let settings = ["-c", "user.name=Dev", "-c", "user.email=dev@example.invalid"];
        let mut command = Command::new("git");
        command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let status = command.args(settings).args(arguments).status().unwrap();
        assert!(status.success(), "{arguments:?}");
    }

    #[test]
    fn what_git_tracks_is_read_from_its_index() {
        let workspace = TempWorkspace::new();
        let top = workspace.path();
        assert_eq!(tracked(top), Tracked::NoRepository);
        git(top, &["init", "-q", "-b", "main"]);
        assert_eq!(tracked(top), files(Vec::new(), Vec::new()));
        for file in ["b/deep/c", "a", "ignored", "gone"] {
            workspace.write(file, "x");
        }
        workspace.write(".gitignore", "ignored");
        git(top, &["add", "-A"]);
        fs::remove_file(top.join("gone")).unwrap();
        let all = [".gitignore", "a", "b/deep/c", "gone"].map(PathBuf::from).to_vec();
        for version in ["2", "3", "4"] {
            git(top, &["update-index", "--index-version", version]);
            assert_eq!(tracked(top), files(all.clone(), Vec::new()), "version {version}");
        }
        git(top, &["commit", "-q", "-m", "all"]);
        git(top, &["worktree", "add", "-q", "other"]);
        assert_eq!(tracked(&top.join("other")), files(all, Vec::new()));
        git(top, &["update-index", "--split-index"]);
        assert_eq!(tracked(top), Tracked::Unknown);
        git(top, &["update-index", "--no-split-index"]);
        git(top, &["config", "core.worktree", "/"]);
        assert_eq!(tracked(top), Tracked::Unknown);
    }

    #[test]
    fn a_sparse_index_names_folders() {
        let workspace = TempWorkspace::new();
        let top = workspace.path();
        git(top, &["init", "-q", "-b", "main"]);
        workspace.write("in/a", "x");
        workspace.write("out/b", "x");
        git(top, &["add", "-A"]);
        git(top, &["commit", "-q", "-m", "all"]);
        git(top, &["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
        // Git keeps the setting of a sparse checkout in a file of the worktree, and says so in its settings.
        git(top, &["config", "--unset", "extensions.worktreeConfig"]);
        assert_eq!(tracked(top), files(vec!["in/a".into()], vec!["out/".into()]));
    }
}
