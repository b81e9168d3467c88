//! `jq`: filters on what is given, without files of its own and without the environment.

use crate::arguments::{Operands, Reads, Row, check as check_row};
use crate::word::Token;

const JQ: Row = Row {
    short: "crnsaSCMejR",
    long: &[
        "compact-output",
        "raw-output",
        "null-input",
        "slurp",
        "sort-keys",
        "exit-status",
        "raw-input",
        "tab",
        "join-output",
        "ascii-output",
        "monochrome-output",
        "color-output",
    ],
    ..Row::of(&["jq"], Operands::PatternThenPaths)
};

pub(super) fn check(arguments: &[Token]) -> Option<Reads> {
    let filter = arguments.iter().find(|token| !token.exact || !token.text.starts_with('-'))?.literal()?;
    const WORDS: [&str; 6] = ["env", "$ENV", "import", "include", "input_filename", "get_search_list"];
    if WORDS.iter().any(|word| filter.contains(word)) {
        return None;
    }
    check_row(&JQ, arguments)
}
