//! The order of an index's tools for a query: what each group of words says of a tool, how much of the query that is, and how much
//! of the tool's name the query says.

use super::index::{Index, Number};
use super::query::{Group, groups};
use super::vocabulary::Term;
use super::words::stems;
use crate::Found;

/// The share of the best score under which a tool has nothing to do with the query: each tool costs the model its definition.
const FAINT: f32 = 0.2;

/// Best first: the tools that the query says something of, and in which all of the required words stand.
pub(super) fn ranked<'a>(index: &'a Index, query: &str, required: &[String]) -> Vec<&'a Found> {
    let groups = groups(index, query);
    let scores = scores(index, &groups);
    let mut ranked: Vec<(usize, f32)> =
        scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0).collect();
    for stem in required.iter().flat_map(|word| stems(word)) {
        let term = index.vocabulary().term(&stem);
        ranked.retain(|(tool, _)| {
            let tool = Number::try_from(*tool).ok();
            term.zip(tool).and_then(|(term, tool)| index.share(term, tool)).is_some()
        });
    }
    let best = ranked.iter().map(|(_, score)| *score).fold(0.0, f32::max);
    ranked.retain(|(_, score)| *score >= best * FAINT);
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    ranked.into_iter().filter_map(|(tool, _)| index.tool(tool)).collect()
}

fn scores(index: &Index, groups: &[Group]) -> Vec<f32> {
    let mut scores = vec![0.0_f32; index.len()];
    let mut covered = vec![0.0_f32; index.len()];
    let mut own = Sparse::new(index.len());
    let mut other = Sparse::new(index.len());
    let mut all = 0.0_f32;
    for group in groups {
        let full = add_words(index, group, &mut own, &mut other);
        let full = add_phrases(index, group, &mut own).max(full);
        if group.said {
            all += full;
        }
        own.drain(|tool, score| {
            if let Some(sum) = scores.get_mut(tool as usize) {
                *sum += group.weight * score;
            }
            if let Some(sum) = covered.get_mut(tool as usize).filter(|_| group.said) {
                // Half of what a word could say counts as found.
                *sum += full.min(2.0 * score);
            }
        });
    }
    let said = said(index, groups);
    let weights = index.weights();
    for (tool, score) in scores.iter_mut().enumerate().filter(|(_, score)| **score > 0.0) {
        let coverage = covered.get(tool).map_or(0.0, |covered| covered / all.max(f32::MIN_POSITIVE));
        let (mut whole, mut part) = (0.0_f32, 0.0_f32);
        for term in index.name(tool) {
            let rarity = index.rarity(*term);
            whole += rarity;
            part += rarity * said.get(*term as usize).copied().unwrap_or_default();
        }
        let name = if whole > 0.0 { part / whole } else { 0.0 };
        *score *= (1.0 - weights.coverage + weights.coverage * coverage) * (1.0 + weights.name * name);
        let is_said = |term: &Term| said.get(*term as usize).is_some_and(|said| *said > 0.0);
        if index.server(tool).iter().any(|term| said.get(*term as usize).is_some_and(|said| *said >= 1.0)) {
            *score *= 1.0 + weights.server;
        }
        if index.name(tool).iter().any(|term| index.is_changing(*term) && !is_said(term)) {
            *score *= weights.unasked;
        }
    }
    scores
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
fn add_phrases(index: &Index, group: &Group, own: &mut Sparse) -> f32 {
    let mut full = 0.0_f32;
    for (terms, counts) in &group.phrases {
        full = full.max(terms.iter().map(|term| counts * index.rarity(*term)).sum());
        // Less than all of its words is not the phrase, so the rarest word has all the tools there can be.
        let Some(rarest) = terms.iter().min_by_key(|term| index.postings(**term).len()) else { continue };
        for (tool, _) in index.postings(*rarest) {
            let says =
                terms.iter().map(|term| Some(counts * index.rarity(*term) * index.share(*term, *tool)?));
            if let Some(score) = says.sum::<Option<f32>>() {
                own.raise(*tool, score);
            }
        }
    }
    full
}

/// For each word of the index how much the query says it.
fn said(index: &Index, groups: &[Group]) -> Vec<f32> {
    let mut said = vec![0.0_f32; index.vocabulary().len()];
    let mut raise = |term: Term, counts: f32| {
        if let Some(known) = said.get_mut(term as usize) {
            *known = known.max(counts);
        }
    };
    for group in groups {
        for (term, counts) in group.words.iter().flatten() {
            raise(*term, counts * group.weight);
        }
        for (terms, counts) in &group.phrases {
            terms.iter().for_each(|term| raise(*term, counts * group.weight));
        }
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
