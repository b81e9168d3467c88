//! Pieces that scripts are made of: names, plain words, what reads, and what would show where it is read as a command.

use crate::linux::random::Random;

/// Something that shows where it is read as a command.
pub(crate) fn payload(random: &mut Random) -> String {
    const PAYLOADS: &[&str] = &[
        "$(touch pwned)",
        "`touch pwned`",
        ";touch pwned;",
        "\ntouch pwned\n",
        ">pwned",
        "<(touch pwned)",
        "a[$(touch pwned)]",
        "&&touch pwned",
        "|touch pwned",
        "$(./evil)",
        "${x@P}",
        "$((a[$(touch pwned)]))",
        "../out/secret.txt",
        "$(<../out/secret.txt)",
        "${ touch pwned; }",
        "touch pwned",
        "${x:-$(touch pwned)}",
        "'$(touch pwned)'",
        "\"$(touch pwned)\"",
        "\\$(touch pwned)",
        "{touch,pwned}",
        "eval touch pwned",
    ];
    random.word(PAYLOADS).into()
}

/// A substitution that runs a command.
pub(crate) fn substitution(random: &mut Random, command: &str) -> String {
    match random.below(5) {
        0 => format!("`{command}`"),
        1 => format!("$( {command} )"),
        2 => format!("<({command})"),
        3 => format!("$(\n{command}\n)"),
        _ => format!("\"$({command})\""),
    }
}

/// A payload as a text that must stay one.
pub(super) fn payload_bare(random: &mut Random) -> String {
    let payload = payload(random);
    payload.replace('\'', "")
}

pub(super) fn payload_quoted(random: &mut Random) -> String {
    format!("'{}'", payload_bare(random))
}

pub(super) const NAMES: &[&str] = &[
    "x",
    "y",
    "i",
    "a",
    "b",
    "HOME",
    "PWD",
    "PATH",
    "IFS",
    "_",
    "1",
    "@",
    "*",
    "#",
    "?",
    "-",
    "!",
    "$",
    "0",
    "RANDOM",
    "LINENO",
    "BASH_REMATCH",
    "REPLY",
];
/// Words without meaning of their own, or nearly so.
pub(super) const PLAIN: &[&str] = &[
    "a",
    "README.md",
    "f0",
    "f1",
    "x",
    "src",
    "--",
    "-n",
    "1",
    "2",
    "b=c",
    "x=",
    "%s",
    "foo#bar",
    "#",
    "~",
    "~/x",
    "a:b",
    "{}",
    "!",
    "=",
    "+",
    "pwned",
    "EOF",
    "it",
    "do",
    "in",
    "a/b",
];
/// Beginnings of commands.
pub(super) const FOR_READING: &[&str] = &[
    "echo",
    "echo",
    "echo",
    "printf '%s\\n'",
    "cat",
    "ls",
    "head -1",
    "wc -l",
    "grep x",
    "true",
    ":",
    "test",
    "[",
    "sort",
    "git log -1",
    "git status",
    "date",
    "pwd",
    "basename",
    "dirname",
    "tr a b",
    "cut -c1",
    "seq 3",
    "find . -maxdepth 1 -name",
    "stat",
    "file",
    "sed -n 1p",
    "awk 1",
    "jq .",
    "diff f0",
    "uniq",
    "tac",
    "nl",
    "rev",
    "read x",
    "local x",
    "declare",
    "export",
    "unset",
    "set --",
    "shift",
    "return",
    "break",
    "exit",
    "type",
    "command -v",
    "which",
    "let",
    "cd",
    "eval",
    "source",
    "mapfile a",
    "trap",
    "sleep 0",
];
