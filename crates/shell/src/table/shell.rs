//! The shell's own commands, and words that change nothing.

use crate::arguments::{Operands, Reads, Row};
use crate::word::Token;

pub(super) const ROWS: &[Row] = &[
    Row { harmless: true, ..Row::of(&["echo", "true", "false", ":"], Operands::Words) },
    Row { short: "LP", ..Row::of(&["pwd"], Operands::None) },
    Row {
        short: "fsw",
        short_value: "s",
        number: true,
        harmless: true,
        ..Row::of(&["seq", "expr", "sleep", "factor"], Operands::Words)
    },
    Row::of(&["break", "continue", "exit", "return", "wait", "popd"], Operands::Words),
];

pub(super) fn check(program: &str, arguments: &[Token]) -> Option<Reads> {
    match program {
        "[" | "test" => test(arguments),
        // `-v` sets a variable; a first word that is not known may be it.
        "printf" => {
            let first = arguments.first()?;
            let plain = first.exact && !first.splits && !first.text.starts_with('-') && !first.glob;
            (plain && !format_sets(&first.text)).then(Reads::words)
        }
        "read" => read(arguments),
        "cd" | "pushd" => folder(arguments),
        "command" => lookup(arguments, &["-v", "-V"]),
        "type" => lookup(arguments, &["-a", "-t", "-p", "-P"]),
        _ => None,
    }
}

/// `%n` sets the variable that an argument names.
fn format_sets(format: &str) -> bool {
    format.replace("%%", "").split('%').skip(1).any(|conversion| {
        let modifier = |character: char| character.is_ascii_digit() || "-+ #'0.*hjlLtzq".contains(character);
        conversion.trim_start_matches(modifier).starts_with('n')
    })
}

/// Says what a name would run, and does not run it.
fn lookup(arguments: &[Token], flags: &[&str]) -> Option<Reads> {
    let known = arguments.iter().map(Token::literal).collect::<Option<Vec<_>>>()?;
    let flagged = known.first().is_some_and(|first| first.starts_with('-'));
    let fine = known.iter().all(|word| !word.starts_with('-') || flags.contains(word));
    // `command` without a flag runs what follows, and is taken away before this is asked.
    (fine && (flagged || flags.contains(&"-t"))).then(Reads::nothing)
}

/// `-v` and `-R` evaluate a subscript as code, so no word that is not known may stand where an operator could.
fn test(arguments: &[Token]) -> Option<Reads> {
    const OPERATORS: [&str; 26] = [
        "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-n", "-z", "-f", "-d", "-e",
        "-s", "-r", "-w", "-x", "-L", "-h", "-nt", "-ot", "-ef", "-p",
    ];
    let known =
        |token: Option<&Token>| token.and_then(Token::literal).is_some_and(|text| OPERATORS.contains(&text));
    for (index, token) in arguments.iter().enumerate() {
        match token.literal() {
            Some("-v" | "-R") => return None,
            Some(_) => {}
            None if token.splits => return None,
            None => {
                let before = index.checked_sub(1).and_then(|before| arguments.get(before));
                let after = arguments.get(index + 1);
                if !known(before) && !known(after) {
                    return None;
                }
            }
        }
    }
    Some(Reads::nothing())
}

/// Plain names alone: a subscript is evaluated, and other flags reach further.
fn read(arguments: &[Token]) -> Option<Reads> {
    let is_name = |text: &str| {
        !text.is_empty()
            && !text.starts_with(|first: char| first.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let fine = |token: &Token| token.literal().is_some_and(|text| text == "-r" || is_name(text));
    arguments.iter().all(fine).then(Reads::nothing)
}

/// One known folder. Where it is not known, what comes after cannot be judged.
fn folder(arguments: &[Token]) -> Option<Reads> {
    let operands: Vec<&Token> = arguments.iter().filter(|token| token.literal() != Some("--")).collect();
    match operands.as_slice() {
        [] => Some(Reads::nothing()),
        [target] => {
            let text = target.literal()?;
            (!text.starts_with(['-', '+']))
                .then(|| Reads { paths: vec![(*target).clone()], ..Reads::default() })
        }
        _ => None,
    }
}

/// Programs that tell their version without looking at the folder they are in. (yarn, for one,
/// runs what it finds there, and go fetches the toolchain that `go.mod` names.)
pub(super) fn tells_version(program: &str, arguments: &[Token]) -> bool {
    const TELL: [&str; 18] = [
        "node", "python", "python3", "ruby", "perl", "tar", "gcc", "g++", "clang", "make", "cmake", "bash",
        "curl", "jq", "gzip", "docker", "gh", "sqlite3",
    ];
    let [only] = arguments else { return false };
    let asked = only.literal();
    TELL.contains(&program) && (asked == Some("--version") || (program == "node" && asked == Some("-v")))
}
