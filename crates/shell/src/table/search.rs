//! Programs that search for text and names.

use crate::arguments::{Operands, Reads, Row, parse, reads};
use crate::word::Token;

pub(super) const ROWS: &[Row] = &[
    Row {
        // `-x` and `-X` run programs, `-l` runs ls, `-L` follows links.
        short: "HIsiaFgp0u1q",
        short_value: "detEjSco",
        long: &[
            "hidden",
            "no-ignore",
            "no-ignore-vcs",
            "case-sensitive",
            "ignore-case",
            "fixed-strings",
            "glob",
            "absolute-path",
            "full-path",
            "print0",
            "unrestricted",
        ],
        long_value: &[
            "max-depth",
            "min-depth",
            "exact-depth",
            "extension",
            "type",
            "exclude",
            "size",
            "changed-within",
            "changed-before",
            "color",
            "max-results",
            "threads",
        ],
        ..Row::of(&["fd", "fdfind"], Operands::PatternThenPathsOrHere)
    },
    Row { short: "as", long: &["all", "skip-alias"], harmless: true, ..Row::of(&["which"], Operands::Words) },
];

/// `-R` follows links below the folders, wherever they lead.
pub(super) fn grep(program: &str, arguments: &[Token]) -> Option<Reads> {
    const GREP: Row = Row {
        short: "abcEFGHhiILlnoPqRrsTUuvVwxyzZ",
        short_value: "ABCDdem",
        short_path: "f",
        long: &[
            "extended-regexp",
            "fixed-strings",
            "basic-regexp",
            "perl-regexp",
            "ignore-case",
            "no-ignore-case",
            "invert-match",
            "word-regexp",
            "line-regexp",
            "count",
            "color",
            "colour",
            "files-without-match",
            "files-with-matches",
            "only-matching",
            "quiet",
            "silent",
            "no-messages",
            "byte-offset",
            "with-filename",
            "no-filename",
            "line-number",
            "initial-tab",
            "null",
            "text",
            "recursive",
            "dereference-recursive",
            "line-buffered",
            "null-data",
        ],
        long_value: &[
            "regexp",
            "max-count",
            "color",
            "colour",
            "label",
            "after-context",
            "before-context",
            "context",
            "binary-files",
            "devices",
            "directories",
            "exclude",
            "exclude-dir",
            "include",
        ],
        number: true,
        harmless: true,
        ..Row::of(&["grep", "egrep", "fgrep"], Operands::PatternThenPathsOrHere)
    };
    let parsed = parse(&GREP, arguments)?;
    let followed = parsed.has(&["R", "dereference-recursive"]);
    let below = followed || parsed.has(&["r", "recursive", "d", "directories"]);
    let reads = reads(&GREP, parsed)?;
    // The other names are scripts that start it.
    let starts: &[&str] = if program == "grep" { &[] } else { &["grep"] };
    Some(Reads { below, followed, here: reads.here && below, starts, ..reads })
}

/// `--pre` and `--hostname-bin` run programs, `-z` starts decompressors, `-L` follows links.
pub(super) fn ripgrep(arguments: &[Token]) -> Option<Reads> {
    const RIPGREP: Row = Row {
        short: "abcFHhiIlnNopPqsSuUvwx0",
        short_value: "ABCEegjmMtTdr",
        short_path: "f",
        long: &[
            "files",
            "files-with-matches",
            "files-without-match",
            "count",
            "count-matches",
            "hidden",
            "no-hidden",
            "no-ignore",
            "no-ignore-vcs",
            "no-ignore-parent",
            "ignore-case",
            "smart-case",
            "case-sensitive",
            "line-number",
            "no-line-number",
            "line-regexp",
            "heading",
            "no-heading",
            "multiline",
            "multiline-dotall",
            "only-matching",
            "invert-match",
            "word-regexp",
            "fixed-strings",
            "json",
            "vimgrep",
            "stats",
            "type-list",
            "null",
            "null-data",
            "pcre2",
            "no-messages",
            "no-filename",
            "with-filename",
            "text",
            "trim",
            "column",
            "byte-offset",
            "pretty",
            "quiet",
            "no-config",
            "one-file-system",
            "unrestricted",
            "passthru",
            "crlf",
        ],
        long_value: &[
            "glob",
            "iglob",
            "type",
            "type-not",
            "max-count",
            "max-depth",
            "max-filesize",
            "after-context",
            "before-context",
            "context",
            "color",
            "colors",
            "encoding",
            "regexp",
            "replace",
            "sort",
            "sortr",
            "threads",
            "max-columns",
            "path-separator",
            "context-separator",
            "field-match-separator",
        ],
        long_path: &["file"],
        ..Row::of(&["rg"], Operands::PatternThenPathsOrHere)
    };
    let parsed = parse(&RIPGREP, arguments)?;
    if parsed.has(&["type-list"]) {
        return Some(Reads::nothing());
    }
    // Then there is no pattern, and names are all that is shown.
    let names = parsed.has(&["files"]);
    let row = if names { Row { operands: Operands::PathsOrHere, ..RIPGREP } } else { RIPGREP };
    Some(Reads { below: !names, ..reads(&row, parsed)? })
}
