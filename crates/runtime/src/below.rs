//! What lies below a folder that a call reads as a whole, and which names a shell's pattern stands for, where a rule may be about
//! something there; and protected places in a folder that goes as a whole: looked for on the disk, so that only what is there is
//! asked about. Reads names, and no content.

use std::collections::HashSet;
use std::fs::{Metadata, read_dir, symlink_metadata};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use toolwright_core::{Cover, PathAccess, Subject};
use toolwright_permissions::{
    HiddenPaths, ResolvedSubject, Roots, RuleKind, RuleSet, is_history_or_settings, protected_place,
};

use crate::reach::{may_mean, only_reads};
use crate::tracked::{Tracked, tracked};

/// Names above which a tree is not looked through: what it holds is then not known.
const MOST_NAMES: usize = 100_000;

/// The subjects with what rules are about below them; none where nothing more can be told than before.
pub(crate) fn looked(
    subjects: &[ResolvedSubject],
    rules: &RuleSet,
    roots: &Roots,
) -> Option<Vec<ResolvedSubject>> {
    let reads = subjects.iter().all(|reached| only_reads(&reached.subject));
    // What another command of the same call would make is not there yet.
    if !reads && !is_one_command(subjects) {
        return None;
    }
    let programs: Vec<&str> = subjects.iter().filter_map(|reached| program(&reached.subject)).collect();
    let mut search = Search {
        hidden: [RuleKind::Deny, RuleKind::Ask].map(|kind| HiddenPaths::of(rules, kind, roots.clone())),
        named: None,
        names: || rules.literal_paths(roots).collect(),
        left: MOST_NAMES,
    };
    let mut looked = subjects.to_vec();
    let mut told = false;
    for reached in &mut looked {
        let Subject::Path { path, access, cover } = &reached.subject else { continue };
        let (below, resolved) = (*access == PathAccess::ReadBelow, reached.resolved.as_deref());
        // Git reads what was in a folder once, too; of a whole repository, without a cover of its own.
        let by_git = match cover {
            Cover::With(index) => programs.get(*index) == Some(&"git"),
            Cover::Unneeded => below,
            _ => false,
        };
        // Git compares and searches the files that its index names, which need not be there, and no others.
        let of_index = below && *cover == Cover::IfPresent && reads;
        let by_index = if of_index { search.tracked(path, resolved) } else { None };
        reached.below = match path.to_str() {
            _ if by_index.is_some() => by_index.flatten(),
            Some(text) if text.contains(['*', '?', '[', '\\']) => {
                (!by_git).then(|| search.meant(path, resolved, below)).flatten()
            }
            Some(_) if below => search.below(path, resolved, !by_git),
            _ => continue,
        };
        told |= reached.below.is_some();
    }
    told.then_some(looked)
}

/// Why a person should see it that a folder goes, or gets another name, as a whole: what it holds stands in no argument. Names a
/// repository or settings of an agent in a folder that is removed, and any protected place in one that is moved.
pub(crate) fn protected_within(subjects: &[ResolvedSubject]) -> Option<String> {
    let programs: Vec<&str> = subjects.iter().filter_map(|reached| program(&reached.subject)).collect();
    let mut left = MOST_NAMES;
    subjects.iter().find_map(|reached| {
        let Subject::Path { path, access: PathAccess::Remove, cover } = &reached.subject else { return None };
        let moves = matches!(cover, Cover::With(index) if programs.get(*index) == Some(&"mv"));
        let real = reached.resolved.as_deref().unwrap_or(path);
        let spelled = path.display();
        let folders = match removed_folders(real) {
            Some(folders) => folders,
            None => return Some(format!("which folders {spelled} stands for cannot be told")),
        };
        match protected_in(folders, moves, &mut left) {
            Ok(None) => None,
            Ok(Some(found)) => Some(format!("{spelled} holds {}, a protected place", found.display())),
            Err(_) => Some(format!("what {spelled} holds cannot be told")),
        }
    })
}

/// The folders that a path stands for, those that its last name may mean where a shell expands it. None where that cannot be told.
fn removed_folders(real: &Path) -> Option<Vec<PathBuf>> {
    if !wild(real) {
        return Some(vec![real.to_owned()]);
    }
    let word = real.file_name()?.to_str()?;
    let folder = real.parent().filter(|folder| !wild(folder))?;
    let Ok(entries) = read_dir(folder) else { return Some(Vec::new()) };
    let meant = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_str().is_none_or(|name| may_mean(word, name)));
    Some(meant.map(|entry| entry.path()).collect())
}

/// The first such place in the folders; links in them are not followed.
fn protected_in(
    mut folders: Vec<PathBuf>,
    moves: bool,
    left: &mut usize,
) -> Result<Option<PathBuf>, std::io::Error> {
    while let Some(folder) = folders.pop() {
        if !symlink_metadata(&folder).is_ok_and(|found| found.is_dir()) {
            continue;
        }
        for entry in read_dir(&folder)? {
            let entry = entry?;
            *left = left.checked_sub(1).ok_or(ErrorKind::OutOfMemory)?;
            let (name, path) = (entry.file_name(), entry.path());
            let found = match name.to_str() {
                Some(_) if moves => protected_place(&path).is_some(),
                Some(name) => is_history_or_settings(name),
                None => false,
            };
            if found {
                return Ok(Some(path));
            }
            if entry.file_type()?.is_dir() {
                folders.push(path);
            }
        }
    }
    Ok(None)
}

fn program(subject: &Subject) -> Option<&str> {
    match subject {
        Subject::Command(part) => Some(part.program.rsplit('/').next().unwrap_or_default()),
        _ => None,
    }
}

/// Whether nothing but one command runs, which starts no other: every form of it begins with its program.
fn is_one_command(subjects: &[ResolvedSubject]) -> bool {
    let mut parts = subjects.iter().filter_map(|reached| match &reached.subject {
        Subject::Command(part) => Some(part),
        _ => None,
    });
    let (Some(part), None) = (parts.next(), parts.next()) else { return false };
    let name =
        |text: &str| text.split(' ').next().and_then(|word| word.rsplit('/').next()).map(str::to_owned);
    let program = name(&part.program).filter(|program| !program.is_empty());
    let readable = !subjects.iter().any(|reached| matches!(reached.subject, Subject::Unreadable(_)));
    program.is_some() && !part.runs_code && readable && part.for_deny.iter().all(|form| name(form) == program)
}

struct Search<F> {
    hidden: [HiddenPaths; 2],
    /// Device and inode of the files that rules name.
    named: Option<HashSet<(u64, u64)>>,
    names: F,
    /// How many names may still be looked at.
    left: usize,
}

impl<F: Fn() -> Vec<PathBuf>> Search<F> {
    /// The first path below `spelled` that a rule is about, if there is one; nothing where that cannot be told.
    fn below(&mut self, spelled: &Path, resolved: Option<&Path>, folders_too: bool) -> Option<Vec<PathBuf>> {
        let real = resolved.unwrap_or(spelled);
        match symlink_metadata(real) {
            // It was judged itself.
            Ok(found) if found.is_file() => Some(Vec::new()),
            Ok(found) if found.is_dir() && folders_too => self.walk(real, spelled),
            Err(error) if error.kind() == ErrorKind::NotFound && folders_too => Some(Vec::new()),
            _ => None,
        }
    }

    /// The first path that a rule is about among those that the last name of `spelled` stands for, and where `below`, below them;
    /// nothing where that cannot be told. Links among them are subjects of their own.
    fn meant(&mut self, spelled: &Path, resolved: Option<&Path>, below: bool) -> Option<Vec<PathBuf>> {
        // `/**` is a path of which nothing is known.
        let word = spelled.file_name()?.to_str().filter(|word| *word != "**")?;
        let folders_alone = spelled.as_os_str().as_bytes().ends_with(b"/");
        let folder = spelled.parent().filter(|folder| !wild(folder))?;
        let real_folder = resolved.unwrap_or(spelled).parent().filter(|folder| !wild(folder))?;
        let entries = match read_dir(real_folder) {
            Ok(entries) => entries,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Some(Vec::new());
            }
            Err(_) => return None,
        };
        for entry in entries {
            let entry = entry.ok()?;
            self.left = self.left.checked_sub(1)?;
            let name = entry.file_name();
            let kind = entry.file_type().ok()?;
            let other = name.to_str().is_some_and(|name| !may_mean(word, name));
            if other || (folders_alone && kind.is_file()) {
                continue;
            }
            let (real, spelled) = (real_folder.join(&name), folder.join(&name));
            let about = |path: &Path| self.hidden.iter().any(|hidden| hidden.rule(path).is_some());
            if let Some(path) = [&real, &spelled].into_iter().find(|path| about(path)) {
                return Some(vec![path.clone()]);
            }
            if below && kind.is_dir() {
                match self.walk(&real, &spelled)?.as_slice() {
                    [] => {}
                    found => return Some(found.to_vec()),
                }
            }
        }
        Some(Vec::new())
    }

    /// The first path that a rule is about among those that the repository at `spelled` tracks: nothing within where that cannot be
    /// told, and nothing at all where there is no repository.
    fn tracked(&mut self, spelled: &Path, resolved: Option<&Path>) -> Option<Option<Vec<PathBuf>>> {
        let real = resolved.unwrap_or(spelled);
        let (files, folders) = match tracked(real) {
            Tracked::NoRepository => return None,
            Tracked::Unknown => return Some(None),
            Tracked::Files { files, folders } => (files, folders),
        };
        let is_about = |name: &Path, below: bool| {
            [real, spelled].into_iter().map(|top| top.join(name)).find(|path| {
                let about = |hidden: &HiddenPaths| {
                    hidden.rule(path).is_some() || (below && hidden.rule_below(path).is_some())
                };
                self.hidden.iter().any(about)
            })
        };
        let found = files.iter().find_map(|name| is_about(name, false));
        if let Some(found) = found.or_else(|| folders.iter().find_map(|name| is_about(name, true))) {
            return Some(Some(vec![found]));
        }
        // Another name of a file that a rule is about: left to the question.
        let metadata = |name: &PathBuf| symlink_metadata(real.join(name)).ok();
        let mut linked =
            files.iter().filter_map(metadata).filter(|found| found.is_file() && found.nlink() > 1);
        let is_named = linked.any(|found| self.is_named(&found));
        Some((!is_named).then(Vec::new))
    }

    fn walk(&mut self, real: &Path, spelled: &Path) -> Option<Vec<PathBuf>> {
        let mut folders = vec![(real.to_owned(), spelled.to_owned())];
        while let Some((real, spelled)) = folders.pop() {
            let may_hold = |hidden: &HiddenPaths| {
                hidden.rule_below(&real).is_some() || hidden.rule_below(&spelled).is_some()
            };
            if !self.hidden.iter().any(may_hold) {
                continue;
            }
            for entry in read_dir(&real).ok()? {
                let entry = entry.ok()?;
                self.left = self.left.checked_sub(1)?;
                let (real, spelled) = (real.join(entry.file_name()), spelled.join(entry.file_name()));
                let about = |path: &Path| self.hidden.iter().any(|hidden| hidden.rule(path).is_some());
                if let Some(path) = [&real, &spelled].into_iter().find(|path| about(path)) {
                    return Some(vec![path.clone()]);
                }
                let found = entry.metadata().ok()?;
                if found.is_dir() {
                    folders.push((real, spelled));
                } else if found.is_file() && found.nlink() > 1 && self.is_named(&found) {
                    // Another name of a file that a rule is about: left to the question.
                    return None;
                }
            }
        }
        Some(Vec::new())
    }

    fn is_named(&mut self, found: &Metadata) -> bool {
        let names = &self.names;
        let named = self.named.get_or_insert_with(|| {
            let file = |path: PathBuf| symlink_metadata(path).ok().map(|found| (found.dev(), found.ino()));
            names().into_iter().filter_map(file).collect()
        });
        named.contains(&(found.dev(), found.ino()))
    }
}

fn wild(path: &Path) -> bool {
    path.to_str().is_none_or(|text| text.contains(['*', '?', '[', '\\']))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use toolwright_core::{CommandPart, Reach};
    use toolwright_permissions::{Scope, Source};
    use toolwright_testkit::TempWorkspace;

    use super::*;

    /// What is found below `path` for a command of `program`, as names from the workspace.
    fn found(workspace: &TempWorkspace, rule: &str, program: &str, path: &str) -> Option<Vec<String>> {
        let root = workspace.path();
        let mut rules = RuleSet::default();
        rules.add(RuleKind::Deny, rule, &Arc::new(Source::new(Scope::User, root)), None);
        let part = CommandPart {
            shown: program.into(),
            program: program.into(),
            for_allow: program.into(),
            for_deny: Vec::new(),
            reach: Reach::ReadOnly,
            runs_code: false,
        };
        let below =
            Subject::Path { path: root.join(path), access: PathAccess::ReadBelow, cover: Cover::With(0) };
        let subjects = [Subject::Command(part), below].map(ResolvedSubject::from);
        let looked = looked(&subjects, &rules, &Roots::at(root, None))?;
        let names = looked.last()?.below.as_ref()?.iter();
        let name = |path: &PathBuf| path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
        Some(names.map(name).collect())
    }

    #[test]
    fn only_what_is_there_is_found() {
        let workspace = TempWorkspace::new();
        for file in ["src/a/main.rs", "src/b/.env", "docs/x.md", "keys/deep/k.pem"] {
            let file = workspace.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "x").unwrap();
        }
        let check = |rule: &str, program: &str, path: &str, expect: Option<&[&str]>| {
            let expect = expect.map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
            assert_eq!(found(&workspace, rule, program, path), expect, "{rule} {program} {path}");
        };
        check("Read(.env)", "grep", "", Some(&["src/b/.env"]));
        check("Read(.env)", "grep", "src/a", Some(&[]));
        check("Read(.env)", "grep", "docs", Some(&[]));
        check("Read(.env)", "grep", "gone", Some(&[]));
        check("Read(**/*.pem)", "rg", "keys", Some(&["keys/deep/k.pem"]));
        check("Read(**/*.key)", "rg", "keys", Some(&[]));
        check("Read(./src/b/**)", "rg", "src", Some(&["src/b"]));
        // A file has nothing below it; of a folder, git reads what it once held.
        check("Read(.env)", "git", "docs/x.md", Some(&[]));
        check("Read(.env)", "git", "docs", None);
        check("Read(.env)", "/usr/bin/git", "docs", None);
        check("Read(.env)", "grep", "do*", Some(&[]));
        check("Read(.env)", "git", "do*", None);
        check("Read(.env)", "grep", "s*", Some(&["src/b/.env"]));
        check("Read(.env)", "grep", "s*/b", None);
        check("Read(.env)", "cat", "/**", None);
        check("Read(x.md)", "grep", "docs/*", Some(&["docs/x.md"]));
        check("Read(x.md)", "grep", "docs/*/", Some(&[]));
        check("Read(.x.md)", "grep", "docs/?*", Some(&[]));
        check("Read(x.md)", "grep", "docs/y*", Some(&[]));
        check("Read(x.md)", "grep", "gone/*", Some(&[]));
        // Another name of a denied file.
        std::fs::hard_link(workspace.path().join("src/b/.env"), workspace.path().join("docs/copy")).unwrap();
        check("Read(./src/b/.env)", "grep", "docs", Some(&[]));
        check("Read(/src/b/.env)", "grep", "", Some(&["src/b/.env"]));
        std::fs::create_dir(workspace.path().join("docs/.git")).unwrap();
        check("Read(docs/*/x)", "grep", "docs", Some(&[]));
    }
}
