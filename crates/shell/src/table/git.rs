//! `git`: sub-commands that read, each with its flags. Where it runs and what the repository's own settings make it start
//! is looked at elsewhere.

use crate::arguments::{Operands, Reads, Row, check as check_row};
use crate::word::Token;

/// Flags of everything that shows changes. `--output`, `--ext-diff`, `--textconv`, `--no-index` and `-O` are not among them.
const SHOW_LONG: &[&str] = &[
    "abbrev-commit",
    "all",
    "author-date-order",
    "branches",
    "cached",
    "cc",
    "check",
    "cherry",
    "cherry-pick",
    "color",
    "date-order",
    "decorate",
    "dirstat",
    "exit-code",
    "first-parent",
    "follow",
    "full-index",
    "graph",
    "ignore-all-space",
    "ignore-blank-lines",
    "ignore-space-change",
    "left-right",
    "merge-base",
    "merges",
    "minimal",
    "name-only",
    "name-status",
    "no-abbrev",
    "no-color",
    "no-decorate",
    "no-ext-diff",
    "no-merges",
    "no-patch",
    "no-prefix",
    "no-renames",
    "no-textconv",
    "numstat",
    "oneline",
    "patch",
    "patience",
    "pickaxe-all",
    "quiet",
    "raw",
    "relative",
    "remotes",
    "reverse",
    "shortstat",
    "simplify-by-decoration",
    "staged",
    "stat",
    "summary",
    "tags",
    "text",
    "topo-order",
    "word-diff",
    "unified",
    "patch-with-stat",
    "root",
    "histogram",
    "find-renames",
    "find-copies",
    "walk-reflogs",
    "no-notes",
    "regexp-ignore-case",
    "extended-regexp",
    "fixed-strings",
    "all-match",
    "invert-grep",
    "source",
    "compact-summary",
    "full-history",
    "show-pulls",
];
const SHOW_VALUE: &[&str] = &[
    "abbrev",
    "after",
    "author",
    "before",
    "color",
    "color-words",
    "committer",
    "date",
    "decorate",
    "diff-algorithm",
    "diff-filter",
    "format",
    "glob",
    "grep",
    "inter-hunk-context",
    "max-count",
    "pretty",
    "since",
    "skip",
    "stat",
    "unified",
    "until",
    "word-diff",
    "relative",
    "find-renames",
    "min-parents",
    "max-parents",
    "branches",
    "tags",
    "remotes",
    "exclude",
    "word-diff-regex",
    "ignore-submodules",
    "dirstat",
    "encoding",
];

const SHOW: Row = Row {
    short: "abcimpqrstuwzERW1gFB",
    short_value: "nLSGUMCDl",
    long: SHOW_LONG,
    long_value: SHOW_VALUE,
    number: true,
    ..Row::of(&[], Operands::Words)
};

pub(super) fn check(arguments: &[Token]) -> Option<Reads> {
    if let [only] = arguments
        && only.literal() == Some("--version")
    {
        return Some(Reads::nothing());
    }
    let mut rest = arguments;
    loop {
        match rest.first()?.literal()? {
            "--no-pager" | "--no-optional-locks" | "--literal-pathspecs" => rest = rest.get(1..)?,
            "-C" if rest.get(1)?.literal()? == "." => rest = rest.get(2..)?,
            _ => break,
        }
    }
    let (name, rest) = (rest.first()?.literal()?, rest.get(1..)?);
    let reads = sub_command(name, rest)?;
    // `%G` in a format starts the signature checker; no word but a format's holds it.
    let signs = rest.iter().any(|token| {
        token.text.contains("%G")
            || token.text.contains("(signature")
            || !token.exact && token.text.contains('%')
    });
    (!signs).then_some(Reads { here: true, ..reads })
}

fn sub_command(name: &str, rest: &[Token]) -> Option<Reads> {
    let with = |row: Row| inside(check_row(&row, rest)?, rest);
    match name {
        "status" => with(Row {
            short: "sbvz",
            short_value: "u",
            long: &[
                "short",
                "branch",
                "long",
                "verbose",
                "porcelain",
                "ignored",
                "show-stash",
                "ahead-behind",
                "no-renames",
            ],
            long_value: &["porcelain", "untracked-files", "ignored", "column", "ignore-submodules"],
            ..Row::of(&[], Operands::Words)
        }),
        "log" | "show" | "diff" | "shortlog" | "whatchanged" => with(SHOW),
        "blame" | "annotate" => {
            with(Row { short: "cefklnpstw", short_value: "LMC", long: &["porcelain", "show-email"], ..SHOW })
        }
        "rev-parse" => with(Row {
            short: "q",
            long: &[
                "show-toplevel",
                "show-prefix",
                "show-cdup",
                "abbrev-ref",
                "short",
                "verify",
                "quiet",
                "git-dir",
                "absolute-git-dir",
                "git-common-dir",
                "is-inside-work-tree",
                "is-inside-git-dir",
                "is-bare-repository",
                "symbolic-full-name",
                "symbolic",
                "all",
                "branches",
                "tags",
                "remotes",
                "sq",
            ],
            long_value: &["short", "abbrev-ref"],
            ..Row::of(&[], Operands::Words)
        }),
        "rev-list" => with(Row {
            long: &[
                "count",
                "all",
                "objects",
                "parents",
                "left-right",
                "first-parent",
                "no-merges",
                "merges",
                "reverse",
            ],
            ..SHOW
        }),
        "ls-files" => with(Row {
            short: "cdimokstuvz",
            short_value: "x",
            long: &[
                "cached",
                "deleted",
                "modified",
                "others",
                "ignored",
                "stage",
                "unmerged",
                "exclude-standard",
                "full-name",
                "error-unmatch",
                "eol",
            ],
            long_value: &["exclude", "abbrev"],
            ..Row::of(&[], Operands::Words)
        }),
        "ls-tree" => with(Row {
            short: "drtlz",
            long: &["name-only", "name-status", "full-name", "full-tree", "long"],
            ..Row::of(&[], Operands::Words)
        }),
        "cat-file" => with(Row { short: "ptes", ..Row::of(&[], Operands::Words) }),
        "merge-base" => with(Row {
            short: "a",
            long: &["all", "is-ancestor", "fork-point", "octopus", "independent"],
            ..Row::of(&[], Operands::Words)
        }),
        "name-rev" => with(Row { long: &["tags", "name-only", "always"], ..Row::of(&[], Operands::Words) }),
        "describe" => with(Row {
            long: &["tags", "all", "always", "long", "abbrev", "contains", "exact-match"],
            long_value: &["abbrev", "match", "candidates"],
            ..Row::of(&[], Operands::Words)
        }),
        "for-each-ref" | "show-ref" => with(Row {
            short: "dhq",
            long: &["heads", "tags", "head", "hash", "verify", "quiet", "dereference"],
            long_value: &[
                "format",
                "sort",
                "count",
                "points-at",
                "contains",
                "merged",
                "no-merged",
                "hash",
                "abbrev",
            ],
            ..Row::of(&[], Operands::Words)
        }),
        "check-ignore" | "check-attr" => with(Row {
            short: "avnqz",
            long: &["verbose", "non-matching", "quiet", "all"],
            ..Row::of(&[], Operands::Words)
        }),
        "count-objects" => with(Row { short: "vH", ..Row::of(&[], Operands::None) }),
        "grep" => with(Row {
            // `-O` opens a pager.
            short: "IinvhHrEFGPlLcopqwWaz",
            short_value: "ABCem",
            long: &[
                "cached",
                "untracked",
                "line-number",
                "count",
                "files-with-matches",
                "name-only",
                "ignore-case",
                "word-regexp",
                "extended-regexp",
                "fixed-strings",
                "perl-regexp",
                "heading",
                "break",
                "show-function",
                "function-context",
                "only-matching",
                "full-name",
                "column",
                "quiet",
            ],
            long_value: &["max-depth", "max-count", "threads", "context"],
            ..Row::of(&[], Operands::Words)
        }),
        // Without a name to make or change; a bare name makes a branch or a tag.
        "branch" => with(Row {
            short: "avrqi",
            long: &["all", "remotes", "list", "verbose", "show-current", "no-color", "ignore-case"],
            long_value: &[
                "sort",
                "format",
                "contains",
                "no-contains",
                "merged",
                "no-merged",
                "points-at",
                "color",
                "column",
                "abbrev",
            ],
            ..Row::of(&[], Operands::None)
        }),
        "tag" => tag(rest),
        "remote" => match rest.first().map(Token::literal) {
            None => Some(Reads::nothing()),
            Some(Some("-v" | "--verbose")) if rest.len() == 1 => Some(Reads::nothing()),
            Some(Some("get-url")) => rest
                .get(1..)?
                .iter()
                .all(|token| {
                    token
                        .literal()
                        .is_some_and(|text| !text.starts_with('-') || text == "--all" || text == "--push")
                })
                .then(Reads::nothing),
            _ => None,
        },
        "config" => config(rest),
        "stash" if rest.first()?.literal()? == "list" => inside(check_row(&SHOW, rest.get(1..)?)?, rest),
        "stash" if rest.first()?.literal()? == "show" => inside(check_row(&SHOW, rest.get(1..)?)?, rest),
        "reflog" => match rest.first().map(Token::literal) {
            None => Some(Reads::nothing()),
            Some(Some("show")) => inside(check_row(&SHOW, rest.get(1..)?)?, rest),
            Some(Some(flag)) if flag.starts_with('-') => with(Row { operands: Operands::None, ..SHOW }),
            _ => None,
        },
        "worktree" if rest.first()?.literal()? == "list" => rest
            .get(1..)?
            .iter()
            .all(|token| matches!(token.literal(), Some("--porcelain" | "-v" | "-z")))
            .then(Reads::nothing),
        "version" => rest.is_empty().then(Reads::nothing),
        _ => None,
    }
}

/// Revisions and paths of the repository; a path that leads out of it makes `git diff` compare any two files.
fn inside(reads: Reads, rest: &[Token]) -> Option<Reads> {
    let out = |token: &Token| {
        !token.exact || token.text.starts_with(['/', '~']) || token.text.split('/').any(|part| part == "..")
    };
    let operand = |token: &&Token| !token.text.starts_with('-');
    (!rest.iter().filter(operand).any(out)).then_some(reads)
}

/// A name without a listing flag makes a tag.
fn tag(rest: &[Token]) -> Option<Reads> {
    let row = Row {
        short: "li",
        short_value: "n",
        long: &["list", "ignore-case"],
        long_value: &[
            "sort",
            "format",
            "contains",
            "no-contains",
            "merged",
            "no-merged",
            "points-at",
            "column",
        ],
        ..Row::of(&[], Operands::Words)
    };
    let lists = rest.is_empty() || rest.iter().any(|token| matches!(token.literal(), Some("-l" | "--list")));
    if lists { check_row(&row, rest) } else { None }
}

fn config(rest: &[Token]) -> Option<Reads> {
    const READ: [&str; 7] = ["--get", "--get-all", "--get-regexp", "--list", "-l", "list", "get"];
    const BESIDE: [&str; 9] = [
        "--local",
        "--global",
        "--system",
        "--worktree",
        "--show-origin",
        "--show-scope",
        "--name-only",
        "--null",
        "-z",
    ];
    let words = rest.iter().map(Token::literal).collect::<Option<Vec<_>>>()?;
    let action = words.iter().find(|word| !BESIDE.contains(word))?;
    READ.contains(action).then_some(())?;
    let flags = words.iter().filter(|word| word.starts_with('-'));
    flags.clone().all(|flag| READ.contains(flag) || BESIDE.contains(flag)).then(Reads::nothing)
}
