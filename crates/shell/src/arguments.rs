//! How a row of the read-only table says which flags and operands a program may have.

use crate::table::GitReads;
use crate::word::Token;

/// The flags of a program that only read, and what its operands are. What a row does not name asks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) names: &'static [&'static str],
    /// One-letter flags without a value; clusters of them.
    pub(crate) short: &'static str,
    /// One-letter flags with a value, glued or next.
    pub(crate) short_value: &'static str,
    /// One-letter flags whose value is a file that is read.
    pub(crate) short_path: &'static str,
    /// Long flags without a value.
    pub(crate) long: &'static [&'static str],
    /// Long flags with a value, after `=` or next.
    pub(crate) long_value: &'static [&'static str],
    /// `-5` is a number of lines.
    pub(crate) number: bool,
    pub(crate) operands: Operands,
    /// None of its flags, known or not, writes or runs anything: a glob may stand where a flag could.
    pub(crate) harmless: bool,
}

impl Row {
    pub(crate) const fn of(names: &'static [&'static str], operands: Operands) -> Self {
        Self {
            names,
            short: "",
            short_value: "",
            short_path: "",
            long: &[],
            long_value: &[],
            number: false,
            operands,
            harmless: false,
        }
    }
}

impl Row {
    /// Whether a word may stand where a flag could, though it may turn out to begin with a dash: not one that is not known,
    /// and a glob only if no flag of the program does harm. A name it matches holds no slash then, so that a flag which
    /// reads a file reads one of this folder.
    fn lets_start(&self, token: &Token) -> bool {
        let as_glob = token.glob && token.text.starts_with(['*', '?', '[']);
        match (token.text.is_empty() && !token.exact, as_glob) {
            (true, _) => false,
            (false, true) => self.harmless && token.exact && !token.text.contains('/'),
            (false, false) => true,
        }
    }
}

/// A flag's value in a word of its own. One that begins with a dash may be a flag after all, where the value was optional;
/// that makes no difference where no flag does harm (`head -n -1`).
fn value_of<'t>(row: &Row, token: Option<&'t Token>) -> Option<&'t Token> {
    let token = token?;
    let plain = token.literal().is_some_and(|value| !value.starts_with('-'));
    (plain || (row.harmless && !token.splits && !token.glob)).then_some(token)
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
    /// At most one file that is read.
    OnePath,
    /// A pattern, then files; standard input where there is none.
    PatternThenPaths,
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
    /// What it reads of the repository it runs in.
    pub(crate) git: Option<GitReads>,
    /// Further words of any kind make no difference.
    pub(crate) any_words: bool,
}

impl Reads {
    pub(crate) fn nothing() -> Self {
        Self::default()
    }

    pub(crate) fn words() -> Self {
        Self { any_words: true, ..Self::default() }
    }
}

/// Whether the arguments are among those the row lets through, and what is then read.
pub(crate) fn check(row: &Row, arguments: &[Token]) -> Option<Reads> {
    if row.operands == Operands::Words && row.harmless {
        return Some(Reads::words());
    }
    let mut operands: Vec<Token> = Vec::new();
    let mut reads = Reads::default();
    let mut pattern_given = false;
    let mut rest = arguments.iter();
    let mut flags = true;
    while let Some(token) = rest.next() {
        if token.splits {
            return None;
        }
        if flags && !row.lets_start(token) {
            return None;
        }
        let text = token.text.as_str();
        if flags && !token.exact && text.starts_with('-') {
            // `"-$x"`: which flag it is nobody knows.
            return None;
        }
        if !flags || !text.starts_with('-') || text == "-" || !token.exact {
            operands.push(token.clone());
            continue;
        }
        if token.glob {
            return None;
        }
        if text == "--" {
            flags = false;
        } else if let Some(long) = text.strip_prefix("--") {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (long, None),
            };
            if value.is_none() && row.long.contains(&name) {
                continue;
            }
            if row.long_value.contains(&name) {
                if value.is_none() {
                    value_of(row, rest.next())?;
                }
                pattern_given |= name == "regexp";
            } else {
                return None;
            }
        } else {
            let cluster = text.get(1..)?;
            if row.number && cluster.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            for (at, flag) in cluster.char_indices() {
                if row.short.contains(flag) {
                    continue;
                }
                let takes_path = row.short_path.contains(flag);
                if !row.short_value.contains(flag) && !takes_path {
                    return None;
                }
                let glued = cluster.get(at + flag.len_utf8()..)?;
                let value = match glued.is_empty() {
                    true => value_of(row, rest.next())?.clone(),
                    false => Token { text: glued.into(), exact: true, glob: false, splits: false },
                };
                if takes_path {
                    reads.paths.push(value);
                }
                pattern_given |= (flag == 'e' || flag == 'f')
                    && matches!(row.operands, Operands::PatternThenPaths | Operands::PatternThenPathsOrHere);
                break;
            }
        }
    }
    let skip = match row.operands {
        Operands::None if !operands.is_empty() => return None,
        Operands::OnePath if operands.len() > 1 => return None,
        Operands::Words => return Some(Reads { any_words: false, ..reads }),
        Operands::PatternThenPaths | Operands::PatternThenPathsOrHere if !pattern_given => 1,
        _ => 0,
    };
    let files: Vec<Token> =
        operands.into_iter().skip(skip).filter(|token| token.text != "-" || !token.exact).collect();
    reads.here =
        files.is_empty() && matches!(row.operands, Operands::PathsOrHere | Operands::PatternThenPathsOrHere);
    reads.paths.extend(files);
    Some(reads)
}
