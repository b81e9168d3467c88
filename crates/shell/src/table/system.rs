//! Programs that tell of the machine, the person and the time.

use crate::arguments::{Operands, Reads, Row, parse, reads};
use crate::names;
use crate::word::Token;

pub(super) const ROWS: &[Row] = &[
    Row {
        short: "amnioprsv",
        long: &[
            "all",
            "kernel-name",
            "nodename",
            "kernel-release",
            "kernel-version",
            "machine",
            "operating-system",
        ],
        ..Row::of(&["uname"], Operands::None)
    },
    Row::of(&["whoami", "arch", "nproc", "tty", "logname", "locale"], Operands::None),
    Row {
        short: "ugGnrz",
        long: &["user", "group", "groups", "name", "real", "zero"],
        ..Row::of(&["id", "groups"], Operands::Words)
    },
    // An operand would set it; what asks for addresses and domains asks the network.
    Row { short: "sI", ..Row::of(&["hostname"], Operands::None) },
    Row { short: "ps", long: &["pretty", "since"], ..Row::of(&["uptime"], Operands::None) },
    Row {
        short: "bkmghtlvw",
        long: &["human", "mega", "giga", "total", "si", "wide"],
        ..Row::of(&["free"], Operands::None)
    },
    Row { short: "lfanixcv", short_value: "uUPgGts", ..Row::of(&["pgrep"], Operands::Words) },
    Row {
        short: "aAbdDfiJlmnOpPrsStz",
        short_value: "oeIxw",
        short_optional: "T",
        long: &["all", "bytes", "fs", "json", "list", "noheadings", "output-all", "paths", "perms", "tree"],
        long_value: &["output", "exclude", "include", "sort", "width"],
        ..Row::of(&["lsblk"], Operands::None)
    },
    Row {
        short: "abcJxyB",
        short_optional: "ep",
        long: &["all", "bytes", "json", "hex", "online", "offline", "parse", "extended"],
        long_value: &["parse", "extended"],
        ..Row::of(&["lscpu"], Operands::None)
    },
    Row { short: "13jmwyhS", number: true, ..Row::of(&["cal", "ncal"], Operands::Words) },
    // `-K` ends connections, `-D` writes, `-F` reads a file, `-r` asks the network.
    Row {
        short: "tulnpaxw0460eimosHO",
        long: &["tcp", "udp", "listening", "numeric", "processes", "all", "unix", "summary"],
        ..Row::of(&["ss"], Operands::None)
    },
];

/// A bare operand sets the clock, and so does `-s`; `-f` reads a file of times, and is left out.
pub(super) fn date(arguments: &[Token]) -> Option<Reads> {
    const DATE: Row = Row {
        short: "uR",
        short_value: "d",
        short_optional: "I",
        short_path: "r",
        long: &["utc", "universal", "iso-8601", "rfc-email"],
        long_value: &["date", "iso-8601", "rfc-3339"],
        long_path: &["reference"],
        ..Row::of(&["date"], Operands::Words)
    };
    let parsed = parse(&DATE, arguments)?;
    let format = |token: &Token| token.text.starts_with('+');
    // A time may begin with the zone it is in, which is the name of a file.
    let zone_elsewhere = |token: &Token| {
        token.text.split_once("TZ=").is_some_and(|(_, zone)| !names::is_zone(zone.trim_start_matches('"')))
    };
    let told = parsed.operands.len() <= 1
        && parsed.operands.iter().all(format)
        && !arguments.iter().any(zone_elsewhere);
    told.then(|| reads(&DATE, parsed)).flatten()
}

/// Without names of hosts and services, which the network would be asked for.
pub(super) fn connections(arguments: &[Token]) -> Option<Reads> {
    const NETSTAT: Row = Row { short: "tulnpaxieorsw46", ..Row::of(&["netstat"], Operands::None) };
    let parsed = parse(&NETSTAT, arguments)?;
    parsed.has(&["n"]).then(Reads::nothing)
}

/// Once, onto standard output: else it is a screen of its own.
pub(super) fn top(arguments: &[Token]) -> Option<Reads> {
    const TOP: Row = Row { short: "bcHi1", short_value: "no", ..Row::of(&["top"], Operands::None) };
    let parsed = parse(&TOP, arguments)?;
    parsed.has(&["b"]).then(|| reads(&TOP, parsed)).flatten()
}

/// What the terminal can do; other words send it something that a file holds.
pub(super) fn terminal(arguments: &[Token]) -> Option<Reads> {
    const TELL: [&str; 16] = [
        "cols", "lines", "colors", "bold", "sgr0", "smul", "rmul", "smso", "rmso", "rev", "dim", "setaf",
        "setab", "longname", "el", "cr",
    ];
    let mut words = arguments.iter().map(Token::literal);
    let known = words.next().flatten().is_some_and(|first| TELL.contains(&first));
    let number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    (known && words.all(|word| word.is_some_and(number))).then(Reads::nothing)
}

/// `ps e` would show the environment of every program, keys included: of the words without a dash a few usual ones, and columns
/// that are known.
pub(super) fn processes(arguments: &[Token]) -> Option<Reads> {
    const USUAL: [&str; 7] = ["aux", "auxww", "auxf", "ax", "axf", "x", "a"];
    const PLAIN: &str = "eAafFlLjTHwd";
    const NAMED: &str = "puUgGCtq";
    const LONG: [&str; 5] = ["--forest", "--no-headers", "--no-heading", "--headers", "--help"];
    // Letters that are no list make it read all words anew, as BSD does: then `e` is the environment (`-aux` is read so).
    let is_number = |list: &str| list.chars().all(|part| part.is_ascii_digit() || part == ',');
    let (mut read_anew, mut tells_environment) = (false, false);
    let mut rest = arguments.iter().map(Token::literal);
    while let Some(word) = rest.next() {
        let word = word?;
        tells_environment |= !word.starts_with("--") && word.contains(['e', 'E']);
        if let Some(keys) = word.strip_prefix("--sort=") {
            keys.split(',').all(|key| is_column(key.trim_start_matches(['+', '-']))).then_some(())?;
            continue;
        }
        if USUAL.contains(&word) || LONG.contains(&word) {
            continue;
        }
        let cluster =
            word.strip_prefix('-').filter(|cluster| !cluster.is_empty() && !cluster.starts_with('-'))?;
        let end = cluster.find(|flag| !PLAIN.contains(flag)).unwrap_or(cluster.len());
        let mut valued = cluster.get(end..)?.chars();
        let Some(flag) = valued.next() else { continue };
        let value = match valued.as_str() {
            "" => rest.next()??,
            glued => {
                read_anew |= !matches!(flag, 'o' | 'O') && !is_number(glued);
                glued
            }
        };
        let fine = match flag {
            'o' | 'O' => columns(value),
            _ => NAMED.contains(flag) && is_list(value),
        };
        fine.then_some(())?;
        tells_environment |= !matches!(flag, 'o' | 'O') && value.contains(['e', 'E']);
    }
    (!read_anew || !tells_environment).then(Reads::nothing)
}

/// Names of columns; behind `=` stands the heading of the last. Whether a comma in a heading ends it depends on the version and
/// on `PS_PERSONALITY`.
fn columns(list: &str) -> bool {
    let (names, heading) = list.split_once('=').unwrap_or((list, ""));
    names.split([',', ' ']).all(is_column) && !heading.contains([',', ' ', '='])
}

fn is_column(name: &str) -> bool {
    const COLUMNS: [&str; 60] = [
        "pid",
        "ppid",
        "pgid",
        "pgrp",
        "sid",
        "sess",
        "session",
        "tid",
        "lwp",
        "spid",
        "tgid",
        "user",
        "uid",
        "euser",
        "euid",
        "ruser",
        "ruid",
        "group",
        "gid",
        "egroup",
        "egid",
        "rgroup",
        "rgid",
        "comm",
        "ucmd",
        "ucomm",
        "args",
        "cmd",
        "command",
        "fname",
        "%cpu",
        "pcpu",
        "c",
        "cp",
        "%mem",
        "pmem",
        "etime",
        "etimes",
        "time",
        "cputime",
        "cputimes",
        "times",
        "stat",
        "state",
        "s",
        "tty",
        "tt",
        "tname",
        "start",
        "lstart",
        "start_time",
        "stime",
        "rss",
        "rssize",
        "rsz",
        "vsz",
        "vsize",
        "nice",
        "ni",
        "pri",
    ];
    const MORE: [&str; 12] =
        ["psr", "nlwp", "thcount", "wchan", "sz", "size", "cls", "class", "rtprio", "policy", "tpgid", "drs"];
    COLUMNS.contains(&name) || MORE.contains(&name)
}

/// Numbers and names apart by commas.
fn is_list(value: &str) -> bool {
    let part = |character: char| character.is_ascii_alphanumeric() || ",._+/ -".contains(character);
    !value.is_empty() && !value.starts_with('-') && value.chars().all(part)
}
