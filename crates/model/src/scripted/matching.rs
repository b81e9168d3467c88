//! Which turn answers a request. Sees a request only as the few facts a condition may speak of, so that the local model
//! server, which has a vendor's JSON, chooses by the same rule.

use toolwright_core::{Block, Content, Message, Speaker};

use super::script::{Condition, Script, Turn};
use crate::{Delivery, Request};

/// What a condition may speak of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// The first text of the person.
    pub first_user_text: String,
    /// The last text of the person.
    pub last_user_text: String,
    /// The texts of the tool results since the model's last message.
    pub tool_results: Vec<String>,
    /// The system prompt.
    pub system: String,
    /// The names of the tools.
    pub tools: Vec<String>,
    /// The ids of all tool uses in the conversation.
    pub tool_uses: Vec<String>,
    /// `stream` or `whole`.
    pub delivery: &'static str,
}

impl Asked {
    /// The facts of a request.
    #[must_use]
    pub fn of(request: &Request<'_>) -> Self {
        let users = || request.messages.iter().filter(|message| message.role == Speaker::User);
        let said = |message: &Message| Some(message.text()).filter(|text| !text.is_empty());
        let since = request.messages.rsplit(|message| message.role == Speaker::Assistant).next();
        let tool_uses = request.messages.iter().flat_map(Message::tool_uses);
        Self {
            first_user_text: users().find_map(said).unwrap_or_default(),
            last_user_text: users().rev().find_map(said).unwrap_or_default(),
            tool_results: since.unwrap_or_default().iter().flat_map(results).collect(),
            system: request.system.join("\n"),
            tools: request.tools.iter().map(|tool| tool.definition.name.clone()).collect(),
            tool_uses: tool_uses.map(|(id, _, _)| id.to_owned()).collect(),
            delivery: match request.delivery {
                Delivery::Stream => "stream",
                Delivery::Whole => "whole",
            },
        }
    }
}

fn results(message: &Message) -> impl Iterator<Item = String> {
    message.content.iter().filter_map(|block| match block {
        Block::ToolResult { content, .. } => {
            Some(content.iter().filter_map(Content::as_text).collect::<Vec<_>>().join("\n"))
        }
        _ => None,
    })
}

impl Condition {
    /// The first thing that does not hold, in words.
    fn broken(&self, asked: &Asked) -> Option<String> {
        let texts = [
            ("the first user text", &self.first_user_text, &asked.first_user_text),
            ("the last user text", &self.last_user_text, &asked.last_user_text),
            ("the system prompt", &self.system, &asked.system),
        ];
        for (what, wanted, found) in texts {
            if let Some(wanted) = wanted.as_deref().filter(|wanted| !found.contains(wanted)) {
                return Some(format!("{what} should contain {wanted:?}, and is {:?}", shortened(found)));
            }
        }
        if let Some(wanted) = &self.tool_result
            && !asked.tool_results.iter().any(|result| result.contains(wanted))
        {
            let found = shortened(&asked.tool_results.join("\n"));
            return Some(format!("a tool result should contain {wanted:?}, and they are {found:?}"));
        }
        if let Some(tool) = self.tool.as_ref().filter(|tool| !asked.tools.contains(tool)) {
            return Some(format!(
                "the tool {tool} should be offered, and these are: {}",
                asked.tools.join(", ")
            ));
        }
        let delivery = self.delivery.as_deref().filter(|wanted| *wanted != asked.delivery)?;
        Some(format!("delivery should be {delivery}, and is {}", asked.delivery))
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}..", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// A script that is being played.
#[derive(Debug)]
pub struct Turns {
    waiting: Vec<(usize, Turn)>,
    total: usize,
}

/// A request that a script has no answer to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// The next turn expects something else.
    #[error("turn {turn} of the script does not fit the request: {why}")]
    Expected {
        /// Counted from 1.
        turn: usize,
        /// What does not hold.
        why: String,
    },
    /// There is no further turn.
    #[error(
        "the script has run out: all of its {total} turns are used, and one more request came, after the user text \
         {last:?}. Add a turn."
    )]
    RanOut {
        /// How many turns it has.
        total: usize,
        /// The last text of the person.
        last: String,
    },
}

impl Turns {
    /// At its beginning.
    #[must_use]
    pub fn new(script: Script) -> Self {
        let waiting: Vec<_> = (1..).zip(script.turns).collect();
        Self { total: waiting.len(), waiting }
    }

    /// How many turns have not been used.
    #[must_use]
    pub fn left(&self) -> usize {
        self.waiting.len()
    }

    /// The turn that answers this request, with its number, from 1. It is used up by that.
    ///
    /// # Errors
    /// When the next turn expects something else (it is then still the next), or there is none.
    pub fn take(&mut self, asked: &Asked) -> Result<(usize, Turn), Mismatch> {
        let holds = |turn: &Turn| turn.when.as_ref().is_some_and(|when| when.broken(asked).is_none());
        let chosen = self.waiting.iter().position(|(_, turn)| holds(turn));
        let Some(index) = chosen.or_else(|| self.waiting.iter().position(|(_, turn)| turn.when.is_none()))
        else {
            return Err(Mismatch::RanOut { total: self.total, last: shortened(&asked.last_user_text) });
        };
        if let Some((turn, next)) = self.waiting.get(index)
            && let Some(why) = next.expect.as_ref().and_then(|expect| expect.broken(asked))
        {
            return Err(Mismatch::Expected { turn: *turn, why });
        }
        Ok(self.waiting.remove(index))
    }
}
