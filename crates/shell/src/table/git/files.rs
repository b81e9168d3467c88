//! `status`, `ls-files`, `grep` and what else tells of the files of a repository.

use toolwright_core::PathAccess;

use super::content::{Content, may_name_blob, of_changes, of_present, of_revision};
use super::flags::{Flags, Given, NONE, read};
use crate::word::Token;

/// `-v` shows the changes that are staged.
pub(super) fn status(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags {
        short: "sbvz",
        short_optional: "uM",
        long: &[
            "ahead-behind",
            "branch",
            "long",
            "no-ahead-behind",
            "no-branch",
            "no-column",
            "no-renames",
            "no-show-stash",
            "null",
            "renames",
            "short",
            "show-stash",
            "verbose",
        ],
        long_optional: &[
            "column",
            "find-renames",
            "ignore-submodules",
            "ignored",
            "porcelain",
            "untracked-files",
        ],
        ..NONE
    };
    let given = read(&[&flags], words)?;
    Some(if given.has(&["v", "verbose"]) { vec![Content::all()] } else { Vec::new() })
}

/// `-X` and `--exclude-per-directory` read files, `--recurse-submodules` starts git in others.
pub(super) fn ls_files(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags {
        short: "cdfikmostuvz",
        short_value: "x",
        long: &[
            "cached",
            "deduplicate",
            "deleted",
            "directory",
            "empty-directory",
            "eol",
            "error-unmatch",
            "exclude-standard",
            "full-name",
            "ignored",
            "killed",
            "modified",
            "no-empty-directory",
            "others",
            "resolve-undo",
            "sparse",
            "stage",
            "unmerged",
        ],
        long_value: &["exclude", "format", "with-tree"],
        long_optional: &["abbrev"],
        ..NONE
    };
    read(&[&flags], words)?;
    Some(Vec::new())
}

pub(super) fn ls_tree(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags {
        short: "drtlz",
        long: &["full-name", "full-tree", "long", "name-only", "name-status", "object-only"],
        long_value: &["format"],
        long_optional: &["abbrev"],
        ..NONE
    };
    read(&[&flags], words)?;
    Some(Vec::new())
}

/// Of one object: its kind, its size or itself.
pub(super) fn cat_file(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags {
        short: "ptes",
        long: &["allow-unknown-type", "mailmap", "no-mailmap", "no-use-mailmap", "use-mailmap"],
        ..NONE
    };
    let given = read(&[&flags], words)?;
    let operands: Vec<&Token> = given.operands.iter().chain(given.paths.iter().flatten()).copied().collect();
    let (kind, object) = match operands.as_slice() {
        [object] if given.has(&["p", "t", "e", "s"]) => (None, object),
        [kind, object] => (kind.literal(), object),
        _ => return None,
    };
    if given.has(&["t", "e", "s"]) && !given.has(&["p"]) {
        return Some(Vec::new());
    }
    let found = of_revision(&object.text, PathAccess::Read);
    Some(match (kind, found) {
        (Some("commit" | "tree" | "tag"), _) => Vec::new(),
        (_, Some(found)) => found,
        (_, None) if object.text.starts_with("HEAD") && !may_name_blob(&object.text) => Vec::new(),
        // A tag may be the name of a file's content.
        (_, None) => vec![Content::all()],
    })
}

/// `-O` opens a pager, `-f` reads a file, `--no-index` and `--recurse-submodules` search elsewhere.
pub(super) fn grep(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags {
        short: "EFGHILPWachilnopqrvwz",
        short_value: "ABCem",
        number: true,
        long: &[
            "all-match",
            "and",
            "basic-regexp",
            "break",
            "cached",
            "column",
            "count",
            "exclude-standard",
            "extended-regexp",
            "files-with-matches",
            "files-without-match",
            "fixed-strings",
            "full-name",
            "function-context",
            "heading",
            "ignore-case",
            "invert-match",
            "line-number",
            "name-only",
            "no-color",
            "no-exclude-standard",
            "no-recursive",
            "no-textconv",
            "not",
            "null",
            "only-matching",
            "or",
            "perl-regexp",
            "quiet",
            "recursive",
            "show-function",
            "text",
            "untracked",
            "word-regexp",
        ],
        long_value: &["after-context", "before-context", "context", "max-count", "max-depth", "threads"],
        long_optional: &["color"],
        ..NONE
    };
    let mut given = read(&[&flags], words)?;
    if !given.has(&["e"]) {
        without_pattern(&mut given)?;
    }
    Some(of_present(&given, of_changes(&given)))
}

/// The first operand is the pattern, on whichever side of `--`: one that stands before it is none of the pathspecs' then.
fn without_pattern(given: &mut Given<'_>) -> Option<()> {
    if !given.operands.is_empty() {
        given.operands.remove(0);
        return Some(());
    }
    let mut paths = given.paths.take()?;
    (!paths.is_empty()).then(|| paths.remove(0))?;
    given.operands = paths;
    Some(())
}

pub(super) fn check_ignore(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags { short: "nqvz", long: &["no-index", "non-matching", "quiet", "verbose"], ..NONE };
    read(&[&flags], words)?;
    Some(Vec::new())
}

pub(super) fn check_attr(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags { short: "az", long: &["all", "cached"], ..NONE };
    read(&[&flags], words)?;
    Some(Vec::new())
}

pub(super) fn count_objects(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags { short: "vH", long: &["human-readable", "verbose"], ..NONE };
    (read(&[&flags], words)?.count() == 0).then(Vec::new)
}
