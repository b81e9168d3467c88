//! An index of definitions: how much each word says of each tool (BM25 over weighted fields). Knows no query.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use toolwright_core::{Definition, Origin};
use toolwright_services::CatalogEntry;

use super::vocabulary::{Term, Vocabulary};
use super::weights::{WEIGHTS, Weights};
use super::words::stems;
use crate::Found;

/// A tool's place in the index.
pub(super) type Number = u32;

/// The words of a tool's fields, as [`Weights::fields`] orders them.
type Texts = [Vec<Term>; 7];

const NAME: usize = 0;
const SERVER: usize = 1;

/// Words of names of tools that change something: nobody wants those who does not say so.
const CHANGING: &str = "create add insert update edit modify set change delete remove clear drop erase reset cancel close \
    move rename merge approve reject upload write patch protect unprotect publish promote";

/// How much a tool must say a word to be about it.
const TOPICAL: f32 = 0.3;

/// Bytes of a text that are read: what comes later is a manual, and a catalog has thousands of tools.
const LONGEST: usize = 800;

/// The tools of one generation of a catalog.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    tools: Vec<Found>,
    aliases: HashMap<String, usize>,
    vocabulary: Vocabulary,
    /// For each word the tools it stands in, and how much it is what they are about (0 to 1).
    postings: Vec<Vec<(Number, f32)>>,
    /// Of `postings` those of tools that are about the word.
    topical: Vec<Vec<(Number, f32)>>,
    /// For each word how rare it is.
    rarities: Vec<f32>,
    /// For each tool the words of its name that it does not share with all of its server.
    names: Vec<Vec<Term>>,
    /// For each tool the words of its server.
    servers: Vec<Vec<Term>>,
    /// The words of the names of servers.
    server_names: HashSet<Term>,
    /// For each word whether it says that something is changed.
    changing: Vec<bool>,
    weights: Weights,
}

impl Index {
    pub(crate) fn new(entries: impl IntoIterator<Item = CatalogEntry>) -> Self {
        Self::weighted(entries, WEIGHTS)
    }

    pub(super) fn weighted(entries: impl IntoIterator<Item = CatalogEntry>, weights: Weights) -> Self {
        let mut index = Self {
            tools: Vec::new(),
            aliases: HashMap::new(),
            vocabulary: Vocabulary::default(),
            postings: Vec::new(),
            topical: Vec::new(),
            rarities: Vec::new(),
            names: Vec::new(),
            servers: Vec::new(),
            server_names: HashSet::new(),
            changing: Vec::new(),
            weights,
        };
        let mut texts = Vec::new();
        let mut servers: HashMap<String, Vec<usize>> = HashMap::new();
        for CatalogEntry { definition, visible } in entries {
            let number = index.tools.len();
            for name in std::iter::once(&definition.name).chain(&definition.aliases) {
                index.aliases.entry(name.to_lowercase()).or_insert(number);
            }
            if let Origin::Remote { server, .. } = &definition.origin {
                servers.entry(server.clone()).or_default().push(number);
            }
            texts.push(index.texts(&definition));
            index.tools.push(Found { name: definition.name.clone(), purpose: purpose(&definition), visible });
        }
        index.vocabulary.finish();
        index.changing = vec![false; index.vocabulary.len()];
        for term in stems(CHANGING).filter_map(|stem| index.vocabulary.term(&stem)) {
            index.changing.get_mut(term as usize).into_iter().for_each(|changing| *changing = true);
        }
        index.server_names = texts.iter().flat_map(|text: &Texts| text[SERVER].iter().copied()).collect();
        servers.values().for_each(|tools| move_shared(tools, &mut texts));
        index.weigh(&texts);
        (index.names, index.servers) = texts.into_iter().map(|[name, server, ..]| (name, server)).unzip();
        index
    }

    /// Which of the same tools the model sees now.
    pub(crate) fn set_visible(&mut self, visible: impl Iterator<Item = bool>) {
        self.tools.iter_mut().zip(visible).for_each(|(tool, visible)| tool.visible = visible);
    }

    pub(crate) fn len(&self) -> usize {
        self.tools.len()
    }

    pub(crate) fn tools(&self) -> impl Iterator<Item = &Found> {
        self.tools.iter()
    }

    /// The tool of that name or alias (case does not count), or the only one whose name ends in it (`mcp__server__NAME`).
    pub(crate) fn named(&self, name: &str) -> Option<&Found> {
        let name = name.trim();
        // No name has words in it, and a question need not be compared with them all.
        if name.contains(char::is_whitespace) {
            return None;
        }
        if let Some(number) = self.aliases.get(&name.to_lowercase()) {
            return self.tools.get(*number);
        }
        let mut ends = self.ending_in(name);
        ends.next().filter(|_| ends.next().is_none())
    }

    /// The tools of that name, whatever their server.
    pub(crate) fn ending_in(&self, name: &str) -> impl Iterator<Item = &Found> {
        self.tools.iter().filter(move |tool| ends_in(&tool.name, name))
    }

    pub(super) fn tool(&self, number: usize) -> Option<&Found> {
        self.tools.get(number)
    }

    pub(super) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    pub(super) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The tools a word stands in, and how much it is what they are about.
    pub(super) fn postings(&self, term: Term) -> &[(Number, f32)] {
        self.postings.get(term as usize).map_or(&[], Vec::as_slice)
    }

    /// The tools that are about a word, which is more than that it stands in them.
    pub(super) fn topical(&self, term: Term) -> &[(Number, f32)] {
        self.topical.get(term as usize).map_or(&[], Vec::as_slice)
    }

    /// How much a tool is about a word that stands in it.
    pub(super) fn share(&self, term: Term, tool: Number) -> Option<f32> {
        let postings = self.postings(term);
        let at = postings.binary_search_by_key(&tool, |(tool, _)| *tool).ok()?;
        postings.get(at).map(|(_, share)| *share)
    }

    /// Whether a word of a name says that the tool changes something.
    pub(super) fn is_changing(&self, term: Term) -> bool {
        self.changing.get(term as usize).copied().unwrap_or_default()
    }

    pub(super) fn rarity(&self, term: Term) -> f32 {
        self.rarities.get(term as usize).copied().unwrap_or_default()
    }

    /// The words of a tool's name.
    pub(super) fn name(&self, number: usize) -> &[Term] {
        self.names.get(number).map_or(&[], Vec::as_slice)
    }

    /// Whether a word stands in the name of a server.
    pub(super) fn is_server(&self, term: Term) -> bool {
        self.server_names.contains(&term)
    }

    /// The words of a tool's server.
    pub(super) fn server(&self, number: usize) -> &[Term] {
        self.servers.get(number).map_or(&[], Vec::as_slice)
    }

    fn texts(&mut self, definition: &Definition) -> Texts {
        let (name, server) = match &definition.origin {
            Origin::Remote { server, tool } => (tool.as_str(), server.as_str()),
            Origin::BuiltIn { .. } | Origin::Host => (definition.name.as_str(), ""),
        };
        let (first, rest) = first_sentence(&definition.description);
        let mut arguments = Arguments::default();
        arguments.collect(&mut self.vocabulary, &definition.input_schema, 0);
        let [name, server, hint, first, rest] = [name, server, &definition.search_hint, first, rest]
            .map(|text| self.vocabulary.add(beginning(text)));
        [name, server, hint, first, rest, arguments.names, arguments.about]
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of words and tools are small")]
    fn weigh(&mut self, texts: &[Texts]) {
        let tools = texts.len() as f32;
        let mut averages = [0.0_f32; 7];
        for text in texts {
            text.iter()
                .zip(&mut averages)
                .for_each(|(words, average)| *average += words.len() as f32 / tools);
        }
        self.postings = vec![Vec::new(); self.vocabulary.len()];
        let mut counts = vec![0.0_f32; self.vocabulary.len()];
        let mut counted: Vec<Term> = Vec::new();
        for (tool, text) in (0..).zip(texts) {
            for ((words, field), average) in text.iter().zip(self.weights.fields).zip(averages) {
                let relative = if average > 0.0 { words.len() as f32 / average } else { 1.0 };
                let each = field.weight / (1.0 - field.length + field.length * relative);
                for word in words {
                    let Some(count) = counts.get_mut(*word as usize) else { continue };
                    if *count == 0.0 {
                        counted.push(*word);
                    }
                    *count += each;
                }
            }
            for word in counted.drain(..) {
                let count = counts.get_mut(word as usize).map(std::mem::take).unwrap_or_default();
                if let Some(postings) = self.postings.get_mut(word as usize) {
                    postings.push((tool, count / (self.weights.saturation + count)));
                }
            }
        }
        let about = |postings: &Vec<(Number, f32)>| -> Vec<_> {
            postings.iter().copied().filter(|(_, share)| *share >= TOPICAL).collect()
        };
        self.topical = self.postings.iter().map(about).collect();
        let rarity =
            |among: f32| (1.0 + (tools - among + 0.5) / (among + 0.5)).ln().powf(self.weights.rarity);
        self.rarities = self.postings.iter().map(|postings| rarity(postings.len() as f32)).collect();
    }
}

/// What nearly all names of a server share says the server, not the tool: `slack_`, `browser_`.
fn move_shared(tools: &[usize], texts: &mut [Texts]) {
    /// With fewer tools nothing shows.
    const FEWEST: usize = 4;
    if tools.len() < FEWEST {
        return;
    }
    let mut counts: HashMap<Term, usize> = HashMap::new();
    for text in tools.iter().filter_map(|tool| texts.get(*tool)) {
        let mut name = text[NAME].clone();
        name.sort_unstable();
        name.dedup();
        name.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
    }
    let shared = |word: &Term| counts.get(word).is_some_and(|count| count * 4 >= tools.len() * 3);
    for tool in tools {
        let Some(text) = texts.get_mut(*tool) else { continue };
        let (server, name): (Vec<_>, Vec<_>) = text[NAME].iter().copied().partition(shared);
        // A name of nothing else keeps what it has.
        if !name.is_empty() {
            text[NAME] = name;
            for word in server {
                if !text[SERVER].contains(&word) {
                    text[SERVER].push(word);
                }
            }
        }
    }
}

/// The first bytes of a text, which are all that is read of it.
fn beginning(text: &str) -> &str {
    let end = (LONGEST.min(text.len())..text.len()).find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

/// Whether a full name is that of a server and `name`.
fn ends_in(full: &str, name: &str) -> bool {
    let Some((before, end)) =
        full.len().checked_sub(name.len()).and_then(|at| Some((full.get(..at)?, full.get(at..)?)))
    else {
        return false;
    };
    before.ends_with("__") && end.eq_ignore_ascii_case(name)
}

/// The first sentence or line of a description, and the rest.
fn first_sentence(description: &str) -> (&str, &str) {
    let text = description.trim();
    let line = text.find('\n').unwrap_or(text.len());
    let sentence = text.find(". ").map_or(text.len(), |end| end + 1);
    text.split_at(line.min(sentence))
}

fn purpose(definition: &Definition) -> String {
    /// Characters: the model gets the whole definition anyway.
    const LONGEST: usize = 120;
    let (sentence, _) = first_sentence(&definition.description);
    match sentence.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", sentence.get(..end).unwrap_or_default()),
        None => sentence.to_owned(),
    }
}

/// The words of arguments.
#[derive(Debug, Default)]
struct Arguments {
    names: Vec<Term>,
    about: Vec<Term>,
    /// Bytes that were read.
    read: usize,
}

impl Arguments {
    /// The names of arguments and what is said of them, those of nested objects too.
    fn collect(&mut self, vocabulary: &mut Vocabulary, schema: &Value, depth: usize) {
        /// Deeper names say nothing of what the tool is for.
        const DEEPEST: usize = 2;
        if depth > DEEPEST {
            return;
        }
        for (name, inner) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if self.read >= LONGEST {
                return;
            }
            let about = inner.get("description").and_then(Value::as_str).unwrap_or_default();
            let about = beginning(about);
            self.read += name.len() + about.len();
            self.names.extend(vocabulary.add_often(beginning(name)));
            self.about.extend(vocabulary.add_often(about));
            self.collect(vocabulary, inner, depth + 1);
            if let Some(items) = inner.get("items") {
                self.collect(vocabulary, items, depth + 1);
            }
        }
    }
}
