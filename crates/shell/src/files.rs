//! Well-known programs that change files: which of their operands they touch, and how.

mod changes;
mod flags;
mod folders;
mod formatters;
mod left_out;
mod mounts;
mod unchanged;
mod unknown;
mod words;

use std::collections::HashSet;

use toolwright_core::PathAccess;

use crate::table::sed_script_is_plain;
use crate::word::Token;
use crate::wrapper::base_name;

/// Flags that name a target folder: no program takes more than one.
const MOST_TARGETS: usize = 2;

/// Paths and what happens to them; none: one of which nothing is known.
pub(crate) type Touches = Vec<(Option<String>, PathAccess)>;

/// The paths a command touches; none for one that cannot be known. Rules that deny, protected places and the working
/// folders see them; the command itself is allowed by a rule for it.
pub(crate) fn touched(program: &str, arguments: &[Token]) -> Vec<(Option<String>, PathAccess)> {
    let arguments = &*left_out::without(program, arguments);
    let mut touched = by_operands(program, arguments);
    touched.extend(flags::named(program, arguments));
    touched.extend(folders::read_below(program, arguments));
    touched.extend(changes::changed(program, arguments));
    touched.extend(unchanged::outputs(program, arguments));
    touched
}

/// What the words of a command may name besides, if it is there: what it only reads, and what it may change.
pub(crate) fn mentioned(program: &str, arguments: &[Token], is_code: bool) -> [Vec<String>; 2] {
    let arguments = &*left_out::without(program, arguments);
    let mut names = words::names(program, arguments, is_code);
    let read = if is_code { Vec::new() } else { unchanged::read(program, arguments) };
    if read.len() == arguments.len() {
        return [names, Vec::new()];
    }
    let read: Vec<Token> = read.into_iter().cloned().collect();
    let read: HashSet<String> = words::names(program, &read, is_code).into_iter().collect();
    let changed = names.extract_if(.., |name| !read.contains(name)).collect();
    [names, changed]
}

/// Whether the program only reads what its words name, whichever these are.
pub(crate) fn reads_all(program: &str, arguments: &[Token]) -> bool {
    unchanged::reads_all(program, arguments)
}

/// The files that words of which not all is known may name: patterns, and none for any file there is.
pub(crate) fn unknown(program: &str, arguments: &[Token]) -> Vec<Option<String>> {
    unknown::patterns(program, &left_out::without(program, arguments))
}

/// Whether a program opens what it is handed by `xargs`: these are its other words.
pub(crate) fn opens_handed(program: &str, arguments: &[Token]) -> bool {
    unknown::opens_words(program, arguments)
}

/// The same of the program among the words of `xargs`.
pub(crate) fn opens_handed_behind(arguments: &[Token]) -> bool {
    let is_program = |token: &Token| {
        token.literal().is_some_and(|text| {
            !text.starts_with(['-', '{']) && !text.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let Some(at) = arguments.iter().position(is_program) else { return false };
    let program = arguments.get(at).map_or("", |token| base_name(&token.text));
    unknown::opens_words(program, arguments.get(at + 1..).unwrap_or_default())
}

/// The same of the standard input of a program.
pub(crate) fn mentioned_in_input(program: &str, input: &str, is_code: bool) -> Vec<String> {
    words::of_input(program, input, is_code)
}

/// The same of what a variable is given before a command.
pub(crate) fn mentioned_in_value(value: &str, is_code: bool) -> Vec<String> {
    let mut names = Vec::new();
    words::of_word(value, is_code, &mut names);
    names
}

fn by_operands(program: &str, arguments: &[Token]) -> Vec<(Option<String>, PathAccess)> {
    use PathAccess::{Read, ReadBelow, Remove, Write, WriteBelow};
    let operands = operands(arguments);
    let last = operands.len().saturating_sub(1);
    let each = |access: PathAccess| operands.iter().map(|path| (path.clone(), access)).collect::<Vec<_>>();
    match program {
        "rm" | "rmdir" | "unlink" | "shred" => each(Remove),
        "touch" | "mkdir" | "mkfifo" | "tee" | "truncate" | "mktemp" => each(Write),
        // The first operand is a mode or an owner; as a path it is one too many, and harmless.
        "chmod" | "chown" | "chgrp" => each(Write),
        "mv" | "rename" => {
            let glued = glued_targets(arguments).map(|target| (Some(target), Write));
            let from = |(index, path): (usize, &Option<String>)| {
                (path.clone(), if index == last { Write } else { Remove })
            };
            let placed = if program == "mv" { placed(&operands, arguments) } else { Vec::new() };
            operands.iter().enumerate().map(from).chain(glued).chain(placed).collect()
        }
        "cp" | "ln" | "install" | "rsync" | "scp" => {
            // Where flags may name the target, every operand may be it.
            let flagged = arguments.iter().any(|token| {
                let long = token.text.starts_with("--t")
                    || token.text.starts_with("--b")
                    || token.text.starts_with("--s");
                let short = token.text.starts_with('-')
                    && !token.text.starts_with("--")
                    && token.text.contains(['t', 'S']);
                long || short
            });
            let whole = program == "rsync" || has_flag(arguments, "rRa", &["--recursive", "--archive"]);
            let source = if whole { ReadBelow } else { Read };
            let access = |index: usize| if index == last || flagged { Write } else { source };
            // Links below a folder may lead anywhere.
            let follows =
                has_flag(arguments, "LH", &["--dereference", "--copy-links", "--copy-unsafe-links"]);
            let elsewhere = follows.then_some((None, Read));
            let glued = glued_targets(arguments).map(|target| (Some(target), Write));
            let named = operands.iter().enumerate().map(|(index, path)| (path.clone(), access(index)));
            // A target may be a source as well.
            let sources = operands.iter().filter(|_| flagged && whole).map(|path| (path.clone(), ReadBelow));
            let mut placed = placed(&operands, arguments);
            if whole {
                // Each source with all that is in it, under its name there; what is in a folder that ends so, without.
                placed.extend(placed.clone().into_iter().map(|(path, _)| (path, WriteBelow)));
                let contents = |path: &Option<String>| {
                    path.as_deref().is_none_or(|path| path.ends_with(['/', '.', '*']))
                };
                let target = operands
                    .last()
                    .filter(|target| flagged || !target.as_deref().is_some_and(is_there))
                    .or(operands.last().filter(|_| operands.iter().rev().skip(1).any(contents)));
                placed.extend(target.map(|target| (target.clone(), WriteBelow)));
            }
            named.chain(sources).chain(glued).chain(elsewhere).chain(placed).collect()
        }
        "sed" => {
            // A script may name files itself, and so may one that a flag gives or reads.
            let script =
                operands.first().is_some_and(|script| script.as_deref().is_some_and(sed_script_is_plain));
            let flags = arguments.iter().filter(|token| token.text.starts_with('-') && token.text.len() > 1);
            let plain = script && flags.clone().all(is_plain_sed_flag);
            let elsewhere = (!plain).then_some((None, Write));
            elsewhere.into_iter().chain(operands.into_iter().skip(1).map(|path| (path, Write))).collect()
        }
        "perl" => operands.into_iter().skip(1).map(|path| (path, Write)).collect(),
        "dd" => operands
            .into_iter()
            .map(|path| match path.as_deref().and_then(|path| path.strip_prefix("of=")) {
                Some(target) => (Some(target.into()), Write),
                None => (path.map(|path| path.trim_start_matches("if=").into()), Read),
            })
            .collect(),
        // Readers the table refused for a flag, and readers it does not know: deny rules still see their files.
        "cat" | "head" | "tail" | "less" | "more" | "sort" | "uniq" | "wc" | "nl" | "tac" | "rev" | "cut"
        | "paste" | "fold" | "expand" | "unexpand" | "pr" | "od" | "xxd" | "hexdump" | "strings" | "comm"
        | "cmp" | "diff" | "file" | "stat" | "base64" | "md5sum" | "sha1sum" | "sha256sum" | "column"
        | "bat" | "view" | "source" | "." | "openssl" | "du" | "date" | "tree" | "split" | "csplit"
        | "iconv" | "awk" | "gawk" | "jq" | "join" | "shuf" | "fmt" | "look" | "sh" | "bash" | "dash"
        | "zsh" | "ksh" => match program {
            "diff" if has_flag(arguments, "r", &["--recursive"]) => each(ReadBelow),
            _ => each(Read),
        },
        "find" => {
            const RUNS: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];
            let runs = arguments.iter().any(|token| !token.exact || RUNS.contains(&token.text.as_str()));
            if runs { below(each(ReadBelow), arguments) } else { each(Read) }
        }
        "grep" | "egrep" | "fgrep"
            if !has_flag(arguments, "rRd", &["--recursive", "--dereference-recursive", "--directories"]) =>
        {
            each(Read)
        }
        "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" => below(each(ReadBelow), arguments),
        "tar" | "bsdtar" | "gtar" | "zip" | "7z" | "7za" | "7zz" | "ar" | "rar" => {
            // The archive may be read or written, and everything below a folder goes into it.
            let archive = archive(program, arguments).map(|path| (path, Write));
            let follows = has_flag(arguments, "hL", &["--dereference"]) || (program == "zip");
            let elsewhere = (follows && !has_flag(arguments, "y", &["--symlinks"])).then_some((None, Read));
            each(ReadBelow).into_iter().chain(archive).chain(elsewhere).collect()
        }
        _ => Vec::new(),
    }
}

/// What a program among the words would touch, whichever of them it is.
pub(crate) fn touched_behind(words: &[Token]) -> Vec<(Option<String>, PathAccess)> {
    /// Programs are among the first words.
    const MOST: usize = 32;
    let known = |word: &str| !matches!(word, "." | "source" | "find");
    let programs = words.iter().enumerate().take(MOST).filter_map(|(at, token)| {
        let name = base_name(token.literal()?);
        known(name).then(|| touched(name, words.get(at + 1..).unwrap_or_default()))
    });
    programs.flatten().collect()
}

/// The same, and the folder it is in: where no folder is named, it is looked through.
fn below(
    mut touched: Vec<(Option<String>, PathAccess)>,
    arguments: &[Token],
) -> Vec<(Option<String>, PathAccess)> {
    touched.push((Some(".".into()), PathAccess::ReadBelow));
    let follows =
        has_flag(arguments, "RLS", &["--follow", "--dereference-recursive"]) || names_follow(arguments);
    touched.extend(follows.then_some((None, PathAccess::Read)));
    touched
}

fn names_follow(arguments: &[Token]) -> bool {
    arguments.iter().any(|token| token.text == "-follow")
}

/// Whether one of these flags is among the arguments: letters in any cluster, long flags also shortened.
fn has_flag(arguments: &[Token], letters: &str, long: &[&str]) -> bool {
    arguments.iter().any(|token| {
        let text = token.text.as_str();
        if text.starts_with("--") {
            let name = text.split('=').next().unwrap_or_default();
            return name.len() > 2 && long.iter().any(|flag| flag.starts_with(name));
        }
        // What is not known may be a flag.
        let unknown = !token.exact && text.is_empty();
        unknown || (text.starts_with('-') && text.contains(|letter| letters.contains(letter)))
    })
}

/// The archive that a command may write: the operand behind a cluster with `f`, or the first one.
fn archive(program: &str, arguments: &[Token]) -> Option<Option<String>> {
    let at = match program {
        "tar" | "bsdtar" | "gtar" => {
            let cluster = |token: &Token| {
                !token.text.starts_with("--") && token.text.contains('f') && token.text.len() < 12
            };
            let reads_only = arguments.first().is_some_and(|token| {
                !token.text.starts_with("--") && token.text.contains(['t', 'x']) && token.exact
            });
            if reads_only {
                return None;
            }
            arguments.iter().position(cluster)? + 1
        }
        "zip" => arguments.iter().position(|token| !token.text.starts_with('-'))?,
        _ => arguments.iter().skip(1).position(|token| !token.text.starts_with('-'))? + 1,
    };
    let token = arguments.get(at)?;
    (token.text != "-").then(|| token.exact.then(|| token.text.clone()))
}

/// Whether the word names a file that is public on every machine and tells of the system alone.
pub(crate) fn is_public(path: &Token) -> bool {
    const PUBLIC: [&str; 13] = [
        "/etc/os-release",
        "/etc/lsb-release",
        "/etc/debian_version",
        "/etc/alpine-release",
        "/etc/redhat-release",
        "/etc/timezone",
        "/etc/shells",
        "/usr/lib/os-release",
        "/proc/cpuinfo",
        "/proc/meminfo",
        "/proc/loadavg",
        "/proc/uptime",
        "/proc/version",
    ];
    path.literal().is_some_and(|path| PUBLIC.contains(&path))
}

/// The folder in `-tfolder`: whatever stands behind a `t` in a cluster may be one.
fn glued_targets(arguments: &[Token]) -> impl Iterator<Item = String> {
    arguments.iter().filter_map(|token| {
        let cluster = token.text.strip_prefix('-').filter(|cluster| !cluster.starts_with('-'))?;
        let (_, target) = cluster.split_once('t')?;
        (!target.is_empty()).then(|| target.into())
    })
}

/// What is written where the target is a folder: in it, each source under its own name.
fn placed(operands: &[Option<String>], arguments: &[Token]) -> Vec<(Option<String>, PathAccess)> {
    let mut folders: Vec<String> = Vec::new();
    let mut flags = 0;
    for (token, next) in arguments.iter().zip(arguments.iter().skip(1).map(Some).chain([None])) {
        match token.text.strip_prefix("--") {
            Some(long) => {
                let (name, value) =
                    long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
                if name.is_empty() || !"target-directory".starts_with(name) {
                    continue;
                }
                folders.extend(value.or(next.map(|next| next.text.as_str())).map(Into::into));
            }
            None if token.text.starts_with('-') && token.text.contains('t') => {
                folders.extend(next.filter(|_| token.text.ends_with('t')).map(|next| next.text.clone()));
            }
            None => continue,
        }
        flags += 1;
    }
    folders.extend(glued_targets(arguments).take(MOST_TARGETS));
    let sources = if flags > MOST_TARGETS {
        return vec![(None, PathAccess::Write)];
    } else if flags > 0 {
        operands
    } else {
        let Some((last, others)) = operands.split_last() else { return Vec::new() };
        folders.extend(last.clone());
        others
    };
    let names: Vec<&str> = sources.iter().flatten().filter_map(|source| last_name(source)).collect();
    let placed = |folder: &String| {
        let folder = folder.trim_end_matches('/').to_owned();
        names
            .iter()
            .map(move |name| (Some(format!("{folder}/{name}")), PathAccess::Write))
            .collect::<Vec<_>>()
    };
    folders.iter().flat_map(placed).collect()
}

/// Whether the word names a folder that is there, so that what is copied to it goes into it.
fn is_there(target: &str) -> bool {
    target.ends_with('/') || matches!(target, "." | "..") || target.ends_with("/.") || target.ends_with("/..")
}

fn last_name(path: &str) -> Option<&str> {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    (!matches!(name, "" | "." | "..")).then_some(name)
}

/// `-n`, `-E`, `-i`, `-i.bak` and the like; not a flag with a script or a file.
fn is_plain_sed_flag(token: &Token) -> bool {
    let flags = token.text.trim_start_matches('-').trim_start_matches(['n', 'E', 'r', 's', 'u', 'z']);
    let suffix = flags.strip_prefix('i').unwrap_or(flags);
    let is_suffix =
        suffix.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~'));
    let short = !token.text.starts_with("--") && is_suffix && (flags.is_empty() || flags.starts_with('i'));
    token.exact && (short || token.text == "--in-place")
}

/// Everything that may be a path: operands, and values glued to flags.
fn operands(arguments: &[Token]) -> Vec<Option<String>> {
    let mut operands = Vec::new();
    let mut flags = true;
    for token in arguments {
        if !token.exact {
            operands.push(None);
        } else if flags && token.text == "--" {
            flags = false;
        } else if flags && token.text.starts_with('-') && token.text.len() > 1 {
            let glued = match token.text.split_once('=') {
                Some((_, value)) => Some(value),
                None if !token.text.starts_with("--")
                    && (token.text.contains('/') || token.text.contains("..")) =>
                {
                    token.text.find(['/', '.']).and_then(|at| token.text.get(at..))
                }
                None => None,
            };
            operands.extend(glued.map(|value| Some(value.to_owned())));
        } else {
            operands.push(Some(token.text.clone()));
        }
    }
    operands
}
