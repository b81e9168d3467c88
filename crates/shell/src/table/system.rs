//! Programs that tell of the machine, the person and the time.

use crate::arguments::{Operands, Reads, Row, check};
use crate::word::Token;

pub(super) const ROWS: &[Row] = &[
    Row {
        short: "amnioprsv",
        long: &["all", "kernel-name", "nodename", "kernel-release", "machine", "operating-system"],
        ..Row::of(&["uname"], Operands::None)
    },
    Row::of(&["whoami", "arch", "nproc", "tty", "logname"], Operands::None),
    Row { short: "ugGnrz", ..Row::of(&["id", "groups"], Operands::Words) },
    // An operand would set it.
    Row { short: "adfiIsAy", ..Row::of(&["hostname"], Operands::None) },
    Row { short: "ps", long: &["pretty", "since"], ..Row::of(&["uptime"], Operands::None) },
    Row { short: "bkmghtlvw", long: &["human", "total", "si"], ..Row::of(&["free"], Operands::None) },
    Row { short: "lfanixcv", short_value: "uUPg", ..Row::of(&["pgrep"], Operands::Words) },
];

/// A bare operand sets the clock, and so does `-s`; `-f` reads a file, and is left out.
pub(super) fn date(arguments: &[Token]) -> Option<Reads> {
    const DATE: Row = Row {
        short: "uRI",
        short_value: "d",
        long: &["utc", "universal", "iso-8601", "rfc-email"],
        long_value: &["date", "iso-8601", "rfc-3339"],
        ..Row::of(&["date"], Operands::Words)
    };
    let (formats, rest): (Vec<Token>, Vec<Token>) = arguments
        .iter()
        .cloned()
        .partition(|token| token.literal().is_some_and(|text| text.starts_with('+')));
    // Without formats every word must be a flag or a flag's value.
    let none = Row { operands: Operands::None, ..DATE };
    (formats.len() <= 1).then_some(())?;
    check(&none, &rest)
}

/// A few usual forms: `ps e` would show the environment of the host, keys included.
pub(super) fn processes(arguments: &[Token]) -> Option<Reads> {
    const USUAL: [&str; 6] = ["aux", "auxww", "ax", "-e", "-ef", "-A"];
    arguments
        .iter()
        .all(|token| token.literal().is_some_and(|word| USUAL.contains(&word)))
        .then(Reads::nothing)
}
