//! What a repository's own configuration makes git start, even for `git status`. Looked at before a git command runs
//! unasked; what a person configured for all repositories is theirs and not looked at.

mod index;

use std::fs;
use std::path::{Path, PathBuf};

/// A sentence that names the setting by which a reading git command in `folder` would start another program, or by which
/// what it starts cannot be told.
pub(crate) fn what_git_would_start(folder: &Path) -> Option<String> {
    let (top, git) = folder.ancestors().find_map(|folder| Some((folder, git_folder(folder)?)))?;
    started_in(top, &git, 0)
}

/// Repositories within repositories deeper than this are not followed.
const DEEPEST: usize = 8;

fn started_in(top: &Path, git: &Path, depth: usize) -> Option<String> {
    let common = fs::read_to_string(git.join("commondir")).ok().map(|path| git.join(path.trim_end()));
    let files =
        [Some(git.join("config")), Some(git.join("config.worktree")), common.map(|path| path.join("config"))];
    let mut long_names = false;
    for file in files.into_iter().flatten() {
        let setting = match fs::read(&file) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                long_names |= text.to_ascii_lowercase().contains("sha256");
                program_in(&text, depth > 0)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(_) => Some("settings that cannot be read".into()),
        };
        if let Some(setting) = setting {
            return Some(format!(
                "git would act on `{setting}` in {}, which may start a program",
                file.display()
            ));
        }
    }
    let index = git.join("index");
    let Ok(bytes) = fs::read(&index) else { return None };
    let Some(within) = index::repositories(&bytes, if long_names { 32 } else { 20 }) else {
        return Some(format!("which repositories {} names cannot be told", index.display()));
    };
    // `git status` and `git diff` look into each with the settings it has.
    within.iter().map(|name| top.join(name)).find_map(|within| {
        let git = git_folder(&within)?;
        if depth == DEEPEST {
            return Some(format!("{} is a repository too deep within others", within.display()));
        }
        started_in(&within, &git, depth + 1)
    })
}

/// The repository's folder, where `folder` is the top of one (a bare one too: git takes it for one).
fn git_folder(folder: &Path) -> Option<PathBuf> {
    let dot_git = folder.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    if let Ok(pointer) = fs::read_to_string(&dot_git) {
        return Some(folder.join(pointer.strip_prefix("gitdir:")?.trim()));
    }
    let bare =
        folder.join("HEAD").exists() && folder.join("objects").is_dir() && folder.join("refs").is_dir();
    bare.then(|| folder.into())
}

/// The first setting that names a program (`filter.x.clean`) or leads to other settings. Read coarsely, since a line that
/// is taken for a setting too many only asks. A repository `within` another always says where its files are.
fn program_in(config: &str, within: bool) -> Option<String> {
    let mut section = String::new();
    for line in config.lines() {
        let mut line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            let Some((name, after)) = rest.rsplit_once(']') else { return Some(line.into()) };
            section = name.to_ascii_lowercase();
            line = after.trim();
        }
        let (key, value) = line.split_once('=').unwrap_or((line, "true"));
        let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
        let kind = section
            .split(|end: char| end.is_whitespace() || end == '.' || end == '"')
            .next()
            .unwrap_or_default();
        let starts = match (kind, key.as_str()) {
            (_, "") => false,
            // Git LFS, which asks for itself in every repository it is set up in.
            ("filter", _) => {
                !(section.contains("lfs") && (value.starts_with("git-lfs ") || key == "required"))
            }
            ("diff", "command" | "textconv" | "external") | ("gpg" | "pretty", _) => true,
            ("submodule", "url" | "active" | "branch" | "ignore" | "path") => false,
            ("include" | "includeif" | "submodule", _) => true,
            ("core", "worktree") => !within,
            ("core", "gitproxy" | "sshcommand" | "attributesfile" | "alternaterefscommand") => true,
            // A partial clone fetches what it lacks.
            ("remote", "promisor" | "uploadpack" | "vcs") | ("extensions", "partialclone") => true,
            _ => line.ends_with('\\'),
        };
        if starts {
            return Some(format!("{section}.{key}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(config: &str, expect: Option<&str>) {
        assert_eq!(program_in(config, false).as_deref(), expect, "{config}");
    }

    #[test]
    fn settings_that_start_programs() {
        check("[core]\n\trepositoryformatversion = 0\n\tbare = false\n[user]\n\tname = Dev\n", None);
        check("[remote \"origin\"]\n\turl = https://x\n[branch \"main\"]\n\tremote = origin\n", None);
        check("[filter \"x\"]\n\tclean = ./evil\n", Some("filter \"x\".clean"));
        check("[filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\trequired = true\n", None);
        check("[diff]\nexternal=./evil\n", Some("diff.external"));
        check("[DIFF \"a\"] TextConv = ./evil\n", Some("diff \"a\".textconv"));
        check("[include]\n\tpath = ../other\n", Some("include.path"));
        check("[core]\n\tx = a\\\n", Some("core.x"));
        check("[submodule \"a\"]\n\tactive = true\n\turl = https://x\n", None);
        let within = "[core]\n\tworktree = ../x\n[filter \"x\"]\n\tclean = x\n";
        check(within, Some("core.worktree"));
        assert_eq!(program_in(within, true).as_deref(), Some("filter \"x\".clean"));
        check("[submodule \"a\"]\n\tupdate = !x\n", Some("submodule \"a\".update"));
    }
}
