//! Git commands that the table does not let through: the files that they are known to show, for rules that deny.

use toolwright_core::PathAccess;

use super::content::{Content, of_changes, of_revision};
use super::flags::Given;
use super::{GitReads, Start};
use crate::word::Token;

/// Sub-commands that show or hand out the content of files, beside those that change them.
const SHOWING: [&str; 21] = [
    "annotate",
    "archive",
    "blame",
    "bundle",
    "cat-file",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "difftool",
    "format-patch",
    "grep",
    "hash-object",
    "log",
    "range-diff",
    "reflog",
    "show",
    "stash",
    "fast-export",
    "whatchanged",
    "checkout-index",
];

/// What may be shown, whichever flags there are: every word may be a revision or a path, behind a flag too. None: not known to
/// show anything.
pub(crate) fn contents(arguments: &[Token]) -> Option<GitReads> {
    let mut folders = Vec::new();
    let mut words = arguments.iter();
    let name = loop {
        let word = words.next()?.literal()?;
        match word {
            "-C" => folders.push(words.next()?.literal()?.to_owned()),
            "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--config-env" | "--attr-source" => {
                words.next()?;
            }
            flag if flag.starts_with('-') => {}
            name => break name,
        }
    };
    SHOWING.contains(&name).then_some(())?;
    let rest: Vec<&Token> = words.collect();
    let writes = |words: &[&str]| {
        rest.first().and_then(|word| word.literal()).is_some_and(|word| words.contains(&word))
    };
    if (name == "stash" && !writes(&["show", "list"])) || (name == "bundle" && !writes(&["create"])) {
        return None;
    }
    let mut given = Given { flags: Vec::new(), operands: Vec::new(), paths: None };
    let mut contents = Vec::new();
    for token in rest {
        match (&mut given.paths, token.text.as_str()) {
            (Some(paths), _) => paths.push(token),
            (None, "--") => given.paths = Some(Vec::new()),
            (None, flag) if flag.starts_with('-') => {
                let value = flag.split_once('=').map(|(_, value)| value);
                contents.extend(value.map(|value| Content::new(Start::Here, value, PathAccess::Read)));
            }
            (None, _) => given.operands.push(token),
        }
    }
    let known = given.operands.iter().chain(given.paths.iter().flatten()).all(|token| token.exact);
    if !known {
        contents.push(Content::all());
    }
    let reads_names = name == "hash-object" || is_names_alone(name, arguments);
    if reads_names {
        let named = given.operands.iter().filter(|token| token.exact);
        for token in named.clone() {
            contents.extend(of_revision(&token.text, PathAccess::Read).unwrap_or_default());
        }
        if name == "hash-object" {
            contents.extend(named.map(|token| Content::new(Start::Here, &token.text, PathAccess::Read)));
        }
    } else {
        contents.extend(of_changes(&given));
    }
    contents.sort_by(|one, other| one.path.cmp(&other.path));
    contents.dedup();
    Some(GitReads { folders, contents })
}

/// No more than names and numbers, as far as a flag says so and none says otherwise.
fn is_names_alone(name: &str, arguments: &[Token]) -> bool {
    let has = |names: &[&str]| {
        arguments.iter().any(|token| token.text.split('=').next().is_some_and(|flag| names.contains(&flag)))
    };
    let lines = has(&["-p", "-u", "--patch", "-U", "--unified", "-L", "-c", "--cc", "-m", "-S", "-G"]);
    let names =
        has(&["--name-only", "--name-status", "--stat", "--numstat", "--shortstat", "--no-patch", "-s"]);
    match name {
        "log" | "reflog" | "whatchanged" | "diff-tree" | "diff-index" | "diff-files" => {
            let cluster = |token: &Token| {
                token.text.starts_with('-')
                    && !token.text.starts_with("--")
                    && token.text.contains(['p', 'u', 'U', 'c', 'm', 'L', 'S', 'G', 'W'])
            };
            !lines && !arguments.iter().any(cluster) && !has(&["--full-diff", "--word-diff", "--binary"])
        }
        "diff" | "show" | "stash" => names && !lines,
        _ => false,
    }
}
