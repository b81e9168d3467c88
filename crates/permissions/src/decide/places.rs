//! Places that are asked about whatever the rules allow, and removals that only a person may agree to. Compares names;
//! opens nothing.

use std::path::{Component, Path};

use crate::Roots;
use crate::pattern::{Case, Glob, has_wildcard};
use crate::subject::PreparedSubject;

/// Names of version control: in lower case, as all of these are.
const VERSION_CONTROL: &[&str] =
    &[".git", ".gitconfig", ".gitmodules", ".git-credentials", ".hg", ".hgrc", ".svn", ".jj", ".bzr", ".sl"];

/// Settings of agents, ours and others.
#[rustfmt::skip]
const AGENTS: &[&str] = &[".toolwright", ".claude", ".claude.json", ".mcp.json", ".cursor", ".codex", ".gemini", ".windsurf",
    ".aider.conf.yml"];

/// Names that, anywhere in a path, make other programs run code or change what they may do.
#[rustfmt::skip]
const PROTECTED: [&[&str]; 9] = [
    VERSION_CONTROL,
    AGENTS,
    // Editors: tasks, extensions, language servers.
    &[".vscode", ".idea", ".fleet", ".zed", ".helix", ".devcontainer", ".devcontainer.json", ".run", ".vim", ".vimrc", ".gvimrc",
      ".ideavimrc", ".exrc", ".nvim", ".nvimrc", ".nvim.lua", ".emacs", ".emacs.d", ".dir-locals.el", ".spacemacs",
      ".nanorc"],
    // Hook runners, and what runs when a folder is entered.
    &[".husky", ".huskyrc", ".githooks", ".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", "lefthook.toml", "lefthook.json",
      "lefthook-local.yml", ".lefthook.yml", ".lefthook", ".lefthook-local", ".overcommit.yml", ".envrc", ".direnvrc", ".direnv",
      "mise.toml", ".mise.toml", ".mise.local.toml", ".mise"],
    // Which version of a program its name stands for: managers fetch and start what these say.
    &[".tool-versions", ".asdfrc", ".python-version", ".ruby-version", ".node-version", ".nvmrc", ".java-version", ".go-version",
      ".php-version", ".perl-version", ".swift-version", ".terraform-version", ".sdkmanrc", "rust-toolchain",
      "rust-toolchain.toml"],
    // Package managers and build tools: registries, tokens, scripts, wrappers around the compiler.
    &[".npmrc", ".yarnrc", ".yarnrc.yml", ".yarn", ".pnpmfile.cjs", ".pnpmfile.mjs", ".pnp.cjs", ".pnp.loader.mjs",
      "bunfig.toml", ".bunfig.toml", ".cargo", ".rustup", ".pypirc", "pip.conf", ".pip", ".condarc", ".gemrc", ".bundle", ".m2", ".mvn",
      ".gradle", ".composer", ".nuget", "nuget.config", ".opam", ".cabal"],
    // Keys and other machines.
    &[".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", ".terraformrc", ".curlrc", ".wgetrc"],
    // Shells and sessions.
    &[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv",
      ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout", ".inputrc",
      ".xprofile", ".xinitrc", ".xsession", ".xsessionrc", ".pam_environment", ".screenrc", ".tmux.conf"],
    // What interpreters and debuggers run as they start.
    &[".pythonrc", ".pythonrc.py", "sitecustomize.py", "usercustomize.py", ".pdbrc", ".irbrc", ".pryrc", ".rprofile",
      ".ghci", ".gdbinit", ".lldbinit", ".perldb", ".rspec", ".iex.exs", ".ocamlinit", ".sbclrc", ".psqlrc", ".sqliterc", ".my.cnf",
      ".mongorc.js", ".mongoshrc.js", ".octaverc", ".lesskey"],
];

/// Beginnings of such names, whose ends say how the file is written.
const PROTECTED_BEGINNINGS: [&str; 2] = [".lintstagedrc", "lint-staged.config."];

/// Folders of programs that come before the system's where a project is set up so: the folder above, and its own name.
const PROTECTED_PROGRAMS: [(&[&str], &[&str]); 2] = [
    (&["node_modules"], &[".bin"]),
    (&[".venv", "venv", ".env", "env", ".virtualenv", "virtualenv"], &["bin", "scripts"]),
];

/// The same, below `.config`, where projects keep harmless things too.
#[rustfmt::skip]
const PROTECTED_BELOW_CONFIG: [&str; 25] = [
    "autostart", "bash", "containers", "direnv", "emacs", "environment.d", "fish", "gcloud", "gh", "git", "helix", "jj",
    "mise", "nix", "nushell", "nvim", "pip", "plasma-workspace", "powershell", "systemd", "tmux", "uv", "zed", "zsh",
    "toolwright",
];

/// Why changing this path needs a person's eye, if it does.
pub(super) fn protected(prepared: &PreparedSubject<'_>) -> Option<String> {
    prepared.paths().find_map(protected_place)
}

/// Whether a name belongs to version control or to an agent's settings. Removing a folder that holds one loses history, or rules that
/// were in force.
#[must_use]
pub fn is_history_or_settings(name: &str) -> bool {
    let plain = plain(name);
    [VERSION_CONTROL, AGENTS].iter().any(|names| names.contains(&plain.as_str()))
}

/// Why changing a path needs a person's eye, whatever allow rules say: it names a place that makes other programs run code or changes
/// what they may do. None where it does not.
#[must_use]
pub fn protected_place(path: &Path) -> Option<String> {
    let names: Vec<_> = path.components().filter_map(normal).collect();
    if let Some(name) = names.iter().find(|name| name.contains('\\')) {
        return Some(format!("`{name}` has a backslash, which some systems take for a folder"));
    }
    if let Some(name) = names.iter().find(|name| is_protected(name)) {
        return Some(format!("`{name}` is a protected place"));
    }
    let mut pairs = names.iter().zip(names.iter().skip(1));
    let protected =
        |folder: &str, name: &str| is_protected_below_config(folder, name) || is_for_programs(folder, name);
    if let Some((folder, name)) = pairs.find(|(folder, name)| protected(folder, name)) {
        return Some(format!("`{folder}/{name}` is a protected place"));
    }
    // A file HEAD beside `objects` and `refs` makes any folder a repository, with hooks and settings of its own.
    let last = names.last()?;
    (plain(last) == "head").then(|| format!("a file `{last}` can make its folder a git repository"))
}

/// Why only a person may agree to removing this path, if so: a root, its direct children, home, a working directory, and
/// whatever holds one of them.
pub(super) fn critical(prepared: &PreparedSubject<'_>, roots: &Roots) -> Option<&'static str> {
    prepared.paths().find_map(|path| {
        let path = without_wild_end(path);
        if path.components().filter(|component| matches!(component, Component::Normal(_))).count() < 2 {
            return Some("it is the file system's root or directly below it");
        }
        roots
            .protected_folders()
            .any(|protected| protected.starts_with(path))
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
    all_protected().any(|protected| protected == plain)
        || PROTECTED_BEGINNINGS.iter().any(|beginning| plain.starts_with(beginning))
        || plain.ends_with(".code-workspace")
        || is_short_name_of_protected(&plain)
        || may_become_protected(&plain)
}

fn all_protected() -> impl Iterator<Item = &'static str> {
    PROTECTED.into_iter().flatten().copied()
}

fn is_protected_below_config(folder: &str, name: &str) -> bool {
    plain(folder) == ".config" && may_be_one_of(&plain(name), &PROTECTED_BELOW_CONFIG)
}

fn is_for_programs(folder: &str, name: &str) -> bool {
    let (folder, name) = (plain(folder), plain(name));
    PROTECTED_PROGRAMS
        .iter()
        .any(|(folders, names)| folders.contains(&folder.as_str()) && may_be_one_of(&name, names))
}

/// A shell may expand the name.
fn may_be_one_of(plain: &str, names: &[&str]) -> bool {
    let may_be = |name: &&str| {
        let hidden = name.starts_with('.') && !plain.starts_with('.');
        !hidden && Glob::word(plain).matches(name, Case::Folded)
    };
    names.contains(&plain) || (has_wildcard(plain) && names.iter().any(may_be))
}

/// `.gi*` may become `.git` in a shell. Words that begin with a wildcard stand for no hidden name.
fn may_become_protected(plain: &str) -> bool {
    if !plain.starts_with('.') || !has_wildcard(plain) {
        return false;
    }
    let word = Glob::word(plain);
    let begins = |beginning: &&str| Glob::word(&format!("{beginning}*")).overlaps(&word);
    all_protected().any(|protected| word.matches(protected, Case::Folded))
        || PROTECTED_BEGINNINGS.iter().any(begins)
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
    let of = |protected: &str| {
        let letters = protected.trim_start_matches('.').split('.').next().unwrap_or_default();
        letters.starts_with(stem) && (stem.len() == letters.len() || stem.len() >= 6)
    };
    numbered && !stem.is_empty() && all_protected().any(of)
}

fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    )
}
