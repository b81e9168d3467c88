//! Programs that tell of files and folders.

use crate::arguments::{Operands, Reads, Row, begins_as_glob, check, lets_start, parse, reads};
use crate::word::Token;

pub(super) const ROWS: &[Row] = &[
    Row {
        short: "Lft",
        short_value: "c",
        long: &["dereference", "terse", "file-system"],
        long_value: &["format", "printf"],
        harmless: true,
        ..Row::of(&["stat"], Operands::Paths)
    },
    Row {
        // `-L` follows links below the folders.
        short: "abchDHklmPsSx0",
        short_value: "dBt",
        long: &[
            "all",
            "apparent-size",
            "bytes",
            "count-links",
            "total",
            "human-readable",
            "inodes",
            "null",
            "separate-dirs",
            "summarize",
            "one-file-system",
            "si",
            "time",
        ],
        long_value: &["max-depth", "exclude", "threshold", "block-size", "time", "time-style"],
        harmless: true,
        ..Row::of(&["du"], Operands::PathsOrHere)
    },
    Row {
        short: "ahHiklPTv",
        short_value: "Btx",
        long: &[
            "all",
            "human-readable",
            "inodes",
            "local",
            "portability",
            "print-type",
            "si",
            "total",
            "output",
        ],
        long_value: &["type", "exclude-type", "block-size", "output"],
        ..Row::of(&["df"], Operands::PathsOrHere)
    },
    Row {
        // `-f` and `-m` read other files, `-C` writes, `-p` sets times back, `-z` decompresses.
        short: "bhikLNr0",
        short_value: "F",
        long: &[
            "brief",
            "mime",
            "mime-type",
            "mime-encoding",
            "dereference",
            "no-dereference",
            "extension",
            "keep-going",
            "no-pad",
            "raw",
            "print0",
        ],
        long_value: &["separator"],
        ..Row::of(&["file"], Operands::Paths)
    },
    Row {
        short: "efmnqsvz",
        long: &[
            "canonicalize",
            "canonicalize-existing",
            "canonicalize-missing",
            "no-newline",
            "quiet",
            "silent",
            "verbose",
            "zero",
        ],
        ..Row::of(&["readlink"], Operands::Paths)
    },
    Row {
        short: "emLPqsz",
        long: &[
            "canonicalize-existing",
            "canonicalize-missing",
            "logical",
            "physical",
            "no-symlinks",
            "strip",
            "quiet",
            "zero",
        ],
        long_path: &["relative-to", "relative-base"],
        ..Row::of(&["realpath"], Operands::Paths)
    },
    Row {
        short: "az",
        short_value: "s",
        long: &["multiple", "zero"],
        long_value: &["suffix"],
        harmless: true,
        ..Row::of(&["basename"], Operands::Words)
    },
    Row { short: "z", long: &["zero"], harmless: true, ..Row::of(&["dirname"], Operands::Words) },
    // `-B`, `-M` and `-S` look into folders of their own.
    Row { short: "bmsl", ..Row::of(&["whereis"], Operands::Words) },
];

/// `-R` with `-L` goes through links below the folders.
pub(super) fn list(arguments: &[Token]) -> Option<Reads> {
    const LIST: Row = Row {
        short: "aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1",
        short_value: "ITw",
        long: &[
            "all",
            "almost-all",
            "author",
            "escape",
            "human-readable",
            "ignore-backups",
            "recursive",
            "reverse",
            "directory",
            "inode",
            "kibibytes",
            "literal",
            "size",
            "file-type",
            "full-time",
            "group-directories-first",
            "hyperlink",
            "numeric-uid-gid",
            "quote-name",
            "si",
            "color",
            "no-group",
            "dereference",
            "dereference-command-line",
            "classify",
            "context",
            "zero",
        ],
        long_value: &[
            "classify",
            "color",
            "hyperlink",
            "sort",
            "time",
            "time-style",
            "format",
            "ignore",
            "hide",
            "indicator-style",
            "quoting-style",
            "tabsize",
            "width",
            "block-size",
        ],
        harmless: true,
        ..Row::of(&["ls", "dir", "vdir"], Operands::PathsOrHere)
    };
    let parsed = parse(&LIST, arguments)?;
    let follows = parsed.has(&["L", "dereference"]) && parsed.has(&["R", "recursive"]);
    // Where these have no value, the next word is listed.
    let named = parsed.values_are(&["T", "w"], |value| value.bytes().all(|byte| byte.is_ascii_digit()))
        && parsed.values_are(&["I"], |value| !value.contains('/') && !value.starts_with(".."));
    (!follows && named).then(|| reads(&LIST, parsed)).flatten()
}

/// Flags with a value stand alone: `tree` goes on in a cluster behind them. `-l` follows links, `-o` and `-R` write, and the
/// flags that name files are left out.
pub(super) fn tree(arguments: &[Token]) -> Option<Reads> {
    const PLAIN: &str = "adfipsughDFqNQrtcUvSACnxJX";
    const LONG: [&str; 14] = [
        "--dirsfirst",
        "--filesfirst",
        "--noreport",
        "--gitignore",
        "--ignore-case",
        "--matchdirs",
        "--metafirst",
        "--prune",
        "--inodes",
        "--device",
        "--si",
        "--du",
        "--nolinks",
        "--version",
    ];
    const VALUED: [&str; 4] = ["--filelimit=", "--charset=", "--sort=", "--timefmt="];
    let mut paths = Vec::new();
    let mut rest = arguments.iter();
    let mut flags = true;
    while let Some(token) = rest.next() {
        if token.splits || (flags && !lets_start(token)) {
            return None;
        }
        if !flags || !token.text.starts_with('-') {
            paths.push(token.clone());
            continue;
        }
        let text = token.literal()?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text {
            "--" => flags = false,
            "-L" => drop(rest.next()?.literal().filter(|level| digits(level))?),
            "-P" | "-I" => drop(rest.next()?.literal().filter(|pattern| !pattern.starts_with('-'))?),
            _ if text.strip_prefix("-L").is_some_and(digits) || LONG.contains(&text) => {}
            _ if VALUED.iter().any(|flag| text.starts_with(flag)) => {}
            _ => {
                let cluster = text.get(1..).filter(|cluster| !cluster.is_empty())?;
                cluster.chars().all(|flag| PLAIN.contains(flag)).then_some(())?;
            }
        }
    }
    Some(Reads { here: paths.is_empty(), ..Reads::of(paths) })
}

/// The programs of binutils read further arguments from `@file`, and so stand all words before them.
pub(super) fn strings(arguments: &[Token]) -> Option<Reads> {
    const STRINGS: Row = Row {
        short: "afw",
        short_value: "nte",
        long: &["all", "print-file-name", "include-all-whitespace"],
        long_value: &["bytes", "radix", "encoding"],
        number: true,
        ..Row::of(&["strings"], Operands::Paths)
    };
    let may_be_file = |token: &Token| {
        token.text.starts_with('@') || begins_as_glob(token) || (token.text.is_empty() && !token.exact)
    };
    if arguments.iter().any(may_be_file) {
        return None;
    }
    check(&STRINGS, arguments)
}
