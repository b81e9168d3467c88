//! Ignore rules: which of a folder's entries `.gitignore`, `.ignore` and `.git/info/exclude` leave out. A folder's rules are a
//! link of a chain; a folder that adds none shares the link of the folder above.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

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
            chain = Self::below(&chain, parent, Signs::POSSIBLE);
        }
        chain
    }

    /// The rules in `folder`, given those of the folder it lies in.
    pub(super) fn below(above: &Arc<Self>, folder: &Path, signs: Signs) -> Arc<Self> {
        if signs == Signs::default() {
            return Arc::clone(above);
        }
        let git = signs.git.then(|| folder.join(".git")).and_then(|git| fs::metadata(&git).ok().map(|_| git));
        let repository = git.is_some() || (signs.jujutsu && folder.join(".jj").exists());
        let read = |wanted: bool, file: &str| wanted.then(|| rules(folder, &folder.join(file))).flatten();
        let mut link = Self {
            above: None,
            ignore: read(signs.ignore, ".ignore"),
            git: read(signs.git_ignore, ".gitignore"),
            exclude: git.and_then(|git| rules(folder, &common_folder(&git).join("info/exclude"))),
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

/// The rules in a file, for what is below `folder`. A line that is no rule is passed over, as git does.
fn rules(folder: &Path, file: &Path) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder);
    builder.add(file);
    builder.build().ok().filter(|rules| !rules.is_empty())
}

/// Where a repository keeps what its working trees share: of a linked one, `.git` is a file that names it.
fn common_folder(git: &Path) -> PathBuf {
    let named = |file: &Path, before: &str| {
        let text = fs::read_to_string(file).ok()?;
        text.strip_prefix(before).map(|path| PathBuf::from(path.trim()))
    };
    let Some(own) = named(git, "gitdir:") else { return git.to_owned() };
    let own = git.parent().map_or_else(|| own.clone(), |folder| folder.join(&own));
    named(&own.join("commondir"), "").map_or_else(|| own.clone(), |common| own.join(common))
}
