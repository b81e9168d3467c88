//! The order of an index's tools for a query: what each group of words says of a tool, how much of the query that is, and how much
//! of the tool's name the query says.

use super::index::{Index, Number};
use super::query::{Group, Wish, wish};
use super::vocabulary::Term;
use super::words::all_words;
use crate::Found;

/// The share of the best score under which a tool has nothing to do with the query: each tool costs the model its definition.
const FAINT: f32 = 0.15;
/// The share of the best score by words alone under which no more can make a tool one of the best.
const HOPELESS: f32 = 0.1;

/// At most so many, best first: the tools that the query says something of, and in which all of the required words stand. Of what
/// the model sees anyway only the first.
pub(super) fn ranked<'a>(index: &'a Index, query: &str, required: &[String], most: usize) -> Vec<&'a Found> {
    let mut ranked = scores(index, &wish(index, query));
    for word in required.iter().flat_map(|word| all_words(word)) {
        let term = index.vocabulary().term(&word.stem);
        ranked.retain(|(tool, _)| term.and_then(|term| index.share(term, *tool)).is_some());
    }
    let order = |one: &(Number, f32), other: &(Number, f32)| {
        other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0))
    };
    let Some(best) = ranked.iter().copied().min_by(order) else { return Vec::new() };
    let is_visible = |tool: Number| index.tool(tool as usize).is_some_and(|tool| tool.visible);
    ranked.retain(|(tool, score)| *score >= best.1 * FAINT && (*tool == best.0 || !is_visible(*tool)));
    if most < ranked.len() {
        ranked.select_nth_unstable_by(most, order);
        ranked.truncate(most);
    }
    ranked.sort_by(order);
    ranked.into_iter().filter_map(|(tool, _)| index.tool(tool as usize)).collect()
}

fn scores(index: &Index, wish: &Wish) -> Vec<(Number, f32)> {
    let mut scores = vec![0.0_f32; index.len()];
    let mut covered = vec![0.0_f32; index.len()];
    let mut own = Sparse::new(index.len());
    let mut other = Sparse::new(index.len());
    let mut all = 0.0_f32;
    for group in &wish.groups {
        let full = add_words(index, group, &mut own, &mut other);
        let full = add_phrases(index, group, full, &mut own);
        if group.said {
            all += group.weight * full;
        }
        own.drain(|tool, score| {
            if let Some(sum) = scores.get_mut(tool as usize) {
                *sum += group.weight * score;
            }
            if let Some(sum) = covered.get_mut(tool as usize).filter(|_| group.said) {
                // Half of what a word could say counts as found.
                *sum += group.weight * full.min(2.0 * score);
            }
        });
    }
    let said = said(index, wish);
    let best = scores.iter().copied().fold(0.0, f32::max);
    let hopeful = (0..).zip(&scores).zip(&covered).filter(|((_, score), _)| **score > best * HOPELESS);
    hopeful
        .map(|((tool, score), covered)| {
            let coverage = covered / all.max(f32::MIN_POSITIVE);
            (tool, score * factor(index, wish, &said, (tool as usize, coverage)))
        })
        .collect()
}

/// What a tool's score is multiplied with: for how much of the query was found, and for what its name and server say.
fn factor(index: &Index, wish: &Wish, said: &[Heard], (tool, coverage): (usize, f32)) -> f32 {
    let weights = index.weights();
    let heard = |term: Term| said.get(term as usize).copied().unwrap_or_default();
    let (mut whole, mut part) = (0.0_f32, 0.0_f32);
    let (mut unasked, mut opposed) = (false, false);
    for term in index.name(tool) {
        let (rarity, heard) = (index.rarity(*term), heard(*term));
        whole += rarity;
        part += rarity * heard.counts;
        opposed |= heard.opposed && heard.counts <= 0.0;
        unasked |= heard.counts <= 0.0 && index.is_changing(*term);
    }
    let mut factor = 1.0 - weights.coverage + weights.coverage * coverage;
    factor *= 1.0 + if whole > 0.0 { weights.name * part / whole } else { 0.0 };
    if index.server(tool).iter().any(|term| heard(*term).counts >= 1.0) {
        factor *= 1.0 + weights.server;
    }
    let of_product = || index.server(tool).iter().any(|term| wish.products.contains(term));
    if !wish.products.is_empty() && !of_product() {
        factor *= weights.elsewhere;
    }
    if unasked {
        factor *= if wish.reads { weights.asked } else { weights.unasked };
    }
    if opposed {
        factor *= weights.opposed;
    }
    factor
}

/// Adds to `own` what each word of the group says, by the best that stands for it; gives what they say at most.
fn add_words(index: &Index, group: &Group, own: &mut Sparse, best: &mut Sparse) -> f32 {
    let mut full = 0.0;
    for alternatives in &group.words {
        // What stands for a word is no rarer than the word itself.
        let literal = alternatives.iter().find(|(_, counts)| *counts >= 1.0);
        let rarest = literal.map_or(f32::MAX, |(term, _)| index.rarity(*term));
        let mut most = 0.0_f32;
        for (term, counts) in alternatives {
            let says = counts * index.rarity(*term).min(rarest);
            most = most.max(says);
            // What only stands for a word must be what the tool is about.
            let stands_in = if *counts < 1.0 { index.topical(*term) } else { index.postings(*term) };
            stands_in.iter().for_each(|(tool, share)| best.raise(*tool, says * share));
        }
        full += most;
        best.drain(|tool, score| own.add(tool, score));
    }
    full
}

/// Raises `own` to what a phrase says that stands for the group; gives what they say at most.
fn add_phrases(index: &Index, group: &Group, full: f32, own: &mut Sparse) -> f32 {
    let mut most = full;
    for (terms, counts) in &group.phrases {
        // A phrase of many words says no more than what it stands for, by much.
        let (mut whole, mut rarest) = (0.0_f32, 0.0_f32);
        for rarity in terms.iter().map(|term| index.rarity(*term)) {
            whole += rarity;
            rarest = rarest.max(rarity);
        }
        let limit = full.max(rarest) * index.weights().phrase;
        let counts = if whole > limit { counts * limit / whole } else { *counts };
        most = most.max(counts * whole);
        // Less than all of its words is not the phrase, so the rarest word has all the tools there can be.
        let Some(fewest) = terms.iter().min_by_key(|term| index.postings(**term).len()) else { continue };
        for (tool, _) in index.postings(*fewest) {
            let says =
                terms.iter().map(|term| Some(counts * index.rarity(*term) * index.share(*term, *tool)?));
            if let Some(score) = says.sum::<Option<f32>>() {
                own.raise(*tool, score);
            }
        }
    }
    most
}

/// What a query says of a word of the index.
#[derive(Debug, Clone, Copy, Default)]
struct Heard {
    /// How much it says it.
    counts: f32,
    /// Whether it says the opposite.
    opposed: bool,
}

/// For each word of the index what the query says of it.
fn said(index: &Index, wish: &Wish) -> Vec<Heard> {
    let mut said = vec![Heard::default(); index.vocabulary().len()];
    for group in &wish.groups {
        let phrases =
            group.phrases.iter().flat_map(|(terms, counts)| terms.iter().map(|term| (*term, *counts)));
        for (term, counts) in group.words.iter().flatten().copied().chain(phrases) {
            if let Some(known) = said.get_mut(term as usize) {
                known.counts = known.counts.max(counts * group.weight);
            }
        }
    }
    for term in &wish.opposed {
        said.get_mut(*term as usize).into_iter().for_each(|known| known.opposed = true);
    }
    said
}

/// Scores of a few of many tools; none of them is 0.
#[derive(Debug)]
struct Sparse {
    scores: Vec<f32>,
    touched: Vec<Number>,
}

impl Sparse {
    fn new(tools: usize) -> Self {
        Self { scores: vec![0.0; tools], touched: Vec::new() }
    }

    fn add(&mut self, tool: Number, score: f32) {
        self.change(tool, |sum| sum + score);
    }

    fn raise(&mut self, tool: Number, score: f32) {
        self.change(tool, |best| best.max(score));
    }

    fn change(&mut self, tool: Number, to: impl Fn(f32) -> f32) {
        let Some(score) = self.scores.get_mut(tool as usize) else { return };
        if *score == 0.0 {
            self.touched.push(tool);
        }
        *score = to(*score);
    }

    /// Gives each tool's score, and forgets it.
    fn drain(&mut self, mut each: impl FnMut(Number, f32)) {
        for tool in self.touched.drain(..) {
            if let Some(score) = self.scores.get_mut(tool as usize) {
                each(tool, std::mem::take(score));
            }
        }
    }
}
