//! Where things are: home, project, working directory. Looks for names of folders and opens no file.

use std::path::{Component, Path, PathBuf};

use toolwright_core::Environment;
use toolwright_permissions::{Folder, Roots};

/// The folders everything else is found from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The person's home, from `HOME`.
    pub home: Option<Folder>,
    /// Where sessions, approvals and trust are kept: `TOOLWRIGHT_HOME`, or `.toolwright` in the home. Settings of the person
    /// are read from `~/.toolwright` always.
    pub toolwright_home: Option<PathBuf>,
    /// The nearest folder, from the working directory up, that has `.git`, `.toolwright` or `.claude` (the home counts only
    /// with `.git`: the others are the person's own there). Without one, the working directory.
    pub project_root: Folder,
    /// The working directory.
    pub cwd: Folder,
    /// The folder of settings that whoever manages the machine sets.
    pub managed: PathBuf,
}

impl Places {
    /// Finds them for a working directory, which is absolute.
    #[must_use]
    pub fn find(environment: &Environment, cwd: &Path) -> Self {
        let absolute =
            |name: &str| environment.variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = absolute("HOME").map(|home| folder(&home));
        let toolwright_home = absolute("TOOLWRIGHT_HOME")
            .or_else(|| home.as_ref().map(|home| home.spelled.join(".toolwright")));
        let cwd = folder(cwd);
        let project_root = project_root(&cwd, home.as_ref());
        Self { home, toolwright_home, project_root, cwd, managed: PathBuf::from("/etc/toolwright") }
    }

    /// The roots of a session that starts here, with the additional directories of its settings.
    #[must_use]
    pub fn roots(&self, additional: Vec<Folder>) -> Roots {
        Roots {
            cwd: self.cwd.clone(),
            start: self.cwd.clone(),
            additional,
            readable: Vec::new(),
            project: self.project_root.clone(),
            home: self.home.clone(),
        }
    }

    /// The folders from the project root down to the working directory.
    pub(crate) fn down_to_cwd(&self) -> Vec<&Path> {
        let root = &self.project_root.spelled;
        let mut folders: Vec<&Path> =
            self.cwd.spelled.ancestors().take_while(|folder| folder.starts_with(root)).collect();
        folders.reverse();
        folders
    }
}

/// A folder with its links resolved, or as it is spelled where that cannot be done.
pub(crate) fn folder(path: &Path) -> Folder {
    let resolved = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    // A spelling with `..` is none that a call's paths can be compared with.
    if path.components().any(|component| component == Component::ParentDir) {
        return Folder::from(resolved);
    }
    Folder { spelled: path.to_owned(), resolved }
}

fn project_root(cwd: &Folder, home: Option<&Folder>) -> Folder {
    let marked = |at: &&Path| {
        let has = |name: &str| at.join(name).symlink_metadata().is_ok();
        let is_home = home.is_some_and(|home| *at == home.spelled || *at == home.resolved);
        has(".git") || (!is_home && (has(".toolwright") || has(".claude")))
    };
    match cwd.spelled.ancestors().find(marked) {
        Some(root) if root != cwd.spelled => folder(root),
        _ => cwd.clone(),
    }
}
