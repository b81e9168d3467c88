//! Git commands that change files of the working folder: those that their words name, or any that the repository holds.

use toolwright_core::{Cover, PathAccess};

use crate::git_commands::leaves_files;
use crate::walk::Walk;
use crate::word::Token;

/// What a git command changes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Changes {
    /// Told from the folder in which git runs.
    paths: Vec<(Option<String>, PathAccess)>,
    /// Whatever the repository holds.
    anything: bool,
    /// An operand that limits it where it is a path that is there: git does not take it for a branch then.
    unless: Option<String>,
}

impl Walk<'_> {
    /// The files that a git command may change.
    pub(crate) fn git_changes(&mut self, arguments: &[Token], cover: Cover) {
        let mut folders: Vec<String> = Vec::new();
        let mut rest = arguments;
        let mut known = true;
        while let Some(flag) = rest.first().filter(|token| token.text.starts_with('-') || !token.exact) {
            known &= flag.exact;
            let valued = matches!(
                flag.text.as_str(),
                "-C" | "-c"
                    | "--git-dir"
                    | "--work-tree"
                    | "--namespace"
                    | "--config-env"
                    | "--super-prefix"
                    | "--attr-source"
            );
            let next = rest.get(1).filter(|_| valued);
            match flag.text.as_str() {
                "-C" | "--work-tree" => folders.extend(next.map(|next| next.text.clone())),
                text => folders.extend(text.strip_prefix("--work-tree=").map(str::to_owned)),
            }
            known &= next.is_none_or(|next| next.exact || flag.text == "-c");
            rest = rest.get(if valued { 2 } else { 1 }..).unwrap_or_default();
        }
        let Some((name, words)) = rest.split_first() else { return };
        let changes = of_command(&name.text, words);
        let known = known && name.exact;
        if !known && (changes.anything || !changes.paths.is_empty()) {
            return self.path(None, PathAccess::WriteBelow, cover);
        }
        let within = |path: &str| {
            let folder: std::path::PathBuf = folders.iter().filter(|folder| !folder.is_empty()).collect();
            folder.join(path).to_string_lossy().into_owned()
        };
        for (path, access) in &changes.paths {
            // A pathspec with signs of its own may be any.
            let named = path.as_deref().filter(|path| !path.starts_with(':'));
            let named = named.map(&within);
            let access = if named.is_none() { PathAccess::WriteBelow } else { *access };
            self.path(named.as_deref(), access, cover);
        }
        let anything = match &changes.unless {
            Some(name) if changes.anything => !self.is_there(&within(name)),
            _ => changes.anything,
        };
        if anything {
            self.path(Some(&within(".")), PathAccess::WriteBelow, cover);
            self.repository_changes(&within(""), cover);
        }
    }
}

fn of_command(name: &str, words: &[Token]) -> Changes {
    use PathAccess::{Remove, Write, WriteBelow};
    let has = |flags: &[&str]| words.iter().any(|token| !token.exact || flags.contains(&token.text.as_str()));
    let short = |letter: char| {
        let cluster = |token: &Token| {
            token.text.starts_with('-') && !token.text.starts_with("--") && token.text.contains(letter)
        };
        words.iter().any(cluster)
    };
    let each = |access: PathAccess| Changes { paths: paths(words, access), anything: false, unless: None };
    let anything = |anything: bool| Changes { anything, ..Changes::default() };
    let separated = words.iter().any(|token| token.text == "--");
    let behind = || words.iter().skip_while(|token| token.text != "--").skip(1);
    let behind =
        || behind().map(|token| (token.exact.then(|| token.text.clone()), WriteBelow)).collect::<Vec<_>>();
    let listed = words.iter().any(|token| token.text.starts_with("--pathspec-from-file"));
    let first = words.first().map(|token| token.text.as_str()).unwrap_or_default();
    let operands = words.iter().filter(|token| !token.text.starts_with('-')).count();
    let mut changes = match name {
        "restore" if short('S') && !short('W') || has(&["--staged"]) && !has(&["--worktree"]) => {
            anything(false)
        }
        "restore" => Changes { anything: listed, ..each(WriteBelow) },
        "checkout" if separated => {
            Changes { paths: behind(), anything: listed || behind().is_empty(), unless: None }
        }
        "checkout" => {
            let creates = has(&["-b", "-B", "--orphan"]);
            let paths = if creates { Vec::new() } else { paths(words, WriteBelow) };
            // One operand may be a branch, and then anything is written; before paths it is where they come from.
            let branch = operands <= 1 || has(&["--detach", "-d", "-f", "--force", "-t", "--track"]);
            let only = words.iter().find(|token| token.exact && !token.text.starts_with('-'));
            let unless = only.filter(|_| !creates && operands == 1).map(|token| token.text.clone());
            Changes { paths, anything: if creates { operands > 1 } else { branch || listed }, unless }
        }
        "switch" => anything(!(has(&["-c", "-C", "--create", "--force-create"]) && operands <= 1)),
        "stash" if separated => Changes { paths: behind(), anything: behind().is_empty(), unless: None },
        "stash" => anything(!matches!(first, "list" | "show" | "drop" | "clear" | "create" | "store")),
        "reset" => anything(has(&["--hard", "--merge", "--keep"])),
        "apply" => anything(
            has(&["--apply", "--index", "-3", "--3way", "--reject"])
                || !has(&["--check", "--stat", "--numstat", "--summary", "--cached"]),
        ),
        "read-tree" => anything(short('u')),
        "checkout-index" if !has(&["-a", "--all", "--stdin"]) && !short('a') => each(WriteBelow),
        "rm" if has(&["--cached"]) || short('n') || has(&["--dry-run"]) => anything(false),
        "rm" => each(WriteBelow),
        "mv" => {
            let mut moved = crate::files::touched("mv", words);
            moved.iter_mut().filter(|(_, access)| *access == Remove).for_each(|(_, access)| *access = Write);
            Changes { paths: moved, anything: false, unless: None }
        }
        "clean" if short('n') || has(&["--dry-run"]) => anything(false),
        "clean" => match paths(words, WriteBelow) {
            none if none.is_empty() => {
                Changes { paths: vec![(Some(".".into()), WriteBelow)], anything: false, unless: None }
            }
            paths => Changes { paths, anything: false, unless: None },
        },
        "clone" => {
            let named: Vec<_> = paths(words, WriteBelow);
            let from = |path: &String| {
                path.trim_end_matches(".git")
                    .trim_end_matches('/')
                    .rsplit(['/', ':'])
                    .next()
                    .map(str::to_owned)
            };
            let folder = match named.as_slice() {
                [(source, _)] => source.as_ref().and_then(from),
                several => several.last().and_then(|(path, _)| path.clone()),
            };
            Changes { paths: vec![(folder, WriteBelow)], anything: false, unless: None }
        }
        "worktree" => match first {
            "add" | "move" | "remove" => Changes {
                paths: paths(words.get(1..).unwrap_or_default(), WriteBelow),
                anything: false,
                unless: None,
            },
            _ => anything(false),
        },
        "config" => {
            let writes = !has(&[
                "--get",
                "--get-all",
                "--get-regexp",
                "-l",
                "--list",
                "get",
                "list",
                "--get-urlmatch",
            ]);
            let file = |token: &Token| {
                token.text.strip_prefix("--file=").or(token.text.strip_prefix("-f")).map(str::to_owned)
            };
            let next = words
                .iter()
                .zip(words.iter().skip(1))
                .filter(|(flag, _)| matches!(flag.text.as_str(), "-f" | "--file"));
            let files = next
                .map(|(_, file)| file.text.clone())
                .chain(words.iter().filter_map(file).filter(|file| !file.is_empty()));
            Changes {
                paths: files.filter(|_| writes).map(|file| (Some(file), Write)).collect(),
                anything: false,
                unless: None,
            }
        }
        "format-patch" => {
            let out = |token: &&Token| matches!(token.text.as_str(), "-o" | "--output-directory");
            let folder = words
                .iter()
                .zip(words.iter().skip(1))
                .find(|(flag, _)| out(flag))
                .map(|(_, folder)| folder.text.clone());
            let written =
                if has(&["--stdout"]) { Vec::new() } else { vec![folder.unwrap_or_else(|| ".".into())] };
            Changes {
                paths: written.into_iter().map(|folder| (Some(format!("{folder}/*.patch")), Write)).collect(),
                anything: false,
                unless: None,
            }
        }
        "bundle" if first == "create" => Changes {
            paths: words
                .get(1..)
                .map(|words| paths(words, Write))
                .unwrap_or_default()
                .into_iter()
                .take(1)
                .collect(),
            anything: false,
            unless: None,
        },
        "lfs" => anything(matches!(first, "pull" | "checkout" | "migrate" | "install" | "smudge")),
        "submodule" => anything(!matches!(first, "" | "status" | "summary" | "foreach")),
        "sparse-checkout" => anything(first != "list"),
        "bisect" => anything(!matches!(first, "log" | "view" | "visualize" | "terms")),
        known if leaves_files(known) => anything(false),
        // What merges, picks, takes patches, and what is not known.
        _ => anything(true),
    };
    // Whatever the command is, it writes what it shows there.
    let outputs =
        words.iter().zip(words.iter().skip(1).map(Some).chain([None])).filter_map(|(flag, next)| {
            let glued = flag.text.strip_prefix("--output=").map(|value| Some(value.to_owned()));
            let archive = name == "archive" && flag.text == "-o";
            let behind = (flag.text == "--output" || archive).then(|| next.map(|next| next.text.clone()));
            glued.or(behind)
        });
    changes.paths.extend(outputs.map(|path| (path, Write)));
    changes
}

/// The words that are no flags.
fn paths(words: &[Token], access: PathAccess) -> Vec<(Option<String>, PathAccess)> {
    let operands = words.iter().filter(|token| !token.exact || !token.text.starts_with('-'));
    operands.map(|token| (token.exact.then(|| token.text.clone()), access)).collect()
}
