//! Which files of a repository an operand stands for, in every way git may take it: as a revision with a path, or as a pathspec.
//! Knows no folder: paths are told from the top of the repository or from where git runs.

use toolwright_core::PathAccess;

use super::flags::Given;
use crate::word::Token;

/// Where a path starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// The top of the repository.
    Top,
    /// The folder in which git runs.
    Here,
}

/// Files of the repository whose content is shown, of the working folder or of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) start: Start,
    /// Empty: the start itself. With wildcards where the shell or git expands it.
    pub(crate) path: String,
    pub(crate) access: PathAccess,
    /// It is not shown where one of these is there.
    pub(crate) unless: Vec<String>,
    /// Files that the index names alone, and not those that the history holds besides.
    pub(crate) present: bool,
}

impl Content {
    pub(super) fn new(start: Start, path: &str, access: PathAccess) -> Self {
        Self { start, path: path.into(), access, unless: Vec::new(), present: false }
    }

    /// Every file there is.
    pub(crate) fn all() -> Self {
        Self::new(Start::Top, "", PathAccess::ReadBelow)
    }
}

/// The same of a command that compares or searches the files that the index names, unless it is given a revision.
pub(super) fn of_present(given: &Given<'_>, mut shown: Vec<Content>) -> Vec<Content> {
    let present = given.operands.is_empty() && !given.has(&["cached", "staged", "merge-base", "untracked"]);
    shown.iter_mut().filter(|content| **content == Content::all()).for_each(|all| all.present = present);
    shown
}

/// What a command shows that takes revisions and, behind them, paths to which it keeps: all of them or those.
pub(super) fn of_changes(given: &Given<'_>) -> Vec<Content> {
    let mut found = Vec::new();
    let limited = given.paths.as_ref().is_some_and(|paths| paths.iter().any(|path| !excludes(path)));
    let by_name = given.operands.iter().any(|operand| may_name_blob(&operand.text));
    if by_name {
        found.push(Content::all());
    } else if !limited {
        // A name that is a file's is either the path that limits the command, or it says that it does not know which is meant.
        let may_be_path = |operand: &&&Token| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._/+-".contains(&byte);
            given.paths.is_none()
                && operand.literal().is_some_and(|text| text.bytes().all(plain) && !text.contains(".."))
        };
        let unless = given.operands.iter().filter(may_be_path).map(|operand| operand.text.clone()).collect();
        found.push(Content { unless, ..Content::all() });
    }
    for operand in &given.operands {
        match of_revision(&operand.text, PathAccess::ReadBelow) {
            Some(revision) => found.extend(revision),
            None if given.paths.is_some() => {}
            None => found.extend(of_pathspec(operand)),
        }
        if operand.text.starts_with(':') && given.paths.is_none() {
            found.extend(of_pathspec(operand));
        }
    }
    for path in given.paths.iter().flatten() {
        found.extend(of_pathspec(path));
    }
    found
}

/// `HEAD:path`, `HEAD:./path`, `:path`, `:0:path`: the path, and every file where it cannot be told apart. None: no path in it.
pub(super) fn of_revision(text: &str, access: PathAccess) -> Option<Vec<Content>> {
    let mut depth = 0_u32;
    let colon = text.char_indices().find_map(|(at, character)| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })?;
    let mut path = text.get(colon + 1..)?;
    let mut found = Vec::new();
    if colon == 0 {
        if path.starts_with('/') {
            // A commit by its message.
            return Some(vec![Content::all()]);
        }
        let stage = path.get(1..2) == Some(":") && path.starts_with(['0', '1', '2', '3']);
        if stage {
            path = path.get(2..)?;
        }
    }
    if text.contains('{') {
        found.push(Content::all());
    }
    let start = if path.starts_with("./") || path.starts_with("../") { Start::Here } else { Start::Top };
    let path = path.strip_prefix("./").unwrap_or(path);
    found.push(Content::new(start, path, access));
    Some(found)
}

/// Whether a revision may be the name of any object, a file's content among them: hexadecimal digits, alone or behind `-g`.
pub(crate) fn may_name_blob(text: &str) -> bool {
    let name = text.split(['^', '~', '@']).next().unwrap_or_default();
    let is_name = |digits: &str| digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let described = name.rsplit_once("-g").is_some_and(|(_, digits)| is_name(digits));
    is_name(name) || described || text.split("..").any(is_name)
}

fn excludes(token: &Token) -> bool {
    let magic = token.text.strip_prefix(':').unwrap_or_default();
    let long = magic.strip_prefix('(').and_then(|magic| magic.split_once(')'));
    match long {
        Some((words, _)) => words.split(',').any(|word| word == "exclude"),
        None => magic.trim_start_matches('/').starts_with(['!', '^']),
    }
}

/// A path with git's own wildcards and magic words.
fn of_pathspec(token: &Token) -> Vec<Content> {
    if excludes(token) {
        return Vec::new();
    }
    let text = token.text.as_str();
    if token.glob && text.starts_with(['*', '?', '[', ':']) {
        // A name that it stands for may itself be a pathspec.
        return vec![Content::all()];
    }
    let Some(magic) = text.strip_prefix(':') else { return of_path(Start::Here, text) };
    if let Some((words, path)) = magic.strip_prefix('(').and_then(|magic| magic.split_once(')')) {
        let known = |word: &str| matches!(word, "" | "top" | "literal" | "glob");
        if !words.split(',').all(known) {
            return vec![Content::all()];
        }
        let top = words.split(',').any(|word| word == "top");
        return of_path(if top { Start::Top } else { Start::Here }, path);
    }
    match magic.strip_prefix('/') {
        Some(path) => of_path(Start::Top, path.strip_prefix(':').unwrap_or(path)),
        None => of_path(Start::Here, magic.strip_prefix(':').unwrap_or(magic)),
    }
}

/// Of a pattern everything below the folder in which its first wildcard stands, since a `*` of git's stands for slashes too.
fn of_path(start: Start, path: &str) -> Vec<Content> {
    let Some(wild) = path.find(['*', '?', '[', '\\']) else {
        return vec![Content::new(start, path, PathAccess::ReadBelow)];
    };
    let folder = path.get(..wild).and_then(|fixed| fixed.rsplit_once('/')).map_or("", |(folder, _)| folder);
    let below = Content::new(start, folder, PathAccess::ReadBelow);
    let in_folder = path.get(folder.len()..).is_some_and(|rest| !rest.trim_start_matches('/').contains('/'));
    // Where it may be a name of that folder itself, that name is denied or not.
    let named = in_folder.then(|| Content::new(start, path, PathAccess::Read));
    named.into_iter().chain([below]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each as `/path` from the top or `./path` from here, with `/**` behind what is read below.
    fn shown(found: &[Content]) -> Vec<String> {
        let one = |content: &Content| {
            let start = if content.start == Start::Top { "/" } else { "./" };
            let below = if content.access == PathAccess::ReadBelow { "/**" } else { "" };
            format!("{start}{}{below}", content.path)
        };
        found.iter().map(one).collect()
    }

    #[test]
    fn revisions_with_paths() {
        let check = |text: &str, expect: &[&str]| {
            assert_eq!(shown(&of_revision(text, PathAccess::Read).unwrap_or_default()), expect, "{text}");
        };
        check("HEAD", &[]);
        check("main..HEAD", &[]);
        check("HEAD:.env", &["/.env"]);
        check("HEAD:", &["/"]);
        check("HEAD:./sub/a", &["./sub/a"]);
        check("HEAD~1^2:a:b", &["/a:b"]);
        check(":.env", &["/.env"]);
        check(":0:.env", &["/.env"]);
        check(":0", &["/0"]);
        check(":/fix", &["//**"]);
        check("HEAD@{a:b}:.env", &["//**", "/.env"]);
        check("HEAD^{/fix: a}", &[]);
    }

    #[test]
    fn pathspecs() {
        let check = |text: &str, expect: &[&str]| {
            assert_eq!(shown(&of_pathspec(&Token::plain(text))), expect, "{text}");
        };
        check(".env", &["./.env/**"]);
        check("sub/.env", &["./sub/.env/**"]);
        check(":(top).env", &["/.env/**"]);
        check(":(top,literal).env", &["/.env/**"]);
        check(":/.env", &["/.env/**"]);
        check(":/:.env", &["/.env/**"]);
        check(":.env", &["./.env/**"]);
        check("::.env", &["./.env/**"]);
        check(":(icase).ENV", &["//**"]);
        check(":(exclude).env", &[]);
        check(":!.env", &[]);
        check(":/!.env", &[]);
        check(".e*", &["./.e*", ".//**"]);
        check("sub/.e?v", &["./sub/.e?v", "./sub/**"]);
        check("s*/.env", &[".//**"]);
        check(":(glob)**/.env", &[".//**"]);
    }

    #[test]
    fn names_of_objects() {
        for text in ["abcd", "0123456789abcdef", "abcd^{}", "v1-3-gabcdef0", "main..abcd"] {
            assert!(may_name_blob(text), "{text}");
        }
        for text in ["HEAD", "main", "abc", "v1.0", "origin/main", "HEAD~12", ""] {
            assert!(!may_name_blob(text), "{text}");
        }
    }
}
