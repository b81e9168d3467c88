//! The words of a query, and all that may stand for them in the index: other forms, words that mean the same or nearly, in other
//! languages, right spellings, and what the phrase it is said in usually means.

use super::index::Index;
use super::lexicon::{Lexicon, Nearness, Stem};
use super::reading::{Part, Said, read};
use super::vocabulary::{Term, kindred, misspelt};
use super::words::stem_of;

/// Bytes of a word that may be another: nothing longer is a word.
const LONGEST_GUESSED: usize = 40;

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

/// A query against an index.
#[derive(Debug, Default)]
pub(super) struct Wish {
    pub(super) groups: Vec<Group>,
    /// What nobody means who says what the query says.
    pub(super) opposed: Vec<Term>,
    /// Whether something is asked rather than wanted done.
    pub(super) reads: bool,
    /// The products that are named.
    pub(super) products: Vec<Term>,
}

/// Reads a query against an index.
pub(super) fn wish(index: &Index, query: &str) -> Wish {
    let lexicon = Lexicon::get();
    let reading = read(lexicon, query);
    let words = &reading.words;
    let (intents, idiom) = intents(index, lexicon, words);
    let mut wish = Wish::default();
    let mut at = 0;
    let mut before: Vec<Vec<&str>> = Vec::new();
    while at < words.len() {
        let rest = words.get(at..).unwrap_or_default();
        let (mut group, taken) =
            phrase(index, lexicon, rest).unwrap_or_else(|| (single(index, lexicon, rest), 1));
        let weights = index.weights();
        let taken_words = rest.get(..taken).unwrap_or_default();
        if taken_words.first().is_some_and(|said| said.part == Part::Told) {
            group.weight *= weights.told;
        }
        if taken_words.iter().all(|said| said.part == Part::Content) {
            group.weight *= weights.content;
            group.said = false;
        } else if taken_words.iter().all(|said| said.word.empty || lexicon.is_action(&said.word.stem)) {
            group.weight *= weights.action;
        }
        if (at..at + taken).all(|place| idiom.contains(&place)) {
            group.weight *= weights.idiom;
        }
        // What is said twice is meant once.
        let stems: Vec<&str> = taken_words.iter().map(|said| said.word.stem.as_ref()).collect();
        let says_something = !group.words.is_empty() || !group.phrases.is_empty();
        if says_something && !before.contains(&stems) {
            before.push(stems);
            wish.groups.push(group);
        }
        at += taken;
    }
    let first = words.iter().find(|said| !said.word.empty);
    wish.reads = reading.question || first.is_some_and(|said| lexicon.is_thing(&said.word.stem));
    wish.groups.extend(intents);
    if reading.question {
        wish.groups.push(asked(index));
    }
    wish.products = products(index, lexicon, words);
    let hints = reading.hints.iter().map(|hint| stem_of(hint));
    let hints = hints.filter(|hint| words.iter().all(|said| said.word.stem != *hint));
    let hints = hints.filter_map(|hint| index.vocabulary().term(&hint));
    wish.groups.extend(hints.map(|term| meant(term, index.weights().hint)));
    let said = words.iter().map(|said| said.word.stem.as_ref());
    let opposed = said.flat_map(|stem| lexicon.opposites(stem));
    wish.opposed = opposed.filter_map(|stem| index.vocabulary().term(stem)).collect();
    wish
}

/// The longest known phrase that the words begin with, and how many of them it takes.
fn phrase(index: &Index, lexicon: &Lexicon, words: &[Said]) -> Option<(Group, usize)> {
    for length in (2..=lexicon.longest().min(words.len())).rev() {
        let taken = words.get(..length)?;
        let stems: Vec<&str> = taken.iter().map(|said| said.word.stem.as_ref()).collect();
        let Some(others) = lexicon.others(&stems) else { continue };
        let mut group = Group { weight: 1.0, said: true, ..Group::default() };
        let meaning = taken.iter().filter(|said| !said.word.empty);
        for term in meaning.filter_map(|said| index.vocabulary().term(&said.word.stem)) {
            group.words.push(vec![(term, 1.0)]);
        }
        for (stems, nearness) in others {
            add(index, &mut group.phrases, stems, worth(index, nearness));
        }
        return Some((group, length));
    }
    joined(index, lexicon, words)
}

/// Two words that are one where others write them: `name space`.
fn joined(index: &Index, lexicon: &Lexicon, words: &[Said]) -> Option<(Group, usize)> {
    /// Shorter words make others by accident.
    const SHORTEST: usize = 3;
    let [one, other, ..] = words else { return None };
    let (one, other) = (&one.word, &other.word);
    if one.empty || other.empty || one.form.len() < SHORTEST || other.form.len() < SHORTEST {
        return None;
    }
    let form = format!("{}{}", one.form, other.form);
    let stem = stem_of(&form);
    if index.vocabulary().term(&stem).is_none() && !lexicon.knows(&stem) {
        return None;
    }
    let mut group = Group { weight: 1.0, said: true, ..Group::default() };
    let parts = [one, other].into_iter().filter_map(|word| index.vocabulary().term(&word.stem));
    group.words.extend(parts.map(|term| vec![(term, 1.0)]));
    let itself = index.vocabulary().term(&stem).map(|term| (vec![term], 1.0));
    group.phrases.extend(itself);
    for (stems, nearness) in lexicon.others(&[&stem]).into_iter().flatten() {
        add(index, &mut group.phrases, stems, worth(index, nearness));
    }
    Some((group, 2))
}

/// One word, and what may stand for it.
fn single(index: &Index, lexicon: &Lexicon, words: &[Said]) -> Group {
    let mut group = Group { weight: 1.0, said: true, ..Group::default() };
    let Some(word) = words.first().map(|said| &said.word).filter(|word| !word.empty) else { return group };
    let known = index.vocabulary().term(&word.stem).is_some() || lexicon.knows(&word.stem);
    let weights = index.weights();
    let mut readings: Vec<(String, f32)> = vec![(word.stem.clone().into_owned(), 1.0)];
    let guessable = word.form.len() <= LONGEST_GUESSED;
    if !known && guessable {
        if let Some(parts) = compound(index, lexicon, &word.form) {
            group.words = parts
                .into_iter()
                .map(|part| alternatives(index, lexicon, &[(part, 1.0)], &mut group.phrases))
                .collect();
            group.words.retain(|alternatives| !alternatives.is_empty());
            return group;
        }
        readings.extend(guesses(index, lexicon, &word.form));
    }
    // What is kindred to a known word stands for itself alone.
    let itself = if known { 1 } else { usize::MAX };
    if guessable {
        let kindred = kindred(index.vocabulary().forms(), &word.form);
        readings.extend(kindred.into_iter().map(|stem| (stem, weights.kindred)));
    }
    let meaning = readings.get(..itself.min(readings.len())).unwrap_or_default();
    let mut alternatives = alternatives(index, lexicon, meaning, &mut group.phrases);
    for (stem, counts) in &readings {
        if let Some(term) = index.vocabulary().term(stem) {
            keep(&mut alternatives, term, *counts);
        }
    }
    if !alternatives.is_empty() {
        group.words.push(alternatives);
    }
    group
}

/// The words that stand for one of the readings of a word; phrases that do are put to `phrases`.
fn alternatives(
    index: &Index,
    lexicon: &Lexicon,
    readings: &[(String, f32)],
    phrases: &mut Vec<(Vec<Term>, f32)>,
) -> Vec<(Term, f32)> {
    let mut alternatives = Vec::new();
    for (stem, counts) in readings {
        if let Some(term) = index.vocabulary().term(stem) {
            keep(&mut alternatives, term, *counts);
        }
        for (stems, nearness) in lexicon.others(&[stem]).into_iter().flatten() {
            let counts = counts * worth(index, nearness);
            match stems {
                [stem] => {
                    if let Some(term) = index.vocabulary().term(stem) {
                        keep(&mut alternatives, term, counts);
                    }
                }
                stems => add(index, phrases, stems, counts),
            }
        }
    }
    alternatives
}

/// The known words that an unknown one is made of: `untag` is to remove a tag, `dropzone` a zone to drop things.
fn compound(index: &Index, lexicon: &Lexicon, form: &str) -> Option<Vec<String>> {
    const SHORTEST: usize = 3;
    let known = |part: &str| {
        let stem = stem_of(part);
        let known =
            part.len() >= SHORTEST && (index.vocabulary().term(&stem).is_some() || lexicon.knows(&stem));
        known.then_some(stem)
    };
    for (before, means) in
        [("un", Some("remov")), ("de", Some("remov")), ("re", None), ("dis", Some("remov"))]
    {
        if let Some(rest) = form.strip_prefix(before).filter(|rest| rest.len() > SHORTEST).and_then(known) {
            return Some(means.map(str::to_owned).into_iter().chain([rest]).collect());
        }
    }
    let ends = form.char_indices().map(|(at, _)| at).filter(|at| *at > SHORTEST);
    ends.into_iter().find_map(|at| {
        let (one, other) = form.split_at_checked(at)?;
        (other.len() > SHORTEST).then(|| Some(vec![known(one)?, known(other)?])).flatten()
    })
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

/// What the query means by phrases in it, words between allowed; and the places of the words of these phrases.
fn intents(index: &Index, lexicon: &Lexicon, words: &[Said]) -> (Vec<Group>, Vec<usize>) {
    let mut terms: Vec<(Term, f32)> = Vec::new();
    let mut idiom = Vec::new();
    for (start, said) in words.iter().enumerate() {
        for intent in lexicon.intents(&said.word.stem) {
            let Some(places) = occurs(&intent.rest, words, start) else { continue };
            idiom.push(start);
            idiom.extend(places);
            // Of many words most are there to choose from.
            #[expect(clippy::cast_precision_loss, reason = "a few words")]
            let each = index.weights().intent * (index.weights().meant / intent.meant.len() as f32).min(1.0);
            for term in intent.meant.iter().filter_map(|stem| index.vocabulary().term(stem)) {
                keep(&mut terms, term, each);
            }
        }
    }
    (terms.into_iter().map(|(term, weight)| meant(term, weight)).collect(), idiom)
}

/// What is done where a question is answered.
fn asked(index: &Index) -> Group {
    const READING: [&str; 6] = ["list", "get", "search", "find", "read", "show"];
    let terms = READING.iter().filter_map(|word| index.vocabulary().term(&stem_of(word)));
    let alternatives = terms.map(|term| (term, 1.0)).collect();
    Group { words: vec![alternatives], weight: index.weights().question, ..Group::default() }
}

/// The names of products in a query, and their other names.
fn products(index: &Index, lexicon: &Lexicon, words: &[Said]) -> Vec<Term> {
    let mut terms = Vec::new();
    for said in words.iter().filter(|said| lexicon.is_product(&said.word.stem)) {
        let stem = [said.word.stem.as_ref()];
        let others = lexicon.others(&stem).into_iter().flatten();
        let same = others.filter(|(_, nearness)| *nearness == Nearness::Same);
        let names = same.filter_map(|(stems, _)| stems.first().filter(|_| stems.len() == 1));
        let names = names.map(AsRef::as_ref).chain(stem);
        terms.extend(
            names.filter_map(|stem| index.vocabulary().term(stem)).filter(|term| index.is_server(*term)),
        );
    }
    terms
}

/// A word that is not said but meant.
fn meant(term: Term, weight: f32) -> Group {
    Group { words: vec![vec![(term, 1.0)]], weight, ..Group::default() }
}

/// Where the words of a phrase follow each other behind `start`, each at most so many behind the one before.
fn occurs(rest: &[Stem], words: &[Said], start: usize) -> Option<Vec<usize>> {
    const FARTHEST: usize = 4;
    let mut at = start;
    let find = |stem: &Stem| {
        let mut behind = words.iter().enumerate().skip(at + 1).take(FARTHEST);
        at = behind.find(|(_, said)| said.word.stem == *stem)?.0;
        Some(at)
    };
    rest.iter().map(find).collect()
}

fn worth(index: &Index, nearness: Nearness) -> f32 {
    match nearness {
        Nearness::Near => index.weights().near,
        Nearness::Same => index.weights().same,
        Nearness::Translated => index.weights().translated,
    }
}

/// A phrase of which a word is not in the index stands nowhere.
fn add(index: &Index, phrases: &mut Vec<(Vec<Term>, f32)>, stems: &[Stem], counts: f32) {
    let terms: Option<Vec<Term>> = stems.iter().map(|stem| index.vocabulary().term(stem)).collect();
    phrases.extend(terms.map(|terms| (terms, counts)));
}

fn keep(alternatives: &mut Vec<(Term, f32)>, term: Term, counts: f32) {
    match alternatives.iter_mut().find(|(known, _)| *known == term) {
        Some((_, known)) => *known = known.max(counts),
        None => alternatives.push((term, counts)),
    }
}
