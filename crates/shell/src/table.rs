//! The programs that only read, and with which flags. Whatever is not here asks. One family a file.

mod awk;
mod files;
mod find;
mod git;
mod jq;
mod search;
mod sed;
mod shell;
mod system;
mod text;

pub(crate) use git::{Content, GitReads, Start, contents_of_others as git_contents};
pub(crate) use sed::is_plain as sed_script_is_plain;

use crate::arguments::{Reads, Row, check};
use crate::word::Token;

/// What the command reads, if it is one that only reads.
pub(crate) fn read_only(program: &str, arguments: &[Token]) -> Option<Reads> {
    match program {
        "git" => return git::check(arguments),
        "find" => return find::check(arguments),
        "sed" => return sed::check(arguments),
        "awk" | "gawk" | "mawk" => return awk::check(arguments),
        "jq" => return jq::check(arguments),
        "sort" => return text::sort(arguments),
        "date" => return system::date(arguments),
        "ps" => return system::processes(arguments),
        "[" | "test" | "printf" | "read" | "cd" | "pushd" | "command" | "type" => {
            return shell::check(program, arguments);
        }
        _ => {}
    }
    // A version is told by programs whose other uses are not let through.
    if shell::tells_version(program, arguments) {
        return Some(Reads::nothing());
    }
    let rows: [&[Row]; 5] = [files::ROWS, search::ROWS, shell::ROWS, system::ROWS, text::ROWS];
    let row = rows.into_iter().flatten().find(|row| row.names.contains(&program))?;
    if let [only] = arguments
        && matches!(only.literal(), Some("--help" | "--version"))
    {
        return Some(Reads::nothing());
    }
    check(row, arguments)
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
