//! Names that `find` gives to a program: by `-exec`, or through a pipe to `xargs`.
//!
//! Without `-L` they are files below the folders it starts from, and each name begins with the starting point, so that none is a
//! flag. Without `-type f` links may be among them, which the program would follow; without `-print0` and `xargs -0` a name with a
//! blank becomes several words. Where either can be, the host looks whether there are such names.

use toolwright_bash_syntax::tree::{FileMode, Redirect, RedirectKind};

use crate::simple::Word;
use crate::word::Token;

/// The starting points of a `find` that names files below them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    starts: Vec<String>,
    /// Regular files alone.
    regular: bool,
    /// Each name ends with a NUL, and not with a line.
    separated: bool,
    /// Every name ends with a dot and this.
    ending: Option<String>,
}

/// Names below a starting point that the host has to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Below {
    pub(crate) start: String,
    /// They are split at blanks.
    pub(crate) split: bool,
    /// Links among them are followed.
    pub(crate) followed: bool,
}

/// A program that gets words from elsewhere, with these among its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Handed {
    pub(crate) program: String,
    pub(crate) arguments: Vec<Token>,
    pub(crate) names: Vec<Below>,
}

impl Found {
    /// Patterns of all the names, where they are told by what they end with, none is a link, and none is taken for several.
    pub(crate) fn patterns(&self) -> Option<Vec<Option<String>>> {
        let ending = self.ending.as_deref().filter(|_| self.regular && self.separated)?;
        let patterns = |start: &String| [format!("{start}**/*.{ending}"), format!("{start}**/.*{ending}")];
        Some(self.starts.iter().flat_map(patterns).map(Some).collect())
    }
}

/// Whether the command is one of which it may be known what it prints.
pub(crate) fn may_print(words: &[Word]) -> bool {
    words.iter().flat_map(|word| &word.tokens).next().and_then(Token::literal).is_some_and(is_find)
}

fn is_find(program: &str) -> bool {
    matches!(program, "find" | "/usr/bin/find" | "/bin/find")
}

/// What `find` prints, as the words of a whole command say.
pub(crate) fn printed(words: &[Token]) -> Option<Found> {
    let (program, arguments) = words.split_first()?;
    program.literal().filter(|program| is_find(program))?;
    let (last, conditions) = arguments.split_last()?;
    match last.literal()? {
        "-print0" => named(conditions).map(|found| Found { separated: true, ..found }),
        "-print" => named(conditions),
        _ => named(arguments),
    }
}

/// Whether a command hands on some of the lines that it gets, each as it is.
pub(crate) fn keeps_lines(words: &[Token]) -> bool {
    let Some(words) = words.iter().map(Token::literal).collect::<Option<Vec<_>>>() else { return false };
    let [program, arguments @ ..] = words.as_slice() else { return false };
    let number = |text: &str| {
        let digits = text.strip_prefix('+').unwrap_or(text);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let flags = |words: &[&str], letters: &str| {
        let known = |flags: &str| !flags.is_empty() && flags.chars().all(|flag| letters.contains(flag));
        words.iter().all(|word| word.strip_prefix('-').is_some_and(known))
    };
    match (*program, arguments) {
        ("cat" | "head" | "tail" | "uniq", []) => true,
        ("head" | "tail", ["-n", lines]) => number(lines),
        ("head" | "tail", [lines]) => {
            lines.strip_prefix("-n").or(lines.strip_prefix('-')).is_some_and(number)
        }
        ("sort", flagged) => flags(flagged, "rufVbd"),
        ("grep", [flagged @ .., pattern]) => !pattern.starts_with('-') && flags(flagged, "viEFwx"),
        _ => false,
    }
}

/// `find .. -exec PROGRAM .. {} +`: the arguments without it, and what it runs.
pub(crate) fn behind_exec(arguments: &[Token]) -> Option<(Vec<Token>, Handed)> {
    let at = arguments.iter().position(|token| token.literal() == Some("-exec"))?;
    let (conditions, exec) = arguments.split_at_checked(at)?;
    let (end, command) = exec.get(1..)?.split_last()?;
    let found = named(conditions)?;
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
    Some((conditions.to_vec(), handed(command, "{}", &found.words(), found.below(false))?))
}

/// `xargs PROGRAM ..` with flags that change nothing but how many words it hands over at once. The words come from `found` where
/// they are separated as it expects; else nothing is known of them.
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
            "-d" => {
                rest.first()?.literal().filter(|end| *end == r"\n")?;
                rest = rest.get(1..)?;
            }
            r"-d\n" => {}
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
    let known = |found: &&Found| found.separated == separated && (separated || found.starts_plain());
    let found = found.filter(known);
    let words = found.map_or_else(|| vec![Token::handed_words()], Found::words);
    let names = found.map_or_else(Vec::new, |found| found.below(!separated));
    match place {
        Some(place) => handed(rest, &place, &words, names),
        None => {
            let (program, arguments) = rest.split_first()?;
            let arguments = arguments.iter().chain(&words).cloned().collect();
            Some(Handed { program: outer_program(program)?, arguments, names })
        }
    }
}

/// The words with others in the place of those that are `place`.
fn handed(words: &[Token], place: &str, found: &[Token], names: Vec<Below>) -> Option<Handed> {
    let (program, arguments) = words.split_first()?;
    let mut all = Vec::new();
    for token in arguments {
        match token.literal() {
            Some(text) if text == place => all.extend(found.iter().cloned()),
            Some(text) if !text.contains(place) => all.push(token.clone()),
            _ => return None,
        }
    }
    Some(Handed { program: outer_program(program)?, arguments: all, names })
}

/// A program, which no command of the shell and none that looks at settings of its folder is.
fn outer_program(token: &Token) -> Option<String> {
    let name = crate::simple::system_name(token.literal()?).or(token.literal())?;
    let own = ["cd", "pushd", "popd", "read", "set", "command", "builtin", "type", "git", "find", "xargs"];
    (!own.contains(&name)).then(|| name.to_owned())
}

/// Where a `find` with these arguments starts, if all it goes on with are files below.
fn named(arguments: &[Token]) -> Option<Found> {
    let words = arguments.iter().map(Token::literal).collect::<Option<Vec<_>>>()?;
    let begins = |word: &&&str| !word.starts_with(['-', '!', '(', ')', ',']);
    let starts: Vec<&str> = words.iter().take_while(begins).copied().collect();
    let conditions = words.get(starts.len()..)?;
    // What prints besides, and links that are followed.
    const OTHERS: [&str; 15] = [
        "-L", "-H", "-follow", "-print", "-print0", "-printf", "-ls", "-fprint", "-fprint0", "-fprintf",
        "-fls", "-exec", "-execdir", "-ok", "-okdir",
    ];
    const ALTERNATIVES: [&str; 7] = ["-o", "-or", "!", "-not", "(", ")", ","];
    if conditions.iter().any(|word| OTHERS.contains(word)) {
        return None;
    }
    let regular = conditions.windows(2).any(|pair| pair == ["-type", "f"])
        && !conditions.iter().any(|word| ALTERNATIVES.contains(word));
    let below = |start: &&str| if start.ends_with('/') { (*start).to_owned() } else { format!("{start}/") };
    let starts = if starts.is_empty() { vec!["./".into()] } else { starts.iter().map(below).collect() };
    let ending = conditions.windows(2).find_map(|pair| match pair {
        ["-name", name] => {
            name.strip_prefix("*.").filter(|end| end.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        }
        _ => None,
    });
    let ending = ending.filter(|_| regular).map(Into::into);
    Some(Found { starts, regular, separated: false, ending })
}

impl Found {
    pub(crate) const fn are_lines(&self) -> bool {
        !self.separated
    }

    /// One file and more of each starting point.
    fn words(&self) -> Vec<Token> {
        self.starts.iter().flat_map(|start| [Token::found(start), Token::found(start)]).collect()
    }

    /// Whether `xargs` takes the starting points for what they are.
    fn starts_plain(&self) -> bool {
        let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'\'' | b'"' | b'\\');
        self.starts.iter().all(|start| start.bytes().all(plain))
    }

    /// What the host has to look at, if anything.
    fn below(&self, split: bool) -> Vec<Below> {
        let followed = !self.regular;
        let below = |start: &String| Below { start: start.clone(), split, followed };
        if split || followed { self.starts.iter().map(below).collect() } else { Vec::new() }
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
