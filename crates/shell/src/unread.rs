//! A text that could not be read: what deny and ask rules may still find in it. Never for allowing.

use toolwright_core::{CommandPart, Reach};

use crate::wrapper::base_name;

/// More pieces than these are not looked at.
const MOST: usize = 300;

/// Words that may stand before a command.
const BEFORE: [&str; 16] = [
    "coproc", "select", "if", "then", "elif", "else", "while", "until", "do", "for", "time", "!", "{",
    "function", "case", "in",
];

/// Whatever stands between signs that separate commands, as if it were one.
pub(crate) fn parts(text: &str) -> Vec<CommandPart> {
    let ends = |character: char| matches!(character, '\n' | ';' | '&' | '|' | '(' | ')' | '`' | '{' | '}');
    text.split(ends).filter_map(part).take(MOST).collect()
}

fn part(piece: &str) -> Option<CommandPart> {
    let quotes = |character: char| matches!(character, '\'' | '"' | '\\');
    let words: Vec<String> = piece.split_whitespace().map(|word| word.replace(quotes, "")).collect();
    let is_before = |word: &&String| {
        let assignment = word.split_once('=').is_some_and(|(name, _)| crate::names::is_name(name));
        BEFORE.contains(&word.as_str()) || assignment || word.is_empty()
    };
    let start = words.iter().take_while(is_before).count();
    let text = words.get(start..)?.join(" ");
    (!text.is_empty()).then(|| CommandPart {
        shown: piece.trim().into(),
        program: String::new(),
        for_allow: piece.trim().into(),
        for_deny: vec![base_name(&text).into(), text],
        reach: Reach::ExactText,
        runs_code: true,
    })
}
