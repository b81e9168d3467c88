//! An answer of Chat Completions, streamed or whole, as events. Does no input or output. Blocks have no marks on this wire: one
//! ends where another begins.

use serde::Deserialize;
use serde_json::Value;
use toolwright_core::{Block, StopReason, ToolInput, Usage};

use super::strict;
use crate::ModelEvent;

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    model: String,
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<WireUsage>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    /// Of a stream.
    delta: Option<Delta>,
    /// Of an answer in one piece.
    message: Option<Delta>,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Delta {
    content: Option<String>,
    /// The two names servers have for what the model thinks; some send both.
    reasoning_content: Option<String>,
    reasoning: Option<String>,
    refusal: Option<String>,
    tool_calls: Option<Vec<CallPiece>>,
}

#[derive(Deserialize)]
struct CallPiece {
    index: Option<u64>,
    id: Option<String>,
    function: Option<FunctionPiece>,
}

#[derive(Default, Deserialize)]
struct FunctionPiece {
    name: Option<String>,
    /// Text of JSON; some servers send JSON itself.
    arguments: Option<Value>,
}

#[derive(Deserialize)]
struct WireUsage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    prompt_tokens_details: Option<PromptDetails>,
}

#[derive(Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
}

/// Why an answer cannot be used.
#[derive(Debug)]
pub(super) enum Broken {
    /// It is not what this wire looks like, or has no end.
    Senseless(String),
    /// The server ended it, with this.
    Said(String),
}

fn senseless(why: impl Into<String>) -> Broken {
    Broken::Senseless(why.into())
}

type Emit<'a> = &'a mut dyn FnMut(ModelEvent);

/// An answer as far as it has come.
#[derive(Default)]
pub(super) struct Answer {
    strict: bool,
    started: bool,
    open: Option<Open>,
    next_index: usize,
    /// The wire's indexes of the calls that ended.
    ended_calls: Vec<u64>,
    calls_tools: bool,
    refused: bool,
    finish: Option<String>,
    usage: Usage,
}

struct Open {
    index: usize,
    what: What,
}

enum What {
    Thinking(String),
    Text(String),
    Call { wire_index: u64, id: String, name: String, json: String },
}

impl Answer {
    /// An answer of which nothing has come. `strict`: schemas were rewritten, so that nulls stand for what is left out.
    pub(super) fn new(strict: bool) -> Self {
        Self { strict, ..Self::default() }
    }

    /// Takes the data of one event.
    pub(super) fn take(&mut self, data: &str, emit: Emit<'_>) -> Result<(), Broken> {
        let chunk: Chunk = serde_json::from_str(data)
            .map_err(|error| senseless(format!("an event makes no sense: {error}")))?;
        if chunk.error.is_some_and(|error| !error.is_null()) {
            return Err(Broken::Said(data.to_owned()));
        }
        if !self.started {
            self.started = true;
            emit(ModelEvent::Started { model: chunk.model });
        }
        if let Some(usage) = chunk.usage {
            let cached = usage.prompt_tokens_details.and_then(|details| details.cached_tokens).unwrap_or(0);
            self.usage.input_tokens = usage.prompt_tokens.saturating_sub(cached);
            self.usage.cache_read_input_tokens = cached;
            self.usage.output_tokens = usage.completion_tokens;
        }
        let Some(choice) = chunk.choices.into_iter().next() else { return Ok(()) };
        let delta = choice.delta.or(choice.message).unwrap_or_default();
        if let Some(thought) =
            delta.reasoning_content.or(delta.reasoning).filter(|thought| !thought.is_empty())
        {
            self.thought(thought, emit);
        }
        self.refused |= delta.refusal.as_ref().is_some_and(|refusal| !refusal.is_empty());
        for text in [delta.content, delta.refusal].into_iter().flatten().filter(|text| !text.is_empty()) {
            self.text(text, emit);
        }
        for piece in delta.tool_calls.unwrap_or_default() {
            self.call(piece, emit)?;
        }
        self.finish = choice.finish_reason.or(self.finish.take());
        Ok(())
    }

    /// The end of the connection or of the answer. Good only if the answer said why it ended.
    pub(super) fn end(&mut self, emit: Emit<'_>) -> Result<(), Broken> {
        let finish = self.finish.take();
        let finish = finish.ok_or_else(|| senseless("the connection closed in the middle of it"))?;
        let calls = self.calls_tools || matches!(self.open, Some(Open { what: What::Call { .. }, .. }));
        let stop = match finish.as_str() {
            "length" => StopReason::MaxTokens,
            "content_filter" => StopReason::Refusal,
            _ if self.refused => StopReason::Refusal,
            // Some servers say `stop` all the same.
            _ if calls => StopReason::ToolUse,
            _ => StopReason::EndTurn,
        };
        self.close(matches!(stop, StopReason::MaxTokens | StopReason::Refusal), emit);
        emit(ModelEvent::Finished { stop, usage: self.usage });
        Ok(())
    }

    fn thought(&mut self, piece: String, emit: Emit<'_>) {
        if !matches!(self.open, Some(Open { what: What::Thinking(_), .. })) {
            self.open(What::Thinking(String::new()), emit);
        }
        if let Some(Open { index, what: What::Thinking(text) }) = &mut self.open {
            text.push_str(&piece);
            emit(ModelEvent::ThinkingDelta { index: *index, text: piece });
        }
    }

    fn text(&mut self, piece: String, emit: Emit<'_>) {
        if !matches!(self.open, Some(Open { what: What::Text(_), .. })) {
            self.open(What::Text(String::new()), emit);
        }
        if let Some(Open { index, what: What::Text(text) }) = &mut self.open {
            text.push_str(&piece);
            emit(ModelEvent::TextDelta { index: *index, text: piece });
        }
    }

    fn call(&mut self, piece: CallPiece, emit: Emit<'_>) -> Result<(), Broken> {
        let function = piece.function.unwrap_or_default();
        let id = piece.id.filter(|id| !id.is_empty());
        let last = self.ended_calls.len() as u64;
        let (open_index, open_id) = match &self.open {
            Some(Open { what: What::Call { wire_index, id, .. }, .. }) => {
                (Some(*wire_index), Some(id.clone()))
            }
            _ => (None, None),
        };
        // A server that numbers no calls begins each with an id.
        let begins_unnumbered = id.is_some() && id != open_id;
        let wire_index = piece.index.unwrap_or(match open_index {
            Some(open) if !begins_unnumbered => open,
            Some(open) => open + 1,
            None => last,
        });
        if self.ended_calls.contains(&wire_index) {
            return Err(senseless("a piece belongs to a tool call that has ended"));
        }
        if open_index != Some(wire_index) {
            let name = function.name.filter(|name| !name.is_empty());
            let name = name.ok_or_else(|| senseless("a tool call began without a name"))?;
            // Without an id its result could not name it.
            let id = id.unwrap_or_else(|| format!("call_{}", self.next_index));
            let started = (id.clone(), name.clone());
            let index = self.open(What::Call { wire_index, id, name, json: String::new() }, emit);
            emit(ModelEvent::ToolUseStarted { index, id: started.0, name: started.1 });
        }
        let piece = match function.arguments {
            Some(Value::String(text)) => text,
            Some(Value::Null) | None => String::new(),
            Some(value) => value.to_string(),
        };
        if let Some(Open { index, what: What::Call { json, .. } }) = &mut self.open
            && !piece.is_empty()
        {
            json.push_str(&piece);
            emit(ModelEvent::ToolInputDelta { index: *index, json: piece });
        }
        Ok(())
    }

    fn open(&mut self, what: What, emit: Emit<'_>) -> usize {
        self.close(false, emit);
        let index = self.next_index;
        self.next_index += 1;
        self.open = Some(Open { index, what });
        index
    }

    fn close(&mut self, cut: bool, emit: Emit<'_>) {
        let Some(Open { index, what }) = self.open.take() else { return };
        let block = match what {
            What::Thinking(text) => Block::Thinking { text, signature: None },
            What::Text(text) => Block::text(text),
            What::Call { wire_index, id, name, json } => {
                self.calls_tools = true;
                self.ended_calls.push(wire_index);
                Block::ToolUse { id, name, input: self.input(json, cut) }
            }
        };
        emit(ModelEvent::BlockFinished { index, block });
    }

    fn input(&self, json: String, cut: bool) -> ToolInput {
        let parsed = match json.trim() {
            _ if cut => None,
            "" => Some(Value::Object(serde_json::Map::new())),
            text => serde_json::from_str(text).ok(),
        };
        match parsed {
            Some(value) if self.strict => ToolInput::Json(strict::without_nulls(value)),
            Some(value) => ToolInput::Json(value),
            None => ToolInput::Malformed(json),
        }
    }
}

/// An answer that came in one piece, as the events a stream would have brought.
pub(super) fn whole(bytes: &[u8], strict: bool, emit: Emit<'_>) -> Result<(), Broken> {
    let text = std::str::from_utf8(bytes).map_err(|_| senseless("it is no text"))?;
    let mut answer = Answer::new(strict);
    answer.take(text, emit)?;
    answer.end(emit)
}
