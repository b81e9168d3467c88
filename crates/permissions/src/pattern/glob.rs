//! Wildcards within one piece of text. Matching takes time in proportion to pattern times text, never more.

use std::borrow::Cow;
use std::str::Chars;

use super::PatternError;

/// A piece of text with wildcards.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Glob(Vec<Token>);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Token {
    Char(char),
    /// Any run of characters.
    Run,
    /// Any one character.
    One,
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

/// Whether letters are compared as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Exact,
    Folded,
}

impl Glob {
    /// Only `*` is special; `\*` is a star.
    pub(crate) fn stars(text: &str) -> Self {
        let mut tokens = Vec::new();
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\\' if characters.peek() == Some(&'*') => {
                    characters.next();
                    tokens.push(Token::Char('*'));
                }
                '*' => push_run(&mut tokens),
                other => tokens.push(Token::Char(other)),
            }
        }
        Self(tokens)
    }

    /// One segment of a path in gitignore's language: `*`, `?`, `[a-z]`, `[!a]`, `\` before a character that is meant.
    pub(crate) fn segment(text: &str) -> Result<Self, PatternError> {
        let mut tokens = Vec::new();
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            match character {
                '*' => push_run(&mut tokens),
                '?' => tokens.push(Token::One),
                '[' => tokens.push(class(&mut characters)?),
                '\\' => match characters.next() {
                    Some(meant) => tokens.push(Token::Char(meant)),
                    None => return Err("ends in a lone `\\`".into()),
                },
                other => tokens.push(Token::Char(other)),
            }
        }
        Ok(Self(tokens))
    }

    /// A name as a shell may expand it, in the most it can mean: which of its characters are quoted is not known, and what
    /// brackets mean is the locale's to say.
    pub(crate) fn word(text: &str) -> Self {
        let mut tokens = Vec::new();
        let mut rest = text.strip_prefix('\\').unwrap_or(text);
        while let Some(character) = rest.chars().next() {
            let mut behind = rest.get(character.len_utf8()..).unwrap_or_default();
            match character {
                '*' | '\\' => push_run(&mut tokens),
                '?' => tokens.push(Token::One),
                '[' => {
                    push_run(&mut tokens);
                    behind = behind.rsplit_once(']').map_or(behind, |(_, behind)| behind);
                }
                other => tokens.push(Token::Char(other)),
            }
            rest = behind;
        }
        Self(tokens)
    }

    /// The same, followed by a blank and anything.
    pub(crate) fn then_words(mut self) -> Self {
        self.0.extend([Token::Char(' '), Token::Run]);
        self
    }

    /// Whether it stands for one text alone.
    pub(crate) fn is_exact(&self) -> bool {
        self.0.iter().all(|token| matches!(token, Token::Char(_)))
    }

    /// The one text it stands for, if there is only one.
    pub(crate) fn text(&self) -> Option<String> {
        self.0.iter().map(Token::character).collect()
    }

    /// Whether some name is meant both by this pattern and by a word that a shell would expand, letters of either case.
    /// As in a shell, a wildcard at the beginning of the word stands for no dot.
    pub(crate) fn overlaps(&self, word: &Self) -> bool {
        if !self.means_visible() && !matches!(word.0.first(), Some(Token::Char(_))) {
            return false;
        }
        let width = word.0.len() + 1;
        let mut seen = vec![false; (self.0.len() + 1) * width];
        let mut open = vec![(0, 0)];
        while let Some((own_at, word_at)) = open.pop() {
            match seen.get_mut(own_at * width + word_at) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            match (self.0.get(own_at), word.0.get(word_at)) {
                (None, None) => return true,
                // A run ends here, or takes what the other has.
                (Some(own), Some(word)) if *own == Token::Run || *word == Token::Run => {
                    open.push((own_at + 1, word_at));
                    open.push((own_at, word_at + 1));
                }
                (Some(Token::Run), None) => open.push((own_at + 1, word_at)),
                (None, Some(Token::Run)) => open.push((own_at, word_at + 1)),
                (Some(own), Some(word)) if own.may_be(word) => open.push((own_at + 1, word_at + 1)),
                _ => {}
            }
        }
        false
    }

    /// Whether it may mean a name that a wildcard at the beginning of a shell's word stands for: one that does not begin with
    /// a dot.
    pub(crate) fn means_visible(&self) -> bool {
        self.0.first() != Some(&Token::Char('.'))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn matches(&self, text: &str, case: Case) -> bool {
        let mut pattern_at = 0;
        let mut rest = text.chars();
        // The last run seen, and what of the text it has not taken so far: only that one ever needs to take more.
        let mut retry: Option<(usize, Chars<'_>)> = None;
        loop {
            let token = self.0.get(pattern_at);
            if token == Some(&Token::Run) {
                pattern_at += 1;
                if pattern_at == self.0.len() {
                    return true;
                }
                retry = Some((pattern_at, rest.clone()));
                continue;
            }
            let character = rest.next();
            match (token, character) {
                (Some(token), Some(character)) if token.accepts(character, case) => {
                    pattern_at += 1;
                    continue;
                }
                (None, None) => return true,
                _ => {}
            }
            let Some((after_run, untaken)) = &mut retry else { return false };
            if untaken.next().is_none() {
                return false;
            }
            pattern_at = *after_run;
            rest = untaken.clone();
        }
    }

    /// What every text that it means begins with.
    pub(crate) fn beginning(&self) -> String {
        self.0.iter().map_while(Token::character).collect()
    }

    /// What every text that it means ends with.
    pub(crate) fn end(&self) -> String {
        let backwards: Vec<char> = self.0.iter().rev().map_while(Token::character).collect();
        backwards.into_iter().rev().collect()
    }
}

impl Token {
    fn character(&self) -> Option<char> {
        match self {
            Self::Char(character) => Some(*character),
            Self::Run | Self::One | Self::Class { .. } => None,
        }
    }

    /// Whether two single tokens may stand for one character; where that is hard to say, they may.
    fn may_be(&self, other: &Self) -> bool {
        match (self, other) {
            (token, Self::Char(character)) | (Self::Char(character), token) => {
                token.accepts(*character, Case::Folded)
            }
            _ => true,
        }
    }

    fn accepts(&self, character: char, case: Case) -> bool {
        match self {
            Self::Char(own) => match case {
                Case::Exact => *own == character,
                Case::Folded => *own == character || fold(*own) == fold(character),
            },
            Self::One | Self::Run => true,
            Self::Class { negated, ranges } => {
                let inside =
                    |character: char| ranges.iter().any(|(low, high)| (*low..=*high).contains(&character));
                match case {
                    Case::Exact => inside(character) != *negated,
                    Case::Folded if *negated => !inside(character),
                    Case::Folded => {
                        let folded = fold(character);
                        let upper = folded.to_uppercase().next().unwrap_or(folded);
                        [character, folded, upper].into_iter().any(inside)
                    }
                }
            }
        }
    }
}

/// One spelling for the spellings of a letter. One character becomes one, so that a text never grows or shrinks.
fn fold(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    match character.to_lowercase().next().unwrap_or(character) {
        // The end of a word has a letter of its own in Greek.
        'ς' => 'σ',
        folded => folded,
    }
}

/// The text with [`Case::Folded`] letters in their one spelling.
pub(crate) fn folded(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return text.into();
    }
    text.chars().map(fold).collect::<String>().into()
}

/// Writes a path segment or path so that it is matched as it is.
pub(crate) fn escape_path(text: &str) -> String {
    escape(text, |character| matches!(character, '*' | '?' | '[' | ']' | '\\' | '!'))
}

/// Writes a command so that an exact rule matches it.
pub(crate) fn escape_stars(text: &str) -> String {
    escape(text, |character| character == '*')
}

fn escape(text: &str, special: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if special(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn push_run(tokens: &mut Vec<Token>) {
    if tokens.last() != Some(&Token::Run) {
        tokens.push(Token::Run);
    }
}

fn class(characters: &mut Chars<'_>) -> Result<Token, PatternError> {
    let unclosed =
        || PatternError::from("has a `[` that nothing closes; write `\\[` for a bracket that is meant");
    let mut rest = characters.clone();
    let mut next = rest.next();
    let negated = matches!(next, Some('!' | '^'));
    if negated {
        next = rest.next();
    }
    let mut ranges = Vec::new();
    loop {
        let low = match next.ok_or_else(unclosed)? {
            ']' if !ranges.is_empty() => break,
            '\\' => rest.next().ok_or_else(unclosed)?,
            other => other,
        };
        next = rest.next();
        let mut high = low;
        if next == Some('-') {
            let mut ahead = rest.clone();
            match ahead.next().ok_or_else(unclosed)? {
                // A dash before the closing bracket is a dash.
                ']' => {}
                '\\' => {
                    high = ahead.next().ok_or_else(unclosed)?;
                    next = ahead.next();
                    rest = ahead;
                }
                other => {
                    high = other;
                    next = ahead.next();
                    rest = ahead;
                }
            }
        }
        ranges.push((low, high));
    }
    *characters = rest;
    Ok(Token::Class { negated, ranges })
}
