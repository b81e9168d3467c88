//! `sed`: only scripts of printing, deleting and plain substitution. Its language can write files and run programs.

use crate::arguments::{Reads, lets_start};
use crate::word::Token;

pub(super) fn check(arguments: &[Token]) -> Option<Reads> {
    const SHORT: &str = "nEruzs";
    const LONG: [&str; 8] = [
        "--quiet",
        "--silent",
        "--regexp-extended",
        "--unbuffered",
        "--null-data",
        "--separate",
        "--posix",
        "--debug",
    ];
    let mut scripts: Vec<&str> = Vec::new();
    let mut operands: Vec<&Token> = Vec::new();
    let mut rest = arguments.iter();
    let mut flags = true;
    while let Some(token) = rest.next() {
        if token.splits || (flags && !lets_start(token)) {
            return None;
        }
        if !flags || !token.text.starts_with('-') || token.text == "-" {
            operands.push(token);
            continue;
        }
        let text = token.literal()?;
        if text == "--" {
            flags = false;
        } else if text.starts_with("--") {
            match text.strip_prefix("--expression=") {
                Some(script) => scripts.push(script),
                None => LONG.contains(&text).then_some(())?,
            }
        } else {
            let cluster = text.get(1..)?;
            let (plain, script) =
                cluster.split_once('e').map_or((cluster, None), |(plain, glued)| (plain, Some(glued)));
            plain.chars().all(|flag| SHORT.contains(flag)).then_some(())?;
            match script {
                None => {}
                // Behind a file some systems take it for another.
                Some(_) if !operands.is_empty() => return None,
                Some("") => scripts.push(rest.next()?.literal()?),
                Some(glued) => scripts.push(glued),
            }
        }
    }
    let from = usize::from(scripts.is_empty());
    if from == 1 {
        scripts.push(operands.first()?.literal()?);
    }
    let paths =
        operands.into_iter().skip(from).filter(|path| path.text != "-" || !path.exact).cloned().collect();
    scripts.into_iter().all(is_plain).then(|| Reads::of(paths))
}

/// Commands apart by `;` or a line feed, each an address and one of `p d q = n N h H g G x l`, `s` with plain flags, or a group
/// of commands in braces.
pub(crate) fn is_plain(script: &str) -> bool {
    commands(script, 0) == Some("")
}

/// Deeper groups are not followed.
const DEEPEST: usize = 16;

/// What comes behind the commands: nothing, or the brace that closes their group.
fn commands(script: &str, depth: usize) -> Option<&str> {
    let mut rest = script.trim_start_matches([' ', '\t', '\n', ';']);
    let closes = |text: &str| depth > 0 && text.starts_with('}');
    while !rest.is_empty() && !closes(rest) {
        let after = one_command(rest, depth)?;
        let ends = after.is_empty() || after.starts_with([';', '\n']) || closes(after);
        ends.then_some(())?;
        rest = after.trim_start_matches([' ', '\t', '\n', ';']);
    }
    Some(rest)
}

fn one_command(text: &str, depth: usize) -> Option<&str> {
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
    let digit = |character: char| character.is_ascii_digit();
    match characters.next()? {
        'p' | 'd' | 'D' | 'P' | '=' | 'n' | 'N' | 'h' | 'H' | 'g' | 'G' | 'x' => {
            Some(characters.as_str().trim_start_matches(' '))
        }
        'q' | 'Q' | 'l' => Some(
            characters.as_str().trim_start_matches(' ').trim_start_matches(digit).trim_start_matches(' '),
        ),
        's' => substitution(characters.as_str()),
        '{' if depth < DEEPEST => {
            let after = commands(characters.as_str(), depth + 1)?.strip_prefix('}')?;
            Some(after.trim_start_matches(' '))
        }
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

/// Whether it does so in one reading of the bracket: its end may be hidden by a named class (`[:`, `[.`, `[=`) or by a backslash.
fn bracket_hides(text: &str, delimiter: char) -> bool {
    if text.starts_with("[]") || text.starts_with("[^]") {
        return true;
    }
    let hides = |end: Option<usize>| {
        end.and_then(|end| text.get(..end))
            .is_none_or(|inside| inside.contains(delimiter) || inside.ends_with('\\'))
    };
    hides(text.find(']')) || hides(end_behind_classes(text))
}

/// Where a bracket ends that may hold named classes.
fn end_behind_classes(text: &str) -> Option<usize> {
    let mut at = 1;
    loop {
        let rest = text.get(at..)?;
        let first = rest.chars().next()?;
        let class = rest.get(1..2).filter(|kind| first == '[' && matches!(*kind, ":" | "." | "="));
        let end = class.and_then(|kind| rest.get(2..)?.find(&format!("{kind}]")));
        match (first, end) {
            (']', _) => return Some(at),
            (_, Some(end)) => at += end + 4,
            _ => at += first.len_utf8(),
        }
    }
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
            "/ERROR/{p;q}",
            "1,3{s/a/b/;p}",
            "/a/{/b/{p}}",
            "/a/!{ p; d }; 3q",
            "s/^[[:space:]]*//",
            "s/[^[:alnum:]_]//g",
            "/[[:digit:]]/p",
            "1q0",
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
            "s/[[:alpha:]/]/g;/w f/p",
            "s/[[.a.]/]/g;/w f/p",
            "s/[x[=a=]/]/g;/w f/p",
            "s/[[:a]/b:]/]/g;/w f/p",
            "s/[\\]/]/g;/w f/p",
            "/[[:a:]/]/p;/w f/p",
            "a text",
            "s/a\nb/c/",
            "1,w f",
            "s",
            "W f",
            "F",
            "{p",
            "p}",
            "1{w f\n}",
            "/a/{p;w f\n}",
            "{s/a/b/w f\n}",
            "{e}",
            "{p}w f",
            "{r f}",
        ];
        other.iter().for_each(|script| assert!(!is_plain(script), "{script}"));
    }
}
