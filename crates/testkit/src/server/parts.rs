//! A turn of a script as the parts that either API sends, up to where it goes wrong.

use toolwright_model::scripted::{At, Fault, Piece, Turn};

/// One thing a stream says. Each wire has its own words for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Start { index: usize, piece: Piece, id: String },
    Delta { index: usize, piece: Piece, text: String },
    End { index: usize },
}

/// How a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Whole,
    Cut,
    Stall,
    Garbled,
    ErrorEvent,
}

/// Bytes of a piece of text.
const PIECE: usize = 24;

pub(super) fn parts(number: usize, turn: &Turn) -> (Vec<Part>, Ending) {
    let (at, ending) = match turn.fail {
        Some(Fault::Cut(at)) => (Some(at), Ending::Cut),
        Some(Fault::Stall(at)) => (Some(at), Ending::Stall),
        Some(Fault::Garbled(at)) => (Some(at), Ending::Garbled),
        Some(Fault::ErrorEvent(at)) => (Some(at), Ending::ErrorEvent),
        Some(Fault::Error(_) | Fault::Http(_) | Fault::Drop) | None => (None, Ending::Whole),
    };
    let mut parts = Vec::new();
    let mut bytes = 0;
    for (index, piece) in turn.reply.iter().enumerate() {
        if at == Some(At::Blocks(index)) {
            return (parts, ending);
        }
        let id = given_id(piece).unwrap_or_else(|| format!("call_{number}_{index}"));
        parts.push(Part::Start { index, piece: piece.clone(), id });
        let content = content(piece);
        let limit = match at {
            Some(At::Bytes(limit)) => limit.saturating_sub(bytes),
            Some(At::Blocks(_)) | None => usize::MAX,
        };
        let end = (0..=content.len().min(limit)).rev().find(|end| content.is_char_boundary(*end));
        let said = &content[..end.unwrap_or(0)];
        for text in pieces(said) {
            parts.push(Part::Delta { index, piece: piece.clone(), text: text.to_owned() });
        }
        if said.len() < content.len() {
            return (parts, ending);
        }
        bytes += content.len();
        parts.push(Part::End { index });
    }
    (parts, ending)
}

/// What is streamed of a block.
pub(super) fn content(piece: &Piece) -> String {
    match piece {
        Piece::Text { text } => text.clone(),
        Piece::Thinking { thinking, .. } => thinking.clone(),
        Piece::Tool { input, .. } => input.to_string(),
        Piece::RawTool { raw, .. } => raw.clone(),
        Piece::Vendor { .. } => String::new(),
    }
}

fn given_id(piece: &Piece) -> Option<String> {
    match piece {
        Piece::Tool { id, .. } | Piece::RawTool { id, .. } => id.clone(),
        Piece::Text { .. } | Piece::Thinking { .. } | Piece::Vendor { .. } => None,
    }
}

fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = (1..=rest.len().min(PIECE)).rev().find(|end| rest.is_char_boundary(*end));
        let (piece, left) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(piece);
        rest = left;
    }
    pieces
}
