//! The words of the field: which mean the same, in which language, and what people say when they want a thing done. Data
//! files, read once; knows no tool.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use super::words::{Word, all_words, is_unspaced};

/// One file a topic, each row a concept: `same | near | other languages`. What tools do comes first.
const CONCEPTS: [&str; 13] = [
    ACTIONS,
    include_str!("../../lexicon/charts.txt"),
    include_str!("../../lexicon/cloud.txt"),
    include_str!("../../lexicon/code.txt"),
    include_str!("../../lexicon/data.txt"),
    include_str!("../../lexicon/files.txt"),
    include_str!("../../lexicon/maps.txt"),
    include_str!("../../lexicon/messages.txt"),
    PRODUCTS,
    include_str!("../../lexicon/states.txt"),
    include_str!("../../lexicon/time.txt"),
    include_str!("../../lexicon/web.txt"),
    include_str!("../../lexicon/work.txt"),
];
const ACTIONS: &str = include_str!("../../lexicon/actions.txt");
const PRODUCTS: &str = include_str!("../../lexicon/products.txt");
const INTENTS: &str = include_str!("../../lexicon/intents.txt");
const OPPOSITES: &str = include_str!("../../lexicon/opposites.txt");
const ABBREVIATIONS: &str = include_str!("../../lexicon/abbreviations.txt");
const FAINT: &str = include_str!("../../lexicon/faint.txt");

/// How near a word of a row is to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nearness {
    Near,
    Same,
    Translated,
}

/// The stem of a word of these files, mostly as it stands there.
pub(super) type Stem = Cow<'static, str>;

/// A word or phrase as what stands for others: its stems that say something.
#[derive(Debug)]
struct Phrase {
    stems: Vec<Stem>,
    /// `log in` without its `in` is another word, and stands for nothing.
    whole: bool,
}

/// A concept.
#[derive(Debug, Default)]
struct Row {
    same: Vec<Phrase>,
    near: Vec<Phrase>,
}

/// Where a word or phrase stands in a row.
#[derive(Debug, Clone, Copy)]
enum Column {
    Same,
    Near,
    Foreign,
}

/// What is said of an intent behind its first word, and what is meant.
#[derive(Debug)]
pub(super) struct Intent {
    pub(super) rest: Vec<Stem>,
    pub(super) meant: Vec<Stem>,
}

#[derive(Debug, Default)]
pub(super) struct Lexicon {
    rows: Vec<Row>,
    /// By the stems of a word or phrase, those without meaning included, with a space between: the rows it stands in.
    concepts: HashMap<Stem, Vec<(usize, Column)>>,
    /// The most words that a phrase of `concepts` has.
    longest: usize,
    /// By the stem of what is said first.
    intents: HashMap<Stem, Vec<Intent>>,
    /// The single words of `concepts` as they are written, and their stems.
    forms: OnceLock<BTreeMap<String, String>>,
    /// By their first character words of scripts without spaces, the longest first.
    unspaced: HashMap<char, Vec<Stem>>,
    /// By the stem of a word that is written for others: those.
    abbreviations: HashMap<Stem, Vec<Word<'static>>>,
    /// Stems of words that are content of a wish.
    faint: HashSet<Stem>,
    /// Stems that say what is done, and nothing else.
    actions: HashSet<Stem>,
    /// Stems that name a thing, and never say what is done.
    things: HashSet<Stem>,
    opposites: HashMap<Stem, Vec<Stem>>,
    /// Stems of words that name a product and nothing else.
    products: HashSet<Stem>,
}

impl Lexicon {
    pub(super) fn get() -> &'static Self {
        static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::read);
        &LEXICON
    }

    fn read() -> Self {
        let mut lexicon = Self::default();
        CONCEPTS.iter().flat_map(|file| rows(file)).for_each(|row| lexicon.concept(row));
        rows(INTENTS).for_each(|row| lexicon.intent(row));
        let names = rows(PRODUCTS).filter_map(|row| row.split('|').next()).flat_map(phrases);
        lexicon.products = names
            .filter_map(|name| Some(<[Word<'_>; 1]>::try_from(name).ok()?.map(|word| word.stem)))
            .flatten()
            .collect();
        for row in rows(ABBREVIATIONS) {
            let mut words = all_words(row);
            let Some(short) = words.next() else { continue };
            lexicon.abbreviations.insert(short.stem, words.collect());
        }
        lexicon.faint = rows(FAINT).flat_map(all_words).map(|word| word.stem).collect();
        for row in rows(OPPOSITES) {
            let mut stems = all_words(row).map(|word| word.stem);
            let (Some(one), Some(other)) = (stems.next(), stems.next()) else { continue };
            lexicon.opposites.entry(one.clone()).or_default().push(other.clone());
            lexicon.opposites.entry(other).or_default().push(one);
        }
        let verbs = rows(ACTIONS).count();
        let others = |columns: &Vec<(usize, Column)>| {
            columns.iter().all(|(row, column)| *row < verbs || !matches!(column, Column::Same))
                && columns.iter().any(|(row, column)| *row < verbs && matches!(column, Column::Same))
        };
        let actions = lexicon.concepts.iter().filter(|(_, columns)| others(columns));
        lexicon.actions = actions.map(|(stem, _)| stem.clone()).collect();
        let things = lexicon.concepts.iter().filter(|(stem, columns)| {
            !stem.contains(' ')
                && columns.iter().any(|(row, column)| *row >= verbs && matches!(column, Column::Same))
                && columns.iter().all(|(row, column)| *row >= verbs || matches!(column, Column::Near))
        });
        lexicon.things = things.map(|(stem, _)| stem.clone()).collect();
        for words in lexicon.unspaced.values_mut() {
            words.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        }
        lexicon
    }

    /// What may stand for a word or phrase of these stems; none where it is not known.
    pub(super) fn others<'a>(
        &'a self,
        stems: &'a [&'a str],
    ) -> Option<impl Iterator<Item = (&'a [Stem], Nearness)> + use<'a>> {
        let columns = self.concepts.get(stems.join(" ").as_str())?;
        let others = columns.iter().filter_map(|(row, column)| Some((self.rows.get(*row)?, *column)));
        let others = others.flat_map(|(row, column)| {
            let (same, near) = match column {
                Column::Same => (Nearness::Same, true),
                Column::Near => (Nearness::Near, false),
                Column::Foreign => (Nearness::Translated, true),
            };
            let near = row.near.iter().filter(move |_| near).map(|phrase| (phrase, Nearness::Near));
            row.same.iter().map(move |phrase| (phrase, same)).chain(near)
        });
        let itself = |phrase: &Phrase| phrase.stems.iter().map(AsRef::as_ref).eq(stems.iter().copied());
        let others = others.filter(move |(phrase, _)| phrase.whole && !itself(phrase));
        Some(others.map(|(phrase, nearness)| (phrase.stems.as_slice(), nearness)))
    }

    /// Whether there is a row for it.
    pub(super) fn knows(&self, stem: &str) -> bool {
        self.concepts.contains_key(stem)
    }

    /// The most words a phrase has.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// What may be meant where this word is said.
    pub(super) fn intents(&self, first: &str) -> &[Intent] {
        self.intents.get(first).map_or(&[], Vec::as_slice)
    }

    /// Its single words as they are written, and their stems, in alphabetical order.
    pub(super) fn forms(&self) -> &BTreeMap<String, String> {
        self.forms.get_or_init(|| {
            let phrases =
                CONCEPTS.iter().flat_map(|file| rows(file)).flat_map(|row| row.split('|')).flat_map(phrases);
            let single = phrases.filter_map(|phrase| <[Word<'_>; 1]>::try_from(phrase).ok());
            let said = single.flatten().filter(|word| !word.empty && !word.form.chars().any(is_unspaced));
            said.map(|word| (word.form.into_owned(), word.stem.into_owned())).collect()
        })
    }

    /// The words that one is written for.
    pub(super) fn written_for(&self, stem: &str) -> Option<&[Word<'static>]> {
        self.abbreviations.get(stem).map(Vec::as_slice)
    }

    /// Whether a word is content of a wish rather than its topic.
    pub(super) fn is_faint(&self, stem: &str) -> bool {
        self.faint.contains(stem)
    }

    /// Whether a word says what is done, and nothing else.
    pub(super) fn is_action(&self, stem: &str) -> bool {
        self.actions.contains(stem)
    }

    /// Whether a word names a thing and never says what is done.
    pub(super) fn is_thing(&self, stem: &str) -> bool {
        self.things.contains(stem)
    }

    /// Whether a word names a product.
    pub(super) fn is_product(&self, stem: &str) -> bool {
        self.products.contains(stem)
    }

    /// What nobody means who says this.
    pub(super) fn opposites(&self, stem: &str) -> &[Stem] {
        self.opposites.get(stem).map_or(&[], Vec::as_slice)
    }

    /// The words in a run of a script without spaces: at each place the longest that is known.
    pub(super) fn segments(&self, run: &str) -> Vec<&str> {
        let mut rest = run;
        let mut segments = Vec::new();
        while let Some(first) = rest.chars().next() {
            let known = self.unspaced.get(&first).into_iter().flatten();
            let known = known.into_iter().find(|word| rest.starts_with(word.as_ref()));
            segments.extend(known.map(AsRef::as_ref));
            rest = rest.get(known.map_or(first.len_utf8(), |word| word.len())..).unwrap_or_default();
        }
        segments
    }

    fn concept(&mut self, row: &'static str) {
        let number = self.rows.len();
        let mut concept = Row::default();
        for (column, text) in [Column::Same, Column::Near, Column::Foreign].into_iter().zip(row.split('|')) {
            for words in phrases(text) {
                self.enter(&words, number, column);
                let stems: Vec<_> =
                    words.iter().filter(|word| !word.empty).map(|word| word.stem.clone()).collect();
                let whole = !stems.is_empty() && (stems.len() == words.len() || stems.len() > 1);
                match column {
                    Column::Same => concept.same.push(Phrase { stems, whole }),
                    Column::Near => concept.near.push(Phrase { stems, whole }),
                    Column::Foreign => {}
                }
            }
        }
        self.rows.push(concept);
    }

    fn enter(&mut self, phrase: &[Word<'static>], row: usize, column: Column) {
        self.longest = self.longest.max(phrase.len());
        if let [word] = phrase
            && !word.empty
            && word.form.chars().any(is_unspaced)
        {
            let first = word.form.chars().next().unwrap_or_default();
            self.unspaced.entry(first).or_default().push(word.form.clone());
        }
        let key = match phrase {
            [word] => word.stem.clone(),
            phrase => phrase.iter().map(|word| word.stem.as_ref()).collect::<Vec<_>>().join(" ").into(),
        };
        self.concepts.entry(key).or_default().push((row, column));
    }

    fn intent(&mut self, row: &'static str) {
        let Some((said, meant)) = row.split_once("=>") else { return };
        let meant: Vec<Stem> = all_words(meant).filter(|word| !word.empty).map(|word| word.stem).collect();
        for phrase in phrases(said) {
            let mut stems = phrase.into_iter().map(|word| word.stem);
            let Some(first) = stems.next() else { continue };
            let intent = Intent { rest: stems.collect(), meant: meant.clone() };
            self.intents.entry(first).or_default().push(intent);
        }
    }
}

fn rows(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn phrases(column: &'static str) -> Vec<Vec<Word<'static>>> {
    let phrases = column.split(',').map(|phrase| all_words(phrase).collect::<Vec<_>>());
    phrases.filter(|phrase| !phrase.is_empty()).collect()
}
