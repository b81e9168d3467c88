//! How a row of the read-only table says which flags and operands a program may have.

use crate::table::GitReads;
use crate::word::Token;

/// The flags of a program that only read, and what its operands are. What a row does not name asks, and a long flag is
/// known by its whole name alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) names: &'static [&'static str],
    /// One-letter flags without a value; clusters of them.
    pub(crate) short: &'static str,
    /// One-letter flags with a value, glued or next.
    pub(crate) short_value: &'static str,
    /// One-letter flags whose value, if any, is glued.
    pub(crate) short_optional: &'static str,
    /// One-letter flags whose value is a file that is read.
    pub(crate) short_path: &'static str,
    /// Long flags without a value.
    pub(crate) long: &'static [&'static str],
    /// Long flags with a value, after `=` or next; only after `=` where they are among those without one as well.
    pub(crate) long_value: &'static [&'static str],
    /// Long flags whose value is a file that is read.
    pub(crate) long_path: &'static [&'static str],
    /// `-5` is a number of lines.
    pub(crate) number: bool,
    pub(crate) operands: Operands,
    /// None of its flags, known or not, writes or runs anything.
    pub(crate) harmless: bool,
    /// Programs that it starts itself.
    pub(crate) starts: &'static [&'static str],
}

impl Row {
    pub(crate) const fn of(names: &'static [&'static str], operands: Operands) -> Self {
        Self {
            names,
            short: "",
            short_value: "",
            short_optional: "",
            short_path: "",
            long: &[],
            long_value: &[],
            long_path: &[],
            number: false,
            operands,
            harmless: false,
            starts: &[],
        }
    }
}

/// Whether a word may stand where a flag could: not one of which nothing is known. A glob may stand for a name that begins with a
/// dash; the host looks whether there is one.
pub(crate) fn lets_start(token: &Token) -> bool {
    let known = !token.text.is_empty() || token.exact;
    // What an escaped first character of a glob stands for is not looked at.
    let plain_glob = token.exact && !token.text.starts_with('\\');
    known && !token.splits && (!token.glob || plain_glob || !begins_as_glob(token))
}

/// Whether the first character may stand for any.
pub(crate) fn begins_as_glob(token: &Token) -> bool {
    token.glob && token.text.starts_with(['*', '?', '[', '\\'])
}

/// What a program's operands are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operands {
    /// There are none.
    None,
    /// Words of no consequence, known or not.
    Words,
    /// Files that are read; standard input where there is none.
    Paths,
    /// Files or folders that are read; the current one where there is none.
    PathsOrHere,
    /// At most one file that is read, behind all flags: a second would be written.
    OnePath,
    /// A pattern, then files or folders; the current one where there is none.
    PatternThenPathsOrHere,
}

/// What a reading command reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    pub(crate) paths: Vec<Token>,
    /// It reads the current folder.
    pub(crate) here: bool,
    /// Of those that are folders it reads the content of every file below, and follows no link there.
    pub(crate) below: bool,
    /// It follows links there: the host looks whether there are any.
    pub(crate) followed: bool,
    /// What it reads of the repository it runs in.
    pub(crate) git: Option<GitReads>,
    /// Further words of any kind make no difference.
    pub(crate) any_words: bool,
    /// None of the paths may be a folder: it would open what lies in it.
    pub(crate) files: bool,
    /// Programs that it starts itself.
    pub(crate) starts: &'static [&'static str],
}

impl Reads {
    pub(crate) fn nothing() -> Self {
        Self::default()
    }

    pub(crate) fn words() -> Self {
        Self { any_words: true, ..Self::default() }
    }

    pub(crate) fn of(paths: Vec<Token>) -> Self {
        Self { paths, ..Self::default() }
    }
}

/// A flag by its letter or its long name, without dashes.
#[derive(Debug)]
pub(crate) struct Flag<'t> {
    name: &'t str,
    value: Option<Token>,
}

/// Arguments taken apart.
#[derive(Debug, Default)]
pub(crate) struct Parsed<'t> {
    pub(crate) flags: Vec<Flag<'t>>,
    pub(crate) operands: Vec<Token>,
    /// Values in words of their own behind an operand: where flags end at the first operand, as on BSD, they are operands too.
    late: Vec<Token>,
}

impl Parsed<'_> {
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.flags.iter().any(|flag| names.contains(&flag.name))
    }

    /// Whether the values of these flags are all as wanted.
    pub(crate) fn values_are(&self, names: &[&str], wanted: impl Fn(&str) -> bool) -> bool {
        self.flags.iter().filter(|flag| names.contains(&flag.name)).all(|flag| match &flag.value {
            Some(value) => value.literal().is_some_and(&wanted),
            None => true,
        })
    }
}

/// Whether the arguments are among those the row lets through, and what is then read.
pub(crate) fn check(row: &Row, arguments: &[Token]) -> Option<Reads> {
    if row.operands == Operands::Words && row.harmless {
        return Some(Reads::words());
    }
    reads(row, parse(row, arguments)?)
}

/// The flags and the operands, if the row knows all flags.
pub(crate) fn parse<'t>(row: &Row, arguments: &'t [Token]) -> Option<Parsed<'t>> {
    let mut parsed = Parsed::default();
    let mut rest = arguments.iter();
    let mut flags = true;
    while let Some(token) = rest.next() {
        if token.splits || (flags && !lets_start(token)) {
            return None;
        }
        let text = token.text.as_str();
        let is_flag = flags && text.starts_with('-') && (text != "-" || !token.exact);
        if !is_flag {
            // What a glob stands for may be several files.
            let several = row.operands == Operands::OnePath && (token.glob || !parsed.operands.is_empty());
            if several {
                return None;
            }
            parsed.operands.push(token.clone());
            continue;
        }
        // `"-$x"`, `-*`: which flag it is nobody knows. Behind the one operand some systems take every word for another.
        let late = row.operands == Operands::OnePath && !parsed.operands.is_empty();
        if !token.exact || late || (token.glob && !is_of_value(row, text)) {
            return None;
        }
        let words_left = rest.len();
        if text == "--" {
            flags = false;
        } else if let Some(long) = text.strip_prefix("--") {
            let mut flag = long_flag(row, long, &mut rest)?;
            if token.glob {
                flag.value = flag.value.map(|value| Token { glob: true, ..value });
            }
            parsed.flags.push(flag);
        } else {
            let cluster = text.get(1..)?;
            if !row.number || !cluster.bytes().all(|byte| byte.is_ascii_digit()) {
                short_flags(row, cluster, &mut rest, &mut parsed)?;
            }
        }
        let detached = rest.len() < words_left && !parsed.operands.is_empty();
        if let (true, Some(Flag { value: Some(value), .. })) = (detached, parsed.flags.last()) {
            parsed.late.push(value.clone());
        }
    }
    Some(parsed)
}

/// `--include=*.ts`: whatever names it stands for, they are the same flag with other values.
fn is_of_value(row: &Row, text: &str) -> bool {
    let parts = text.strip_prefix("--").and_then(|long| long.split_once('='));
    parts.is_some_and(|(name, _)| row.long_value.contains(&name))
}

fn long_flag<'t>(row: &Row, long: &'t str, rest: &mut std::slice::Iter<'_, Token>) -> Option<Flag<'t>> {
    let (name, glued) = match long.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (long, None),
    };
    let takes_path = row.long_path.contains(&name);
    match glued {
        Some(value) if row.long_value.contains(&name) || takes_path => {
            Some(Flag { name, value: Some(Token::plain(value)) })
        }
        None if row.long.contains(&name) => Some(Flag { name, value: None }),
        None if row.long_value.contains(&name) || takes_path => {
            Some(Flag { name, value: Some(value_of(row, rest.next())?.clone()) })
        }
        _ => None,
    }
}

fn short_flags<'t>(
    row: &Row,
    cluster: &'t str,
    rest: &mut std::slice::Iter<'_, Token>,
    parsed: &mut Parsed<'t>,
) -> Option<()> {
    for (at, flag) in cluster.char_indices() {
        let name = cluster.get(at..at + flag.len_utf8())?;
        let glued = cluster.get(at + flag.len_utf8()..)?;
        if row.short.contains(flag) {
            parsed.flags.push(Flag { name, value: None });
            continue;
        }
        let optional = row.short_optional.contains(flag);
        if !optional && !row.short_value.contains(flag) && !row.short_path.contains(flag) {
            return None;
        }
        let value = match (glued.is_empty(), optional) {
            (false, _) => Some(Token::plain(glued)),
            (true, true) => None,
            (true, false) => Some(value_of(row, rest.next())?.clone()),
        };
        parsed.flags.push(Flag { name, value });
        break;
    }
    Some(())
}

/// A flag's value in a word of its own. One that begins with a dash may be a flag after all, on a system where the flag has no
/// value; that makes no difference where no flag does harm (`head -n -1`).
fn value_of<'t>(row: &Row, token: Option<&'t Token>) -> Option<&'t Token> {
    let token = token.filter(|token| !token.splits && !token.glob)?;
    let known = token.exact || !token.text.is_empty();
    (row.harmless || (known && !token.text.starts_with('-'))).then_some(token)
}

/// What is read, by what the row says of operands.
pub(crate) fn reads(row: &Row, parsed: Parsed<'_>) -> Option<Reads> {
    let with_pattern = row.operands == Operands::PatternThenPathsOrHere;
    let pattern_given = with_pattern && parsed.has(&["e", "f", "regexp", "file"]);
    let Parsed { flags, operands, late } = parsed;
    let is_path = |flag: &Flag<'_>| {
        let short = flag.name.len() == 1 && row.short_path.contains(flag.name);
        short || row.long_path.contains(&flag.name)
    };
    let mut paths: Vec<Token> = flags.into_iter().filter(is_path).filter_map(|flag| flag.value).collect();
    let skip = match row.operands {
        Operands::None if !operands.is_empty() => return None,
        Operands::Words => operands.len(),
        _ => usize::from(with_pattern && !pattern_given),
    };
    let mut files = operands.into_iter().skip(skip).peekable();
    let may_be_here = matches!(row.operands, Operands::PathsOrHere | Operands::PatternThenPathsOrHere);
    let here = may_be_here && files.peek().is_none();
    paths.extend(files.filter(|token| token.text != "-" || !token.exact));
    if !matches!(row.operands, Operands::None | Operands::Words) {
        let number = |token: &Token| token.literal().is_some_and(|text| text.parse::<i64>().is_ok());
        paths.extend(late.into_iter().filter(|value| !number(value)));
    }
    Some(Reads { paths, here, starts: row.starts, ..Reads::default() })
}
