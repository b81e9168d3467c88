//! Programs that compare files.

use crate::arguments::{Operands, Reads, Row, parse, reads};
use crate::word::Token;

pub(super) const ROWS: &[Row] = &[
    Row {
        short: "123z",
        long: &["total", "check-order", "nocheck-order", "zero-terminated"],
        long_value: &["output-delimiter"],
        ..Row::of(&["comm"], Operands::Paths)
    },
    Row {
        short: "bls",
        short_value: "in",
        long: &["silent", "quiet", "verbose", "print-bytes"],
        long_value: &["bytes", "ignore-initial"],
        ..Row::of(&["cmp"], Operands::Paths)
    },
];

/// What lies in a folder is opened, through links as well: two files, or no link is followed, or the host looks for links. `-l` starts another program, and
/// flags that name files are left out.
pub(super) fn diff(arguments: &[Token]) -> Option<Reads> {
    const DIFF: Row = Row {
        short: "bBcqrspuNwaidEetTnyZ",
        short_value: "UCWIxFD",
        long: &[
            "normal",
            "brief",
            "unified",
            "ed",
            "rcs",
            "report-identical-files",
            "recursive",
            "ignore-case",
            "ignore-all-space",
            "ignore-space-change",
            "ignore-blank-lines",
            "ignore-tab-expansion",
            "ignore-trailing-space",
            "side-by-side",
            "left-column",
            "suppress-common-lines",
            "suppress-blank-empty",
            "show-c-function",
            "text",
            "new-file",
            "unidirectional-new-file",
            "minimal",
            "strip-trailing-cr",
            "expand-tabs",
            "initial-tab",
            "speed-large-files",
            "context",
            "color",
            "no-dereference",
        ],
        long_value: &[
            "unified",
            "context",
            "width",
            "label",
            "exclude",
            "color",
            "tabsize",
            "horizon-lines",
            "show-function-line",
            "ignore-matching-lines",
        ],
        ..Row::of(&["diff"], Operands::Paths)
    };
    let parsed = parse(&DIFF, arguments)?;
    let unfollowed = parsed.has(&["no-dereference"]);
    let recursive = parsed.has(&["r", "recursive"]);
    let reads = reads(&DIFF, parsed)?;
    let known = reads.paths.iter().all(|path| path.exact && !path.glob);
    let below = unfollowed || recursive;
    (unfollowed || known).then_some(Reads {
        below,
        followed: !unfollowed && recursive,
        files: !below,
        ..reads
    })
}
