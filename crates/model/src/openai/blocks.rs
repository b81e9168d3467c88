//! The blocks of an answer while they are put together. Blocks have no marks on this wire, and servers disagree on how a piece
//! of a tool call says which call it belongs to: by its number, by its id, by both, or by its place alone.

use serde_json::{Map, Value};
use toolwright_core::{Block, ToolInput};

use super::answer::{Broken, Emit, senseless};
use super::strict;
use crate::{ModelEvent, loose};

/// The blocks so far, in the order in which they began.
#[derive(Default)]
pub(super) struct Blocks {
    strict: bool,
    slots: Vec<Slot>,
    /// How many of `slots` are finished.
    finished: usize,
    /// The slot that the newest piece went to: the one that an output limit cut.
    newest: usize,
    /// Whether the server sends a field for thoughts, though it may be empty.
    field_for_thoughts: bool,
}

enum Slot {
    Thinking(String),
    Text(String),
    Call(Call),
}

#[derive(Default)]
struct Call {
    number: Option<u64>,
    id: Option<String>,
    name: String,
    json: String,
    /// Whether `ToolUseStarted` was emitted.
    announced: bool,
}

/// A piece of a tool call.
pub(super) struct CallPiece {
    number: Option<u64>,
    id: Option<String>,
    name: Option<String>,
    json: String,
    /// Whether it is a call of its own, whatever it says.
    alone: bool,
}

impl CallPiece {
    /// The piece at `position` of its list. `in_one_piece`: the list is that of a whole answer.
    pub(super) fn of(mut fields: Map<String, Value>, in_one_piece: bool, position: usize) -> Self {
        let mut function = loose::fields(fields.remove("function"));
        // Text of JSON; some servers send JSON itself.
        let json = match function.remove("arguments") {
            Some(Value::String(text)) => text,
            Some(Value::Null) | None => String::new(),
            Some(value) => value.to_string(),
        };
        let number = loose::count(fields.get("index"));
        let id = loose::name(fields.remove("id"));
        let name = loose::name(function.remove("name"));
        // Two pieces of one call never stand in one list.
        let unmarked = position > 0 && number.is_none() && id.is_none() && name.is_some();
        Self { number, id, name, json, alone: in_one_piece || unmarked }
    }

    fn opens(&self) -> bool {
        self.json.trim_start().starts_with('{')
    }
}

/// How a piece relates to a call.
enum Relation {
    /// It is a part of the call.
    Part,
    /// It begins another call.
    Begins,
    /// It says again what the call has.
    Repeats,
}

impl Call {
    fn is_empty(&self) -> bool {
        // Some servers begin with an empty object and let the arguments follow.
        matches!(self.json.trim(), "" | "{}")
    }

    /// What remains of a piece with an id of its own and nothing else.
    fn is_nothing(&self) -> bool {
        self.name.is_empty() && self.json.trim().is_empty()
    }

    fn is_whole(&self) -> bool {
        // Looking at the last letter first keeps this cheap while a long input comes in.
        !self.is_empty()
            && self.json.trim_end().ends_with('}')
            && serde_json::from_str::<serde::de::IgnoredAny>(&self.json).is_ok()
    }

    /// Whether a piece belongs to this call, as its number, its id or its place lets one think.
    fn relation(&self, piece: &CallPiece) -> Relation {
        let other_name = piece.name.as_ref().is_some_and(|name| !self.name.is_empty() && *name != self.name);
        let (other_id, same_id) = match (&self.id, &piece.id) {
            (Some(own), Some(id)) => (own != id, own == id),
            _ => (false, false),
        };
        let is_named = piece.name.is_some();
        let begins = if other_name {
            true
        } else if self.is_whole() {
            if same_id && piece.opens() {
                return if piece.json.trim() == self.json.trim() {
                    Relation::Repeats
                } else {
                    Relation::Begins
                };
            }
            // With the same id each piece may name the call again; without one a name begins the next call.
            other_id || (is_named && !same_id)
        } else if self.is_empty() {
            let placeholder_or_call = !self.json.is_empty() && is_named && !same_id && piece.opens();
            (other_id && is_named != self.name.is_empty()) || placeholder_or_call
        } else {
            // Some servers give each piece an id of its own.
            let continues = !piece.json.trim().is_empty() && !piece.opens();
            other_id && is_named && !continues
        };
        if begins { Relation::Begins } else { Relation::Part }
    }

    fn take(&mut self, piece: &CallPiece) {
        if self.name.is_empty() {
            self.name = piece.name.clone().unwrap_or_default();
        }
        if !self.announced && self.id.is_none() {
            self.id.clone_from(&piece.id);
        }
        if self.json.trim() == "{}" && !piece.json.trim().is_empty() {
            self.json.clear();
        }
        self.json.push_str(&piece.json);
    }
}

impl Blocks {
    pub(super) fn new(strict: bool) -> Self {
        Self { strict, ..Self::default() }
    }

    pub(super) fn are_none(&self) -> bool {
        self.slots.is_empty()
    }

    pub(super) fn have_calls(&self) -> bool {
        self.slots.iter().any(|slot| matches!(slot, Slot::Call(call) if !call.is_nothing()))
    }

    /// Notes that the server has a field for thoughts, and wants it back with the calls of this answer.
    pub(super) fn has_field_for_thoughts(&mut self) {
        self.field_for_thoughts = true;
    }

    pub(super) fn thought(&mut self, piece: String, emit: Emit<'_>) {
        if !matches!(self.slots.last(), Some(Slot::Thinking(_))) {
            self.open(Slot::Thinking(String::new()), emit);
        }
        let index = self.slots.len().saturating_sub(1);
        if let Some(Slot::Thinking(text)) = self.slots.last_mut() {
            text.push_str(&piece);
            self.newest = index;
            emit(ModelEvent::ThinkingDelta { index, text: piece });
        }
    }

    pub(super) fn text(&mut self, piece: String, emit: Emit<'_>) {
        if !matches!(self.slots.last(), Some(Slot::Text(_))) {
            self.open(Slot::Text(String::new()), emit);
        }
        let index = self.slots.len().saturating_sub(1);
        if let Some(Slot::Text(text)) = self.slots.last_mut() {
            text.push_str(&piece);
            self.newest = index;
            emit(ModelEvent::TextDelta { index, text: piece });
        }
    }

    pub(super) fn call(&mut self, piece: CallPiece, emit: Emit<'_>) -> Result<(), Broken> {
        let index = match self.place(&piece) {
            Some((index, Relation::Part)) => index,
            Some((_, Relation::Repeats)) => return Ok(()),
            Some((_, Relation::Begins)) | None => self.begin(piece.number, emit),
        };
        if index < self.finished {
            return match piece.json.trim().is_empty() {
                true => Ok(()),
                false => Err(senseless("a piece belongs to a tool call that has ended")),
            };
        }
        self.newest = index;
        if let Some(Slot::Call(call)) = self.slots.get_mut(index) {
            call.take(&piece);
            // An id may come after the name, and no later than the arguments.
            if !call.name.is_empty() && (call.id.is_some() || !call.json.is_empty()) {
                announce(index, call, emit);
            }
            if !piece.json.is_empty() {
                emit(ModelEvent::ToolInputDelta { index, json: piece.json });
            }
        }
        Ok(())
    }

    /// The end of the answer. `cut`: an output limit or a refusal ended it.
    pub(super) fn end(&mut self, cut: bool, emit: Emit<'_>) -> Result<(), Broken> {
        for index in (self.finished..self.slots.len()).rev() {
            if matches!(self.slots.get(index), Some(Slot::Call(call)) if call.is_nothing()) {
                self.slots.remove(index);
                self.newest -= usize::from(self.newest >= index && self.newest > 0);
            }
        }
        if self.slots.iter().any(|slot| matches!(slot, Slot::Call(call) if call.name.is_empty())) {
            return Err(senseless("a tool call has no name"));
        }
        while self.finished < self.slots.len() {
            self.finish(cut && self.newest == self.finished, emit);
        }
        Ok(())
    }

    /// The call that a piece speaks of, if there is one.
    fn place(&self, piece: &CallPiece) -> Option<(usize, Relation)> {
        if piece.alone {
            return None;
        }
        let related = |(index, call): (usize, &Call)| Some((index, call.relation(piece)));
        let by_id = || self.newest_call(|call| call.id.is_some() && call.id == piece.id);
        match piece.number {
            Some(_) => match (self.newest_call(|call| call.number == piece.number), by_id()) {
                // Calls that share a number and come by turns.
                (Some((index, _)), Some((other, call))) if other != index && call.number == piece.number => {
                    related((other, call))
                }
                (Some(numbered), _) => related(numbered),
                // The head of the call had another number.
                (None, Some((index, _))) if piece.name.is_none() => Some((index, Relation::Part)),
                (None, None) if piece.name.is_none() && piece.id.is_none() => {
                    self.newest_call(|_| true).map(|(index, _)| (index, Relation::Part))
                }
                (None, _) => None,
            },
            None => by_id().or_else(|| self.newest_call(|_| true)).and_then(related),
        }
    }

    fn newest_call(&self, fits: impl Fn(&Call) -> bool) -> Option<(usize, &Call)> {
        let calls = self.slots.iter().enumerate().rev().filter_map(|(index, slot)| match slot {
            Slot::Call(call) => Some((index, call)),
            Slot::Thinking(_) | Slot::Text(_) => None,
        });
        calls.into_iter().find(|(_, call)| fits(call))
    }

    fn begin(&mut self, number: Option<u64>, emit: Emit<'_>) -> usize {
        let thinks = self.slots.iter().any(|slot| matches!(slot, Slot::Thinking(_)));
        if self.field_for_thoughts && !thinks {
            self.open(Slot::Thinking(String::new()), emit);
        }
        self.open(Slot::Call(Call { number, ..Call::default() }), emit)
    }

    /// Opens a block, and finishes those before it that are whole. A call that is not may still get pieces.
    fn open(&mut self, slot: Slot, emit: Emit<'_>) -> usize {
        let is_whole = |slot: &Slot| match slot {
            Slot::Thinking(_) | Slot::Text(_) => true,
            Slot::Call(call) => !call.name.is_empty() && call.is_whole(),
        };
        while self.slots.get(self.finished).is_some_and(is_whole) {
            self.finish(false, emit);
        }
        self.slots.push(slot);
        self.slots.len() - 1
    }

    fn finish(&mut self, cut: bool, emit: Emit<'_>) {
        let index = self.finished;
        self.finished += 1;
        let block = match self.slots.get_mut(index) {
            Some(Slot::Thinking(text)) => Block::Thinking { text: std::mem::take(text), signature: None },
            Some(Slot::Text(text)) => Block::text(std::mem::take(text)),
            Some(Slot::Call(call)) => {
                announce(index, call, emit);
                let input = input(call.json.clone(), cut, self.strict);
                Block::ToolUse { id: call.id.clone().unwrap_or_default(), name: call.name.clone(), input }
            }
            None => return,
        };
        emit(ModelEvent::BlockFinished { index, block });
    }
}

fn announce(index: usize, call: &mut Call, emit: Emit<'_>) {
    if !std::mem::replace(&mut call.announced, true) {
        // Without an id its result could not name it.
        let id = call.id.get_or_insert_with(|| format!("call_{index}")).clone();
        emit(ModelEvent::ToolUseStarted { index, id, name: call.name.clone() });
    }
}

fn input(json: String, cut: bool, strict: bool) -> ToolInput {
    let parsed = match json.trim() {
        _ if cut => None,
        "" => Some(Value::Object(Map::new())),
        text => serde_json::from_str(text).ok(),
    };
    match parsed {
        Some(value) if strict => ToolInput::Json(strict::without_nulls(value)),
        Some(value) => ToolInput::Json(value),
        None => ToolInput::Malformed(json),
    }
}
