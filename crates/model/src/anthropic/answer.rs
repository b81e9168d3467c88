//! An answer of the Messages API, streamed or whole, as events. Does no input or output: takes the data of one server-sent
//! event after the other. No field is taken to be of the type that the API says: see [`loose`](crate::loose).

use serde_json::{Map, Value, json};
use toolwright_core::{Block, StopReason, ToolInput, Usage};

use super::blocks::WireBlock;
use crate::{ModelError, ModelEvent, loose};

/// What follows a piece of an answer.
pub(super) enum Next {
    More,
    /// `Finished` was emitted.
    Done,
    /// The piece is the vendor's error.
    Error,
}

type Emit<'a> = &'a mut dyn FnMut(ModelEvent);

/// An answer as far as it has come.
#[derive(Default)]
pub(super) struct Answer {
    open: Option<Open>,
    /// A tool use that ended, until what follows shows that the output limit did not cut it.
    held: Option<(usize, WireBlock, String)>,
    /// Blocks emitted so far, ours and the vendor's together.
    next_index: usize,
    calls_tools: bool,
    stop: Option<String>,
    usage: Usage,
    finished: bool,
}

struct Open {
    index: usize,
    /// None where the server numbers no blocks.
    wire_index: Option<u64>,
    block: Map<String, Value>,
    json: String,
}

impl Open {
    fn is_at(&self, wire_index: Option<u64>) -> bool {
        self.wire_index == wire_index || self.wire_index.is_none() || wire_index.is_none()
    }
}

impl Answer {
    /// Takes the data of one event.
    pub(super) fn take(&mut self, data: &str, emit: Emit<'_>) -> Result<Next, ModelError> {
        let event: Value = serde_json::from_str(data)
            .map_err(|error| ModelError::lost(format!("an event makes no sense: {error}")))?;
        let Value::Object(mut event) = event else {
            return Err(ModelError::lost("an event makes no sense: it is no object"));
        };
        let index = loose::count(event.get("index"));
        match loose::text(event.remove("type")).unwrap_or_default().as_str() {
            "message_start" => self.head(loose::fields(event.remove("message")), emit),
            "content_block_start" => {
                self.start(index, loose::fields(event.remove("content_block")), emit)?;
            }
            "content_block_delta" => self.delta(index, loose::fields(event.remove("delta")), emit)?,
            "content_block_stop" => self.stop(index, emit)?,
            "message_delta" => {
                count(event.get("usage"), &mut self.usage);
                let mut delta = loose::fields(event.remove("delta"));
                self.stop = loose::name(delta.remove("stop_reason")).or(self.stop.take());
            }
            "message_stop" => {
                // Some servers give no reason and mark the end all the same.
                self.stop.get_or_insert_default();
                self.end(emit)?;
                return Ok(Next::Done);
            }
            "error" => return Ok(Next::Error),
            // `ping`, and what later versions add.
            _ => {}
        }
        Ok(Next::More)
    }

    /// The end of the connection, or of the message. Good only if the message said why it ended.
    pub(super) fn end(&mut self, emit: Emit<'_>) -> Result<(), ModelError> {
        if self.finished {
            return Ok(());
        }
        let Some(stop) = self.stop.take() else {
            return Err(ModelError::lost("the connection closed in the middle of it"));
        };
        if self.open.is_some() {
            return Err(ModelError::lost("its last block had no end"));
        }
        let stop = stop_reason(&stop, self.calls_tools);
        let cut = matches!(stop, StopReason::MaxTokens | StopReason::ContextFull | StopReason::Refusal);
        self.release(cut, emit);
        self.finished = true;
        emit(ModelEvent::Finished { stop, usage: self.usage });
        Ok(())
    }

    fn head(&mut self, mut head: Map<String, Value>, emit: Emit<'_>) {
        count(head.get("usage"), &mut self.usage);
        emit(ModelEvent::Started { model: loose::text(head.remove("model")).unwrap_or_default() });
    }

    fn start(
        &mut self,
        wire_index: Option<u64>,
        block: Map<String, Value>,
        emit: Emit<'_>,
    ) -> Result<(), ModelError> {
        if self.open.is_some() {
            return Err(ModelError::lost("a block began within another"));
        }
        self.release(false, emit);
        let index = self.next_index;
        self.next_index += 1;
        let field = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        match field("type").as_str() {
            "tool_use" => {
                emit(ModelEvent::ToolUseStarted { index, id: field("id"), name: field("name") });
            }
            "text" if !field("text").is_empty() => emit(ModelEvent::TextDelta { index, text: field("text") }),
            _ => {}
        }
        self.open = Some(Open { index, wire_index, block, json: String::new() });
        Ok(())
    }

    fn delta(
        &mut self,
        wire_index: Option<u64>,
        mut delta: Map<String, Value>,
        emit: Emit<'_>,
    ) -> Result<(), ModelError> {
        let open = self.open.as_mut().filter(|open| open.is_at(wire_index));
        let open = open.ok_or_else(|| ModelError::lost("a piece belongs to no open block"))?;
        let index = open.index;
        let kind = loose::text(delta.remove("type")).unwrap_or_default();
        let mut piece = |field: &str| loose::text(delta.remove(field)).unwrap_or_default();
        match kind.as_str() {
            "text_delta" => {
                let text = piece("text");
                append(&mut open.block, "text", &text);
                emit(ModelEvent::TextDelta { index, text });
            }
            "thinking_delta" => {
                let text = piece("thinking");
                append(&mut open.block, "thinking", &text);
                emit(ModelEvent::ThinkingDelta { index, text });
            }
            "signature_delta" => append(&mut open.block, "signature", &piece("signature")),
            "input_json_delta" => {
                let json = match delta.remove("partial_json") {
                    Some(Value::String(json)) => json,
                    Some(Value::Null) | None => String::new(),
                    // Some servers send JSON itself.
                    Some(value) => value.to_string(),
                };
                open.json.push_str(&json);
                emit(ModelEvent::ToolInputDelta { index, json });
            }
            "citations_delta" => {
                let Some(citation) = delta.remove("citation") else { return Ok(()) };
                let citations = open.block.entry("citations").or_insert_with(|| Value::Array(Vec::new()));
                match citations {
                    Value::Array(citations) => citations.push(citation),
                    other => *other = Value::Array(vec![citation]),
                }
            }
            "" => {}
            // It changes the block in a way we cannot repeat, and the block must go back as it was: ask for it whole.
            _ => return Err(ModelError::lost("a piece of a block is of an unknown kind")),
        }
        Ok(())
    }

    fn stop(&mut self, wire_index: Option<u64>, emit: Emit<'_>) -> Result<(), ModelError> {
        let open = self.open.take().filter(|open| open.is_at(wire_index));
        let Some(Open { index, mut block, json, .. }) = open else {
            return Err(ModelError::lost("a block ended that is not open"));
        };
        let kind = block.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        if !json.is_empty() && kind != "tool_use" {
            let input = serde_json::from_str(&json);
            let input = input.map_err(|_| ModelError::lost("the input of a vendor's own tool is no JSON"))?;
            block.insert("input".to_owned(), input);
        }
        if ["text", "thinking"].contains(&kind.as_str()) && !block.get(&kind).is_some_and(Value::is_string) {
            let text = loose::text(block.remove(&kind)).unwrap_or_default();
            block.insert(kind, Value::String(text));
        }
        let block = typed(Value::Object(block))?;
        match block {
            WireBlock::ToolUse { ref input, .. } => {
                let json = if json.is_empty() { input.to_string() } else { json };
                self.calls_tools = true;
                self.held = Some((index, block, json));
            }
            block => self.emit_kept(index, block, emit),
        }
        Ok(())
    }

    /// Emits the tool use that was held back.
    fn release(&mut self, cut: bool, emit: Emit<'_>) {
        let Some((index, block, json)) = self.held.take() else { return };
        let parsed = if cut { None } else { serde_json::from_str(&json).ok() };
        match (block, parsed) {
            (WireBlock::ToolUse { id, name, more, .. }, Some(input)) => {
                self.emit_kept(index, WireBlock::ToolUse { id, name, input, more }, emit);
            }
            (WireBlock::ToolUse { id, name, .. }, None) => {
                let block = Block::ToolUse { id, name, input: ToolInput::Malformed(json) };
                emit(ModelEvent::BlockFinished { index, block });
            }
            (block, _) => self.emit_kept(index, block, emit),
        }
    }

    fn emit_kept(&mut self, index: usize, block: WireBlock, emit: Emit<'_>) {
        let (block, fields) = block.kept();
        emit(ModelEvent::BlockFinished { index, block });
        if let Some(block) = fields {
            emit(ModelEvent::BlockFinished { index: self.next_index, block });
            self.next_index += 1;
        }
    }
}

fn append(block: &mut Map<String, Value>, field: &str, piece: &str) {
    match block.get_mut(field) {
        Some(Value::String(text)) => text.push_str(piece),
        _ => {
            block.insert(field.to_owned(), Value::String(piece.to_owned()));
        }
    }
}

fn typed(block: Value) -> Result<WireBlock, ModelError> {
    serde_json::from_value(block)
        .map_err(|error| ModelError::lost(format!("a block makes no sense: {error}")))
}

fn stop_reason(word: &str, calls_tools: bool) -> StopReason {
    match word {
        "end_turn" => StopReason::EndTurn,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" => StopReason::MaxTokens,
        "stop_sequence" => StopReason::StopSequence,
        "pause_turn" => StopReason::PauseTurn,
        "refusal" => StopReason::Refusal,
        "model_context_window_exceeded" => StopReason::ContextFull,
        _ if calls_tools => StopReason::ToolUse,
        _ => StopReason::EndTurn,
    }
}

/// Later counts replace earlier ones: they are totals.
fn count(counts: Option<&Value>, usage: &mut Usage) {
    let Some(counts) = counts else { return };
    let places = [
        ("input_tokens", &mut usage.input_tokens),
        ("output_tokens", &mut usage.output_tokens),
        ("cache_read_input_tokens", &mut usage.cache_read_input_tokens),
        ("cache_creation_input_tokens", &mut usage.cache_creation_input_tokens),
    ];
    for (name, place) in places {
        *place = loose::count(counts.get(name)).unwrap_or(*place);
    }
}

/// An answer that came in one piece, as the events a stream would have brought.
pub(super) fn whole(json: Value, emit: Emit<'_>) -> Result<(), ModelError> {
    let mut whole = loose::fields(Some(json));
    let content = match whole.remove("content") {
        Some(Value::String(text)) => vec![json!({"type": "text", "text": text})],
        Some(content) => loose::items(Some(content)),
        None => return Err(ModelError::lost("it is no message of this API: it has no content")),
    };
    // It is whole, whatever reason it gives.
    let stop = loose::text(whole.remove("stop_reason")).unwrap_or_default();
    let mut answer = Answer { stop: Some(stop), ..Answer::default() };
    answer.head(whole, emit);
    for block in content {
        let block = loose::fields(Some(block));
        let thinking = block.get("thinking").and_then(Value::as_str).map(str::to_owned);
        answer.start(None, block, emit)?;
        if let (Some(text), Some(open)) = (thinking, &answer.open) {
            emit(ModelEvent::ThinkingDelta { index: open.index, text });
        }
        answer.stop(None, emit)?;
    }
    answer.end(emit)
}
