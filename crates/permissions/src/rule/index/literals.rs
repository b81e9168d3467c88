//! Patterns found by the text that all they mean begins or ends with, so that most of many are never tried.

use std::collections::HashMap;

use crate::pattern::Literal;

/// Numbers of patterns under their literals.
#[derive(Debug, Default)]
pub(crate) struct Literals {
    whole: HashMap<String, Vec<u32>>,
    beginnings: Chains,
    ends: Chains,
}

impl Literals {
    pub(crate) fn of(items: impl IntoIterator<Item = (Literal, u32)>) -> Self {
        let mut literals = Self::default();
        let (mut beginnings, mut ends) = (Vec::new(), Vec::new());
        for (literal, number) in items {
            match literal {
                Literal::Whole(text) => literals.whole.entry(text).or_default().push(number),
                Literal::Beginning(text) => beginnings.push((text.into_bytes(), number)),
                Literal::End(text) => ends.push((text.bytes().rev().collect(), number)),
            }
        }
        Self { beginnings: Chains::of(beginnings), ends: Chains::of(ends), ..literals }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.beginnings.is_empty() && self.ends.is_empty()
    }

    /// Adds the patterns that may mean `text`, all of which do as far as their literals go.
    pub(crate) fn find(&self, text: &str, found: &mut Vec<u32>) {
        if let Some(numbers) = self.whole.get(text) {
            found.extend(numbers);
        }
        self.beginnings.find(text.as_bytes(), found);
        if !self.ends.is_empty() {
            let backwards: Vec<u8> = text.bytes().rev().collect();
            self.ends.find(&backwards, found);
        }
    }
}

/// Texts in order, each with the longest other one that it begins with.
#[derive(Debug, Default)]
struct Chains(Vec<Link>);

#[derive(Debug)]
struct Link {
    text: Vec<u8>,
    shorter: Option<usize>,
    numbers: Vec<u32>,
}

impl Chains {
    fn of(mut items: Vec<(Vec<u8>, u32)>) -> Self {
        items.sort();
        let mut links: Vec<Link> = Vec::new();
        for (text, number) in items {
            match links.last_mut() {
                Some(last) if last.text == text => last.numbers.push(number),
                last => {
                    let before = last.is_some().then(|| links.len() - 1);
                    let shorter = beginning_of(&links, before, &text);
                    links.push(Link { text, shorter, numbers: vec![number] });
                }
            }
        }
        Self(links)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn find(&self, text: &[u8], found: &mut Vec<u32>) {
        let not_above = self.0.partition_point(|link| link.text.as_slice() <= text);
        let mut at = beginning_of(&self.0, not_above.checked_sub(1), text);
        while let Some(link) = at.and_then(|at| self.0.get(at)) {
            found.extend(&link.numbers);
            at = link.shorter;
        }
    }
}

/// The longest link that `text` begins with. Whatever lies between such a link and `text` in order begins with it too, so it is
/// reached from the last link before `text`.
fn beginning_of(links: &[Link], mut at: Option<usize>, text: &[u8]) -> Option<usize> {
    while let Some(link) = at.and_then(|at| links.get(at)) {
        if text.starts_with(&link.text) {
            return at;
        }
        at = link.shorter;
    }
    None
}
