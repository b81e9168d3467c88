//! Large results: the whole is stored, the model gets its beginning, its end and the way to the rest. Decides and words it;
//! writing the file is the driver's. Where nothing can be stored, the rest is lost. Media do not count.
//!
//! It is asked once a tool use; the journal keeps what came of it, so that a resume sends the same bytes whatever the limits
//! are by then.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use toolwright_core::Content;

use crate::pool::hexadecimal;

mod preview;

#[cfg(test)]
mod tests;

/// Approximate size of the notice in a preview. A text is not shortened if that would save less.
const MARK: usize = 400;

/// The part of a message's limit that whole results leave to previews, once there is more than one result: one of so many.
const PREVIEWS_PART: usize = 4;

/// How much may go into one request. In characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetLimits {
    /// Of the results of one message together. A result that no longer fits is stored, however small its tool's own limit.
    pub message: usize,
    /// Characters of the start that are shown when the rest is left out; at most half of the tool's limit.
    pub head: usize,
    /// Characters of the end; at most a quarter of the tool's limit.
    pub tail: usize,
}

impl Default for BudgetLimits {
    fn default() -> Self {
        Self { message: 200_000, head: 2_000, tail: 1_000 }
    }
}

/// A result within its limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Budgeted {
    /// What the model reads.
    pub content: Vec<Content>,
    /// What is to be stored before it does.
    pub store: Option<StoreRequest>,
    /// Whether it reads less than there was.
    pub shortened: bool,
}

/// A text to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreRequest {
    /// The file's name in the folder of the budget: made of the text's hash, so that storing it twice is storing it once.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// What the results of one agent may take.
#[derive(Debug, Clone)]
pub struct Budget {
    limits: BudgetLimits,
    /// None: nothing can be stored.
    folder: Option<PathBuf>,
    /// Characters of text in the results of the present message so far.
    spent: usize,
}

impl Budget {
    /// `folder` is where the driver stores results, absolute, and readable by the agent's tools; none: it stores nothing.
    #[must_use]
    pub fn new(limits: BudgetLimits, folder: Option<&Path>) -> Self {
        Self { limits, folder: folder.map(Into::into), spent: 0 }
    }

    /// The model begins a message: the results of its tool uses share one limit.
    pub fn begin_message(&mut self) {
        self.spent = 0;
    }

    /// Brings a result within its limits, in the order results finish. `answer_limit` is its tool's, in characters;
    /// `usize::MAX`: the tool bounds itself, and only what is left of the message's limit counts. `room` is how many bytes
    /// may still be stored.
    pub fn apply(&mut self, content: Vec<Content>, answer_limit: usize, room: u64) -> Budgeted {
        let budgeted = match self.cuts(&content, answer_limit) {
            None => Budgeted { content, store: None, shortened: false },
            Some((text, head, tail)) => {
                let folder = self.folder.as_ref().filter(|_| text.len() as u64 <= room);
                let name = name_of(&text);
                let shown =
                    preview::text(&text, head, tail, folder.map(|folder| folder.join(&name)).as_deref());
                let store = folder.is_some().then_some(StoreRequest { name, text });
                Budgeted { content: replaced(content, shown), store, shortened: true }
            }
        };
        self.spent = self.spent.saturating_add(characters(&budgeted.content));
        budgeted
    }

    /// The whole text of a result that is to be stored, and the bytes shown of its beginning and its end.
    fn cuts(&self, content: &[Content], answer_limit: usize) -> Option<(String, usize, usize)> {
        let length = characters(content);
        let left = self.limits.message.saturating_sub(self.spent);
        // A part of the limit is for previews, of which each takes less of it than the one before. Half of that part is for
        // what they say of the rest.
        let previews = self.limits.message / PREVIEWS_PART;
        let room = if self.spent == 0 { left } else { left.saturating_sub(previews) };
        let (head, tail) = (self.limits.head.min(answer_limit / 2), self.limits.tail.min(answer_limit / 4));
        let (head, tail) = if length > room {
            let left = left.saturating_sub(previews / 2);
            (head.min(left / 20), tail.min(left / 40))
        } else {
            (head, tail)
        };
        let crowded = length > room && length > head.saturating_add(tail).saturating_add(MARK);
        if length <= answer_limit && !crowded {
            return None;
        }
        let text = joined(content);
        let (head, tail) = preview::cuts(&text, head, tail);
        Some((text, head, tail))
    }
}

fn texts(content: &[Content]) -> impl Iterator<Item = &str> {
    content.iter().filter_map(Content::as_text)
}

fn characters(content: &[Content]) -> usize {
    texts(content).map(|text| text.chars().count()).sum()
}

fn joined(content: &[Content]) -> String {
    texts(content).collect::<Vec<_>>().join("\n")
}

fn name_of(text: &str) -> String {
    let mut name = hexadecimal(&Sha256::digest(text));
    name.truncate(32);
    name.push_str(".txt");
    name
}

/// The shown text in the place of the first text; the other texts are in it.
fn replaced(content: Vec<Content>, shown: String) -> Vec<Content> {
    let mut shown = Some(shown);
    content
        .into_iter()
        .filter_map(|content| match content {
            Content::Text { .. } => shown.take().map(Content::text),
            other => Some(other),
        })
        .collect()
}
