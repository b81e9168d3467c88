//! `find`: starting points, tests, and the few actions that print.

use crate::arguments::{Reads, begins_as_glob};
use crate::word::Token;

/// Tests and options without a value.
const PLAIN: [&str; 27] = [
    "!",
    "(",
    ")",
    ",",
    "-a",
    "-and",
    "-o",
    "-or",
    "-not",
    "-depth",
    "-empty",
    "-executable",
    "-readable",
    "-writable",
    "-daystart",
    "-mount",
    "-xdev",
    "-prune",
    "-quit",
    "-print",
    "-print0",
    "-ls",
    "-noleaf",
    "-nouser",
    "-nogroup",
    "-true",
    "-false",
];

/// Tests and options with one value.
const VALUED: [&str; 32] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-regextype",
    "-type",
    "-xtype",
    "-size",
    "-maxdepth",
    "-mindepth",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-perm",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-links",
    "-inum",
    "-lname",
    "-ilname",
    "-fstype",
    "-printf",
    "-used",
];

/// Tests whose value is a file that is looked at.
const PATHS: [&str; 4] = ["-newer", "-anewer", "-cnewer", "-samefile"];

pub(super) fn check(arguments: &[Token]) -> Option<Reads> {
    let mut reads = Reads::default();
    let mut rest = arguments.iter().peekable();
    // `-L` follows links below the starting points.
    while rest.next_if(|token| matches!(token.literal(), Some("-P" | "-H"))).is_some() {}
    // A starting point that begins as a glob may match a name that is an expression.
    let starts = |token: &&Token| {
        token.exact
            && !token.splits
            && !token.text.starts_with(['-', '!', '(', ')', ','])
            && !begins_as_glob(token)
    };
    while let Some(start) = rest.next_if(|token| starts(token)) {
        reads.paths.push(start.clone());
    }
    reads.here = reads.paths.is_empty();
    while let Some(token) = rest.next() {
        let word = token.literal()?;
        let compared = newer(word);
        if PATHS.contains(&word) || compared == Some(false) {
            reads.paths.push(rest.next().filter(|value| value.literal().is_some())?.clone());
        } else if VALUED.contains(&word) || compared == Some(true) {
            rest.next()?.literal()?;
        } else if !PLAIN.contains(&word) {
            return None;
        }
    }
    Some(reads)
}

/// `-newerXY`, and whether its value is a time: else it is a file.
fn newer(word: &str) -> Option<bool> {
    let mut letters = word.strip_prefix("-newer")?.chars();
    let (of, than) = (letters.next()?, letters.next()?);
    let known = "aBcm".contains(of) && "aBcmt".contains(than) && letters.next().is_none();
    known.then_some(than == 't')
}
