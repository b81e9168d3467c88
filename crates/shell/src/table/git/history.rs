//! `log`, `diff`, `show` and what else tells of commits and their changes.
//!
//! Not among the flags: `--output` and `--remerge-diff` write, `--ext-diff`, `--textconv`, `--show-signature` and
//! `--alternate-refs` start programs, `-O`, `--no-index` and `--submodule` read elsewhere, `--stdin` takes more words.

use toolwright_core::PathAccess;

use super::content::{Content, may_name_blob, of_changes, of_present, of_revision};
use super::flags::{Flags, Given, NONE, read};
use crate::word::Token;

/// Which commits, and how each is shown.
const COMMITS: Flags = Flags {
    short: "giEFPtr",
    short_value: "n",
    number: true,
    long: &[
        "abbrev-commit",
        "all",
        "all-match",
        "author-date-order",
        "basic-regexp",
        "boundary",
        "cherry",
        "cherry-mark",
        "cherry-pick",
        "children",
        "clear-decorations",
        "count",
        "date-order",
        "dense",
        "do-walk",
        "exclude-first-parent-only",
        "extended-regexp",
        "first-parent",
        "fixed-strings",
        "follow",
        "full-diff",
        "full-history",
        "graph",
        "ignore-missing",
        "invert-grep",
        "left-only",
        "left-right",
        "log-size",
        "mailmap",
        "merge",
        "merges",
        "no-abbrev-commit",
        "no-decorate",
        "no-expand-tabs",
        "no-graph",
        "no-mailmap",
        "no-max-parents",
        "no-merges",
        "no-min-parents",
        "no-notes",
        "no-show-signature",
        "no-use-mailmap",
        "not",
        "oneline",
        "parents",
        "perl-regexp",
        "reflog",
        "regexp-ignore-case",
        "relative-date",
        "remove-empty",
        "reverse",
        "right-only",
        "root",
        "show-pulls",
        "simplify-by-decoration",
        "simplify-merges",
        "single-worktree",
        "source",
        "sparse",
        "topo-order",
        "use-mailmap",
        "walk-reflogs",
    ],
    long_value: &[
        "after",
        "author",
        "before",
        "committer",
        "date",
        "decorate-refs",
        "decorate-refs-exclude",
        "encoding",
        "exclude",
        "glob",
        "grep",
        "grep-reflog",
        "max-age",
        "max-count",
        "min-age",
        "since",
        "since-as-filter",
        "skip",
        "until",
    ],
    long_optional: &[
        "ancestry-path",
        "branches",
        "decorate",
        "expand-tabs",
        "format",
        "max-parents",
        "min-parents",
        "no-walk",
        "notes",
        "pretty",
        "remotes",
        "show-linear-break",
        "show-notes",
        "tags",
    ],
    ..NONE
};

/// How changes are found and written, without a say on whether lines of files are among it.
const CHANGES: Flags = Flags {
    short: "abwzRD",
    short_value: "l",
    short_optional: "BCM",
    long: &[
        "combined-all-paths",
        "cumulative",
        "default-prefix",
        "exit-code",
        "find-copies-harder",
        "full-index",
        "histogram",
        "ignore-all-space",
        "ignore-blank-lines",
        "ignore-cr-at-eol",
        "ignore-space-at-eol",
        "ignore-space-change",
        "indent-heuristic",
        "irreversible-delete",
        "ita-invisible-in-index",
        "ita-visible-in-index",
        "minimal",
        "no-abbrev",
        "no-color",
        "no-color-moved",
        "no-diff-merges",
        "no-ext-diff",
        "no-indent-heuristic",
        "no-prefix",
        "no-relative",
        "no-rename-empty",
        "no-renames",
        "no-textconv",
        "patience",
        "pickaxe-all",
        "pickaxe-regex",
        "rename-empty",
        "text",
    ],
    long_value: &[
        "color-moved-ws",
        "diff-algorithm",
        "diff-filter",
        "dst-prefix",
        "find-object",
        "line-prefix",
        "output-indicator-context",
        "output-indicator-new",
        "output-indicator-old",
        "rotate-to",
        "skip-to",
        "src-prefix",
        "stat-count",
        "stat-graph-width",
        "stat-name-width",
        "stat-width",
        "ws-error-highlight",
    ],
    long_optional: &[
        "abbrev",
        "break-rewrites",
        "color",
        "color-moved",
        "find-copies",
        "find-renames",
        "ignore-submodules",
        "relative",
    ],
    ..NONE
};

/// In the place of the changed lines: names and numbers, or nothing.
const INSTEAD: Flags = Flags {
    short: "s",
    short_optional: "X",
    long: &[
        "compact-summary",
        "name-only",
        "name-status",
        "no-patch",
        "numstat",
        "quiet",
        "raw",
        "shortstat",
        "summary",
    ],
    long_optional: &["dirstat", "stat"],
    ..NONE
};

/// Changed lines, or whether and where a text is among them.
const LINES: Flags = Flags {
    short: "cmpuW",
    short_value: "GILS",
    short_optional: "U",
    long: &["binary", "cc", "check", "dd", "function-context", "patch", "patch-with-raw", "patch-with-stat"],
    long_value: &[
        "anchored",
        "diff-merges",
        "ignore-matching-lines",
        "inter-hunk-context",
        "word-diff-regex",
    ],
    long_optional: &["color-words", "unified", "word-diff"],
    ..NONE
};

const OF_INSTEAD: usize = 0;
const OF_LINES: usize = 1;

/// The words of a command that has all of those flags and some of its own.
fn with<'t>(own: &Flags, words: &'t [Token]) -> Option<Given<'t>> {
    let given = read(&[&INSTEAD, &LINES, &CHANGES, &COMMITS, own], words)?;
    // `remerge` does a merge once more, with the programs that the repository names for it.
    const PLAIN: [&str; 11] =
        ["1", "c", "cc", "combined", "dense-combined", "first-parent", "m", "none", "off", "on", "separate"];
    let plain = |value: Option<&str>| value.is_some_and(|value| PLAIN.contains(&value));
    let merges = given.flags.iter().filter(|flag| flag.name == "diff-merges");
    merges.into_iter().all(|flag| plain(flag.value)).then_some(given)
}

/// Whether changed lines are shown where a command shows them unless it is told otherwise.
fn shows_lines(given: &Given<'_>) -> bool {
    given.has_of(OF_LINES) || !given.has_of(OF_INSTEAD)
}

/// What is shown where there are lines: more than the paths that limit it where renamed files or whole commits are followed.
fn lines(given: &Given<'_>) -> Vec<Content> {
    let mut found = of_changes(given);
    let ranges = given.flags.iter().filter(|flag| flag.name == "L").filter_map(|flag| flag.value);
    for path in ranges.flat_map(|range| range.match_indices(':').filter_map(|(at, _)| range.get(at + 1..))) {
        found.push(Content::new(super::Start::Here, path, PathAccess::ReadBelow));
    }
    if given.has(&["L", "follow", "full-diff"]) {
        found.push(Content::all());
    }
    found
}

/// `log`, `whatchanged`, `reflog`, `stash list`: commits, and their changes where they are asked for.
pub(super) fn log(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags { short: "q", ..NONE };
    let given = with(&flags, words)?;
    Some(if given.has_of(OF_LINES) { lines(&given) } else { Vec::new() })
}

pub(super) fn diff(words: &[Token]) -> Option<Vec<Content>> {
    let flags =
        Flags { short: "0123q", long: &["base", "cached", "merge-base", "ours", "staged", "theirs"], ..NONE };
    let given = with(&flags, words)?;
    Some(if shows_lines(&given) { of_present(&given, lines(&given)) } else { Vec::new() })
}

/// `diff-tree`, `diff-index`, `diff-files`: names, and lines where they are asked for.
pub(super) fn plumbing(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags { short: "v", long: &["cached", "merge-base", "no-commit-id"], ..NONE };
    let given = with(&flags, words)?;
    Some(if given.has_of(OF_LINES) { lines(&given) } else { Vec::new() })
}

/// Commits with their changes, and files of a commit.
pub(super) fn show(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags { short: "q", ..NONE };
    let given = with(&flags, words)?;
    let is_file = |operand: &&Token| {
        !operand.text.starts_with(':') && of_revision(&operand.text, PathAccess::Read).is_some()
    };
    let files_alone = !given.operands.is_empty() && given.operands.iter().all(is_file);
    if shows_lines(&given) && !files_alone {
        return Some(lines(&given));
    }
    // A file is shown whatever is said of changes.
    let of_files =
        given.operands.iter().flat_map(|operand| match of_revision(&operand.text, PathAccess::Read) {
            Some(found) => found,
            None if may_name_blob(&operand.text) => vec![Content::all()],
            None => Vec::new(),
        });
    Some(of_files.collect())
}

/// It shows numbers of lines where the configuration does not ask for more.
pub(super) fn stash_show(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags { long: &["include-untracked", "no-include-untracked", "only-untracked"], ..NONE };
    let given = read(&[&INSTEAD, &LINES, &CHANGES, &flags], words)?;
    Some(if shows_lines(&given) { vec![Content::all()] } else { Vec::new() })
}

pub(super) fn rev_list(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags {
        long: &[
            "bisect",
            "bisect-all",
            "bisect-vars",
            "header",
            "no-commit-header",
            "no-object-names",
            "object-names",
            "objects",
            "objects-edge",
            "quiet",
            "timestamp",
            "unpacked",
        ],
        long_optional: &["abbrev", "disk-usage"],
        ..NONE
    };
    let color = Flags { long: &["no-color"], long_optional: &["color"], ..NONE };
    read(&[&COMMITS, &flags, &color], words)?;
    Some(Vec::new())
}

/// Without a commit it reads standard input.
pub(super) fn shortlog(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags {
        short: "cnse",
        short_optional: "w",
        long: &["committer", "numbered", "summary", "email"],
        long_value: &["group"],
        ..NONE
    };
    read(&[&flags, &COMMITS], words)?;
    Some(Vec::new())
}

/// `--contents` and `-S` read files, `--ignore-revs-file` shows the first line of one.
pub(super) fn blame(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags {
        short: "bcefklnpstw",
        short_value: "L",
        short_optional: "CM",
        long: &[
            "color-by-age",
            "color-lines",
            "incremental",
            "line-porcelain",
            "minimal",
            "no-progress",
            "porcelain",
            "root",
            "score-debug",
            "show-email",
            "show-name",
            "show-number",
            "show-stats",
        ],
        long_value: &["ignore-rev", "diff-algorithm"],
        long_optional: &["abbrev"],
        ..NONE
    };
    let commits = Flags {
        long: &["all", "first-parent", "no-merges", "reverse", "no-textconv"],
        long_value: &["since", "until", "after", "before", "date"],
        ..NONE
    };
    let given = read(&[&flags, &commits], words)?;
    let files = given.operands.iter().chain(given.paths.iter().flatten());
    // No pathspec, but a name as it is; a revision is no file that matters.
    let file = |token: &&Token| Content::new(super::Start::Here, &token.text, PathAccess::Read);
    Some(files.map(file).collect())
}

/// What commits have in common, by the changes in them.
pub(super) fn cherry(words: &[Token]) -> Option<Vec<Content>> {
    let flags = Flags { short: "v", long: &["verbose"], long_optional: &["abbrev"], ..NONE };
    let given = read(&[&flags], words)?;
    (given.count() <= 3).then(Vec::new)
}
