//! Finding: names asked for outright, or words ranked against an index of definitions.

mod index;
mod lexicon;
mod query;
mod rank;
mod reading;
mod vocabulary;
mod weights;
mod words;

use crate::{Output, Unknown};

pub(crate) use index::Index;

/// Tools answered where no other number is asked for.
const USUAL_RESULTS: usize = 5;
/// Tools answered at most: each costs the model its whole definition.
const MOST_RESULTS: usize = 20;
/// Guesses at a name that is none.
const MOST_NEAR: usize = 3;

/// A query, read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Query {
    /// These names, whatever the number.
    Select(Vec<String>),
    /// These words; `required` must all occur.
    Words { words: String, required: Vec<String>, most: usize },
}

impl Query {
    /// None where nothing is asked for.
    pub(crate) fn read(text: &str, most: Option<u32>) -> Option<Self> {
        let text = text.trim();
        if let Some(names) = text.strip_prefix("select:") {
            let names = names.split([',', ' ', '\t', '\n']).map(str::trim).filter(|name| !name.is_empty());
            let names: Vec<_> = names.map(str::to_owned).collect();
            return (!names.is_empty()).then_some(Self::Select(names));
        }
        let required = text.split_whitespace().filter_map(|word| word.strip_prefix('+'));
        let required = required.filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let words =
            text.split_whitespace().map(|word| word.trim_start_matches('+')).collect::<Vec<_>>().join(" ");
        let most = most.map_or(USUAL_RESULTS, |most| most as usize).clamp(1, MOST_RESULTS);
        (!words.trim().is_empty()).then_some(Self::Words { words, required, most })
    }
}

/// Answers a query.
pub(crate) fn find(index: &Index, query: &Query) -> Output {
    let mut output = Output { searched: index.len() as u64, ..Output::default() };
    match query {
        Query::Select(names) => {
            for name in names {
                match index.named(name) {
                    Some(tool) if output.found.iter().any(|found| found.name == tool.name) => {}
                    Some(tool) => output.found.push(tool.clone()),
                    None => output.unknown.push(Unknown { name: name.clone(), near: nearest(index, name) }),
                }
            }
        }
        Query::Words { words, required, most } => {
            // A name given outright comes first. The best match is told though the model sees it already, so that it need not
            // search again; after that only what it does not see.
            let named = index.named(words);
            let ranked = rank::ranked(index, words, required, *most + 1);
            let best = named.or_else(|| ranked.first().copied());
            let others = ranked.iter().copied().filter(|tool| !tool.visible && Some(*tool) != best);
            output.found = best.into_iter().chain(others).take(*most).cloned().collect();
            // Of a name that several servers have, and that says nothing, all are meant.
            if output.found.is_empty() && required.is_empty() {
                output.found = index.ending_in(words).take(*most).cloned().collect();
            }
        }
    }
    output
}

/// The names most like `name`, best first.
fn nearest(index: &Index, name: &str) -> Vec<String> {
    /// Names that are compared letter by letter, of those with the most alike letters; and letters compared.
    const COMPARED: usize = 64;
    const LETTERS: usize = 100;
    let short = |name: &str| name.rsplit("__").next().unwrap_or(name).to_owned();
    let wanted: String = name.to_lowercase().chars().take(LETTERS).collect();
    let letters = letters(short(&wanted).as_bytes());
    let strange = |tool: &crate::Found| {
        let own = tool.name.rsplit("__").next().unwrap_or(&tool.name);
        (self::letters(own.as_bytes()) ^ letters).count_ones()
    };
    let mut tools: Vec<_> = index.tools().map(|tool| (strange(tool), tool)).collect();
    if COMPARED < tools.len() {
        tools.select_nth_unstable_by_key(COMPARED, |(strange, _)| *strange);
        tools.truncate(COMPARED);
    }
    let scored = tools.into_iter().map(|(_, tool)| {
        let own = tool.name.to_lowercase();
        let whole = strsim::jaro_winkler(&own, &wanted);
        (whole.max(strsim::jaro_winkler(&short(&own), &short(&wanted))), &tool.name)
    });
    let mut scored: Vec<_> = scored.collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
    scored.into_iter().take(MOST_NEAR).map(|(_, name)| name.clone()).collect()
}

/// Which letters a name has, a bit each, whatever their case.
fn letters(name: &[u8]) -> u32 {
    name.iter().fold(0, |letters, byte| letters | 1 << (byte.to_ascii_lowercase() % 32))
}

#[cfg(test)]
mod tests {
    use super::Query;

    #[test]
    fn queries_are_read() {
        let check = |text: &str, expect: Option<Query>| assert_eq!(Query::read(text, None), expect, "{text}");
        let names = |names: &[&str]| Query::Select(names.iter().map(|name| (*name).to_owned()).collect());
        check("select: A , B,", Some(names(&["A", "B"])));
        check("select:A B", Some(names(&["A", "B"])));
        check("select:", None);
        check(" ", None);
        check("+", None);
        let words =
            Query::Words { words: "slack send message".into(), required: vec!["slack".into()], most: 5 };
        check("+slack send message", Some(words));
    }
}
