//! `sed`: only scripts of printing, deleting and plain substitution. Its language can write files and run programs.

use crate::arguments::{Operands, Reads, Row, check as check_row};
use crate::word::Token;

const SED: Row = Row {
    short: "nEruz",
    long: &["quiet", "silent", "regexp-extended", "unbuffered", "null-data"],
    ..Row::of(&["sed"], Operands::Paths)
};

pub(super) fn check(arguments: &[Token]) -> Option<Reads> {
    let mut scripts = Vec::new();
    let mut rest = Vec::new();
    let mut iterator = arguments.iter();
    while let Some(token) = iterator.next() {
        if token.literal() == Some("-e") {
            scripts.push(iterator.next()?.literal()?);
        } else {
            rest.push(token.clone());
        }
    }
    if scripts.is_empty() {
        let at = rest.iter().position(|token| !token.exact || !token.text.starts_with('-'))?;
        let script = rest.remove(at);
        return script.literal().filter(|script| is_plain(script)).and_then(|_| check_row(&SED, &rest));
    }
    scripts.into_iter().all(is_plain).then(|| check_row(&SED, &rest)).flatten()
}

/// Commands apart by `;` or a line feed, each an address and one of `p d q = n N h H g G x l` or `s` with plain flags.
pub(crate) fn is_plain(script: &str) -> bool {
    let mut rest = script.trim_start_matches([' ', '\t', '\n', ';']);
    while !rest.is_empty() {
        let Some(after) = one_command(rest) else { return false };
        let ends = after.is_empty() || after.starts_with([';', '\n']);
        if !ends {
            return false;
        }
        rest = after.trim_start_matches([' ', '\t', '\n', ';']);
    }
    true
}

fn one_command(text: &str) -> Option<&str> {
    let mut rest = address(text)?;
    if let Some(second) = rest.strip_prefix(',') {
        let second = second.trim_start_matches(' ');
        let second = second.strip_prefix(['+', '~']).unwrap_or(second);
        let after = address(second)?;
        (after.len() < second.len()).then_some(())?;
        rest = after;
    }
    let rest = rest.trim_start_matches([' ', '!']);
    let mut characters = rest.chars();
    match characters.next()? {
        'p' | 'd' | 'D' | 'P' | 'q' | '=' | 'n' | 'N' | 'h' | 'H' | 'g' | 'G' | 'x' | 'l' => {
            Some(characters.as_str().trim_start_matches(' '))
        }
        's' => substitution(characters.as_str()),
        _ => None,
    }
}

/// A number, `$` or `/expression/`, or nothing.
fn address(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('$') {
        return Some(rest);
    }
    if let Some(rest) = text.strip_prefix('/') {
        return after_delimiter(rest, '/').map(|rest| rest.strip_prefix('I').unwrap_or(rest));
    }
    Some(text.trim_start_matches(|character: char| character.is_ascii_digit()))
}

/// Flags `g`, `p`, `i`, `I` and a number: `e` runs, `w` writes, `m` is left out.
fn substitution(text: &str) -> Option<&str> {
    let delimiter =
        text.chars().next().filter(|character| character.is_ascii_punctuation() && *character != '\\')?;
    let rest = text.get(delimiter.len_utf8()..)?;
    let rest = after_delimiter(after_delimiter(rest, delimiter)?, delimiter)?;
    let flag = |character: char| matches!(character, 'g' | 'p' | 'i' | 'I') || character.is_ascii_digit();
    Some(rest.trim_start_matches(flag).trim_start_matches(' '))
}

/// A bracket expression may hide the delimiter; a text with both is not followed.
fn after_delimiter(text: &str, delimiter: char) -> Option<&str> {
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        if character == '\n' || (character == '[' && !escaped && bracket_hides(text.get(at..)?, delimiter)) {
            return None;
        }
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == delimiter {
            return text.get(at + delimiter.len_utf8()..);
        }
    }
    None
}

fn bracket_hides(text: &str, delimiter: char) -> bool {
    if text.starts_with("[]") || text.starts_with("[^]") {
        return true;
    }
    text.find(']').and_then(|end| text.get(..end)).is_some_and(|inside| inside.contains(delimiter))
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn scripts() {
        let plain = [
            "p",
            "1,20p",
            "s/a/b/g",
            "s|/|_|g",
            "/x/d",
            "$p",
            "1!d",
            "s/;/,/",
            r"s/(a)(b)?/\2/",
            "1p;2p",
            "s/^/> /",
        ];
        plain.iter().for_each(|script| assert!(is_plain(script), "{script}"));
        let other = [
            "w f",
            "s/a/b/w f",
            "s/.*/x/e",
            "e",
            "1e x",
            "/a/w f",
            "1{w f\n}",
            "r f",
            "R f",
            "1R f",
            "s/a/b/;w f",
            "y/a/b/",
            "p w",
            "s/a/b/gw f",
            "s/[/]/b/w f/",
            "a text",
            "s/a\nb/c/",
            "1,w f",
            "s",
            "W f",
            "F",
        ];
        other.iter().for_each(|script| assert!(!is_plain(script), "{script}"));
    }
}
