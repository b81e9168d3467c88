//! What the model is always told: `AGENTS.md` and `CLAUDE.md` of the person, the project and the folders down to the
//! working directory. Does not know how a prompt is made of it.

use std::fs;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use toolwright_permissions::Folder;
use toolwright_workspace::open_resolved;

use crate::Places;

/// The memory files, in the order they should be read: the person's first, the nearest last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// The files.
    pub files: Vec<MemoryFile>,
    /// Files that are there and were not taken, and why.
    pub warnings: Vec<String>,
}

/// One memory file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryFile {
    /// Where it is, as spelled.
    pub path: PathBuf,
    /// Whom it is from.
    pub scope: MemoryScope,
    /// What it says; with a mark at its end where it was cut.
    pub text: String,
}

/// Whom a memory file is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryScope {
    /// The person, for all projects.
    User,
    /// The project.
    Project,
    /// A folder of the project, between its root and the working directory or that one itself.
    Nested,
}

/// Bytes of one file above which it is cut.
const LARGEST_FILE: usize = 32 * 1024;
/// Bytes of all files above which the rest is left out.
const LARGEST_ALL: usize = 128 * 1024;
/// The names in a folder, in the order they are read.
const NAMES: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];

/// Finds and reads them. One that cannot be read is a warning: it tightens nothing.
#[must_use]
pub fn memory_files(places: &Places) -> Memory {
    let mut memory = Memory::default();
    if let Some(home) = &places.home {
        let own = [".toolwright/AGENTS.md", ".claude/CLAUDE.md"].map(|name| home.spelled.join(name));
        memory.add_folder(&own, MemoryScope::User, None);
    }
    for (depth, folder) in places.down_to_cwd().into_iter().enumerate() {
        let scope = if depth == 0 { MemoryScope::Project } else { MemoryScope::Nested };
        memory.add_folder(&NAMES.map(|name| folder.join(name)), scope, Some(&places.project_root));
    }
    memory
}

impl Memory {
    /// Adds the files of one folder; the second only if it says something else. `within`: where a link may lead.
    fn add_folder(&mut self, paths: &[PathBuf], scope: MemoryScope, within: Option<&Folder>) {
        let first = self.files.len();
        for path in paths {
            match read(path, within) {
                Ok(None) => {}
                Ok(Some(text)) => {
                    let known = self.files.iter().skip(first).any(|file| file.text == text);
                    let room =
                        LARGEST_ALL.saturating_sub(self.files.iter().map(|file| file.text.len()).sum());
                    if text.len() > room {
                        let warning = format!(
                            "{} was left out: the memory files are too large together",
                            path.display()
                        );
                        self.warnings.push(warning);
                    } else if !known && !text.trim().is_empty() {
                        self.files.push(MemoryFile { path: path.clone(), scope, text });
                    }
                }
                Err(problem) => self.warnings.push(format!("{} was left out: {problem}", path.display())),
            }
        }
    }
}

/// Where the links of `path` lead that lie within a folder and lead out of it. Looks at nothing out there.
fn leads_out(path: &Path, within: &Folder) -> Option<PathBuf> {
    /// As many as Linux follows.
    const MOST: usize = 40;
    let names =
        |path: &Path| path.components().rev().map(|part| part.as_os_str().to_owned()).collect::<Vec<_>>();
    let (mut real, mut rest, mut links) = (PathBuf::new(), names(path), 0);
    // Whether the folder was reached: what comes before that is the way to it.
    let mut reached = false;
    while let Some(name) = rest.pop() {
        if name == ".." {
            real.pop();
            continue;
        }
        real.push(name);
        let inside = real.starts_with(&within.resolved);
        if reached && !inside {
            return Some(real.join(rest.iter().rev().collect::<PathBuf>()));
        }
        reached |= inside;
        let Ok(target) = fs::read_link(&real) else { continue };
        links += 1;
        if links > MOST {
            return None;
        }
        if target.is_absolute() {
            if reached && !target.starts_with(&within.resolved) && !target.starts_with(&within.spelled) {
                return Some(target);
            }
            reached = false;
        }
        real.pop();
        rest.extend(names(&target));
    }
    None
}

/// Where a file is, without links; nothing where there is none. An error where that is out of the folder.
fn resolve(path: &Path, within: Option<&Folder>) -> Result<Option<PathBuf>, String> {
    let out = |real: &Path| format!("it leads out of the project, to {}", real.display());
    // Told before anything out there is looked at: that may lie on another machine.
    if let Some(real) = within.and_then(|within| leads_out(path, within)) {
        return Err(out(&real));
    }
    match path.canonicalize() {
        // A repository could otherwise have any file of the machine sent to the model by a link.
        Ok(real) if within.is_some_and(|within| !real.starts_with(&within.resolved)) => Err(out(&real)),
        Ok(real) => Ok(Some(real)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn read(path: &Path, within: Option<&Folder>) -> Result<Option<String>, String> {
    let Some(real) = resolve(path, within)? else { return Ok(None) };
    read_resolved(path, &real).map(Some).map_err(|error| error.to_string())
}

/// What a file says; cut where it is large. `path` names it as spelled; `real` is without links, and
/// if there is one by now, it is not followed.
fn read_resolved(path: &Path, real: &Path) -> io::Result<String> {
    let file = open_resolved(real)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    let limit = u64::try_from(LARGEST_FILE).unwrap_or(u64::MAX).saturating_add(4);
    file.take(limit).read_to_end(&mut bytes)?;
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => text,
        // Cut within a character, or not UTF-8 at all: what can be read is of use.
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    };
    if text.len() > LARGEST_FILE {
        text.truncate(text.floor_char_boundary(LARGEST_FILE));
        text.push_str(&format!(
            "\n[cut: {} has {length} bytes, the first {LARGEST_FILE} are shown]\n",
            path.display(),
        ));
    }
    Ok(text)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_takes_the_files_place_once_it_was_decided_on_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let within = Folder::from(root.join("proj"));
        let path = Path::new("AGENTS.md");
        let fresh = || {
            _ = fs::remove_dir_all(root.join("proj"));
            fs::create_dir_all(root.join("proj/sub")).unwrap();
            fs::write(root.join("proj/sub/AGENTS.md"), "rules").unwrap();
            resolve(&root.join("proj/sub/AGENTS.md"), Some(&within)).unwrap().unwrap()
        };
        fs::create_dir(root.join("secret")).unwrap();
        fs::write(root.join("secret/AGENTS.md"), "key").unwrap();
        assert_eq!(read_resolved(path, &fresh()).unwrap(), "rules");

        let real = fresh();
        fs::remove_file(&real).unwrap();
        symlink(root.join("secret/AGENTS.md"), &real).unwrap();
        assert!(read_resolved(path, &real).is_err());

        let real = fresh();
        fs::remove_dir_all(root.join("proj/sub")).unwrap();
        symlink(root.join("secret"), root.join("proj/sub")).unwrap();
        assert!(read_resolved(path, &real).is_err());
    }
}
