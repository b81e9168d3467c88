//! The words of the field: which mean the same, in which language, and what people say when they want a thing done. Data
//! files, read once; knows no tool.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use super::words::{Word, all_words, is_unspaced};

/// One file a topic, each row a concept: `same | near | other languages`.
const CONCEPTS: [&str; 12] = [
    include_str!("../../lexicon/actions.txt"),
    include_str!("../../lexicon/charts.txt"),
    include_str!("../../lexicon/cloud.txt"),
    include_str!("../../lexicon/code.txt"),
    include_str!("../../lexicon/data.txt"),
    include_str!("../../lexicon/files.txt"),
    include_str!("../../lexicon/maps.txt"),
    include_str!("../../lexicon/messages.txt"),
    include_str!("../../lexicon/products.txt"),
    include_str!("../../lexicon/time.txt"),
    include_str!("../../lexicon/web.txt"),
    include_str!("../../lexicon/work.txt"),
];
const INTENTS: &str = include_str!("../../lexicon/intents.txt");

/// How near a word of a row is to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nearness {
    Near,
    Same,
    Translated,
}

/// What may stand for a word or phrase: the stems of another.
pub(super) type Others = Vec<(Vec<String>, Nearness)>;

#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// By the stems of a word or phrase, those without meaning included, with a space between.
    concepts: HashMap<String, Others>,
    /// The most words that a phrase of `concepts` has.
    longest: usize,
    /// What is said and what is meant.
    intents: Vec<(Vec<String>, Vec<String>)>,
    /// The single words of `concepts` as they are written, and their stems.
    forms: BTreeMap<String, String>,
    /// Words of scripts without spaces, the longest first.
    unspaced: Vec<String>,
}

impl Lexicon {
    pub(super) fn get() -> &'static Self {
        static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
            let mut lexicon = Lexicon::default();
            CONCEPTS.iter().flat_map(|file| rows(file)).for_each(|row| lexicon.concept(row));
            rows(INTENTS).for_each(|row| lexicon.intent(row));
            lexicon.finish();
            lexicon
        });
        &LEXICON
    }

    /// What may stand for a word or phrase of these stems.
    pub(super) fn others(&self, stems: &[&str]) -> Option<&Others> {
        self.concepts.get(&stems.join(" "))
    }

    /// The most words a phrase has.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// What is said and what is meant, as stems.
    pub(super) fn intents(&self) -> &[(Vec<String>, Vec<String>)] {
        &self.intents
    }

    /// Its single words as they are written, and their stems, in alphabetical order.
    pub(super) fn forms(&self) -> &BTreeMap<String, String> {
        &self.forms
    }

    /// The words in a run of a script without spaces: at each place the longest that is known.
    pub(super) fn segments(&self, run: &str) -> Vec<&str> {
        let mut rest = run;
        let mut segments = Vec::new();
        while let Some(first) = rest.chars().next() {
            let known = self.unspaced.iter().find(|word| rest.starts_with(word.as_str()));
            segments.extend(known.map(String::as_str));
            rest = rest.get(known.map_or(first.len_utf8(), String::len)..).unwrap_or_default();
        }
        segments
    }

    fn concept(&mut self, row: &str) {
        let mut columns = row.split('|').map(phrases);
        let mut next = || columns.next().unwrap_or_default();
        let (same, near, foreign) = (next(), next(), next());
        for phrase in &same {
            self.add(phrase, same.iter().filter(|other| *other != phrase), Nearness::Same);
            self.add(phrase, near.iter(), Nearness::Near);
        }
        for phrase in &near {
            self.add(phrase, same.iter(), Nearness::Near);
        }
        for phrase in &foreign {
            self.add(phrase, same.iter(), Nearness::Translated);
            self.add(phrase, near.iter(), Nearness::Near);
        }
    }

    fn add<'a>(&mut self, phrase: &[Word], others: impl Iterator<Item = &'a Vec<Word>>, nearness: Nearness) {
        let key: Vec<&str> = phrase.iter().map(|word| word.stem.as_str()).collect();
        self.longest = self.longest.max(key.len());
        if let [word] = phrase
            && !word.empty
        {
            if word.form.chars().any(is_unspaced) {
                self.unspaced.push(word.form.clone());
            } else {
                self.forms.entry(word.form.clone()).or_insert_with(|| word.stem.clone());
            }
        }
        let known = self.concepts.entry(key.join(" ")).or_default();
        for other in others {
            let stems: Vec<String> =
                other.iter().filter(|word| !word.empty).map(|word| word.stem.clone()).collect();
            // `log in` without its `in` is another word.
            let whole = stems.len() == other.len() || stems.len() > 1;
            let itself = stems.iter().map(String::as_str).eq(key.iter().copied());
            if !whole || itself {
                continue;
            }
            match known.iter_mut().find(|(before, _)| *before == stems) {
                Some((_, before)) => *before = nearness.max(*before),
                None => known.push((stems, nearness)),
            }
        }
    }

    fn intent(&mut self, row: &str) {
        let Some((said, meant)) = row.split_once("=>") else { return };
        let meant: Vec<String> = all_words(meant).filter(|word| !word.empty).map(|word| word.stem).collect();
        for phrase in phrases(said) {
            let phrase = phrase.into_iter().map(|word| word.stem).collect();
            self.intents.push((phrase, meant.clone()));
        }
    }

    fn finish(&mut self) {
        self.unspaced.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        self.unspaced.dedup();
    }
}

fn rows(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn phrases(column: &str) -> Vec<Vec<Word>> {
    let phrases = column.split(',').map(|phrase| all_words(phrase).collect::<Vec<_>>());
    phrases.filter(|phrase| !phrase.is_empty()).collect()
}
