//! Git commands that the table does not let through: the files that they may show, for rules that deny.

use toolwright_core::PathAccess;

use super::content::{Content, of_changes, of_revision};
use super::flags::Given;
use super::showing::{self, Shows};
use super::{GitReads, Start, history};
use crate::git_commands::is_known;
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
    let mut may_show_more = false;
    let mut words = arguments.iter();
    let name = loop {
        let word = words.next()?.literal()?;
        match word {
            "-C" => folders.push(words.next()?.literal()?.to_owned()),
            "-c" => may_show_more |= !words.next()?.literal().is_some_and(shows_no_more),
            "--git-dir" | "--work-tree" | "--namespace" | "--config-env" | "--attr-source" => {
                words.next()?;
            }
            flag if flag.starts_with('-') => {}
            name => break name,
        }
    };
    let rest = words.as_slice();
    let first = rest.first().and_then(Token::literal);
    let may_show_all = may_show_more || !is_known(name);
    let shows = match name {
        _ if may_show_all => Some(Shows::Operands),
        "stash" if !matches!(first, Some("show" | "list")) => showing::by_flag(name, rest),
        "bundle" => (first == Some("create")).then_some(Shows::Operands),
        "reflog" if matches!(first, Some("expire" | "delete" | "exists" | "drop" | "write")) => None,
        name if SHOWING.contains(&name) => Some(Shows::Operands),
        _ => showing::by_flag(name, rest).or(showing::by_command(name, rest)),
    };
    if shows? == Shows::All {
        return Some(GitReads { folders, contents: vec![Content::all()] });
    }
    let mut given = Given { flags: Vec::new(), operands: Vec::new(), paths: None };
    let mut contents = Vec::from_iter(may_show_all.then(Content::all));
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
    let reads_names = name == "hash-object" || shows_names_alone(name, rest);
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

/// Whether a setting leaves what commands show as it is. Others may add changed lines (`commit.verbose`) or be an alias.
fn shows_no_more(setting: &str) -> bool {
    const SECTIONS: [&str; 17] = [
        "advice.",
        "author.",
        "color.",
        "commit.gpgsign",
        "committer.",
        "core.",
        "fetch.",
        "gpg.",
        "http.",
        "init.",
        "merge.",
        "protocol.",
        "pull.",
        "push.",
        "safe.",
        "tag.gpgsign",
        "user.",
    ];
    let setting = setting.to_ascii_lowercase();
    SECTIONS.iter().any(|section| setting.starts_with(section))
}

/// No more than names and numbers: every flag is known, and none shows lines.
fn shows_names_alone(name: &str, words: &[Token]) -> bool {
    // They start programs or write, and show no lines where none are asked for.
    let starts = |token: &Token| {
        matches!(token.text.as_str(), "--show-signature" | "--ext-diff" | "--textconv")
            || token.text.starts_with("--output=")
    };
    let words: Vec<Token> = words.iter().filter(|token| !starts(token)).cloned().collect();
    let words = words.as_slice();
    let behind_first = words.get(1..).unwrap_or_default();
    let contents = match (name, words.first().and_then(Token::literal)) {
        ("log" | "whatchanged", _) => history::log(words),
        ("reflog", Some("show" | "list")) | ("stash", Some("list")) => history::log(behind_first),
        ("reflog", _) => history::log(words),
        ("stash", _) => history::stash_show(behind_first),
        ("diff-tree" | "diff-index" | "diff-files", _) => history::plumbing(words),
        ("diff", _) => history::diff(words),
        ("show", _) => history::show(words),
        _ => None,
    };
    contents.is_some_and(|contents| contents.is_empty())
}
