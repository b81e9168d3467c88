//! `branch`, `tag`, `rev-parse` and what else tells of names: of commits, folders, remotes, worktrees and settings. No file of the
//! repository is shown.

use super::flags::{Flags, NONE, read};
use crate::word::Token;

/// What lists of references have in common.
const LISTS: Flags = Flags {
    short: "i",
    long: &["ignore-case", "no-color", "no-column", "omit-empty"],
    long_value: &["format", "points-at", "sort"],
    long_optional: &["color", "column"],
    long_last: &["contains", "merged", "no-contains", "no-merged"],
    ..NONE
};

/// A name without `--list` makes a branch.
pub(super) fn branch(words: &[Token]) -> Option<()> {
    let flags = Flags {
        short: "avrql",
        long: &["all", "list", "no-abbrev", "quiet", "remotes", "show-current", "verbose"],
        long_optional: &["abbrev"],
        ..NONE
    };
    let given = read(&[&flags, &LISTS], words)?;
    // In old versions `-l` is about the log of the branch that is made.
    (given.count() == 0 || given.has(&["list"])).then_some(())
}

/// A name without a flag that lists makes a tag.
pub(super) fn tag(words: &[Token]) -> Option<()> {
    let flags = Flags { short: "l", short_optional: "n", long: &["list"], ..NONE };
    let given = read(&[&flags, &LISTS], words)?;
    (given.count() == 0 || given.has(&["l", "list", "n"])).then_some(())
}

pub(super) fn for_each_ref(words: &[Token]) -> Option<()> {
    let flags = Flags {
        long: &["include-root-refs", "perl", "python", "shell", "tcl"],
        long_value: &["count", "exclude"],
        ..NONE
    };
    read(&[&flags, &LISTS], words).map(drop)
}

/// `--exclude-existing` reads standard input.
pub(super) fn show_ref(words: &[Token]) -> Option<()> {
    let flags = Flags {
        short: "dhq",
        short_optional: "s",
        long: &["branches", "dereference", "exists", "head", "heads", "quiet", "tags", "verify"],
        long_optional: &["abbrev", "hash"],
        ..NONE
    };
    read(&[&flags], words).map(drop)
}

/// `--parseopt` and `--stdin` read standard input.
pub(super) fn rev_parse(words: &[Token]) -> Option<()> {
    let flags = Flags {
        short: "q",
        long: &[
            "absolute-git-dir",
            "all",
            "flags",
            "git-common-dir",
            "git-dir",
            "is-bare-repository",
            "is-inside-git-dir",
            "is-inside-work-tree",
            "is-shallow-repository",
            "local-env-vars",
            "no-flags",
            "no-revs",
            "not",
            "quiet",
            "revs-only",
            "show-cdup",
            "show-prefix",
            "show-superproject-working-tree",
            "show-toplevel",
            "sq",
            "symbolic",
            "symbolic-full-name",
            "verify",
        ],
        long_optional: &[
            "abbrev-ref",
            "branches",
            "disambiguate",
            "path-format",
            "remotes",
            "short",
            "show-object-format",
            "tags",
        ],
        ..NONE
    };
    read(&[&flags], words).map(drop)
}

/// `--dirty` and `--broken` write the index.
pub(super) fn describe(words: &[Token]) -> Option<()> {
    let flags = Flags {
        long: &[
            "all",
            "always",
            "contains",
            "debug",
            "exact-match",
            "first-parent",
            "long",
            "no-long",
            "tags",
        ],
        long_value: &["candidates", "exclude", "match"],
        long_optional: &["abbrev"],
        ..NONE
    };
    read(&[&flags], words).map(drop)
}

pub(super) fn name_rev(words: &[Token]) -> Option<()> {
    let flags = Flags {
        long: &["all", "always", "name-only", "no-undefined", "tags", "undefined"],
        long_value: &["exclude", "refs"],
        ..NONE
    };
    read(&[&flags], words).map(drop)
}

pub(super) fn merge_base(words: &[Token]) -> Option<()> {
    let flags =
        Flags { short: "a", long: &["all", "fork-point", "independent", "is-ancestor", "octopus"], ..NONE };
    read(&[&flags], words).map(drop)
}

/// With a second name it sets the first.
pub(super) fn symbolic_ref(words: &[Token]) -> Option<()> {
    let flags = Flags { short: "q", long: &["no-recurse", "quiet", "recurse", "short"], ..NONE };
    (read(&[&flags], words)?.count() == 1).then_some(())
}

pub(super) fn worktree(words: &[Token]) -> Option<()> {
    let (action, words) = words.split_first()?;
    (action.literal()? == "list").then_some(())?;
    let flags = Flags { short: "vz", long: &["porcelain", "verbose"], ..NONE };
    (read(&[&flags], words)?.count() == 0).then_some(())
}

/// `show` asks the other side.
pub(super) fn remote(words: &[Token]) -> Option<()> {
    let verbose = Flags { short: "v", long: &["verbose"], ..NONE };
    match words.split_first() {
        Some((action, words)) if action.literal() == Some("get-url") => {
            let flags = Flags { long: &["all", "push"], ..NONE };
            (read(&[&flags], words)?.count() == 1).then_some(())
        }
        _ => (read(&[&verbose], words)?.count() == 0).then_some(()),
    }
}
