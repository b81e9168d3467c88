//! Literal text: which characters stand bare, and the two ways to quote the others.

use super::Printer;

/// Characters that no bash gives a meaning wherever they stand in a word.
pub(super) fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '_' | '.' | '/' | ':' | '+' | '@' | '-' | ',' | '%')
}

/// Reserved words, those of newer versions too.
pub(super) fn is_reserved(text: &str) -> bool {
    matches!(
        text,
        "if" | "then"
            | "else"
            | "elif"
            | "fi"
            | "case"
            | "esac"
            | "for"
            | "select"
            | "while"
            | "until"
            | "do"
            | "done"
            | "in"
            | "function"
            | "time"
            | "coproc"
            | "]]"
    )
}

pub(super) fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
}

impl Printer {
    /// `'..'`; a single quote in it stands in double quotes: bash 5.2 and 5.3 lose a backslash outside of quotes in a list
    /// within a command substitution. Right behind another one it goes on in that one.
    pub(super) fn single_quoted(&mut self, text: &str) {
        if self.quote_end > 0 && self.quote_end == self.out.len() {
            self.out.pop();
        } else {
            self.out.push('\'');
        }
        for (index, piece) in text.split('\'').enumerate() {
            if index > 0 {
                self.out.push_str(r#"'"'"'"#);
            }
            self.out.push_str(piece);
        }
        self.out.push('\'');
        self.quote_end = self.out.len();
    }

    /// `".."` without expansions, for words of `"${..}"`. No backslash stands behind a character that is not ASCII: in some
    /// encodings it would be the second byte of that character.
    pub(super) fn double_quoted(&mut self, text: &str) {
        let mut after_ascii = true;
        if self.double_end > 0 && self.double_end == self.out.len() {
            self.out.pop();
            after_ascii = self.out.ends_with(|last: char| last.is_ascii());
        } else {
            self.out.push('"');
        }
        for character in text.chars() {
            if matches!(character, '"' | '$' | '`' | '\\') {
                if !after_ascii {
                    self.out.push_str("\"\"");
                }
                self.out.push('\\');
            }
            self.out.push(character);
            after_ascii = character.is_ascii();
        }
        self.out.push('"');
        self.double_end = self.out.len();
    }

    /// Writes `text` with the characters for which `bare` holds as they are, and runs of others in single quotes.
    /// `bare` gets the byte position and the character.
    pub(super) fn partly_quoted(&mut self, text: &str, bare: impl Fn(usize, char) -> bool) {
        let mut quoted_from = None;
        for (at, character) in text.char_indices() {
            if bare(at, character) {
                if let Some(from) = quoted_from.take() {
                    self.single_quoted(&text[from..at]);
                }
                self.out.push(character);
            } else if quoted_from.is_none() {
                quoted_from = Some(at);
            }
        }
        if let Some(from) = quoted_from {
            self.single_quoted(&text[from..]);
        }
    }
}
