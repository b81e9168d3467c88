//! One turn as events, in pieces as a stream would bring them, up to where it is told to fail.

use std::time::Duration;

use serde_json::Value;
use toolwright_core::{Block, StopReason, ToolInput};

use super::matching::Asked;
use super::script::{At, Fault, Piece, Turn};
use crate::generate::Emitter;
use crate::{ModelError, ModelErrorKind, ModelEvent};

/// Bytes of a piece of text, about.
const PIECE: usize = 24;

pub(super) async fn replay(
    number: usize,
    turn: Turn,
    asked: &Asked,
    emitter: &Emitter,
) -> Result<(), ModelError> {
    let stop = turn.stop();
    let at = match &turn.fail {
        Some(Fault::Error(kind)) => return Err(failed(number, *kind)),
        Some(Fault::Http(http)) => return Err(failed(number, kind_of(http.status))),
        Some(Fault::Drop) => return Err(failed(number, ModelErrorKind::Unreachable)),
        Some(Fault::Cut(at) | Fault::Stall(at) | Fault::Garbled(at) | Fault::ErrorEvent(at)) => Some(*at),
        None => None,
    };
    emitter.emit(ModelEvent::Started { model: "scripted".to_owned() });
    let pace = turn.pace_ms.map(Duration::from_millis);
    let mut bytes_left = match at {
        Some(At::Bytes(bytes)) => bytes,
        Some(At::Blocks(_)) | None => usize::MAX,
    };
    let last = turn.reply.len().saturating_sub(1);
    for (index, piece) in turn.reply.into_iter().enumerate() {
        if at == Some(At::Blocks(index)) {
            return fail(number, turn.fail).await;
        }
        let cut = index == last && matches!(stop, StopReason::MaxTokens | StopReason::ContextFull);
        let id = format!("call_{number}_{index}");
        let (deltas, block) = blocks(index, piece, unused(id, asked), cut);
        for delta in deltas {
            let bytes = bytes_of(&delta);
            if bytes > bytes_left {
                return fail(number, turn.fail).await;
            }
            bytes_left -= bytes;
            emitter.emit(delta);
            if let Some(pace) = pace {
                tokio::time::sleep(pace).await;
            }
        }
        emitter.emit(ModelEvent::BlockFinished { index, block });
    }
    if turn.fail.is_some() {
        return fail(number, turn.fail).await;
    }
    emitter.emit(ModelEvent::Finished { stop, usage: turn.usage });
    Ok(())
}

async fn fail(number: usize, fault: Option<Fault>) -> Result<(), ModelError> {
    if matches!(fault, Some(Fault::Stall(_))) {
        std::future::pending::<()>().await;
    }
    Err(failed(number, ModelErrorKind::Lost))
}

fn failed(number: usize, kind: ModelErrorKind) -> ModelError {
    ModelError::new(kind, format!("{}: turn {number} of the script fails on purpose", kind.words()))
}

fn kind_of(status: u16) -> ModelErrorKind {
    match status {
        401 | 403 => ModelErrorKind::Unauthorised,
        404 => ModelErrorKind::NotFound,
        413 => ModelErrorKind::ContextFull,
        429 => ModelErrorKind::RateLimited,
        529 => ModelErrorKind::Overloaded,
        400..=499 => ModelErrorKind::BadRequest,
        _ => ModelErrorKind::ServerError,
    }
}

/// A resumed conversation may hold the ids of an earlier run of the same script.
fn unused(id: String, asked: &Asked) -> String {
    if !asked.tool_uses.contains(&id) {
        return id;
    }
    let taken = |number: &usize| asked.tool_uses.contains(&format!("{id}_{number}"));
    let free = (2..).find(|number| !taken(number)).unwrap_or_default();
    format!("{id}_{free}")
}

fn blocks(index: usize, piece: Piece, made: String, cut: bool) -> (Vec<ModelEvent>, Block) {
    match piece {
        Piece::Text { text } => {
            let deltas = pieces(&text).map(|text| ModelEvent::TextDelta { index, text }).collect();
            (deltas, Block::text(text))
        }
        Piece::Thinking { thinking, signature } => {
            let deltas = pieces(&thinking).map(|text| ModelEvent::ThinkingDelta { index, text }).collect();
            (deltas, Block::Thinking { text: thinking, signature })
        }
        Piece::Tool { tool, input, id } => {
            let json = input.to_string();
            let input = if cut { ToolInput::Malformed(json.clone()) } else { ToolInput::Json(input) };
            tool_use(index, id.unwrap_or(made), tool, &json, input)
        }
        Piece::RawTool { tool, raw, id } => {
            let input = match serde_json::from_str::<Value>(&raw) {
                Ok(value) if !cut => ToolInput::Json(value),
                _ => ToolInput::Malformed(raw.clone()),
            };
            tool_use(index, id.unwrap_or(made), tool, &raw, input)
        }
        Piece::Vendor { vendor, value } => (Vec::new(), Block::Vendor { vendor, value }),
    }
}

fn tool_use(
    index: usize,
    id: String,
    name: String,
    json: &str,
    input: ToolInput,
) -> (Vec<ModelEvent>, Block) {
    let started = ModelEvent::ToolUseStarted { index, id: id.clone(), name: name.clone() };
    let deltas = pieces(json).map(|json| ModelEvent::ToolInputDelta { index, json });
    (std::iter::once(started).chain(deltas).collect(), Block::ToolUse { id, name, input })
}

fn bytes_of(event: &ModelEvent) -> usize {
    match event {
        ModelEvent::TextDelta { text, .. }
        | ModelEvent::ThinkingDelta { text, .. }
        | ModelEvent::ToolInputDelta { json: text, .. } => text.len(),
        _ => 0,
    }
}

/// The text in pieces that end after a space where there is one.
fn pieces(text: &str) -> impl Iterator<Item = String> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.char_indices().map(|(at, character)| at + character.len_utf8());
        let fits = end.take_while(|end| *end <= PIECE).last().unwrap_or(rest.len());
        let head = rest.get(..fits).unwrap_or(rest);
        let spaced = if fits == rest.len() { fits } else { head.rfind(' ').map_or(fits, |space| space + 1) };
        let (piece, left) = rest.split_at(spaced);
        rest = left;
        Some(piece.to_owned())
    })
}
