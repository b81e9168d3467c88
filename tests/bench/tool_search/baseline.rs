//! The ranking by hand weights that is usual: each word of the query by itself, the best place it stands in counting.

use crate::quality::{Listed, MOST};

/// For a word of the query that is a part of the name, is contained in one, stands in the title, in the description.
const WEIGHTS: [u32; 4] = [12, 6, 4, 2];

/// The names it finds, best first.
pub(crate) fn rank(catalogue: &[Prepared], query: &str) -> Vec<String> {
    let query = query.to_lowercase();
    let words: Vec<&str> = parts(&query).collect();
    let mut scored: Vec<(u32, &str)> = catalogue
        .iter()
        .map(|tool| (words.iter().map(|word| tool.score(word)).sum::<u32>(), tool.name.as_str()))
        .filter(|(score, _)| *score > 0)
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().take(MOST).map(|(_, name)| name.to_owned()).collect()
}

/// A tool with its texts in lower case.
pub(crate) struct Prepared {
    name: String,
    parts: Vec<String>,
    title: String,
    description: String,
}

impl Prepared {
    pub(crate) fn new(tool: &Listed) -> Self {
        let spaced = spaced(&format!("{} {}", tool.server, tool.name)).to_lowercase();
        Self {
            name: tool.full_name(),
            parts: parts(&spaced).map(str::to_owned).collect(),
            title: tool.title.clone().unwrap_or_default().to_lowercase(),
            description: tool.description.clone().unwrap_or_default().to_lowercase(),
        }
    }

    fn score(&self, word: &str) -> u32 {
        let [exact, contained, title, description] = WEIGHTS;
        let stands = |text: &str| parts(text).any(|part| part == word);
        let name = match () {
            () if self.parts.iter().any(|part| part == word) => exact,
            () if self.parts.iter().any(|part| part.contains(word)) => contained,
            () => 0,
        };
        let title = if stands(&self.title) { title } else { 0 };
        let description = if stands(&self.description) { description } else { 0 };
        name + title + description
    }
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|part| !part.is_empty())
}

/// `createIssue` is `create Issue`.
fn spaced(name: &str) -> String {
    let mut spaced = String::new();
    let mut before = ' ';
    for character in name.chars() {
        if character.is_uppercase() && before.is_lowercase() {
            spaced.push(' ');
        }
        spaced.push(character);
        before = character;
    }
    spaced
}
