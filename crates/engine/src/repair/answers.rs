//! Which result answers which tool use. Looks at ids alone.

use std::collections::{HashMap, HashSet, VecDeque};

use toolwright_core::{Block, Content, Message, Outcome, Speaker};

use super::blocks;

/// The pairs of a history.
pub(super) struct Answers<'a> {
    /// Per message, its tool uses in order.
    uses: HashMap<usize, Vec<Use<'a>>>,
    /// Results that answer nothing: message and block.
    orphans: HashSet<(usize, usize)>,
    /// Ids of which a result is recorded.
    resolved: HashSet<&'a str>,
}

struct Use<'a> {
    id: String,
    answer: Option<(&'a [Content], Outcome)>,
}

impl<'a> Answers<'a> {
    pub(super) fn of(messages: &'a [Message]) -> Self {
        let mut answers =
            Self { uses: HashMap::new(), orphans: HashSet::new(), resolved: resolved(messages) };
        let mut taken: HashSet<String> = messages
            .iter()
            .flat_map(Message::tool_uses)
            .filter(|(id, ..)| !id.is_empty())
            .map(|(id, ..)| id.into())
            .collect();
        let mut seen: HashSet<&str> = HashSet::new();
        // Unanswered uses of an id, first come first served. A later message that uses the id again closes the earlier ones.
        let mut open: HashMap<&str, VecDeque<(usize, usize)>> = HashMap::new();
        for (index, message) in messages.iter().enumerate() {
            if answers.is_transient(message) {
                continue;
            }
            for (position, block) in message.content.iter().enumerate() {
                match block {
                    Block::ToolUse { id, .. } if message.role == Speaker::Assistant => {
                        let own = if seen.insert(id) && !id.is_empty() {
                            id.clone()
                        } else {
                            fresh(id, &mut taken)
                        };
                        let uses = answers.uses.entry(index).or_default();
                        let queue = open.entry(id).or_default();
                        queue.retain(|(of, _)| *of == index);
                        queue.push_back((index, uses.len()));
                        uses.push(Use { id: own, answer: None });
                    }
                    Block::ToolResult { tool_use_id, content, outcome } => {
                        let asked = open.get_mut(tool_use_id.as_str()).and_then(VecDeque::pop_front);
                        let slot = asked.and_then(|(of, at)| answers.uses.get_mut(&of)?.get_mut(at));
                        match slot {
                            Some(slot) => slot.answer = Some((content, *outcome)),
                            // A second result of a use that has one says nothing new; without any use it may.
                            None if seen.contains(tool_use_id.as_str()) => {}
                            None => {
                                answers.orphans.insert((index, position));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        answers
    }

    /// Whether the message was made while a tool ran that has no result yet.
    pub(super) fn is_transient(&self, message: &Message) -> bool {
        message.source_tool_use.as_deref().is_some_and(|id| !self.resolved.contains(id))
    }

    pub(super) fn is_orphan(&self, message: usize, block: usize) -> bool {
        self.orphans.contains(&(message, block))
    }

    /// The id that the `number`-th tool use of a message goes by.
    pub(super) fn id(&self, message: usize, number: usize) -> Option<&str> {
        self.uses.get(&message)?.get(number).map(|one| one.id.as_str())
    }

    /// The result blocks for a message's tool uses, in call order.
    pub(super) fn results(&self, message: usize, dangling: &str) -> impl Iterator<Item = Block> {
        self.uses.get(&message).into_iter().flatten().map(move |one| {
            let (content, outcome) = one.answer.map_or_else(
                || (vec![Content::text(dangling)], Outcome::Failure),
                |(content, outcome)| (content.to_vec(), outcome),
            );
            Block::ToolResult {
                tool_use_id: one.id.clone(),
                content: blocks::sendable_answer(&content),
                outcome,
            }
        })
    }
}

/// Ids whose tool use is followed by a result. Messages that are themselves transient prove nothing.
fn resolved(messages: &[Message]) -> HashSet<&str> {
    let mut used = HashSet::new();
    let mut resolved = HashSet::new();
    let lasting = messages.iter().filter(|message| message.source_tool_use.is_none());
    for block in lasting.flat_map(|message| &message.content) {
        match block {
            Block::ToolUse { id, .. } => {
                used.insert(id.as_str());
            }
            Block::ToolResult { tool_use_id, .. } if used.contains(tool_use_id.as_str()) => {
                resolved.insert(tool_use_id.as_str());
            }
            _ => {}
        }
    }
    resolved
}

/// An id nobody has, made of one that is taken (or of none).
fn fresh(id: &str, taken: &mut HashSet<String>) -> String {
    let base = if id.is_empty() { "call" } else { id };
    let mut number = 2_usize;
    loop {
        let candidate = format!("{base}-{number}");
        if taken.insert(candidate.clone()) {
            return candidate;
        }
        number += 1;
    }
}
