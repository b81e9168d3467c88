//! Programs that tell of files and folders.

use crate::arguments::{Operands, Row};

pub(super) const ROWS: &[Row] = &[
    Row {
        short: "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
        short_value: "ITw",
        long: &[
            "all",
            "almost-all",
            "human-readable",
            "recursive",
            "reverse",
            "directory",
            "inode",
            "size",
            "full-time",
            "group-directories-first",
            "numeric-uid-gid",
            "si",
            "color",
            "no-group",
            "dereference",
            "classify",
        ],
        long_value: &[
            "color",
            "sort",
            "time",
            "time-style",
            "format",
            "ignore",
            "hide",
            "indicator-style",
            "width",
            "block-size",
        ],
        harmless: true,
        ..Row::of(&["ls", "dir", "vdir"], Operands::PathsOrHere)
    },
    Row {
        short: "Lft",
        short_value: "c",
        long: &["dereference", "terse", "file-system"],
        long_value: &["format", "printf"],
        harmless: true,
        ..Row::of(&["stat"], Operands::Paths)
    },
    Row {
        short: "abchHklmPsSx0",
        short_value: "dBt",
        long: &[
            "all",
            "apparent-size",
            "bytes",
            "total",
            "human-readable",
            "summarize",
            "one-file-system",
            "si",
        ],
        long_value: &["max-depth", "exclude", "threshold", "block-size", "time-style"],
        harmless: true,
        ..Row::of(&["du"], Operands::PathsOrHere)
    },
    Row {
        short: "ahHiklPTv",
        short_value: "Btx",
        long: &["all", "human-readable", "inodes", "local", "print-type", "si", "total", "output"],
        long_value: &["type", "exclude-type", "block-size", "output"],
        ..Row::of(&["df"], Operands::PathsOrHere)
    },
    Row {
        short: "bhikLNr0",
        long: &["brief", "mime", "mime-type", "mime-encoding", "dereference"],
        ..Row::of(&["file"], Operands::Paths)
    },
    Row {
        short: "efmnqsz",
        long: &["canonicalize", "canonicalize-existing", "canonicalize-missing", "no-newline", "zero"],
        ..Row::of(&["readlink"], Operands::Paths)
    },
    Row {
        short: "emLPqsz",
        long: &["canonicalize-existing", "canonicalize-missing", "no-symlinks", "strip", "quiet", "zero"],
        long_value: &["relative-to", "relative-base"],
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
    Row {
        // `-l` follows links, `-o` and `-R` write.
        short: "adfipsughDFqNQrtcUvSACnxJX",
        short_value: "LPI",
        long: &["dirsfirst", "noreport", "gitignore", "prune", "du", "si", "ignore-case", "matchdirs"],
        long_value: &["filelimit", "charset", "sort"],
        ..Row::of(&["tree"], Operands::PathsOrHere)
    },
];
