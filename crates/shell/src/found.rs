//! Names that `find` gives to a program: by `-exec`, or through a pipe to `xargs -0`.
//!
//! With `-type f` and without `-L` they are regular files below the folders it starts from: no link is followed, and each name
//! begins with the starting point, so that none is a flag.

use toolwright_bash_syntax::tree::{FileMode, Redirect, RedirectKind};

use crate::simple::Word;
use crate::word::Token;

/// The starting points of a `find` that names regular files below them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found(Vec<String>);

/// A program that gets words from elsewhere, with these among its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Handed {
    pub(crate) program: String,
    pub(crate) arguments: Vec<Token>,
}

/// Whether the command is one of which it may be known what it prints.
pub(crate) fn may_print(words: &[Word]) -> bool {
    words.iter().flat_map(|word| &word.tokens).next().and_then(Token::literal).is_some_and(is_find)
}

fn is_find(program: &str) -> bool {
    matches!(program, "find" | "/usr/bin/find" | "/bin/find")
}

/// What `find` prints, each name ended by a NUL, as the words of a whole command say.
pub(crate) fn printed(words: &[Token]) -> Option<Found> {
    let (program, arguments) = words.split_first()?;
    let (last, conditions) = arguments.split_last()?;
    let is_find = program.literal().is_some_and(is_find);
    (is_find && last.literal() == Some("-print0")).then(|| regular_files(conditions)).flatten()
}

/// `find .. -exec PROGRAM .. {} +`: the arguments without it, and what it runs.
pub(crate) fn behind_exec(arguments: &[Token]) -> Option<(Vec<Token>, Handed)> {
    let at = arguments.iter().position(|token| token.literal() == Some("-exec"))?;
    let (conditions, exec) = arguments.split_at_checked(at)?;
    let (end, command) = exec.get(1..)?.split_last()?;
    let found = regular_files(conditions)?;
    // `+` ends it behind `{}` alone.
    let ends = match end.literal()? {
        ";" => true,
        "+" => command.last().and_then(Token::literal) == Some("{}"),
        _ => false,
    };
    let inner_end = |token: &Token| matches!(token.literal(), Some(";"));
    if !ends || command.iter().any(inner_end) {
        return None;
    }
    Some((conditions.to_vec(), handed(command, "{}", &found.words())?))
}

/// `xargs PROGRAM ..` with flags that change nothing but how many words it hands over at once. The words come from `found` where
/// they are separated by NULs; else nothing is known of them.
pub(crate) fn behind_xargs(arguments: &[Token], found: Option<&Found>) -> Option<Handed> {
    let mut rest = arguments;
    let mut separated = false;
    let mut place: Option<String> = None;
    while let Some(flag) = rest.first()?.literal().filter(|flag| flag.starts_with('-')) {
        rest = rest.get(1..)?;
        let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match flag {
            "-0" | "--null" => separated = true,
            "-r" | "--no-run-if-empty" => {}
            "-0r" | "-r0" => separated = true,
            "-n" | "-P" | "-L" => {
                rest.first()?.literal().filter(|value| number(value))?;
                rest = rest.get(1..)?;
            }
            "-I" => {
                place = Some(rest.first()?.literal().filter(|place| !place.is_empty())?.to_owned());
                rest = rest.get(1..)?;
            }
            "-I{}" => place = Some("{}".into()),
            glued => {
                let value = glued.strip_prefix("-n").or(glued.strip_prefix("-P"));
                value.or(glued.strip_prefix("-L")).filter(|value| number(value))?;
            }
        }
    }
    let words = match found.filter(|_| separated) {
        Some(found) => found.words(),
        None => vec![Token::unknown_words()],
    };
    match place {
        Some(place) => handed(rest, &place, &words),
        None => {
            let (program, arguments) = rest.split_first()?;
            let arguments = arguments.iter().chain(&words).cloned().collect();
            Some(Handed { program: outer_program(program)?, arguments })
        }
    }
}

/// The words with others in the place of those that are `place`.
fn handed(words: &[Token], place: &str, found: &[Token]) -> Option<Handed> {
    let (program, arguments) = words.split_first()?;
    let mut all = Vec::new();
    for token in arguments {
        match token.literal() {
            Some(text) if text == place => all.extend(found.iter().cloned()),
            Some(text) if !text.contains(place) => all.push(token.clone()),
            _ => return None,
        }
    }
    Some(Handed { program: outer_program(program)?, arguments: all })
}

/// A program, which no command of the shell and none that looks at settings of its folder is.
fn outer_program(token: &Token) -> Option<String> {
    let name = crate::simple::system_name(token.literal()?).or(token.literal())?;
    let own = ["cd", "pushd", "popd", "read", "set", "command", "builtin", "type", "git", "find", "xargs"];
    (!own.contains(&name)).then(|| name.to_owned())
}

/// Where a `find` with these arguments starts, if all it goes on with are regular files below.
fn regular_files(arguments: &[Token]) -> Option<Found> {
    let words = arguments.iter().map(Token::literal).collect::<Option<Vec<_>>>()?;
    let begins = |word: &&&str| !word.starts_with(['-', '!', '(', ')', ',']);
    let starts: Vec<&str> = words.iter().take_while(begins).copied().collect();
    let conditions = words.get(starts.len()..)?;
    let plain = conditions.windows(2).any(|pair| pair == ["-type", "f"]);
    // Alternatives and negations, what prints besides, and links that are followed.
    const OTHERS: [&str; 22] = [
        "-o", "-or", "!", "-not", "(", ")", ",", "-L", "-H", "-follow", "-print", "-print0", "-printf",
        "-ls", "-fprint", "-fprint0", "-fprintf", "-fls", "-exec", "-execdir", "-ok", "-okdir",
    ];
    if !plain || conditions.iter().any(|word| OTHERS.contains(word)) {
        return None;
    }
    let below = |start: &&str| if start.ends_with('/') { (*start).to_owned() } else { format!("{start}/") };
    let starts = if starts.is_empty() { vec!["./".into()] } else { starts.iter().map(below).collect() };
    Some(Found(starts))
}

impl Found {
    /// One file and more of each starting point.
    fn words(&self) -> Vec<Token> {
        self.0.iter().flat_map(|start| [Token::found(start), Token::found(start)]).collect()
    }
}

/// Whether the standard input of a command stays the pipe.
pub(crate) fn keeps_input(redirect: &Redirect) -> bool {
    match &redirect.kind {
        RedirectKind::File { mode, .. } => !matches!(mode, FileMode::Read | FileMode::ReadWrite),
        RedirectKind::Duplicate { input, .. } => !input,
        RedirectKind::HereString(_) | RedirectKind::HereDocument { .. } => false,
    }
}

/// Whether nothing but the standard output of a command goes into the pipe: no messages.
pub(crate) fn keeps_output(redirect: &Redirect) -> bool {
    matches!(&redirect.kind, RedirectKind::File { .. })
}
