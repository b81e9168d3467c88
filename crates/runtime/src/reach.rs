//! Where the paths of a call really lead: permissions decide on what is spelled and on what it reaches. Looks at names and
//! links, and opens no file. What names another machine is not even looked at before a person agreed: asking the system
//! for a link there may already send that machine the person's credentials.

mod expanded;

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use toolwright_core::{Cover, DecidedPaths, PathAccess, Reach, Subject};
use toolwright_permissions::ResolvedSubject;
use toolwright_workspace::links::{Leads, follow};
use toolwright_workspace::network::machine;

/// What a call reaches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reached {
    /// The subjects with where they lead; one that leads to another machine leads nowhere yet.
    pub(crate) subjects: Vec<ResolvedSubject>,
    /// Why a person must agree before anything more is looked at.
    pub(crate) far: Option<String>,
}

impl Reached {
    /// What the call may open.
    pub(crate) fn decided(&self) -> DecidedPaths {
        DecidedPaths::new(self.subjects.iter().filter_map(|reached| match &reached.subject {
            Subject::Path { path, .. } => {
                Some((path.clone(), reached.resolved.clone().unwrap_or_else(|| path.clone())))
            }
            _ => None,
        }))
    }
}

/// How paths are looked at: whatever is asked of the file system goes through here.
pub(crate) struct Look<'a> {
    /// Folders that are in use anyway.
    pub(crate) near: &'a [&'a Path],
    /// A person agreed: other machines may be asked.
    pub(crate) far_too: bool,
    /// The target of a link; none for what is no link or is not there.
    pub(crate) link: &'a dyn Fn(&Path) -> Option<PathBuf>,
    /// The links in a folder, and the files in it that have other names.
    pub(crate) links_in: &'a dyn Fn(&Path) -> Vec<PathBuf>,
    /// The folders in a folder and the links in it; none where that cannot be told.
    pub(crate) folders_in: &'a dyn Fn(&Path) -> Option<Vec<OsString>>,
    /// Whether there is something at a real path.
    pub(crate) present: &'a dyn Fn(&Path) -> bool,
    /// Whether a real path is a regular file.
    pub(crate) is_file: &'a dyn Fn(&Path) -> bool,
    /// The other names by which rules speak of a file, whose real path is given.
    pub(crate) other_names: &'a dyn Fn(&Path) -> Vec<PathBuf>,
}

impl Look<'_> {
    /// The subjects with where they lead. A path that a shell expands (`*.md`) is joined by the links it may stand for: each
    /// of them leads wherever its maker wanted.
    pub(crate) fn at(&self, subjects: Vec<Subject>) -> Reached {
        let shell = subjects.iter().any(|subject| matches!(subject, Subject::Command(_)));
        let mut reached = Reached { subjects: Vec::with_capacity(subjects.len()), far: None };
        reached.far = subjects.iter().find_map(|subject| match subject {
            Subject::Path { cover: Cover::IfPresent, .. } => None,
            Subject::Path { path, .. } => self.far(path).map(|machine| why(path, "names", &machine)),
            _ => None,
        });
        if reached.far.is_some() {
            // What follows a `cd` to it lies there too, whatever it is called: nothing of the call is looked at.
            reached.subjects.extend(subjects.into_iter().map(ResolvedSubject::from));
            return reached;
        }
        // A call that makes files may expand a pattern to more than is there now.
        let reads = shell && subjects.iter().all(only_reads);
        let subjects = subjects.into_iter().flat_map(|subject| match &subject {
            Subject::Path { path, access, cover } if reads && expanded::has_open_folder(path) => {
                let as_subject = |path| Subject::Path { path, access: *access, cover: *cover };
                let paths = expanded::paths(path, &|folder| self.folders_in(folder));
                paths.map_or_else(
                    || vec![subject.clone()],
                    |paths| paths.into_iter().map(as_subject).collect(),
                )
            }
            _ => vec![subject],
        });
        for subject in subjects {
            if let (true, Subject::Path { path, access, cover }) = (shell, &subject) {
                for link in self.links_meant(path) {
                    let subject = Subject::Path { path: link, access: *access, cover: *cover };
                    self.resolve(subject, &mut reached);
                }
            }
            self.resolve(subject, &mut reached);
        }
        reached
    }

    fn resolve(&self, mut subject: Subject, reached: &mut Reached) {
        let mut other_names = Vec::new();
        if let Subject::Path { path, access, cover: Cover::IfPresent } = &subject
            && !self.counts(path, *access)
        {
            return;
        }
        let resolved = match &mut subject {
            Subject::Path { path, access, .. } => match self.follow(path) {
                Leads::Far { machine, at } => {
                    reached.far.get_or_insert_with(|| why(path, "leads to", &machine));
                    Some(at).filter(|at| *at != *path)
                }
                Leads::To(_) | Leads::Round(_) if climbs_from_wild(path) => Some(PathBuf::from("/")),
                Leads::To(real) | Leads::Round(real) => {
                    other_names = (self.other_names)(&real);
                    // It has nothing below it.
                    if *access == PathAccess::WriteBelow && (self.is_file)(&real) {
                        *access = PathAccess::Write;
                    }
                    Some(real).filter(|real| *real != *path)
                }
            },
            _ => None,
        };
        // A rule for a file is one for each of its names.
        if let Subject::Path { access, cover, .. } = subject {
            let subjects = other_names.into_iter().map(|path| Subject::Path { path, access, cover });
            reached.subjects.extend(subjects.map(ResolvedSubject::from));
        }
        reached.subjects.push(ResolvedSubject { subject, resolved, below: None });
    }

    /// Whether a word that may name a path names one here. What a shell expands, and what is on another machine, is not looked at.
    fn counts(&self, path: &Path, access: PathAccess) -> bool {
        let is_pattern = wild(path.to_str());
        // A program may make a file in a folder that is there; a word without a folder is hardly one.
        let may_be_made = |real: &Path| {
            let folder = real.parent().filter(|folder| !self.near.contains(folder));
            access == PathAccess::MayWrite && folder.is_some_and(self.present)
        };
        match self.follow(path) {
            Leads::Far { .. } => false,
            Leads::To(real) | Leads::Round(real) => is_pattern || (self.present)(&real) || may_be_made(&real),
        }
    }

    /// The path with every link resolved; what does not exist is appended as it is spelled.
    fn follow(&self, path: &Path) -> Leads {
        follow(path, self.link, |path| self.far(path))
    }

    fn far(&self, path: &Path) -> Option<String> {
        if self.far_too {
            return None;
        }
        let machine = machine(path)?;
        // A share that is spelled out as such is meant as one, wherever the spelling puts it.
        let by_place = machine.starts_with('/');
        let climbs = path.components().any(|part| part == Component::ParentDir);
        let in_use = |near: &&Path| {
            let within = near.parent().is_some() && path.starts_with(near);
            // What is mounted from a machine already is no news to it.
            within || (machine.starts_with("/net/") && near.starts_with(&machine))
        };
        let near = by_place && !climbs && self.near.iter().any(in_use);
        (!near).then_some(machine)
    }

    fn folders_in(&self, folder: &Path) -> Option<Vec<OsString>> {
        match self.follow(folder) {
            Leads::Far { .. } => None,
            Leads::To(_) | Leads::Round(_) => (self.folders_in)(folder),
        }
    }

    /// The links in the folder of `path` that its last name may stand for.
    fn links_meant(&self, path: &Path) -> Vec<PathBuf> {
        let word = path.file_name().and_then(|name| name.to_str());
        let (Some(word), Some(folder)) = (word.filter(|word| wild(Some(word))), path.parent()) else {
            return Vec::new();
        };
        if matches!(self.follow(folder), Leads::Far { .. }) {
            return Vec::new();
        }
        let mut links = (self.links_in)(folder);
        links.retain(|link| {
            let name = link.file_name().and_then(|name| name.to_str());
            name.is_none_or(|name| may_mean(word, name))
        });
        links
    }
}

/// Whether a call with this subject leaves the file system as it is, as far as the subject tells.
pub(crate) fn only_reads(subject: &Subject) -> bool {
    match subject {
        Subject::Path { access, .. } => access.is_read(),
        Subject::Command(part) => part.reach == Reach::ReadOnly,
        Subject::Text(_) => true,
        _ => false,
    }
}

fn why(path: &Path, leads: &str, machine: &str) -> String {
    let path = path.display();
    format!(
        "{path} {leads} another machine ({machine}), and nothing of that is touched before a person agreed"
    )
}

/// The folders in a folder and the links in it, from the file system. None where it cannot be read.
pub(crate) fn folders_in(folder: &Path) -> Option<Vec<OsString>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Some(Vec::new());
        }
        Err(_) => return None,
    };
    let may_be_folder = |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| !kind.is_file());
    Some(entries.filter_map(Result::ok).filter(may_be_folder).map(|entry| entry.file_name()).collect())
}

/// The links in a folder, from the file system; where `hard_too`, also the files in it that have other names.
pub(crate) fn links_in(folder: &Path, hard_too: bool) -> Vec<PathBuf> {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_link = |entry: &std::fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_file() => hard_too && entry.metadata().is_ok_and(|file| file.nlink() > 1),
        kind => kind.is_ok_and(|kind| kind.is_symlink()),
    };
    entries.filter_map(Result::ok).filter(is_link).map(|entry| entry.path()).collect()
}

/// Whether a `..` follows a wildcard, as in `link*/../x`: by its text this names `x` here, but the system resolves it beside the
/// target of the link.
fn climbs_from_wild(path: &Path) -> bool {
    let mut parts = path.components().skip_while(|part| !wild(part.as_os_str().to_str()));
    parts.any(|part| part == Component::ParentDir)
}

fn wild(name: Option<&str>) -> bool {
    name.is_some_and(|name| name.contains(['*', '?', '[']))
}

/// Whether a shell may expand `word` to `name`; where that is hard to say, it may.
pub(crate) fn may_mean(word: &str, name: &str) -> bool {
    if name.starts_with('.') && !word.starts_with('.') {
        return false;
    }
    if word.contains(['[', '\\']) {
        return true;
    }
    let (word, name): (Vec<char>, Vec<char>) = (word.chars().collect(), name.chars().collect());
    // The ends of the beginnings of `name` that the word read so far stands for.
    let mut ends = vec![false; name.len() + 1];
    if let Some(first) = ends.first_mut() {
        *first = true;
    }
    for token in word {
        let mut next = vec![false; ends.len()];
        for at in 0..ends.len() {
            let before = at.checked_sub(1);
            let stood =
                |ends: &[bool], at: Option<usize>| at.and_then(|at| ends.get(at)).copied() == Some(true);
            let here = match token {
                '*' => stood(&ends, Some(at)) || stood(&next, before),
                '?' => stood(&ends, before),
                own => stood(&ends, before) && before.and_then(|at| name.get(at)) == Some(&own),
            };
            if let Some(slot) = next.get_mut(at) {
                *slot = here;
            }
        }
        ends = next;
    }
    ends.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use toolwright_core::CommandPart;

    use super::*;

    fn command() -> Subject {
        Subject::Command(CommandPart {
            shown: String::new(),
            program: String::new(),
            for_allow: String::new(),
            for_deny: Vec::new(),
            reach: Reach::Pattern,
            runs_code: false,
        })
    }

    /// Follows `path` where these links lie and nothing else, and gives what is reached, why it is far, and what was looked at.
    fn follow(links: &[(&str, &str)], path: &str, far_too: bool) -> (Option<String>, bool, Vec<String>) {
        let looked = RefCell::new(Vec::new());
        let link = |path: &Path| {
            looked.borrow_mut().push(path.display().to_string());
            let found = links.iter().find(|(name, _)| Path::new(name) == path);
            found.map(|(_, target)| PathBuf::from(target))
        };
        let links_in = |folder: &Path| {
            looked.borrow_mut().push(folder.display().to_string());
            links
                .iter()
                .map(|(name, _)| PathBuf::from(name))
                .filter(|name| name.parent() == Some(folder))
                .collect()
        };
        let near = [Path::new("/work/p"), Path::new("/net/home/ann/p")];
        let other_names = |_: &Path| Vec::new();
        let folders_in = |_: &Path| None;
        let look = Look {
            near: &near,
            far_too,
            link: &link,
            links_in: &links_in,
            folders_in: &folders_in,
            present: &|_| true,
            is_file: &|_| false,
            other_names: &other_names,
        };
        let reached = look.at(vec![command(), Subject::path(path, PathAccess::Read)]);
        let last = reached.subjects.last().and_then(|subject| subject.resolved.clone());
        (last.map(|path| path.display().to_string()), reached.far.is_some(), looked.into_inner())
    }

    #[test]
    fn links_are_followed() {
        let links = [
            ("/work/p/a", "b/../c"),
            ("/work/p/c", "/etc"),
            ("/work/p/loop", "loop"),
            ("/work/p/gone", "/x/y"),
        ];
        let check = |path: &str, expect: Option<&str>| {
            let (resolved, far, _) = follow(&links, path, false);
            assert_eq!((resolved.as_deref(), far), (expect, false), "{path}");
        };
        check("/work/p/file", None);
        check("/work/p/a/passwd", Some("/etc/passwd"));
        check("/work/p/c/../x", Some("/x"));
        check("/work/p/gone/z", Some("/x/y/z"));
        check("/work/p/loop", None);
        check("/work/p/*/../x", Some("/"));
    }

    #[test]
    fn a_file_is_what_its_other_names_are() {
        let reached = |path: &str| {
            let link = |path: &Path| (path == Path::new("/work/p/a")).then(|| PathBuf::from("c"));
            let links_in = |_: &Path| vec![PathBuf::from("/work/p/hard")];
            let other_names = |path: &Path| {
                let hard = ["/work/p/hard", "/work/p/c/hard"].map(Path::new).contains(&path);
                hard.then(|| PathBuf::from("/work/p/named")).into_iter().collect()
            };
            let look = Look {
                near: &[],
                far_too: false,
                link: &link,
                links_in: &links_in,
                folders_in: &|_| None,
                present: &|_| true,
                is_file: &|_| false,
                other_names: &other_names,
            };
            let subjects =
                vec![Subject::Text("cat".into()), command(), Subject::path(path, PathAccess::Write)];
            let reached = look.at(subjects).subjects.into_iter().map(|reached| reached.subject);
            reached
                .filter_map(|subject| match subject {
                    Subject::Path { path, access: PathAccess::Write, .. } => Some(path.display().to_string()),
                    _ => None,
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(reached("/work/p/hard"), ["/work/p/named", "/work/p/hard"]);
        assert_eq!(reached("/work/p/a/hard"), ["/work/p/named", "/work/p/a/hard"]);
        assert_eq!(reached("/work/p/h*"), ["/work/p/named", "/work/p/hard", "/work/p/h*"]);
        assert_eq!(reached("/work/p/other"), ["/work/p/other"]);
    }

    #[test]
    fn another_machine_is_not_looked_at_before_a_person_agreed() {
        let links =
            [("/work/p/data", "/net/host/data"), ("/work/p/share", "//host/share"), ("/work/p/d2", "data")];
        let check = |path: &str, expect: Option<&str>| {
            let (resolved, far, looked) = follow(&links, path, false);
            assert_eq!((resolved.as_deref(), far), (expect, true), "{path}");
            let touched: Vec<_> = looked.iter().filter(|path| machine(Path::new(path)).is_some()).collect();
            assert!(touched.is_empty(), "{path}: {touched:?}");
            let (.., far, looked) = follow(&links, path, true);
            assert!(!far && looked.iter().any(|path| path.contains("host")), "{path}: {looked:?}");
        };
        check("//host/share/file", None);
        check("//host/share/*", None);
        check("/net/host/x", None);
        check("/net/host/*/x*", None);
        check("/work/../net/host/x", Some("/net/host/x"));
        check("/work/p/data/x", Some("/net/host/data/x"));
        check("/work/p/d2/x", Some("/net/host/data/x"));
        check("/work/p/d*", None);
        check("/work/p/share/x", Some("//host/share/x"));
        check(r"/work/p/\\host\share", None);
        check("/work/p/smb:/host/share", None);
        check("/net/home/../host", None);
    }

    #[test]
    fn what_is_in_use_anyway_is_near() {
        let check = |path: &str, far: bool| assert_eq!(follow(&[], path, false).1, far, "{path}");
        check("//work/p/file", false);
        check("//work/p/../file", true);
        check("/net/home/ann/p/file", false);
        check("/net/home/ben/file", false);
        check("/net/homes/ben/file", true);
    }

    #[test]
    fn what_a_word_may_become() {
        let check =
            |word: &str, name: &str, expect: bool| assert_eq!(may_mean(word, name), expect, "{word} {name}");
        check("*", "a", true);
        check("*.md", "a.md", true);
        check("*.md", "a.txt", false);
        check("a?c*", "abcd", true);
        check("a?c*", "ac", false);
        check("*a*b", "xaayb", true);
        check("*", ".a", false);
        check(".*", ".a", true);
        check("[x]", "a", true);
    }
}
