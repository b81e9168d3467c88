//! The words of a query, and all that may stand for them in the index: other forms, words that mean the same or nearly, in other
//! languages, right spellings, and what the phrase it is said in usually means.

use super::index::Index;
use super::lexicon::{Lexicon, Nearness};
use super::vocabulary::{Term, kindred, misspelt};
use super::words::{Word, all_words, is_unspaced};

/// Words of the query that are looked for together.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// For each of its words what may stand for it, and what that counts.
    pub(super) words: Vec<Vec<(Term, f32)>>,
    /// What may stand for all of them: phrases.
    pub(super) phrases: Vec<(Vec<Term>, f32)>,
    /// What the group counts.
    pub(super) weight: f32,
    /// Whether the query is the less answered without it.
    pub(super) said: bool,
}

/// Reads a query against an index.
pub(super) fn groups(index: &Index, query: &str) -> Vec<Group> {
    let lexicon = Lexicon::get();
    let words: Vec<Word> = all_words(query).flat_map(|word| segmented(lexicon, word)).collect();
    let mut groups = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let rest = words.get(at..).unwrap_or_default();
        let (group, taken) =
            phrase(index, lexicon, rest).unwrap_or_else(|| (single(index, lexicon, rest), 1));
        if !group.words.is_empty() || !group.phrases.is_empty() {
            groups.push(group);
        }
        at += taken;
    }
    groups.extend(intents(index, lexicon, &words));
    groups
}

/// A run of a script without spaces is the known words in it, or itself.
fn segmented(lexicon: &Lexicon, word: Word) -> Vec<Word> {
    if !word.form.chars().any(is_unspaced) {
        return vec![word];
    }
    let segments = lexicon.segments(&word.form);
    if segments.is_empty() {
        return vec![word];
    }
    segments
        .into_iter()
        .map(|segment| Word { form: segment.to_owned(), stem: segment.to_owned(), empty: false })
        .collect()
}

/// The longest known phrase that the words begin with, and how many of them it takes.
fn phrase(index: &Index, lexicon: &Lexicon, words: &[Word]) -> Option<(Group, usize)> {
    for length in (2..=lexicon.longest().min(words.len())).rev() {
        let taken = words.get(..length)?;
        let stems: Vec<&str> = taken.iter().map(|word| word.stem.as_str()).collect();
        let Some(others) = lexicon.others(&stems) else { continue };
        let mut group = Group { weight: 1.0, said: true, ..Group::default() };
        let meaning = taken.iter().filter(|word| !word.empty);
        for term in meaning.filter_map(|word| index.vocabulary().term(&word.stem)) {
            group.words.push(vec![(term, 1.0)]);
        }
        for (stems, nearness) in others {
            add(index, &mut group.phrases, stems, worth(index, *nearness));
        }
        return Some((group, length));
    }
    None
}

/// One word, and what may stand for it.
fn single(index: &Index, lexicon: &Lexicon, words: &[Word]) -> Group {
    let mut group = Group { weight: 1.0, said: true, ..Group::default() };
    let Some(word) = words.first() else { return group };
    let known = lexicon.others(&[&word.stem]);
    if word.empty {
        return group;
    }
    let mut alternatives: Vec<(Term, f32)> = Vec::new();
    let own = index.vocabulary().term(&word.stem);
    let mut readings: Vec<(String, f32)> = vec![(word.stem.clone(), 1.0)];
    let weights = index.weights();
    if own.is_none() && known.is_none() {
        readings.extend(guesses(index, lexicon, &word.form));
    }
    for stem in kindred(index.vocabulary().forms(), &word.form) {
        readings.push((stem, weights.kindred));
    }
    for (number, (stem, counts)) in readings.iter().enumerate() {
        if let Some(term) = index.vocabulary().term(stem) {
            keep(&mut alternatives, term, *counts);
        }
        // What is kindred to a known word stands for itself alone.
        if number > 0 && (own.is_some() || known.is_some()) {
            continue;
        }
        for (stems, nearness) in lexicon.others(&[stem]).into_iter().flatten() {
            let counts = counts * worth(index, *nearness);
            match stems.as_slice() {
                [stem] => {
                    if let Some(term) = index.vocabulary().term(stem) {
                        keep(&mut alternatives, term, counts);
                    }
                }
                stems => add(index, &mut group.phrases, stems, counts),
            }
        }
    }
    if !alternatives.is_empty() {
        group.words.push(alternatives);
    }
    group
}

/// What a word that nobody knows may be: misspelt, another form of a known one, or two in one.
fn guesses(index: &Index, lexicon: &Lexicon, form: &str) -> Vec<(String, f32)> {
    let weights = index.weights();
    let mut guesses = Vec::new();
    let own = misspelt(index.vocabulary().forms(), form);
    let listed = misspelt(lexicon.forms(), form);
    let fewest = own.iter().chain(&listed).map(|(_, wrong)| *wrong).min().unwrap_or_default();
    for (stem, wrong) in own.into_iter().chain(listed).filter(|(_, wrong)| *wrong == fewest) {
        #[expect(clippy::cast_precision_loss, reason = "two at most")]
        guesses.push((stem, 1.0 - weights.letter * wrong as f32));
    }
    guesses.extend(kindred(lexicon.forms(), form).into_iter().map(|stem| (stem, weights.kindred.max(0.7))));
    guesses
}

/// What the query means by phrases in it, words between allowed.
fn intents(index: &Index, lexicon: &Lexicon, words: &[Word]) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut meant: Vec<&str> = Vec::new();
    for (said, means) in lexicon.intents() {
        if occurs(said, words) {
            meant.extend(means.iter().map(String::as_str));
        }
    }
    meant.sort_unstable();
    meant.dedup();
    for term in meant.into_iter().filter_map(|stem| index.vocabulary().term(stem)) {
        groups.push(Group {
            words: vec![vec![(term, 1.0)]],
            weight: index.weights().intent,
            ..Group::default()
        });
    }
    groups
}

/// Whether the words of a phrase follow each other in `words`, each at most so many behind the one before.
fn occurs(phrase: &[String], words: &[Word]) -> bool {
    const FARTHEST: usize = 3;
    let Some((first, rest)) = phrase.split_first() else { return false };
    let starts = words.iter().enumerate().filter(|(_, word)| word.stem == *first);
    starts.into_iter().any(|(start, _)| {
        let mut at = start;
        rest.iter().all(|stem| {
            let behind = words.iter().enumerate().skip(at + 1).take(FARTHEST);
            let found = behind.into_iter().find(|(_, word)| word.stem == *stem).map(|(found, _)| found);
            at = found.unwrap_or(at);
            found.is_some()
        })
    })
}

fn worth(index: &Index, nearness: Nearness) -> f32 {
    match nearness {
        Nearness::Near => index.weights().near,
        Nearness::Same => index.weights().same,
        Nearness::Translated => index.weights().translated,
    }
}

/// A phrase of which a word is not in the index stands nowhere.
fn add(index: &Index, phrases: &mut Vec<(Vec<Term>, f32)>, stems: &[String], counts: f32) {
    let terms: Option<Vec<Term>> = stems.iter().map(|stem| index.vocabulary().term(stem)).collect();
    phrases.extend(terms.map(|terms| (terms, counts)));
}

fn keep(alternatives: &mut Vec<(Term, f32)>, term: Term, counts: f32) {
    match alternatives.iter_mut().find(|(known, _)| *known == term) {
        Some((_, known)) => *known = known.max(counts),
        None => alternatives.push((term, counts)),
    }
}
