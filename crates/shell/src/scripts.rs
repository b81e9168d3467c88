//! Texts that shells among the words of a command would run, and what simple commands are known to print.

use toolwright_bash_syntax::tree::{
    Argument, Command, Descriptor, FileMode, Part, Redirect, RedirectKind, Script, Simple, Word as TreeWord,
};

use crate::simple::Word;
use crate::starters::{runs_elsewhere, runs_others, runs_texts};
use crate::wrapper::base_name;

/// A text that is run, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inner {
    pub(crate) text: String,
    /// By the shell itself: it may set what the script goes on with.
    pub(crate) here: bool,
    /// With other files than those that are here.
    pub(crate) elsewhere: bool,
}

/// The texts a command is known to run, and whether there may be others that nobody sees.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scripts {
    pub(crate) found: Vec<Inner>,
    pub(crate) unseen: bool,
}

/// More texts than these in one command are not followed.
const MOST: usize = 16;

const SHELLS: [&str; 14] = [
    "sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "rbash", "lksh", "yash", "posh", "csh", "tcsh", "fish",
];

/// `input`: what is known of the standard input.
pub(crate) fn of(words: &[Word], input: Option<&str>) -> Scripts {
    let mut scripts = Scripts::default();
    let behind = runs_others(words);
    let texts = runs_texts(words);
    if texts {
        let rest = words.iter().skip(1).filter_map(Word::literal);
        // `--call='rm x'`
        let value = |text: &str| match text.strip_prefix("--").and_then(|long| long.split_once('=')) {
            Some((_, value)) => value.to_owned(),
            None => text.to_owned(),
        };
        let commands = rest.map(value).filter(|text| text.contains([' ', ';', '|', '&', '$']));
        commands.for_each(|text| scripts.add(Some(text), false));
        hosts_shell(words, input, &mut scripts);
    }
    for (start, word) in words.iter().enumerate() {
        let rest = words.get(start + 1..).unwrap_or_default();
        let name = word.literal().map(base_name);
        let direct = start == 0 || words.get(..start).unwrap_or_default().iter().all(is_prefix);
        match name {
            Some("eval") if direct => {
                let text = rest.iter().map(Word::literal).collect::<Option<Vec<_>>>();
                scripts.add(text.map(|text| text.join(" ")), true);
            }
            Some("trap") if direct => trap(rest, &mut scripts),
            Some("alias") if direct => {
                for word in rest.iter().filter(|word| word.raw.contains('=')) {
                    let value = word.literal().and_then(|text| text.split_once('='));
                    scripts.add(value.map(|(_, value)| value.into()), false);
                }
            }
            Some("." | "source") if direct => source(rest, input, &mut scripts),
            Some("mapfile" | "readarray") if direct => {
                if let Some(text) = callback(rest) {
                    scripts.add(text.map(Into::into), true);
                }
            }
            Some(shell) if SHELLS.contains(&shell) && (direct || behind) => {
                self::shell(rest, input, !behind, &mut scripts);
            }
            // Another that does so, behind one that starts it.
            Some(_) if behind && start > 0 && runs_texts(words.get(start..).unwrap_or_default()) => {
                let texts = rest.iter().filter_map(Word::literal);
                let commands = texts.filter(|text| text.contains([' ', ';', '|', '&', '$']));
                commands.for_each(|text| scripts.add(Some(text.into()), false));
            }
            Some("git") if direct || behind => git(rest, &mut scripts),
            _ => {}
        }
        if !behind && !direct {
            break;
        }
    }
    if runs_elsewhere(words) {
        scripts.found.iter_mut().for_each(|script| script.elsewhere = true);
    }
    scripts
}

/// A program without a command among its words runs what its standard input says: `ssh host`, `parallel`.
fn hosts_shell(words: &[Word], input: Option<&str>, scripts: &mut Scripts) {
    let program = words.first().and_then(Word::literal).map(base_name);
    let operands = words.iter().skip(1).filter(|word| !word.raw.starts_with('-')).count();
    let reads = match program {
        Some("ssh" | "rsh") => operands <= 1,
        Some("parallel" | "sem") => operands == 0,
        _ => false,
    };
    // Of a terminal, where a person types, nothing is known either, and it is no command of this call.
    if let Some(input) = input.filter(|_| reads) {
        scripts.add(Some(input.into()), false);
    }
}

impl Scripts {
    fn add(&mut self, text: Option<String>, here: bool) {
        match text {
            Some(text) if self.found.len() < MOST => {
                let inner = Inner { text, here, elsewhere: false };
                if !self.found.contains(&inner) {
                    self.found.push(inner);
                }
            }
            _ => self.unseen = true,
        }
    }
}

/// Whether what a program reads there as code is no file: its standard input, or what another descriptor gives.
pub(crate) fn is_from_elsewhere(file: &str) -> bool {
    file == "-" || ["/dev/", "/proc/"].iter().any(|folder| file.starts_with(folder))
}

/// Words that may stand before a built-in without making it another's.
fn is_prefix(word: &Word) -> bool {
    matches!(word.literal(), Some("command" | "builtin" | "--"))
}

fn trap(rest: &[Word], scripts: &mut Scripts) {
    let action = rest.iter().find(|word| word.literal() != Some("--"));
    match action.map(|word| word.literal()) {
        None | Some(Some("-p" | "-l" | "-" | "")) => {}
        Some(text) => scripts.add(text.map(Into::into), false),
    }
}

/// What `mapfile` runs for the lines it reads, where it runs something; none within, where it is not known.
fn callback(words: &[Word]) -> Option<Option<&str>> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.literal() else {
            if word.may_be_flag() {
                return Some(None);
            }
            continue;
        };
        let Some(cluster) = text.strip_prefix('-') else { continue };
        let Some(at) = cluster.find(|letter| "dnOsuCc".contains(letter)) else { continue };
        let glued = cluster.get(at + 1..).filter(|glued| !glued.is_empty());
        if cluster.get(at..=at) == Some("C") {
            return Some(glued.or_else(|| rest.next().and_then(Word::literal)));
        }
        if glued.is_none() {
            rest.next();
        }
    }
    None
}

/// A file is the project's own; what a process prints is text like any other.
fn source(rest: &[Word], input: Option<&str>, scripts: &mut Scripts) {
    let Some(file) = rest.iter().find(|word| word.literal() != Some("--")) else { return };
    match file.literal() {
        Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => scripts.add(input.map(Into::into), true),
        Some(crate::walk::SUBSTITUTION) => scripts.add(file.printed.clone(), true),
        Some(file) if is_from_elsewhere(file) => scripts.add(None, true),
        _ => {}
    }
}

/// `own_input`: the standard input of the command is the shell's.
fn shell(rest: &[Word], input: Option<&str>, own_input: bool, scripts: &mut Scripts) {
    let mut words = rest.iter().peekable();
    let mut reads_input = false;
    while let Some(word) = words.next() {
        let Some(flag) = word.literal() else {
            // Which flag it is nobody knows.
            return scripts.add(None, false);
        };
        let sign = flag.starts_with(['-', '+']) && flag.len() > 1;
        if flag == "-" || flag == "--" || !sign {
            let file = if sign || flag == "-" { words.next().and_then(Word::literal) } else { Some(flag) };
            return match file {
                Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => {
                    scripts.add(input.filter(|_| own_input).map(Into::into), false);
                }
                Some(crate::walk::SUBSTITUTION) => scripts.add(word.printed.clone(), false),
                Some(file) if is_from_elsewhere(file) => scripts.add(None, false),
                Some(_) if !reads_input => {}
                _ => scripts.add(input.filter(|_| own_input).map(Into::into), false),
            };
        }
        let cluster = !flag.starts_with("--");
        if cluster && flag.contains('c') && flag.starts_with('-') {
            // Options may stand between the flag and the text: `-c -e -- text`.
            let takes = |flag: &str| flag.ends_with('o') || flag.ends_with('O');
            while let Some(option) = words.peek().and_then(|word| word.literal()) {
                if !option.starts_with(['-', '+']) || option.len() < 2 {
                    break;
                }
                words.next();
                if takes(option) && !option.starts_with("--") {
                    words.next();
                }
            }
            let text = words.next().and_then(Word::literal);
            // What stands in the place of the braces comes from elsewhere, and is code.
            scripts.unseen |= !own_input && text.is_some_and(|text| text.contains("{}"));
            return scripts.add(text.map(Into::into), false);
        }
        if cluster && flag.contains('s') && flag.starts_with('-') {
            reads_input = true;
        }
        match flag {
            "--version" | "--help" => return,
            "--rcfile" | "--init-file" => _ = words.next(),
            _ if cluster && flag.ends_with(['o', 'O']) => _ = words.next(),
            _ => {}
        }
    }
    scripts.add(input.filter(|_| own_input).map(Into::into), false);
}

/// An alias that is given for one call, with `!` before a text for the shell.
fn git(rest: &[Word], scripts: &mut Scripts) {
    for pair in rest.windows(2) {
        let [flag, value] = pair else { continue };
        if flag.literal() != Some("-c") {
            continue;
        }
        let Some((key, value)) = value.literal().and_then(|text| text.split_once('=')) else { continue };
        let is_alias = key.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("alias."));
        if let Some(text) = value.strip_prefix('!').filter(|_| is_alias) {
            scripts.add(Some(text.into()), false);
        }
    }
}

/// What a command is known to print: `echo` and `printf` of literal words, `cat` of a literal here-document.
pub(crate) fn output(command: &Command) -> Option<String> {
    let Command::Simple(simple) = command else { return None };
    let words = simple.words.iter().map(argument).collect::<Option<Vec<_>>>()?;
    let (name, arguments) = words.split_first()?;
    let none_elsewhere = simple.redirects.iter().all(|redirect| match &redirect.kind {
        RedirectKind::File { mode, .. } => *mode == FileMode::Read,
        _ => true,
    });
    none_elsewhere.then_some(())?;
    match name.as_str() {
        "echo" => {
            let flags = arguments.iter().take_while(|word| {
                word.strip_prefix('-').is_some_and(|flags| {
                    !flags.is_empty() && flags.bytes().all(|flag| matches!(flag, b'n' | b'e' | b'E'))
                })
            });
            let text = arguments.get(flags.count()..)?.join(" ");
            (!text.contains('\\')).then(|| text + "\n")
        }
        "printf" => {
            let (format, arguments) = arguments.split_first()?;
            match format.as_str() {
                "%s" => Some(arguments.concat()),
                "%s\\n" | "%s\n" => Some(arguments.join("\n") + "\n"),
                plain if !plain.contains('%') => {
                    let text = plain.replace("\\n", "\n");
                    (!text.contains('\\')).then_some(text)
                }
                _ => None,
            }
        }
        "cat" if arguments.is_empty() || *arguments == ["-"] => input(simple),
        _ => None,
    }
}

/// The text of the last here-document or here-string, if it is literal.
pub(crate) fn input(simple: &Simple) -> Option<String> {
    simple.redirects.iter().rev().find_map(given)?
}

fn given(redirect: &Redirect) -> Option<Option<String>> {
    match &redirect.kind {
        RedirectKind::HereString(word) => Some(literal(word).map(|text| text + "\n")),
        RedirectKind::HereDocument { body, .. } => Some(literal(body)),
        RedirectKind::File { mode: FileMode::Read, .. } => Some(None),
        _ => None,
    }
}

/// What a process substitution that is the whole word is known to print.
pub(crate) fn printed(word: &TreeWord) -> Option<String> {
    let [Part::Process { script, .. }] = word.parts.as_slice() else { return None };
    output(only(script)?)
}

/// What a script that is one command is known to print.
pub(crate) fn printed_by(script: &Script) -> Option<String> {
    output(only(script)?)
}

/// Whether a script prints numbers, a date, the name of the machine, of a program or of a file that it makes anew, and nothing else: none of that is
/// the name of a file of the work.
pub(crate) fn prints_figures(script: &Script) -> bool {
    let [list] = script.lists.as_slice() else { return false };
    let [statement] = list.statements.as_slice() else { return false };
    let and_or = &statement.and_or;
    let Some(Command::Simple(simple)) = and_or.first.commands.last().filter(|_| and_or.rest.is_empty())
    else {
        return false;
    };
    let Some(words) = simple.words.iter().map(argument).collect::<Option<Vec<_>>>() else { return false };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [program, arguments @ ..] = words.as_slice() else { return false };
    let flags = || arguments.iter().all(|word| word.starts_with('-') && !word.contains('='));
    let number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
    match (*program, arguments) {
        ("nproc" | "arch" | "whoami" | "hostname" | "logname" | "uuidgen" | "mktemp", []) => true,
        ("mktemp", ["-d"]) => true,
        // A program, wherever it lies.
        ("which", [name]) | ("command", ["-v", name]) => !name.contains('/'),
        ("uname" | "wc", _) => flags(),
        ("id", _) => flags() && !arguments.is_empty(),
        ("seq", _) => arguments.iter().all(number),
        ("date", _) => arguments.iter().all(|word| is_plain_date(word)),
        ("openssl", ["rand", "-hex", length]) => number(length),
        ("git", ["rev-list", "--count", ..]) => !arguments.contains(&"--format"),
        ("pgrep" | "pidof", _) => arguments.iter().all(|word| !word.starts_with('-') || *word == "-f"),
        ("docker" | "podman", ["ps", ..] | ["compose", "ps", ..]) => arguments.contains(&"-q"),
        _ => false,
    }
}

/// An argument of `date` after which it prints figures and names of days: no slash, and no text of its own.
fn is_plain_date(word: &str) -> bool {
    let Some(format) = word.strip_prefix('+') else {
        return matches!(word, "-u" | "--utc" | "-I" | "-Iseconds");
    };
    let plain = |character: char| {
        character.is_ascii_digit() || matches!(character, '-' | '_' | ':' | ' ' | 'T' | 'Z')
    };
    let mut pieces = format.split('%');
    pieces.next().is_some_and(|first| first.chars().all(plain))
        && pieces.all(|piece| {
            let mut characters = piece.chars();
            characters.next().is_some_and(|letter| {
                letter.is_ascii_alphabetic() && !matches!(letter, 'D' | 'x' | 'n' | 't')
            }) && characters.all(plain)
        })
}

/// The words of a script that is one simple command of literal words.
pub(crate) fn only_command(script: &Script) -> Option<Vec<String>> {
    match only(script)? {
        Command::Simple(simple) if simple.assignments.is_empty() && simple.redirects.is_empty() => {
            simple.words.iter().map(argument).collect()
        }
        _ => None,
    }
}

/// Whether it prints the name of one commit in hexadecimal digits, or `HEAD`, or nothing.
pub(crate) fn prints_commit(script: &Script) -> bool {
    let Some(Command::Simple(simple)) = only(script) else { return false };
    let silent = |redirect: &Redirect| match (&redirect.descriptor, &redirect.kind) {
        (Some(Descriptor::Number(number)), RedirectKind::File { mode: FileMode::Write, target }) => {
            *number == 2 && literal(target).as_deref() == Some("/dev/null")
        }
        _ => false,
    };
    let words = simple.words.iter().map(argument).collect::<Option<Vec<_>>>().unwrap_or_default();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ["git", name, rest @ ..] = words.as_slice() else { return false };
    let (flags, revisions): (Vec<&str>, Vec<&str>) = rest.iter().partition(|word| word.starts_with('-'));
    let all = |known: &[&str]| flags.iter().all(|flag| known.contains(flag));
    let plain = revisions.iter().all(|revision| is_plain_revision(revision));
    let named = plain
        && match (*name, revisions.as_slice()) {
            // What is none it prints as it stands, unless it is told to verify it.
            ("rev-parse", [revision]) => {
                let head = revision.strip_prefix("HEAD").is_some_and(|rest| {
                    let steps = rest.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'~' | b'^'));
                    steps && (rest.is_empty() || rest.starts_with(['~', '^']))
                });
                all(&["--verify", "-q", "--quiet", "--short"]) && (head || flags.contains(&"--verify"))
            }
            ("merge-base", [_, _]) => flags.is_empty(),
            ("rev-list", [_]) => {
                const ONE: [&str; 3] = ["-1", "-n1", "--max-count=1"];
                let known =
                    |flag: &&str| ONE.contains(flag) || ["--no-merges", "--first-parent"].contains(flag);
                flags.iter().all(known) && flags.iter().any(|flag| ONE.contains(flag))
            }
            _ => false,
        };
    named && simple.assignments.is_empty() && simple.redirects.iter().all(silent)
}

/// A revision that stands for one commit, and for nothing if there is none of that name.
fn is_plain_revision(text: &str) -> bool {
    let characters = |byte: u8| byte.is_ascii_alphanumeric() || b"/_.~^-".contains(&byte);
    let many = ["..", "^-", "//"].iter().any(|part| text.contains(part));
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.bytes().all(characters)
        && !many
        && !crate::table::may_name_blob(text)
}

fn only(script: &Script) -> Option<&Command> {
    let [list] = script.lists.as_slice() else { return None };
    let [statement] = list.statements.as_slice() else { return None };
    match (statement.and_or.first.commands.as_slice(), statement.and_or.rest.is_empty()) {
        ([only], true) => Some(only),
        _ => None,
    }
}

fn argument(argument: &Argument) -> Option<String> {
    match argument {
        Argument::Word(word) => literal(word),
        Argument::Assignment(_) => None,
    }
}

/// The text of a word without expansions.
fn literal(word: &TreeWord) -> Option<String> {
    let mut text = String::new();
    for part in &word.parts {
        match part {
            Part::Text(more) | Part::Quoted(more) => text.push_str(more),
            _ => return None,
        }
    }
    Some(text)
}

/// Whether a script is one command that prints nothing which stands in a pattern: numbers, dates, names of the machine, of branches and
/// of commits.
pub(crate) fn prints_no_pattern(script: &Script) -> bool {
    const PLAIN: [&str; 20] = [
        "seq", "date", "whoami", "id", "uname", "nproc", "hostname", "tty", "arch", "getconf", "pwd", "true",
        "echo", "printf", "basename", "dirname", "which", "logname", "groups", "command",
    ];
    /// Names of commits and branches hold none of these signs.
    const BY_GIT: [&str; 7] =
        ["rev-parse", "rev-list", "describe", "merge-base", "symbolic-ref", "branch", "name-rev"];
    let Some(Command::Simple(simple)) = only(script) else { return false };
    let Some(words) = simple.words.iter().map(argument).collect::<Option<Vec<_>>>() else { return false };
    let Some((program, arguments)) = words.split_first() else { return false };
    let plain =
        arguments.iter().all(|word| !word.contains(['*', '?', '[', '\\', '%']) || word.starts_with('+'));
    let command = arguments.first().map(String::as_str).unwrap_or_default();
    match program.as_str() {
        "git" => {
            plain
                && BY_GIT.contains(&command)
                && !arguments.iter().any(|word| word == "--sq-quote" || word.contains("format"))
        }
        // Without the name of a file it prints numbers alone.
        "wc" => arguments.iter().all(|word| word.starts_with('-') && !word.contains('=')),
        program => {
            plain
                && PLAIN.contains(&program)
                && !arguments.iter().any(|word| word.starts_with('+') && word.contains(['*', '?', '[']))
        }
    }
}
