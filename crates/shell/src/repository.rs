//! Git commands in a script: in which repository they run, and which of its files they show.

use std::path::{Path, PathBuf};

use toolwright_core::{Cover, PathAccess};

use crate::state::{State, plain};
use crate::table::{Content, GitReads, Start};
use crate::walk::Walk;
use crate::word::Token;

/// Folders between the top of a repository and the one git runs in of which each is taken for a top of its own.
const DEEPEST: usize = 16;

impl Walk<'_> {
    /// A git command that the table knows as reading: whether where it reads is known too.
    pub(crate) fn git_reads(&mut self, reads: &GitReads, cover: Cover) -> bool {
        self.path(Some(&within(reads, ".")), PathAccess::Read, cover);
        self.git_shows(reads, cover);
        self.git_runs_in(reads)
    }

    /// A git command that may do anything: the files it is known to show.
    pub(crate) fn git_acts(&mut self, arguments: &[Token], cover: Cover) {
        if let Some(reads) = crate::table::git_contents(arguments) {
            self.git_shows(&reads, cover);
        }
        self.git_changes(arguments, cover);
    }

    /// Anything in the repository in which `folder` lies may change.
    pub(crate) fn repository_changes(&mut self, folder: &str, cover: Cover) {
        let Some(folders) = self.state.folders.clone().filter(|_| !self.unsteady) else {
            return self.path(None, PathAccess::WriteBelow, cover);
        };
        for from in folders.iter() {
            for top in self.tops(&plain(&from.join(folder)), &Content::all()) {
                self.path(top.to_str(), PathAccess::WriteBelow, cover);
            }
        }
    }

    fn git_shows(&mut self, reads: &GitReads, cover: Cover) {
        for content in &reads.contents {
            match content.start {
                Start::Here => {
                    let path = if content.path.is_empty() { "." } else { &content.path };
                    self.path(Some(&within(reads, path)), content.access, cover);
                }
                Start::Top => self.git_shows_from_top(reads, content),
            }
        }
    }

    /// What the repository holds needs no allow rule, wherever in it the work began: rules that deny and ask see it.
    fn git_shows_from_top(&mut self, reads: &GitReads, content: &Content) {
        let Some(folders) = self.state.folders.clone().filter(|_| !self.unsteady) else {
            return self.path(None, content.access, Cover::Unneeded);
        };
        if self.is_limited(reads, content, &folders) {
            return;
        }
        for folder in folders.iter() {
            let folder = plain(&folder.join(within(reads, "")));
            // Elsewhere another repository may lie, whose index is not that of the one the call starts in.
            let is_start = self.place.cwd.as_deref() == Some(&*folder);
            let cover = if content.present && is_start { Cover::IfPresent } else { Cover::Unneeded };
            for top in self.tops(&folder, content) {
                let path = if content.path.is_empty() { top } else { top.join(&content.path) };
                let Some(path) = path.to_str() else {
                    return self.path(None, content.access, Cover::Unneeded);
                };
                self.path(Some(path), content.access, cover);
            }
        }
    }

    /// Whether there is something of this name in every folder the script may be in; the host looks.
    pub(crate) fn is_there(&mut self, name: &str) -> bool {
        let Some(folders) = self.state.folders.clone().filter(|_| !self.unsteady) else { return false };
        let paths: Vec<PathBuf> = folders.iter().map(|folder| plain(&folder.join(name))).collect();
        let there = paths.iter().all(|path| self.place.there.contains(path));
        let new = paths.into_iter().filter(|path| !self.looked_for.contains(path)).collect::<Vec<_>>();
        self.looked_for.extend(new);
        there
    }

    /// Whether an operand is known to be a path, wherever git runs.
    fn is_limited(&mut self, reads: &GitReads, content: &Content, folders: &[PathBuf]) -> bool {
        if content.unless.is_empty() {
            return false;
        }
        let mut limited = true;
        for folder in folders {
            let paths = content.unless.iter().map(|name| plain(&folder.join(within(reads, name))));
            let paths: Vec<PathBuf> = paths.collect();
            limited &= paths.iter().any(|path| self.place.there.contains(path));
            let new = paths.into_iter().filter(|path| !self.looked_for.contains(path)).collect::<Vec<_>>();
            self.looked_for.extend(new);
        }
        limited
    }

    /// Folders that may be the top of the repository in which `folder` lies. A repository may lie within another, so that each on
    /// the way up is one; everything below the outermost is below each.
    fn tops(&self, folder: &Path, content: &Content) -> Vec<PathBuf> {
        let known = self.place.repository.as_deref();
        let outermost = known.filter(|top| folder.starts_with(top)).or(self.place.cwd.as_deref());
        let mut tops: Vec<PathBuf> = match outermost.filter(|top| folder.starts_with(top)) {
            Some(top) if content.access == PathAccess::ReadBelow && content.path.is_empty() => {
                vec![top.into()]
            }
            Some(top) => {
                let up = folder.ancestors().take_while(|folder| folder.starts_with(top));
                up.take(DEEPEST).chain([top]).map(Into::into).collect()
            }
            None => vec![folder.into()],
        };
        tops.extend(known.map(Into::into));
        tops.sort();
        tops.dedup();
        tops
    }

    /// Whether the script is still in the folder it began in, or below it: the host looks at each.
    fn git_runs_in(&mut self, reads: &GitReads) -> bool {
        let Some(folders) = self.state.folders.clone() else { return false };
        let folders: Vec<PathBuf> =
            folders.iter().map(|folder| plain(&folder.join(within(reads, "")))).collect();
        let Some(start) = &self.place.cwd else {
            return reads.folders.is_empty()
                && State::new(self.place).folders.is_some_and(|start| *start == folders);
        };
        let below = folders.iter().all(|folder| folder.starts_with(start));
        for folder in folders.into_iter().filter(|_| below) {
            if !self.git_folders.contains(&folder) {
                self.git_folders.push(folder);
            }
        }
        below
    }
}

/// The path as it is told from the folder of the script.
fn within(reads: &GitReads, path: &str) -> String {
    let folders = reads.folders.iter().filter(|folder| !folder.is_empty());
    let mut all: PathBuf = folders.collect();
    if !path.is_empty() {
        all.push(path);
    }
    all.to_string_lossy().into_owned()
}
