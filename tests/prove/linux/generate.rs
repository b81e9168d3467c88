//! Commands made from a seed: from bash's grammar, from what programs take, from texts that were tricks once, and from all of
//! these cut up and put together in another way.

mod corpus;
mod grammar;
mod mutate;
mod programs;
mod tricks;

use std::collections::BTreeSet;

use crate::linux::random::Random;

/// A text, and where it runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Case {
    pub(crate) text: String,
    /// Below the project.
    pub(crate) folder: &'static str,
    /// The known trick that it is, where nothing else was done to it than to put it into another command.
    pub(crate) holes: BTreeSet<&'static str>,
    /// What it began as.
    pub(crate) source: &'static str,
}

/// Folders that commands run in.
const FOLDERS: [&str; 5] = ["", "odd", "hostile", "bare", "deep"];

/// The known folder of that name.
pub(crate) fn folder(name: &str) -> &'static str {
    FOLDERS.iter().find(|known| **known == name).copied().unwrap_or_default()
}

/// An endless list of cases.
#[derive(Debug)]
pub(crate) struct Generator {
    random: Random,
    corpus: corpus::Corpus,
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), corpus: corpus::Corpus::read() }
    }

    pub(crate) fn next(&mut self) -> Case {
        let random = &mut self.random;
        let folder = if random.chance(80) { "" } else { random.word(&FOLDERS) };
        let mut case = Case { folder, ..Case::default() };
        (case.source, case.text) = match random.below(100) {
            0..26 => ("grammar", grammar::script(random, &self.corpus)),
            26..46 => ("programs", programs::command(random, &self.corpus)),
            46..54 => {
                let (hole, text) = tricks::trick(random);
                case.holes.extend(hole);
                ("tricks", mutate::around(random, text))
            }
            54..92 => ("everyday", self.corpus.everyday(random)),
            _ => ("attacks", self.corpus.attack(random)),
        };
        for _ in 0..random.word(&["", "", "x", "x", "xx", "xxx"]).len() {
            case.text = mutate::mutated(random, &case.text, &self.corpus);
            case.holes.clear();
        }
        case.text.truncate(case.text.floor_char_boundary(4_000));
        case
    }
}

/// The pieces of a text that are cut and put together: words, blanks, and every other character alone.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    let kind = |character: char| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '.' | '/' => 1,
        ' ' | '\t' => 2,
        _ => 0,
    };
    let mut pieces = Vec::new();
    let mut begin = 0;
    let mut before = 0;
    for (at, character) in text.char_indices() {
        let now = kind(character);
        if at > begin && (now == 0 || now != before) {
            pieces.extend(text.get(begin..at));
            begin = at;
        }
        before = now;
    }
    pieces.extend(text.get(begin..).filter(|rest| !rest.is_empty()));
    pieces
}
