//! The command that a program starts, where which one it is comes from elsewhere: an expansion that is not known, the input of
//! `xargs`, a variable that the program sets for it. Rules on commands cannot see it.

use std::borrow::Cow;
use std::rc::Rc;

use crate::simple::Word;
use crate::starters::{place_of_command, takes_words};
use crate::state::{Value, Variable};
use crate::word::Token;
use crate::wrapper::base_name;
use crate::{inline, names, scripts};

/// Where the command stands among the words behind a program that starts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The program starts none.
    Nowhere,
    /// At this word.
    At(usize),
    /// Anywhere: which words are flags and values is not known.
    Anywhere,
    /// Behind the actions of `find`.
    BehindActions,
}

/// Programs behind programs are followed this far.
const DEEPEST: usize = 32;

/// Whether the command that one starts may be any.
pub(crate) fn is_unknown(words: &[Word]) -> bool {
    starts_unknown(&known_apart(words), 0)
}

/// Each known word of an expansion as a word of its own.
fn known_apart(words: &[Word]) -> Cow<'_, [Word]> {
    let is_apart = |word: &Word| word.tokens.len() != 1 && word.tokens.iter().all(|token| token.exact);
    if !words.iter().any(is_apart) {
        return Cow::Borrowed(words);
    }
    let apart = |word: &Word| match is_apart(word) {
        true => word.tokens.iter().map(|token| Word::new(&token.text, vec![token.clone()])).collect(),
        false => vec![word.clone()],
    };
    Cow::Owned(words.iter().flat_map(apart).collect())
}

fn starts_unknown(words: &[Word], depth: usize) -> bool {
    if depth > DEEPEST {
        return true;
    }
    let Some(program) = words.first().and_then(Word::literal).map(base_name) else { return false };
    if inline::only_names(words) {
        return false;
    }
    if takes_words(program) {
        return gives_words_on(program, words, depth);
    }
    match place_of_command(words) {
        Place::Nowhere => false,
        Place::At(at) => {
            let before = words.get(1..at).unwrap_or_default();
            let sets = matches!(program, "env" | "genv" | "sudo" | "doas") && before.iter().any(sets_program);
            let rest = words.get(at..).unwrap_or_default();
            sets || before.iter().any(may_be_several)
                || rest.first().is_some_and(|word| word.literal().is_none())
                || starts_unknown(rest, depth + 1)
        }
        Place::Anywhere => words.iter().skip(1).any(|word| word.literal().is_none() && !is_assignment(word)),
        Place::BehindActions => finds_unknown(words),
    }
}

fn may_be_several(word: &Word) -> bool {
    word.tokens.len() != 1 || word.tokens.iter().any(|token| token.splits || token.glob)
}

/// `name=` and whatever follows in the same word.
fn is_assignment(word: &Word) -> bool {
    let [token] = word.tokens.as_slice() else { return false };
    !token.splits && token.text.split_once('=').is_some_and(|(name, _)| names::is_name(name))
}

/// An assignment of `env`: it is judged as one before a command is.
fn sets_program(word: &Word) -> bool {
    let [token] = word.tokens.as_slice() else { return true };
    let Some((name, value)) = token.text.split_once('=') else { return false };
    let value = match token.exact {
        true => Variable::OneOf(Rc::new(vec![Value { text: value.into(), glob: token.glob }])),
        false => Variable::Unknown,
    };
    !name.starts_with('-') && names::may_start(name, &value)
}

/// `find`: what stands behind its actions, and words that may be actions themselves.
fn finds_unknown(words: &[Word]) -> bool {
    const TAKE_VALUE: [&str; 35] = [
        "-name",
        "-iname",
        "-path",
        "-ipath",
        "-wholename",
        "-iwholename",
        "-lname",
        "-ilname",
        "-regex",
        "-iregex",
        "-type",
        "-xtype",
        "-newer",
        "-anewer",
        "-cnewer",
        "-mtime",
        "-atime",
        "-ctime",
        "-mmin",
        "-amin",
        "-cmin",
        "-size",
        "-maxdepth",
        "-mindepth",
        "-user",
        "-group",
        "-uid",
        "-gid",
        "-perm",
        "-links",
        "-inum",
        "-samefile",
        "-fstype",
        "-newermt",
        "-printf",
    ];
    let mut open = 0;
    let mut before = None;
    for word in words.iter().skip(1) {
        let text = word.literal();
        match before {
            Some("-exec" | "-execdir" | "-ok" | "-okdir") if text.is_none_or(|text| text.contains("{}")) => {
                return true;
            }
            Some("-exec" | "-execdir" | "-ok" | "-okdir") => {}
            Some(flag) if TAKE_VALUE.contains(&flag) && !may_be_several(word) => {}
            _ if text.is_none() && word.may_be_flag() => {
                // One word makes no action alone: the command, and what ends it, are others.
                open += if word.tokens.len() != 1 || word.tokens.iter().any(|token| token.splits) {
                    2
                } else {
                    1
                };
            }
            _ => {}
        }
        before = text;
    }
    open > 1 || starts_behind_actions(words)
}

fn starts_behind_actions(words: &[Word]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        matches!(word.literal(), Some("-exec" | "-execdir" | "-ok" | "-okdir")) && {
            let rest = words.get(at + 1..).unwrap_or_default();
            let ends = |word: &Word| matches!(word.literal(), Some(";" | "+"));
            let end = rest.iter().position(ends).unwrap_or(rest.len());
            given(rest.get(..end).unwrap_or_default(), "{}", false, 1)
        }
    })
}

/// `xargs`: the command it starts, with words that come from its input.
fn gives_words_on(program: &str, words: &[Word], depth: usize) -> bool {
    let Place::At(at) = place_of_command(words) else {
        // Which words are values of flags is not known: any of the others may be the command.
        let may_start = |at: usize| {
            let named = words.get(at).and_then(Word::literal);
            named.is_some_and(|name| !name.starts_with('-') && !name.contains("{}"))
                && given(words.get(at..).unwrap_or_default(), "{}", true, depth + 1)
        };
        return words.iter().skip(1).any(|word| word.literal().is_none()) || (1..words.len()).any(may_start);
    };
    let before = words.get(1..at).unwrap_or_default();
    if before.iter().any(may_be_several) {
        return true;
    }
    let rest = words.get(at..).unwrap_or_default();
    if rest.is_empty() {
        return !matches!(program, "xargs" | "gxargs");
    }
    match replaced(before) {
        Some(text) => given(rest, text, false, depth + 1),
        None => given(rest, "", true, depth + 1),
    }
}

/// The text in the place of which `xargs` puts a line of its input.
fn replaced(flags: &[Word]) -> Option<&str> {
    let mut found = None;
    let mut rest = flags.iter().map(Word::literal);
    while let Some(flag) = rest.next() {
        let Some(flag) = flag else { continue };
        if flag == "-I" {
            found = rest.next().flatten();
        } else if let Some(text) = flag.strip_prefix("-I").or(flag.strip_prefix("-i")) {
            found = Some(if text.is_empty() { "{}" } else { text });
        } else if let Some(long) =
            flag.strip_prefix("--r").filter(|_| flag.starts_with("--repl") || flag == "--r")
        {
            found = Some(long.split_once('=').map_or("{}", |(_, text)| text));
        } else if let Some(at) = flag.strip_prefix('-').and_then(|cluster| cluster.find('I'))
            && flag
                .bytes()
                .skip(1)
                .take(at)
                .all(|letter| matches!(letter, b'0' | b'r' | b't' | b'p' | b'x' | b'o'))
        {
            let glued = flag.get(at + 2..).unwrap_or_default();
            found = if glued.is_empty() { rest.next().flatten() } else { Some(glued) };
        }
    }
    found
}

/// A command of which words are given: those that hold `text`, or more at its end.
fn given(command: &[Word], text: &str, more: bool, depth: usize) -> bool {
    let mut words: Vec<Word> = command.to_vec();
    if !text.is_empty() {
        for word in words.iter_mut().filter(|word| word.raw.contains(text)) {
            for token in &mut word.tokens {
                if let Some(at) = token.text.find(text) {
                    token.text.truncate(at);
                    token.exact = false;
                }
            }
        }
    }
    if more {
        words.push(Word::new("", vec![Token::handed_words()]));
    }
    let Some(program) = words.first().and_then(Word::literal).map(base_name) else { return true };
    let arguments = words.get(1..).unwrap_or_default();
    starts_unknown(&words, depth)
        || inline::runs_code(&words)
        || (inline::obeys_flags(program) && behind_no_end_of_flags(arguments))
        || scripts::of(&words, None).unseen
}

/// A word that is not known may be a flag.
fn behind_no_end_of_flags(arguments: &[Word]) -> bool {
    let flags = arguments.iter().take_while(|word| word.literal() != Some("--"));
    flags.into_iter().any(|word| word.literal().is_none() && word.may_be_flag())
}
