//! Words outside of `${..}`, by the place where they stand.

use super::text::{is_name, is_plain, is_reserved};
use super::{Printed, Printer, unprintable};
use crate::tree::{Part, Word};

/// Where a word stands: what bash does there to its unquoted characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A command's name.
    Name,
    /// Another word of a command, or of `for`.
    Argument,
    /// A word of a declaration builtin that is no assignment.
    Declared,
    /// An element of an array without a subscript.
    Element,
    /// A redirection's target: globbed, no braces.
    Target,
    /// The value of an assignment.
    Value,
    /// Neither split nor globbed.
    Plain,
    /// A pattern of `case`.
    Pattern,
    /// Right of `==` and `!=` in `[[ ]]`, where `@(..)` and its like are patterns too.
    TestPattern,
    /// Right of `=~`.
    Regex,
}

impl Place {
    fn has_patterns(self) -> bool {
        !matches!(self, Self::Value | Self::Plain)
    }

    fn has_braces(self) -> bool {
        matches!(self, Self::Name | Self::Argument | Self::Declared | Self::Element)
    }

    /// Whether an unquoted `=` may stand here without making the word an assignment.
    fn has_equals(self) -> bool {
        !matches!(self, Self::Name | Self::Declared | Self::Element)
    }
}

impl Printer {
    pub(super) fn word(&mut self, word: &Word, place: Place) -> Printed {
        match (word.parts.as_slice(), place) {
            ([], Place::Value) => return Ok(()),
            ([], _) => return unprintable("a word is missing"),
            ([Part::Text(text)], Place::Name) if text == "[" => {
                self.out.push('[');
                return Ok(());
            }
            (
                [Part::Text(text)],
                Place::Name | Place::Plain | Place::Pattern | Place::TestPattern | Place::Regex,
            ) if is_reserved(text) => {
                self.single_quoted(text);
                return Ok(());
            }
            // It could be an operator of `[[ ]]`.
            ([Part::Text(text)], Place::Plain) if text.starts_with('-') => {
                self.single_quoted(text);
                return Ok(());
            }
            // It could be an option of `time`. What is a pattern behind the dash stays one.
            ([Part::Text(text)], Place::Name) if text.starts_with('-') => {
                self.single_quoted("-");
                return self.unquoted(text.get(1..).unwrap_or_default(), place, false, &[]);
            }
            _ => {}
        }
        self.parts(&word.parts, place)
    }

    pub(super) fn parts(&mut self, parts: &[Part], place: Place) -> Printed {
        if matches!(place, Place::Regex | Place::TestPattern) && !brackets_are_paired(parts, place) {
            return unprintable("brackets in a pattern that are not paired, or not those of `@(..)`");
        }
        let in_braces = self.in_braces;
        self.in_braces |= parts.iter().any(|part| matches!(part, Part::Braces(_)));
        for (index, part) in parts.iter().enumerate() {
            let (before, after) = (&parts[..index], &parts[index + 1..]);
            match part {
                Part::Text(text) => self.unquoted(text, place, before.is_empty(), after)?,
                Part::Quoted(text) => self.single_quoted(text),
                Part::Double(inner) => self.double(inner)?,
                Part::Tilde(prefix) => {
                    if !tilde_is_expanded(place, before) {
                        return unprintable("`~` is not expanded in the same way by every bash here");
                    }
                    self.tilde(prefix, after, matches!(place, Place::Value) || !before.is_empty())?;
                }
                Part::Process { input, script } => {
                    if !after.is_empty() {
                        return unprintable("text directly behind a process substitution");
                    }
                    if matches!(place, Place::Name | Place::Pattern | Place::TestPattern | Place::Regex) {
                        return unprintable("a process substitution as a command's name or in a pattern");
                    }
                    self.process(*input, script, before)?;
                }
                Part::Braces(items) if place.has_braces() => self.braces(items, place)?,
                Part::Braces(_) => return unprintable("braces are not expanded here"),
                Part::Parameter(_) | Part::Command(_) | Part::Arithmetic(_) => {
                    self.expansion(part, super::parameter::Quotes::Outside)?
                }
            }
        }
        self.in_braces = in_braces;
        Ok(())
    }

    fn process(&mut self, input: bool, script: &crate::tree::Script, before: &[Part]) -> Printed {
        if let Some(Part::Text(text)) = before.last()
            && text.bytes().all(|byte| byte.is_ascii_digit())
        {
            return unprintable("a number directly before a process substitution");
        }
        let start = self.out.len();
        self.push(if input { "<(" } else { ">(" });
        self.substituted(script)?;
        self.out.push(')');
        self.no_braces_since(start)
    }

    /// Text that was within double quotes together with expansions: the text in single quotes, runs of expansions in double
    /// quotes.
    pub(super) fn double(&mut self, parts: &[Part]) -> Printed {
        let mut open = false;
        let mut empty = true;
        for part in parts {
            if let Part::Quoted(text) = part {
                if text.is_empty() {
                    continue;
                }
                if open {
                    self.out.push('"');
                    open = false;
                }
                self.single_quoted(text);
            } else {
                if !open {
                    self.out.push('"');
                    open = true;
                }
                self.expansion(part, super::parameter::Quotes::Inside)?;
            }
            empty = false;
        }
        if open {
            self.out.push('"');
        } else if empty {
            self.push("''");
        }
        Ok(())
    }

    pub(super) fn tilde(&mut self, prefix: &str, after: &[Part], colon: bool) -> Printed {
        let ends = match after.first() {
            None => true,
            Some(Part::Text(text)) => text.starts_with('/') || colon && text.starts_with(':'),
            Some(_) => false,
        };
        if !ends
            || !prefix.chars().all(|character| {
                character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '-' | '+')
            })
        {
            return unprintable("`~` with something behind it that no login name ends with");
        }
        self.out.push('~');
        self.push(prefix);
        Ok(())
    }

    fn unquoted(&mut self, text: &str, place: Place, first: bool, after: &[Part]) -> Printed {
        match place {
            Place::Regex => return self.regex(text, first, after),
            Place::Name | Place::Declared if text.contains('[') => {
                return unprintable(
                    "a bracket in a word that could be an assignment to an element of an array",
                );
            }
            Place::Element if first && text.starts_with('[') && !text.contains(']') => {
                return unprintable("an element of an array that begins with an unpaired bracket");
            }
            _ => {}
        }
        let (patterns, equals) = (place.has_patterns(), place.has_equals());
        self.partly_quoted(text, |at, character| {
            is_plain(character)
                || character == '=' && equals
                || patterns && is_pattern(text, at, character)
                || place == Place::TestPattern
                    && (matches!(character, '(' | ')' | '|')
                        || character == '!' && text[at + 1..].starts_with('('))
        });
        Ok(())
    }

    /// Characters of extended regular expressions stay unquoted, within and outside of their brackets.
    fn regex(&mut self, text: &str, first: bool, after: &[Part]) -> Printed {
        for (at, _) in text.match_indices('$') {
            let alone = match text[at + 1..].chars().next() {
                None => after.is_empty(),
                Some(next) => matches!(next, ')' | '|' | ']'),
            };
            if !alone {
                return unprintable("`$` in a regular expression with something behind it");
            }
        }
        self.partly_quoted(text, |at, character| {
            is_plain(character)
                || matches!(character, '(' | ')' | '|' | '^' | '$' | '*' | '?' | '[' | ']' | '{' | '}')
                || matches!(character, '=' | '!' | '#' | '~') && !(first && at == 0)
        });
        Ok(())
    }
}

/// Whether a character of unquoted text belongs to a pattern: `*`, `?`, brackets, and what negates a bracket.
pub(super) fn is_pattern(text: &str, at: usize, character: char) -> bool {
    match character {
        '*' | '?' | '[' | ']' => true,
        '!' | '^' => text[..at].ends_with('['),
        _ => false,
    }
}

/// Whether unquoted round brackets are paired in a word, and in a pattern each opening one stands behind one of `?*+@!`.
fn brackets_are_paired(parts: &[Part], place: Place) -> bool {
    let mut depth = 0_usize;
    for part in parts {
        let Part::Text(text) = part else { continue };
        let mut before = ' ';
        for character in text.chars() {
            match character {
                '(' if place == Place::Regex || matches!(before, '?' | '*' | '+' | '@' | '!') => depth += 1,
                ')' if depth > 0 => depth -= 1,
                '|' if depth > 0 || place == Place::Regex => {}
                '(' | ')' | '|' => return false,
                _ => {}
            }
            before = character;
        }
    }
    depth == 0
}

/// At the beginning of a word; behind `:` in the value of an assignment; behind the first `=` of an argument that looks like
/// an assignment.
fn tilde_is_expanded(place: Place, before: &[Part]) -> bool {
    match (place, before) {
        (_, []) => true,
        (Place::Value, [.., Part::Text(text)]) => text.ends_with(':'),
        (Place::Argument, [Part::Text(text)]) => text.strip_suffix('=').is_some_and(is_name),
        _ => false,
    }
}
