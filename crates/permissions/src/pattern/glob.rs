//! Wildcards within one piece of text. Matching takes time in proportion to pattern times text, never more.

use super::Misread;

/// A piece of text with wildcards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Glob(Vec<Token>);

#[derive(Debug, Clone, PartialEq, Eq)]
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
    pub(crate) fn segment(text: &str) -> Result<Self, Misread> {
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
        let character = |token: &Token| match token {
            Token::Char(character) => Some(*character),
            Token::Run | Token::One | Token::Class { .. } => None,
        };
        self.0.iter().map(character).collect()
    }

    /// Whether some name is meant both by this pattern and by a word that a shell would expand, letters of either case.
    /// As in a shell, a wildcard at the beginning of the word stands for no dot.
    pub(crate) fn overlaps(&self, word: &Self) -> bool {
        let hidden = self.0.first() == Some(&Token::Char('.'));
        if hidden && !matches!(word.0.first(), Some(Token::Char(_))) {
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

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn matches(&self, text: &str, case: Case) -> bool {
        let text: Vec<char> = match case {
            Case::Exact => text.chars().collect(),
            Case::Folded => text.chars().flat_map(char::to_lowercase).collect(),
        };
        let (mut pattern_at, mut text_at) = (0, 0);
        // The last run seen, and how much of the text it has taken so far: only that one ever needs to take more.
        let mut retry = None;
        loop {
            let token = self.0.get(pattern_at);
            let character = text.get(text_at).copied();
            match (token, character) {
                (Some(Token::Run), _) => {
                    retry = Some((pattern_at + 1, text_at));
                    pattern_at += 1;
                    continue;
                }
                (Some(token), Some(character)) if token.accepts(character, case) => {
                    pattern_at += 1;
                    text_at += 1;
                    continue;
                }
                (None, None) => return true,
                _ => {}
            }
            match retry {
                Some((after_run, taken)) if taken < text.len() => {
                    retry = Some((after_run, taken + 1));
                    pattern_at = after_run;
                    text_at = taken + 1;
                }
                _ => return false,
            }
        }
    }
}

impl Token {
    /// Whether two single tokens may stand for one character; where that is hard to say, they may.
    fn may_be(&self, other: &Self) -> bool {
        match (self, other) {
            (token, Self::Char(character)) | (Self::Char(character), token) => {
                character.to_lowercase().next().is_some_and(|folded| token.accepts(folded, Case::Folded))
            }
            _ => true,
        }
    }

    fn accepts(&self, character: char, case: Case) -> bool {
        match self {
            Self::Char(own) => match case {
                Case::Exact => *own == character,
                // A letter whose lower case is several characters is compared by its first one: it may only match more.
                Case::Folded => own.to_lowercase().next() == Some(character),
            },
            Self::One | Self::Run => true,
            Self::Class { negated, ranges } => {
                let inside =
                    |character: char| ranges.iter().any(|(low, high)| (*low..=*high).contains(&character));
                match case {
                    Case::Exact => inside(character) != *negated,
                    Case::Folded => {
                        let upper = character.to_uppercase().next().unwrap_or(character);
                        (inside(character) || inside(upper)) != *negated
                    }
                }
            }
        }
    }
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

fn class(characters: &mut std::str::Chars<'_>) -> Result<Token, Misread> {
    let unclosed = || Misread::from("has a `[` that nothing closes; write `\\[` for a bracket that is meant");
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
