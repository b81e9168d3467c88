//! An answer of the Messages API, streamed or whole, as events. Does no input or output: takes the data of one server-sent
//! event after the other.

use serde::Deserialize;
use serde_json::{Map, Value};
use toolwright_core::{Block, StopReason, ToolInput, Usage};

use super::blocks::WireBlock;
use crate::{ModelError, ModelEvent};

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WireEvent {
    MessageStart {
        message: Head,
    },
    ContentBlockStart {
        index: u64,
        content_block: Map<String, Value>,
    },
    ContentBlockDelta {
        index: u64,
        delta: Delta,
    },
    ContentBlockStop {
        index: u64,
    },
    MessageDelta {
        delta: Tail,
        #[serde(default)]
        usage: WireUsage,
    },
    MessageStop,
    Error,
    /// `ping`, and what later versions add.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    model: String,
    #[serde(default)]
    usage: WireUsage,
}

#[derive(Deserialize)]
struct Tail {
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "thinking_delta")]
    Thinking { thinking: String },
    #[serde(rename = "signature_delta")]
    Signature { signature: String },
    #[serde(rename = "input_json_delta")]
    InputJson { partial_json: String },
    #[serde(rename = "citations_delta")]
    Citations { citation: Value },
    #[serde(other)]
    Other,
}

#[derive(Default, Deserialize)]
struct WireUsage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
}

impl WireUsage {
    /// Later counts replace earlier ones: they are totals.
    fn update(&self, usage: &mut Usage) {
        let pairs = [
            (self.input_tokens, &mut usage.input_tokens),
            (self.output_tokens, &mut usage.output_tokens),
            (self.cache_read_input_tokens, &mut usage.cache_read_input_tokens),
            (self.cache_creation_input_tokens, &mut usage.cache_creation_input_tokens),
        ];
        for (new, place) in pairs {
            *place = new.unwrap_or(*place);
        }
    }
}

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
    wire_index: u64,
    block: Map<String, Value>,
    json: String,
}

impl Answer {
    /// Takes the data of one event.
    pub(super) fn take(&mut self, data: &str, emit: Emit<'_>) -> Result<Next, ModelError> {
        let event: WireEvent = serde_json::from_str(data)
            .map_err(|error| ModelError::lost(format!("an event makes no sense: {error}")))?;
        match event {
            WireEvent::MessageStart { message } => {
                message.usage.update(&mut self.usage);
                emit(ModelEvent::Started { model: message.model });
            }
            WireEvent::ContentBlockStart { index, content_block } => {
                self.start(index, content_block, emit)?
            }
            WireEvent::ContentBlockDelta { index, delta } => self.delta(index, delta, emit)?,
            WireEvent::ContentBlockStop { index } => self.stop(index, emit)?,
            WireEvent::MessageDelta { delta, usage } => {
                usage.update(&mut self.usage);
                self.stop = delta.stop_reason.or(self.stop.take());
            }
            WireEvent::MessageStop => {
                self.end(emit)?;
                return Ok(Next::Done);
            }
            WireEvent::Error => return Ok(Next::Error),
            WireEvent::Other => {}
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

    fn start(
        &mut self,
        wire_index: u64,
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

    fn delta(&mut self, wire_index: u64, delta: Delta, emit: Emit<'_>) -> Result<(), ModelError> {
        let open = self.open.as_mut().filter(|open| open.wire_index == wire_index);
        let open = open.ok_or_else(|| ModelError::lost("a piece belongs to no open block"))?;
        let index = open.index;
        match delta {
            Delta::Text { text } => {
                append(&mut open.block, "text", &text);
                emit(ModelEvent::TextDelta { index, text });
            }
            Delta::Thinking { thinking } => {
                append(&mut open.block, "thinking", &thinking);
                emit(ModelEvent::ThinkingDelta { index, text: thinking });
            }
            Delta::Signature { signature } => append(&mut open.block, "signature", &signature),
            Delta::InputJson { partial_json } => {
                open.json.push_str(&partial_json);
                emit(ModelEvent::ToolInputDelta { index, json: partial_json });
            }
            Delta::Citations { citation } => {
                let citations = open.block.entry("citations").or_insert_with(|| Value::Array(Vec::new()));
                match citations {
                    Value::Array(citations) => citations.push(citation),
                    other => *other = Value::Array(vec![citation]),
                }
            }
            // It changes the block in a way we cannot repeat, and the block must go back as it was: ask for it whole.
            Delta::Other => return Err(ModelError::lost("a piece of a block is of an unknown kind")),
        }
        Ok(())
    }

    fn stop(&mut self, wire_index: u64, emit: Emit<'_>) -> Result<(), ModelError> {
        let open = self.open.take().filter(|open| open.wire_index == wire_index);
        let Some(Open { index, mut block, json, .. }) = open else {
            return Err(ModelError::lost("a block ended that is not open"));
        };
        let is_tool_use = block.get("type").and_then(Value::as_str) == Some("tool_use");
        if !json.is_empty() && !is_tool_use {
            let input = serde_json::from_str(&json);
            let input = input.map_err(|_| ModelError::lost("the input of a vendor's own tool is no JSON"))?;
            block.insert("input".to_owned(), input);
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

/// An answer that came in one piece, as the events a stream would have brought.
pub(super) fn whole(json: Value, emit: Emit<'_>) -> Result<(), ModelError> {
    #[derive(Deserialize)]
    struct Whole {
        #[serde(flatten)]
        head: Head,
        content: Vec<Map<String, Value>>,
        stop_reason: Option<String>,
    }
    let whole: Whole = serde_json::from_value(json)
        .map_err(|error| ModelError::lost(format!("it is no message of this API: {error}")))?;
    let mut answer = Answer::default();
    whole.head.usage.update(&mut answer.usage);
    emit(ModelEvent::Started { model: whole.head.model });
    for (wire_index, block) in (0..).zip(whole.content) {
        let thinking = block.get("thinking").and_then(Value::as_str).map(str::to_owned);
        answer.start(wire_index, block, emit)?;
        if let (Some(text), Some(open)) = (thinking, &answer.open) {
            emit(ModelEvent::ThinkingDelta { index: open.index, text });
        }
        answer.stop(wire_index, emit)?;
    }
    answer.stop = whole.stop_reason;
    answer.end(emit)
}
