//! `git`: sub-commands that read, each with its flags. Where it runs and what the repository's own settings make it start
//! is looked at elsewhere. One family of sub-commands a file.

mod config;
mod content;
mod files;
mod flags;
mod history;
mod names;
mod others;
mod showing;

pub(crate) use content::{Content, Start, may_name_blob};
pub(crate) use others::contents as contents_of_others;

use crate::arguments::Reads;
use crate::word::Token;

/// What a git command reads of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct GitReads {
    /// Folders that `-C` goes into, one after the other.
    pub(crate) folders: Vec<String>,
    /// Files of which it shows content.
    pub(crate) contents: Vec<Content>,
}

pub(super) fn check(arguments: &[Token]) -> Option<Reads> {
    let commit = |token: &Token| token.revision.as_deref().map_or_else(|| token.clone(), Token::plain);
    if arguments.iter().any(|token| token.revision.is_some()) {
        return known(&arguments.iter().map(commit).collect::<Vec<_>>());
    }
    known(arguments)
}

fn known(arguments: &[Token]) -> Option<Reads> {
    if let [only] = arguments
        && matches!(only.literal(), Some("--version" | "-v"))
    {
        return Some(Reads::nothing());
    }
    let mut folders = Vec::new();
    let mut rest = arguments;
    loop {
        match rest.first()?.literal()? {
            "--no-pager" | "-P" | "--no-optional-locks" | "--literal-pathspecs" => rest = rest.get(1..)?,
            "-C" => {
                let folder = rest.get(1)?.literal()?;
                // What is above a link is not known from its name.
                (!folder.split('/').any(|part| part == "..")).then_some(())?;
                folders.push(folder.to_owned());
                rest = rest.get(2..)?;
            }
            _ => break,
        }
    }
    let (name, rest) = (rest.first()?.literal()?, rest.get(1..)?);
    if name == "version" {
        return rest.is_empty().then(Reads::nothing);
    }
    let contents = sub_command(name, rest)?;
    (!checks_signatures(rest))
        .then_some(Reads { git: Some(GitReads { folders, contents }), ..Reads::default() })
}

/// `%G` in a format starts the program that checks signatures, and so do a field and an order of that name.
fn checks_signatures(words: &[Token]) -> bool {
    words.iter().any(|token| {
        let text = &token.text;
        text.contains("%G")
            || text.contains("(signature")
            || (text.contains("signature") && !text.contains("(contents:signature)"))
            || !token.exact && text.contains('%')
    })
}

/// The files whose content is shown, if it only reads.
fn sub_command(name: &str, words: &[Token]) -> Option<Vec<Content>> {
    let names_alone = |known: Option<()>| known.map(|()| Vec::new());
    match name {
        "status" => files::status(words),
        "ls-files" => files::ls_files(words),
        "ls-tree" => files::ls_tree(words),
        "cat-file" => inside(words, files::cat_file),
        "grep" => inside(words, files::grep),
        "check-ignore" => inside(words, files::check_ignore),
        "check-attr" => inside(words, files::check_attr),
        "count-objects" => files::count_objects(words),
        "log" | "whatchanged" => inside(words, history::log),
        "diff" => inside(words, history::diff),
        "diff-tree" | "diff-index" | "diff-files" => inside(words, history::plumbing),
        "show" => inside(words, history::show),
        "rev-list" => inside(words, history::rev_list),
        "shortlog" => inside(words, history::shortlog),
        "blame" | "annotate" => inside(words, history::blame),
        "cherry" => history::cherry(words),
        "stash" => match words.first()?.literal()? {
            "list" => inside(words.get(1..)?, history::log),
            "show" => inside(words.get(1..)?, history::stash_show),
            _ => None,
        },
        "reflog" => match words.first().map(Token::literal) {
            None => Some(Vec::new()),
            Some(Some("show")) => inside(words.get(1..)?, history::log),
            Some(Some("list")) if words.len() == 1 => Some(Vec::new()),
            Some(Some("exists")) => names_alone((words.len() == 2).then_some(())),
            Some(Some(flag)) if flag.starts_with('-') => inside(words, history::log),
            _ => None,
        },
        "rev-parse" => names_alone(names::rev_parse(words)),
        "merge-base" => names_alone(names::merge_base(words)),
        "name-rev" => names_alone(names::name_rev(words)),
        "describe" => names_alone(names::describe(words)),
        "for-each-ref" => names_alone(names::for_each_ref(words)),
        "show-ref" => names_alone(names::show_ref(words)),
        "symbolic-ref" => names_alone(names::symbolic_ref(words)),
        "branch" => names_alone(names::branch(words)),
        "tag" => names_alone(names::tag(words)),
        "remote" => names_alone(names::remote(words)),
        "worktree" => names_alone(names::worktree(words)),
        "config" => names_alone(config::check(words)),
        _ => None,
    }
}

/// Revisions and paths of the repository; a path that leads out of it makes `git diff` compare any two files.
fn inside(words: &[Token], check: fn(&[Token]) -> Option<Vec<Content>>) -> Option<Vec<Content>> {
    let out = |token: &Token| {
        !token.exact || token.text.starts_with(['/', '~']) || token.text.split('/').any(|part| part == "..")
    };
    let operand = |token: &&Token| !token.text.starts_with('-');
    if words.iter().filter(operand).any(out) {
        return None;
    }
    check(words)
}
