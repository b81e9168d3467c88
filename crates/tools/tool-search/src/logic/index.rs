//! An index of definitions: how much each word says of each tool (BM25 over weighted fields), ready to be added up.

use std::collections::HashMap;

use serde_json::Value;
use toolwright_core::{Definition, Origin};
use toolwright_services::CatalogEntry;

use super::words::words;
use crate::Found;

/// How soon more of the same word says no more.
const SATURATION: f32 = 1.2;

/// What a word counts in a field, and how much the field's length takes of that (0 to 1).
const FIELDS: [(f32, f32); 5] = [
    (4.0, 0.3),  // its name
    (2.0, 0.0),  // its server
    (2.0, 0.3),  // its search hint
    (1.0, 0.6),  // its description
    (0.5, 0.75), // its arguments
];

/// The tools of one generation of a catalog.
#[derive(Debug, Default)]
pub(crate) struct Index {
    tools: Vec<Found>,
    aliases: HashMap<String, usize>,
    /// For each word the tools it stands in, and what it says of each.
    weights: HashMap<String, Vec<(usize, f32)>>,
}

impl Index {
    pub(crate) fn new(entries: impl IntoIterator<Item = CatalogEntry>) -> Self {
        let mut index = Self::default();
        let mut texts: Vec<[Vec<String>; FIELDS.len()]> = Vec::new();
        for CatalogEntry { definition, visible } in entries {
            let number = index.tools.len();
            for name in std::iter::once(&definition.name).chain(&definition.aliases) {
                index.aliases.entry(name.to_lowercase()).or_insert(number);
            }
            texts.push(fields(&definition));
            index.tools.push(Found { name: definition.name.clone(), purpose: purpose(&definition), visible });
        }
        index.weights = weights(&texts);
        index
    }

    pub(crate) fn len(&self) -> usize {
        self.tools.len()
    }

    pub(crate) fn tools(&self) -> impl Iterator<Item = &Found> {
        self.tools.iter()
    }

    /// The tool of that name or alias (case does not count), or the only one whose name ends in it (`mcp__server__NAME`).
    pub(crate) fn named(&self, name: &str) -> Option<&Found> {
        let name = name.trim().to_lowercase();
        if let Some(number) = self.aliases.get(&name) {
            return self.tools.get(*number);
        }
        let ending = format!("__{name}");
        let mut ends = self.tools.iter().filter(|tool| tool.name.to_lowercase().ends_with(&ending));
        ends.next().filter(|_| ends.next().is_none())
    }

    /// Best first: the tools in which one of the words stands, and all of the required ones.
    pub(crate) fn ranked(&self, query: &str, required: &[String]) -> impl Iterator<Item = &Found> {
        let mut scores: HashMap<usize, f32> = HashMap::new();
        for word in words(query) {
            for (tool, weight) in self.weights.get(&word).into_iter().flatten() {
                *scores.entry(*tool).or_default() += weight;
            }
        }
        let required: Vec<String> = required.iter().flat_map(|word| words(word)).collect();
        let has = |tool: &usize, word: &String| {
            let stands_in = self.weights.get(word).into_iter().flatten();
            stands_in.into_iter().any(|(other, _)| other == tool)
        };
        scores.retain(|tool, _| required.iter().all(|word| has(tool, word)));
        let mut ranked: Vec<_> = scores.into_iter().collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        ranked.into_iter().filter_map(|(tool, _)| self.tools.get(tool))
    }
}

/// The first sentence or line of a description.
fn purpose(definition: &Definition) -> String {
    /// Characters: the model gets the whole definition anyway.
    const LONGEST: usize = 120;
    let line = definition.description.trim().lines().next().unwrap_or_default();
    let sentence = line.split_inclusive(". ").next().unwrap_or_default().trim();
    match sentence.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", sentence.get(..end).unwrap_or_default()),
        None => sentence.to_owned(),
    }
}

fn fields(definition: &Definition) -> [Vec<String>; FIELDS.len()] {
    let (name, server) = match &definition.origin {
        Origin::Remote { server, tool } => (tool.as_str(), server.as_str()),
        Origin::BuiltIn { .. } | Origin::Host => (definition.name.as_str(), ""),
    };
    let mut arguments = Vec::new();
    collect_arguments(&definition.input_schema, 0, &mut arguments);
    [
        words(name).collect(),
        words(server).collect(),
        words(&definition.search_hint).collect(),
        words(&definition.description).collect(),
        arguments,
    ]
}

/// The names of arguments, those of nested objects too.
fn collect_arguments(schema: &Value, depth: usize, arguments: &mut Vec<String>) {
    /// Deeper names say nothing of what the tool is for.
    const DEEPEST: usize = 2;
    if depth > DEEPEST {
        return;
    }
    for (name, inner) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        arguments.extend(words(name));
        if let Some(description) = inner.get("description").and_then(Value::as_str) {
            arguments.extend(words(description));
        }
        collect_arguments(inner, depth + 1, arguments);
        if let Some(items) = inner.get("items") {
            collect_arguments(items, depth + 1, arguments);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of words and tools are small")]
fn weights(texts: &[[Vec<String>; FIELDS.len()]]) -> HashMap<String, Vec<(usize, f32)>> {
    let tools = texts.len() as f32;
    let mut averages = [0.0_f32; FIELDS.len()];
    for text in texts {
        text.iter().zip(&mut averages).for_each(|(words, average)| *average += words.len() as f32 / tools);
    }
    let mut weights: HashMap<String, Vec<(usize, f32)>> = HashMap::new();
    for (tool, text) in texts.iter().enumerate() {
        let mut counts: HashMap<&str, f32> = HashMap::new();
        for ((words, (weight, normed)), average) in text.iter().zip(FIELDS).zip(averages) {
            let relative = if average > 0.0 { words.len() as f32 / average } else { 1.0 };
            let each = weight / (1.0 - normed + normed * relative);
            words.iter().for_each(|word| *counts.entry(word).or_default() += each);
        }
        for (word, count) in counts {
            weights.entry(word.to_owned()).or_default().push((tool, count / (SATURATION + count)));
        }
    }
    for stands_in in weights.values_mut() {
        let among = stands_in.len() as f32;
        let rarity = (1.0 + (tools - among + 0.5) / (among + 0.5)).ln();
        stands_in.iter_mut().for_each(|(_, weight)| *weight *= rarity);
    }
    weights
}
