//! Words of which it is not known what they are when the command runs: a program that opens what it is told may be told any file.

use super::words::{BEFORE, TEXT_ALONE};
use crate::word::Token;

/// Built-in commands of the shell that open none of their words. Those that read scripts have rows of their own.
const OPEN_NOTHING: [&str; 22] = [
    "export",
    "declare",
    "typeset",
    "local",
    "readonly",
    "read",
    "mapfile",
    "readarray",
    "let",
    "test",
    "[",
    "cd",
    "pushd",
    "popd",
    "type",
    "hash",
    "which",
    "jobs",
    "fg",
    "bg",
    "disown",
    "alias",
];

/// Programs that open files by flags alone, of which the flags have a row, or none at all.
const BY_FLAGS: [&str; 15] = [
    "curl",
    "wget",
    "wget2",
    "aria2c",
    "pkill",
    "killall",
    "systemctl",
    "seq",
    "basename",
    "dirname",
    "yes",
    "ping",
    "id",
    "ls",
    "notify-send",
];

/// Commands of programs whose words are names of branches, containers and the like, and files by flags alone.
const NAMES: &[(&str, &[&[&str]])] = &[
    (
        "git",
        &[
            &["push"],
            &["pull"],
            &["fetch"],
            &["merge"],
            &["rebase"],
            &["branch"],
            &["tag"],
            &["switch"],
            &["remote"],
            &["cherry-pick"],
            &["revert"],
            &["reset"],
            &["clone"],
            &["worktree"],
            &["rev-parse"],
            &["bisect"],
            &["checkout"],
        ],
    ),
    ("docker", CONTAINERS),
    ("podman", CONTAINERS),
    (
        "gh",
        &[
            &["pr", "view"],
            &["pr", "list"],
            &["pr", "diff"],
            &["pr", "checks"],
            &["pr", "checkout"],
            &["pr", "close"],
            &["pr", "ready"],
            &["issue", "view"],
            &["issue", "list"],
            &["issue", "close"],
            &["run", "view"],
            &["run", "list"],
            &["run", "watch"],
            &["run", "rerun"],
            &["run", "cancel"],
        ],
    ),
];

const CONTAINERS: &[&[&str]] = &[
    &["logs"],
    &["stop"],
    &["start"],
    &["restart"],
    &["kill"],
    &["rm"],
    &["rmi"],
    &["inspect"],
    &["pull"],
    &["push"],
    &["tag"],
    &["wait"],
    &["port"],
    &["top"],
];

/// Flags whose value is a text that the program keeps or sends as it is.
const TEXTS: &[(&[&str], &[&str])] = &[
    (&["git", "hg", "jj", "svn"], &["-m", "-am", "--message", "--author", "--date", "--grep"]),
    (
        &["gh", "glab", "hub", "tea"],
        &["-t", "-b", "--title", "--body", "--label", "--notes", "--description", "--message"],
    ),
];

/// Patterns of the files that such words may name; none for any file.
pub(super) fn patterns(program: &str, arguments: &[Token]) -> Vec<Option<String>> {
    let mut patterns = Vec::new();
    if arguments.iter().all(|token| token.exact) || !opens_words(program, arguments) {
        return patterns;
    }
    let texts =
        TEXTS.iter().find(|(programs, _)| programs.contains(&program)).map_or(&[][..], |(_, flags)| flags);
    let mut before = "";
    for token in arguments {
        let is_text = texts.contains(&before)
            || token.text.split_once('=').is_some_and(|(flag, _)| texts.contains(&flag));
        before = if token.exact { token.text.as_str() } else { "" };
        if token.exact || token.found || is_text || is_address(&token.text) {
            continue;
        }
        let pattern = if token.figures {
            let name = token.text.rsplit(BEFORE).next().unwrap_or_default();
            if name.is_empty() || (name.starts_with('-') && !name.contains('/')) {
                continue;
            }
            Some(format!("{name}*"))
        } else {
            None
        };
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    patterns
}

/// Whether it may open what a word names that is no value of a flag.
pub(super) fn opens_words(program: &str, arguments: &[Token]) -> bool {
    !(TEXT_ALONE.contains(&program)
        || OPEN_NOTHING.contains(&program)
        || BY_FLAGS.contains(&program)
        || takes_names(program, arguments))
}

fn takes_names(program: &str, arguments: &[Token]) -> bool {
    let Some((_, commands)) = NAMES.iter().find(|(name, _)| *name == program) else { return false };
    let words = || arguments.iter().filter(|token| !token.text.starts_with('-') || !token.exact);
    commands.iter().any(|command| {
        words().count() >= command.len()
            && words().zip(command.iter()).all(|(word, name)| word.literal() == Some(name))
    })
}

/// `https://x.org/..`, which is no file whatever follows.
fn is_address(text: &str) -> bool {
    let scheme = text.rfind("://").and_then(|at| text.get(..at));
    scheme.is_some_and(|scheme| {
        !scheme.to_ascii_lowercase().ends_with("file") && !scheme.to_ascii_lowercase().ends_with("fileb")
    })
}
