//! Ignore rules: which of a folder's entries `.gitignore`, `.ignore` and `.git/info/exclude` leave out. A folder's rules are a
//! link of a chain; a folder that adds none shares the link of the folder above.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::held::{Folder, Held};
use crate::links;

/// A larger file holds something else than rules.
const LARGEST: u64 = 16 << 20;

/// The rules that hold in a folder.
#[derive(Debug, Default)]
pub(super) struct Link {
    above: Option<Arc<Link>>,
    ignore: Option<Gitignore>,
    git: Option<Gitignore>,
    exclude: Option<Gitignore>,
    /// The folder is the root of a repository: git's rules end here.
    repository: bool,
    /// It lies in a repository: git's rules hold only there.
    in_repository: bool,
    /// Neither it nor any above has a rule.
    empty: bool,
}

/// What a listing of a folder says about its rules: looked for only where they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Signs {
    ignore: bool,
    git_ignore: bool,
    git: bool,
    jujutsu: bool,
}

impl Signs {
    /// Takes note of one name in the folder.
    pub(super) fn see(&mut self, name: &[u8]) {
        match name {
            b".ignore" => self.ignore = true,
            b".gitignore" => self.git_ignore = true,
            b".git" => self.git = true,
            b".jj" => self.jujutsu = true,
            _ => {}
        }
    }

    /// All of them may be there: what is known of a folder that was not listed.
    const POSSIBLE: Self = Self { ignore: true, git_ignore: true, git: true, jujutsu: true };
}

impl Link {
    /// No rule at all.
    pub(super) fn none() -> Arc<Self> {
        Arc::new(Self { empty: true, ..Self::default() })
    }

    /// The rules of the folders above `root` (absolute, links resolved).
    pub(super) fn above(root: &Path) -> Arc<Self> {
        let mut chain = Self::none();
        let mut parents: Vec<&Path> = root.ancestors().skip(1).collect();
        while let Some(parent) = parents.pop() {
            // A folder that is no longer there, or not ours to look into, has no rules.
            let Ok(folder) = Folder::open(parent) else { continue };
            chain = Self::below(&chain, &folder, parent, Signs::POSSIBLE);
        }
        chain
    }

    /// The rules in `folder`, which lies at `path`, given those of the folder that holds it.
    pub(super) fn below(above: &Arc<Self>, folder: &Folder, path: &Path, signs: Signs) -> Arc<Self> {
        if signs == Signs::default() {
            return Arc::clone(above);
        }
        let has = |name: &str| folder.kind(Path::new(name)).is_ok();
        let git = (signs.git && has(".git")).then(|| path.join(".git"));
        let repository = git.is_some() || (signs.jujutsu && has(".jj"));
        // A link is followed by neither git nor us: it may lead to another machine, or to a pipe.
        let read = |wanted: bool, name: &str| {
            wanted.then(|| folder.read_small(name.as_ref(), LARGEST).ok().flatten()).flatten()
        };
        let own = |wanted: bool, name: &str| read(wanted, name).and_then(|text| rules(path, &text));
        let mut link = Self {
            above: None,
            ignore: own(signs.ignore, ".ignore"),
            git: own(signs.git_ignore, ".gitignore"),
            exclude: git
                .and_then(|git| rules(path, &read_linked(&common_folder(&git).join("info/exclude"))?)),
            repository,
            in_repository: repository || above.in_repository,
            empty: false,
        };
        let adds_rules = link.ignore.is_some() || link.git.is_some() || link.exclude.is_some();
        if !adds_rules && !repository {
            return Arc::clone(above);
        }
        link.empty = above.empty && !adds_rules;
        link.above = Some(Arc::clone(above));
        Arc::new(link)
    }

    /// Whether there is no rule at all.
    pub(super) fn is_empty(&self) -> bool {
        self.empty
    }

    /// Whether an entry of the folder is left out. The nearest rule counts; `.ignore` before `.gitignore`.
    pub(super) fn leaves_out(&self, path: &Path, is_folder: bool) -> bool {
        let (mut ignore, mut git, mut exclude) = (Match::None, Match::None, Match::None);
        let mut git_holds = self.in_repository;
        let mut next = Some(self);
        while let Some(link) = next {
            let matched = |rules: &Option<Gitignore>| {
                rules.as_ref().map_or(Match::None, |rules| rules.matched(path, is_folder).map(|_| ()))
            };
            if ignore.is_none() {
                ignore = matched(&link.ignore);
            }
            if git_holds && git.is_none() {
                git = matched(&link.git);
            }
            if git_holds && exclude.is_none() {
                exclude = matched(&link.exclude);
            }
            git_holds &= !link.repository;
            next = link.above.as_deref();
        }
        ignore.or(git).or(exclude).is_ignore()
    }
}

/// The rules in a text, for what is below `folder`. A line that is no rule is passed over, as git does.
fn rules(folder: &Path, text: &[u8]) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder);
    let text = String::from_utf8_lossy(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text));
    for line in text.lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}

/// Where a repository keeps what its working trees share: of a linked one, `.git` is a file that names it.
fn common_folder(git: &Path) -> PathBuf {
    let named = |file: &Path, before: &str| {
        let text = String::from_utf8(read_linked(file)?).ok()?;
        text.strip_prefix(before).map(|path| PathBuf::from(path.trim()))
    };
    let Some(own) = named(git, "gitdir:") else { return git.to_owned() };
    let own = git.parent().map_or_else(|| own.clone(), |folder| folder.join(&own));
    named(&own.join("commondir"), "").map_or_else(|| own.clone(), |common| own.join(common))
}

/// A file of git's own folder, which a link may lead to, but none of another machine.
fn read_linked(path: &Path) -> Option<Vec<u8>> {
    Held::of(&links::near(path)?).ok()?.read_small(LARGEST).ok().flatten()
}
