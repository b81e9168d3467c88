//! Places that are asked about whatever the rules allow, and removals that only a person may agree to. Compares names;
//! opens nothing.

use std::path::{Component, Path};

use crate::Roots;
use crate::pattern::{Case, Glob, has_wildcard};
use crate::subject::Touched;

/// Names that, anywhere in a path, make other programs run code or change what they may do: version control, our own
/// settings, editors, hook runners, package managers, keys, shell start-up files. Lower case.
#[rustfmt::skip]
const PROTECTED: [&str; 46] = [
    ".git", ".gitconfig", ".gitmodules", ".hg", ".hgrc", ".svn", ".jj", // version control
    ".toolwright", ".claude", ".claude.json", ".mcp.json", // settings of agents
    ".vscode", ".idea", ".devcontainer", ".vim", ".vimrc", ".nvim", ".emacs", ".emacs.d", // editors
    ".husky", ".pre-commit-config.yaml", "lefthook.yml", ".envrc", // hook runners
    ".npmrc", ".yarnrc", ".yarnrc.yml", ".yarn", ".pnpmfile.cjs", ".cargo", ".pypirc", ".condarc", // package managers
    ".ssh", ".gnupg", ".aws", ".kube", ".docker", // keys
    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile",
    ".zlogin", ".inputrc", // shells
];

/// Why changing this path needs a person's eye, if it does.
pub(super) fn protected(touched: &Touched<'_>) -> Option<String> {
    touched.paths().find_map(|path| {
        let names: Vec<_> = path.components().filter_map(normal).collect();
        if let Some(name) = names.iter().find(|name| name.contains('\\')) {
            return Some(format!("`{name}` has a backslash, which some systems take for a folder"));
        }
        if let Some(name) = names.iter().find(|name| is_protected(name)) {
            return Some(format!("`{name}` is a protected place"));
        }
        // A file HEAD beside `objects` and `refs` makes any folder a repository, with hooks and settings of its own.
        let last = names.last()?;
        (plain(last) == "head").then(|| format!("a file `{last}` can make its folder a git repository"))
    })
}

/// Why only a person may agree to removing this path, if so: a root, its direct children, home, a working directory, and
/// whatever holds one of them.
pub(super) fn critical(touched: &Touched<'_>, roots: &Roots) -> Option<&'static str> {
    touched.paths().find_map(|path| {
        let path = without_wild_end(path);
        if path.components().filter(|component| matches!(component, Component::Normal(_))).count() < 2 {
            return Some("it is the file system's root or directly below it");
        }
        roots
            .precious()
            .any(|precious| precious.starts_with(path))
            .then_some("it is or holds the home folder, the project or a working directory")
    })
}

/// `dir/*` empties `dir`.
fn without_wild_end(path: &Path) -> &Path {
    let wild = path.file_name().is_some_and(|name| {
        let name = name.to_string_lossy();
        name.chars().all(|character| matches!(character, '*' | '?' | '.')) && name.contains(['*', '?'])
    });
    match path.parent() {
        Some(parent) if wild => parent,
        _ => path,
    }
}

fn normal(component: Component<'_>) -> Option<String> {
    match component {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    }
}

fn is_protected(name: &str) -> bool {
    let plain = plain(name);
    PROTECTED.contains(&plain.as_str()) || is_short_name_of_protected(&plain) || may_become_protected(&plain)
}

/// `.gi*` may become `.git` in a shell. Words that begin with a wildcard stand for no hidden name.
fn may_become_protected(plain: &str) -> bool {
    plain.starts_with('.')
        && has_wildcard(plain)
        && Glob::segment(plain)
            .is_ok_and(|word| PROTECTED.iter().any(|protected| word.matches(protected, Case::Folded)))
}

/// The name as file systems that fold case, drop invisible characters, final dots and streams would see it.
fn plain(name: &str) -> String {
    let visible: String = name.chars().filter(|character| !is_invisible(*character)).collect();
    let file = visible.split(':').next().unwrap_or_default();
    file.trim_end_matches(['.', ' ']).to_lowercase()
}

/// `GIT~1` is `.git` where short names exist.
fn is_short_name_of_protected(plain: &str) -> bool {
    let Some((stem, number)) = plain.split_once('~') else { return false };
    let numbered = !number.is_empty() && number.starts_with(|digit: char| digit.is_ascii_digit());
    let of = |protected: &&str| {
        let letters = protected.trim_start_matches('.').split('.').next().unwrap_or_default();
        letters.starts_with(stem) && (stem.len() == letters.len() || stem.len() >= 6)
    };
    numbered && !stem.is_empty() && PROTECTED.iter().any(of)
}

fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    )
}
