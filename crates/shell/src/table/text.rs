//! Programs that turn text into text.

use crate::arguments::{Operands, Reads, Row, check, parse, reads};
use crate::word::Token;

pub(super) const ROWS: &[Row] = &[
    Row {
        short: "AbeEnstTuv",
        long: &[
            "number",
            "number-nonblank",
            "show-all",
            "show-nonprinting",
            "squeeze-blank",
            "show-ends",
            "show-tabs",
        ],
        harmless: true,
        ..Row::of(&["cat"], Operands::Paths)
    },
    Row {
        short: "br",
        short_value: "s",
        long: &["before", "regex"],
        long_value: &["separator"],
        harmless: true,
        ..Row::of(&["tac"], Operands::Paths)
    },
    Row { harmless: true, ..Row::of(&["rev"], Operands::Paths) },
    Row {
        short: "qvz",
        short_value: "nc",
        long: &["quiet", "silent", "verbose", "zero-terminated"],
        long_value: &["lines", "bytes"],
        number: true,
        harmless: true,
        ..Row::of(&["head"], Operands::Paths)
    },
    Row {
        // Following a file never ends; it reads, and the time limit holds.
        short: "qvzfFr",
        short_value: "ncs",
        long: &["quiet", "silent", "verbose", "zero-terminated", "follow", "retry"],
        long_value: &["lines", "bytes", "pid", "follow", "sleep-interval"],
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
    Row {
        short: "sz",
        short_value: "d",
        long: &["serial", "zero-terminated"],
        long_value: &["delimiters"],
        harmless: true,
        ..Row::of(&["paste"], Operands::Paths)
    },
    Row { short: "cdstC", harmless: true, ..Row::of(&["tr"], Operands::Words) },
    Row {
        // Its second operand is written.
        short: "cdDiuz",
        short_value: "fsw",
        long: &["count", "repeated", "unique", "ignore-case", "zero-terminated", "all-repeated", "group"],
        long_value: &["skip-fields", "skip-chars", "check-chars", "all-repeated", "group"],
        ..Row::of(&["uniq"], Operands::OnePath)
    },
    Row {
        short: "tdeJLx",
        short_value: "cosnNRHOETWl",
        long: &["table", "json", "table-noheadings", "keep-empty-lines", "fillrows"],
        long_value: &[
            "separator",
            "output-separator",
            "output-width",
            "table-columns",
            "table-right",
            "table-hide",
            "table-order",
            "table-name",
        ],
        ..Row::of(&["column"], Operands::Paths)
    },
    Row {
        short: "abcdfhilosvx",
        short_value: "AjNtS",
        short_optional: "w",
        long: &["output-duplicates"],
        long_value: &["address-radix", "endian", "skip-bytes", "read-bytes", "format"],
        harmless: true,
        ..Row::of(&["od"], Operands::Paths)
    },
    Row {
        short: "bCcdovx",
        short_value: "nse",
        long: &["canonical", "no-squeezing"],
        long_value: &["length", "skip", "format"],
        ..Row::of(&["hexdump", "hd"], Operands::Paths)
    },
    Row { short: "p", short_value: "bdfhilnsvw", harmless: true, ..Row::of(&["nl"], Operands::Paths) },
    Row {
        short: "bs",
        short_value: "w",
        long: &["bytes", "spaces"],
        long_value: &["width"],
        harmless: true,
        ..Row::of(&["fold"], Operands::Paths)
    },
    Row {
        short: "ai",
        short_value: "t",
        long: &["initial", "all", "first-only"],
        long_value: &["tabs"],
        harmless: true,
        ..Row::of(&["expand", "unexpand"], Operands::Paths)
    },
    Row {
        // Checking reads every file that the given one names.
        short: "btz",
        long: &["binary", "text", "tag", "zero"],
        ..Row::of(
            &["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum"],
            Operands::Paths,
        )
    },
    Row {
        short: "di",
        short_value: "w",
        long: &["decode", "ignore-garbage"],
        long_value: &["wrap"],
        ..Row::of(&["base64", "base32"], Operands::OnePath)
    },
    Row {
        long: &["grouping", "zero-terminated"],
        long_value: &["to", "from", "to-unit", "from-unit", "padding", "format", "suffix", "field", "round"],
        ..Row::of(&["numfmt"], Operands::Words)
    },
    // Its language has no files and no commands.
    Row {
        short: "lqsw",
        long: &["mathlib", "quiet", "standard", "warn"],
        ..Row::of(&["bc"], Operands::None)
    },
];

/// `-o` and `--compress-program` are not among the flags, nor `-T` and what reads the names of files. `-c` and `-C` only look.
pub(super) fn sort(arguments: &[Token]) -> Option<Reads> {
    const SORT: Row = Row {
        short: "bdfghiMnRrVcCmsuz",
        short_value: "ktS",
        long: &[
            "ignore-leading-blanks",
            "ignore-case",
            "ignore-nonprinting",
            "general-numeric-sort",
            "human-numeric-sort",
            "numeric-sort",
            "random-sort",
            "reverse",
            "version-sort",
            "check",
            "merge",
            "stable",
            "unique",
            "zero-terminated",
            "month-sort",
            "dictionary-order",
            "debug",
        ],
        long_value: &["key", "field-separator", "buffer-size", "parallel", "sort", "check", "batch-size"],
        ..Row::of(&["sort"], Operands::Paths)
    };
    check(&SORT, arguments)
}

/// It looks at the first letters of a flag alone, knows no clusters, and writes its second operand; whatever comes behind the
/// first is one.
pub(super) fn xxd(arguments: &[Token]) -> Option<Reads> {
    const PLAIN: [&str; 11] = ["-a", "-b", "-C", "-e", "-E", "-i", "-p", "-ps", "-u", "-v", "-d"];
    const NUMBERED: [&str; 5] = ["-c", "-g", "-l", "-o", "-s"];
    let number = |text: &str| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let digits = digits.strip_prefix("0x").unwrap_or(digits);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let mut rest = arguments.iter();
    while let Some(token) = rest.next() {
        if !token.text.starts_with('-') && !begins_unknown(token) {
            let only = !token.glob && !token.splits && rest.next().is_none();
            return only.then(|| Reads::of(vec![token.clone()]));
        }
        let text = token.literal()?;
        match text {
            _ if PLAIN.contains(&text) => {}
            _ if NUMBERED.contains(&text) => drop(rest.next()?.literal().filter(|value| number(value))?),
            _ => {
                let (flag, value) = text.split_at_checked(2)?;
                (NUMBERED.contains(&flag) && number(value)).then_some(())?;
            }
        }
    }
    Some(Reads::nothing())
}

/// Nothing is known of how it begins.
fn begins_unknown(token: &Token) -> bool {
    token.text.is_empty() && !token.exact
}

/// Pagers: where no terminal is, they hand the text on. A word that begins with `+` is a command.
pub(super) fn pager(program: &str, arguments: &[Token]) -> Option<Reads> {
    const LESS: Row = Row { short: "FgiImMnNqQrRsSX", ..Row::of(&["less"], Operands::Paths) };
    const MORE: Row = Row::of(&["more"], Operands::Paths);
    const BAT: Row = Row {
        short: "nApPu",
        short_value: "lHr",
        long: &["plain", "number", "show-all", "no-pager"],
        long_value: &[
            "style",
            "color",
            "paging",
            "language",
            "line-range",
            "highlight-line",
            "theme",
            "wrap",
        ],
        ..Row::of(&["bat", "batcat"], Operands::Paths)
    };
    let row = match program {
        "less" => LESS,
        "more" => MORE,
        _ => BAT,
    };
    // `bat cache` writes.
    let commands = |token: &Token| {
        crate::arguments::begins_as_glob(token) || token.text.starts_with('+') || token.text == "cache"
    };
    let parsed = parse(&row, arguments)?;
    let paged = parsed.values_are(&["paging"], |when| when == "never");
    (paged && !parsed.operands.iter().any(commands)).then(|| reads(&row, parsed)).flatten()
}
