//! The words of an index as numbers, and the words that a misspelt or unknown one may stand for. Knows no tool and no meaning.

use std::collections::{BTreeMap, HashMap};

use super::words::{all_words, is_unspaced, pairs};

/// A word of the index: its stem's number.
pub(super) type Term = u32;

/// Letters that may differ in a word of so many.
fn most_wrong(length: usize) -> usize {
    match length {
        0..=3 => 0,
        4..=5 => 1,
        _ => 2,
    }
}

#[derive(Debug, Default, Clone)]
pub(super) struct Vocabulary {
    stems: HashMap<String, Term>,
    /// Words as they are written, and their stems.
    forms: BTreeMap<String, String>,
    /// What was added before, so that a word is taken apart once.
    pieces: HashMap<String, Vec<Term>>,
    /// Whole texts that were added before, as arguments of one name say the same of themselves in many tools.
    texts: HashMap<String, Vec<Term>>,
}

impl Vocabulary {
    /// The words of a text that say something, added where they are new.
    pub(super) fn add(&mut self, text: &str) -> Vec<Term> {
        let mut terms = Vec::new();
        each_run(text, |run| {
            if let Some(known) = self.pieces.get(run) {
                terms.extend(known);
                return;
            }
            let added = self.add_piece(run);
            terms.extend(&added);
            self.pieces.insert(run.to_owned(), added);
        });
        terms
    }

    /// The same of a text that many tools have.
    pub(super) fn add_often(&mut self, text: &str) -> &[Term] {
        if !self.texts.contains_key(text) {
            let terms = self.add(text);
            self.texts.insert(text.to_owned(), terms);
        }
        self.texts.get(text).map_or(&[], Vec::as_slice)
    }

    /// Nothing more is added.
    pub(super) fn finish(&mut self) {
        self.pieces = HashMap::new();
        self.texts = HashMap::new();
    }

    pub(super) fn len(&self) -> usize {
        self.stems.len()
    }

    pub(super) fn term(&self, stem: &str) -> Option<Term> {
        self.stems.get(stem).copied()
    }

    pub(super) fn forms(&self) -> &BTreeMap<String, String> {
        &self.forms
    }

    fn add_piece(&mut self, piece: &str) -> Vec<Term> {
        let mut terms = Vec::new();
        for word in all_words(piece).filter(|word| !word.empty) {
            if word.form.chars().any(is_unspaced) {
                terms.extend(pairs(&word.form).into_iter().map(|pair| self.number(pair)));
                continue;
            }
            terms.push(self.number(word.stem.clone().into_owned()));
            self.forms.entry(word.form.into_owned()).or_insert_with(|| word.stem.into_owned());
        }
        terms
    }

    fn number(&mut self, stem: String) -> Term {
        let next = Term::try_from(self.stems.len()).unwrap_or(Term::MAX);
        *self.stems.entry(stem).or_insert(next)
    }
}

/// Gives the runs of letters and digits of a text.
fn each_run(text: &str, mut each: impl FnMut(&str)) {
    if text.is_ascii() {
        let runs = text.as_bytes().split(|byte| !byte.is_ascii_alphanumeric()).filter(|run| !run.is_empty());
        runs.filter_map(|run| std::str::from_utf8(run).ok()).for_each(each);
        return;
    }
    let runs = text.split(|character: char| !character.is_alphanumeric()).filter(|run| !run.is_empty());
    runs.for_each(&mut each);
}

/// The stems of the words among `forms` that `word` may be a misspelling of, with the letters that are wrong; the fewest wrong
/// alone. A first letter is taken to be right.
pub(super) fn misspelt(forms: &BTreeMap<String, String>, word: &str) -> Vec<(String, usize)> {
    let length = word.chars().count();
    let most = most_wrong(length);
    let Some(first) = word.chars().next().filter(|_| most > 0) else { return Vec::new() };
    let letters = letters(word);
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut fewest = most;
    for (form, stem) in beginning(forms, first.encode_utf8(&mut [0; 4])) {
        let off = form.chars().count().abs_diff(length);
        let strange = (letters ^ self::letters(form)).count_ones() as usize;
        if off > fewest || strange > 2 * fewest || form.chars().count() < 4 {
            continue;
        }
        let wrong = strsim::osa_distance(form, word);
        if wrong > fewest {
            continue;
        }
        if wrong < fewest {
            found.clear();
            fewest = wrong;
        }
        if found.iter().all(|(known, _)| known != stem) {
            found.push((stem.clone(), wrong));
        }
    }
    found
}

/// The stems of the words among `forms` that begin as `word` does and differ in the ending alone.
pub(super) fn kindred(forms: &BTreeMap<String, String>, word: &str) -> Vec<String> {
    /// Letters that must be the same, and their share of the longer word in percent.
    const FEWEST: usize = 4;
    const SHARE: usize = 65;
    let length = word.chars().count();
    let prefix: String = word.chars().take(FEWEST.max(length * SHARE / 100)).collect();
    if prefix.chars().count() < FEWEST || length == FEWEST {
        return Vec::new();
    }
    let mut found: Vec<String> = Vec::new();
    for (form, stem) in beginning(forms, &prefix) {
        let common = form.chars().zip(word.chars()).take_while(|(one, other)| one == other).count();
        let longer = form.chars().count().max(length);
        if common * 100 >= longer * SHARE && !found.contains(stem) {
            found.push(stem.clone());
        }
    }
    found
}

/// The words of `forms` that begin with `prefix`.
fn beginning<'a>(
    forms: &'a BTreeMap<String, String>,
    prefix: &str,
) -> impl Iterator<Item = (&'a String, &'a String)> {
    let prefix = prefix.to_owned();
    forms.range(prefix.clone()..).take_while(move |(form, _)| form.starts_with(&prefix))
}

/// Which letters a word has, a bit each.
fn letters(word: &str) -> u32 {
    word.bytes().fold(0, |letters, byte| letters | 1 << (byte % 32))
}
