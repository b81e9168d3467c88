//! Programs that turn text into text.

use crate::arguments::{Operands, Reads, Row, check};
use crate::word::Token;

pub(super) const ROWS: &[Row] = &[
    Row {
        short: "AbeEnstTuv",
        long: &["number", "show-all", "squeeze-blank", "show-ends", "show-tabs"],
        harmless: true,
        ..Row::of(&["cat"], Operands::Paths)
    },
    Row { short: "bs", short_value: "s", harmless: true, ..Row::of(&["tac"], Operands::Paths) },
    Row { harmless: true, ..Row::of(&["rev"], Operands::Paths) },
    Row {
        short: "qvz",
        short_value: "nc",
        long: &["quiet", "verbose"],
        long_value: &["lines", "bytes"],
        number: true,
        harmless: true,
        ..Row::of(&["head"], Operands::Paths)
    },
    Row {
        // Following a file never ends; it reads, and the time limit holds.
        short: "qvzfF",
        short_value: "ncs",
        long: &["quiet", "verbose", "follow", "retry"],
        long_value: &["lines", "bytes", "pid"],
        number: true,
        harmless: true,
        ..Row::of(&["tail"], Operands::Paths)
    },
    Row {
        short: "clmLw",
        long: &["lines", "words", "bytes", "chars", "max-line-length"],
        harmless: true,
        ..Row::of(&["wc"], Operands::Paths)
    },
    Row {
        short: "nsz",
        short_value: "bcdf",
        long: &["complement", "only-delimited", "zero-terminated"],
        long_value: &["bytes", "characters", "fields", "delimiter", "output-delimiter"],
        harmless: true,
        ..Row::of(&["cut"], Operands::Paths)
    },
    Row { short: "sz", short_value: "d", harmless: true, ..Row::of(&["paste"], Operands::Paths) },
    Row { short: "cdstC", harmless: true, ..Row::of(&["tr"], Operands::Words) },
    Row {
        // Its second operand is written.
        short: "cdiuz",
        short_value: "fsw",
        long: &["count", "repeated", "unique", "ignore-case"],
        long_value: &["skip-fields", "skip-chars", "check-chars"],
        ..Row::of(&["uniq"], Operands::OnePath)
    },
    Row {
        short: "123z",
        long: &["total", "check-order", "nocheck-order"],
        ..Row::of(&["comm"], Operands::Paths)
    },
    Row {
        // `-r` follows links below the folders, wherever they lead.
        short: "bBqsuNwaidEZty",
        short_value: "UCLWIxF",
        long: &[
            "brief",
            "unified",
            "report-identical-files",
            "ignore-case",
            "ignore-all-space",
            "ignore-space-change",
            "ignore-blank-lines",
            "side-by-side",
            "suppress-common-lines",
            "text",
            "new-file",
            "minimal",
            "strip-trailing-cr",
            "context",
            "color",
            "no-dereference",
        ],
        long_value: &["unified", "context", "width", "label", "exclude", "color"],
        ..Row::of(&["diff"], Operands::Paths)
    },
    Row {
        short: "bls",
        short_value: "in",
        long: &["silent", "quiet", "print-bytes"],
        ..Row::of(&["cmp"], Operands::Paths)
    },
    Row {
        short: "tnexLR",
        short_value: "sco",
        long: &["table"],
        long_value: &["separator", "output-separator"],
        ..Row::of(&["column"], Operands::Paths)
    },
    Row {
        short: "abcdfhilosvwx",
        short_value: "AjNt",
        long: &["output-duplicates"],
        harmless: true,
        ..Row::of(&["od"], Operands::Paths)
    },
    Row { short: "bCcdovx", short_value: "nse", ..Row::of(&["hexdump", "hd"], Operands::Paths) },
    Row {
        // Its second operand is written.
        short: "abeEipuC",
        short_value: "cglos",
        ..Row::of(&["xxd"], Operands::OnePath)
    },
    Row { short: "p", short_value: "bdfhilnsvw", harmless: true, ..Row::of(&["nl"], Operands::Paths) },
    Row { short: "bs", short_value: "w", harmless: true, ..Row::of(&["fold"], Operands::Paths) },
    Row { short: "i", short_value: "t", harmless: true, ..Row::of(&["expand", "unexpand"], Operands::Paths) },
    Row {
        // Checking reads every file that the given one names.
        short: "btz",
        long: &["binary", "text", "tag"],
        ..Row::of(
            &["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum"],
            Operands::Paths,
        )
    },
    Row {
        short: "di",
        short_value: "w",
        long: &["decode"],
        ..Row::of(&["base64", "base32"], Operands::OnePath)
    },
    Row { short: "aft", short_value: "n", ..Row::of(&["strings"], Operands::Paths) },
    Row {
        long: &["grouping", "zero-terminated"],
        long_value: &["to", "from", "to-unit", "from-unit", "padding", "format", "suffix", "field", "round"],
        ..Row::of(&["numfmt"], Operands::Words)
    },
];

/// `-o` and `--compress-program` are not among the flags, nor any abbreviation of a long one. `-c` and `-C` only look.
pub(super) fn sort(arguments: &[Token]) -> Option<Reads> {
    const SORT: Row = Row {
        short: "bdfghiMnRrVcCmsuz",
        short_value: "kt",
        long: &[
            "ignore-leading-blanks",
            "ignore-case",
            "general-numeric-sort",
            "human-numeric-sort",
            "numeric-sort",
            "reverse",
            "version-sort",
            "check",
            "stable",
            "unique",
            "zero-terminated",
            "month-sort",
            "dictionary-order",
        ],
        long_value: &["key", "field-separator"],
        ..Row::of(&["sort"], Operands::Paths)
    };
    check(&SORT, arguments)
}
