//! A text changed at a few places: pieces are left out, doubled, swapped, quoted, continued on the next line, replaced by pieces
//! of other texts, wrapped in other commands.

use crate::linux::generate::corpus::Corpus;
use crate::linux::generate::{grammar, tokens};
use crate::linux::random::Random;

/// Characters and words at which readers of bash differ.
const SHARP: &[&str] = &[
    "'",
    "\"",
    "\\",
    "\\\n",
    "`",
    "$",
    "$(",
    ")",
    "(",
    "{",
    "}",
    "${",
    "#",
    " #",
    "\n",
    ";",
    "&",
    "|",
    "<",
    ">",
    "<<EOF\n",
    "\nEOF\n",
    "<<<",
    "$'",
    "$\"",
    "\\'",
    "!",
    "*",
    "?",
    "[",
    "]",
    "~",
    "=",
    "+=",
    ":-",
    "@",
    "^",
    ",",
    "-",
    "--",
    " ",
    "\t",
    "$$",
    "$!",
    "((",
    "))",
    "[[",
    "]]",
    "$((",
    "$[",
    "{a,b}",
    "<(",
    ">(",
    "case x in x)",
    "esac",
    ";;",
    "do",
    "done",
    "then",
    "fi",
    "in",
    "%",
    "/",
    "&&",
    "||",
];

pub(crate) fn mutated(random: &mut Random, text: &str, corpus: &Corpus) -> String {
    let pieces: Vec<String> = tokens(text).into_iter().map(Into::into).collect();
    if pieces.is_empty() {
        return random.word(SHARP).into();
    }
    let at = random.below(pieces.len());
    let mut pieces = pieces;
    match random.below(12) {
        0 => {
            pieces.remove(at);
        }
        1..4 => pieces.insert(at, random.word(SHARP).into()),
        4 => {
            let other = random.below(pieces.len());
            pieces.swap(at, other);
        }
        5 => pieces.insert(at, corpus.piece(random)),
        6 => {
            if let Some(piece) = pieces.get_mut(at) {
                *piece = corpus.piece(random);
            }
        }
        7 => {
            if let Some(piece) = pieces.get_mut(at) {
                *piece = quoted(random, piece);
            }
        }
        8 => {
            // Within a word too.
            if let Some(piece) = pieces.get_mut(at) {
                let middle = piece.floor_char_boundary(random.below(piece.len() + 1));
                piece.insert_str(middle, random.word(&["\\\n", "''", "\"\"", "\\", "$x", "${x}"]));
            }
        }
        9 => pieces.insert(at, grammar::payload(random)),
        10 => pieces.insert(at, grammar::word(random, corpus, 2)),
        _ => {
            let double = pieces.get(at).cloned().unwrap_or_default();
            pieces.insert(at, double);
        }
    }
    pieces.concat()
}

fn quoted(random: &mut Random, text: &str) -> String {
    match random.below(6) {
        0 => format!("'{text}'"),
        1 => format!("\"{text}\""),
        2 => format!("$'{text}'"),
        3 => format!("\\{text}"),
        4 => format!("$(echo {text})"),
        _ => format!("${{x:-{text}}}"),
    }
}

/// A text within others.
pub(crate) fn around(random: &mut Random, text: String) -> String {
    match random.below(14) {
        0 => format!("ls; {text}"),
        1 => format!("{text}\nls"),
        2 => format!("if true; then {text}\nfi"),
        3 => format!("( {text}\n)"),
        4 => format!("{{ {text}\n}}"),
        5 => format!("for i in 1 2; do {text}\ndone"),
        6 => format!("true && {text}"),
        7 => format!("echo x | {text}"),
        8 => format!("cat README.md; {text}"),
        _ => text,
    }
}
