//! The programs that only read, and with which flags. Whatever is not here asks. One family a file.

mod archive;
mod awk;
mod compare;
mod files;
mod find;
mod git;
mod jq;
mod search;
mod sed;
mod shell;
mod system;
mod text;

pub(crate) use git::{Content, GitReads, Start, contents_of_others as git_contents, may_name_blob};
pub(crate) use sed::is_plain as sed_script_is_plain;

use crate::arguments::{Reads, Row, check};
use crate::word::Token;

const ROWS: [&[Row]; 6] = [compare::ROWS, files::ROWS, search::ROWS, shell::ROWS, system::ROWS, text::ROWS];

/// What the command reads, if it is one that only reads.
pub(crate) fn read_only(program: &str, arguments: &[Token]) -> Option<Reads> {
    let mut reads = known(program, arguments)?;
    // The shell itself looks into the folder of a glob, whatever the program takes the names for.
    for token in arguments.iter().filter(|token| token.glob) {
        if !reads.paths.contains(token) {
            reads.paths.push(token.clone());
        }
    }
    Some(reads)
}

fn known(program: &str, arguments: &[Token]) -> Option<Reads> {
    if let Some(reads) = of_its_own(program, arguments) {
        return reads.or_else(|| explains(program, arguments));
    }
    // A version is told by programs whose other uses are not let through.
    if shell::tells_version(program, arguments) {
        return Some(Reads::nothing());
    }
    let row = ROWS.into_iter().flatten().find(|row| row.names.contains(&program))?;
    check(row, arguments).or_else(|| explains(program, arguments))
}

/// Programs for which a row does not do.
fn of_its_own(program: &str, arguments: &[Token]) -> Option<Option<Reads>> {
    Some(match program {
        "git" => git::check(arguments),
        "find" => find::check(arguments),
        "sed" => sed::check(arguments),
        "awk" | "gawk" | "mawk" | "nawk" => awk::check(arguments),
        "jq" => jq::check(arguments),
        "grep" | "egrep" | "fgrep" => search::grep(program, arguments),
        "rg" => search::ripgrep(arguments),
        "ls" | "dir" | "vdir" => files::list(arguments),
        "tree" => files::tree(arguments),
        "strings" => files::strings(arguments),
        "diff" => compare::diff(arguments),
        "sort" => text::sort(arguments),
        "xxd" => text::xxd(arguments),
        "less" | "more" | "bat" | "batcat" => text::pager(program, arguments),
        "date" => system::date(arguments),
        "ps" => system::processes(arguments),
        "netstat" => system::connections(arguments),
        "top" => system::top(arguments),
        "tput" => system::terminal(arguments),
        "gzip" | "gunzip" | "zcat" | "gzcat" => archive::gzip(program, arguments),
        "bzcat" | "xzcat" | "zstdcat" => archive::decompressed(arguments),
        "unzip" => archive::unzip(arguments),
        "tar" => archive::tar(arguments).or_else(|| told(program, arguments)),
        "openssl" => archive::certificate(arguments),
        "[" | "test" | "printf" | "read" | "cd" | "pushd" | "command" | "type" => {
            shell::check(program, arguments)
        }
        _ => return None,
    })
}

fn told(program: &str, arguments: &[Token]) -> Option<Reads> {
    shell::tells_version(program, arguments).then(Reads::nothing)
}

/// `--help` alone, and `--version`: of programs that show no page of a manual for it.
fn explains(program: &str, arguments: &[Token]) -> Option<Reads> {
    const OTHERS: [&str; 9] = ["git", "awk", "gawk", "mawk", "nawk", "less", "more", "bat", "batcat"];
    let [only] = arguments else { return None };
    let asked = matches!(only.literal(), Some("--help" | "--version"));
    (asked && !OTHERS.contains(&program) && !is_builtin(program)).then(Reads::nothing)
}

/// Names of the table that are commands of the shell itself.
pub(crate) fn is_builtin(program: &str) -> bool {
    const THOSE: [&str; 24] = [
        "[", "test", "printf", "read", "cd", "pushd", "popd", "command", "type", "echo", "true", "false",
        ":", "pwd", "break", "continue", "exit", "return", "wait", "dirs", "times", "jobs", "time",
        "builtin",
    ];
    THOSE.contains(&program)
}

/// Built-ins after which names may mean something else.
pub(crate) fn changes_state(program: &str) -> bool {
    const THOSE: [&str; 29] = [
        "export",
        "declare",
        "typeset",
        "local",
        "readonly",
        "unset",
        "let",
        "eval",
        "source",
        ".",
        "exec",
        "trap",
        "alias",
        "unalias",
        "hash",
        "set",
        "shopt",
        "enable",
        "mapfile",
        "readarray",
        "getopts",
        "complete",
        "compgen",
        "compopt",
        "read",
        "printf",
        "fc",
        "bind",
        "ulimit",
    ];
    THOSE.contains(&program)
}
