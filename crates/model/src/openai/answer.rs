//! An answer of Chat Completions, streamed or whole, as events. Does no input or output. No field is taken to be of the type
//! that the API says: see [`loose`](crate::loose).

use serde_json::{Map, Value};
use toolwright_core::{StopReason, Usage};

use super::blocks::{Blocks, CallPiece};
use crate::{ModelEvent, loose};

/// Why an answer cannot be used.
#[derive(Debug)]
pub(super) enum Broken {
    /// It is not what this wire looks like, or has no end.
    Senseless(String),
    /// The server ended it, with this.
    Said(String),
}

pub(super) fn senseless(why: impl Into<String>) -> Broken {
    Broken::Senseless(why.into())
}

pub(super) type Emit<'a> = &'a mut dyn FnMut(ModelEvent);

/// An answer as far as it has come.
#[derive(Default)]
pub(super) struct Answer {
    started: bool,
    blocks: Blocks,
    refused: bool,
    finish: Option<String>,
    /// Whether the server said that the answer is whole, whatever reason it gave.
    is_whole: bool,
    usage: Usage,
}

impl Answer {
    /// An answer of which nothing has come. `strict`: schemas were rewritten, so that nulls stand for what is left out.
    pub(super) fn new(strict: bool) -> Self {
        Self { blocks: Blocks::new(strict), ..Self::default() }
    }

    /// Takes the data of one event.
    pub(super) fn take(&mut self, data: &str, emit: Emit<'_>) -> Result<(), Broken> {
        let chunk = serde_json::from_str(data)
            .map_err(|error| senseless(format!("an event makes no sense: {error}")))?;
        self.take_json(chunk, emit)
    }

    fn take_json(&mut self, chunk: Value, emit: Emit<'_>) -> Result<(), Broken> {
        let Value::Object(mut chunk) = chunk else {
            return Err(senseless("an event makes no sense: it is no object"));
        };
        if chunk.get("error").is_some_and(is_error) {
            return Err(Broken::Said(Value::Object(chunk).to_string()));
        }
        if !self.started {
            self.started = true;
            let model = loose::text(chunk.remove("model")).unwrap_or_default();
            emit(ModelEvent::Started { model });
        }
        if let Some(usage) = chunk.get("usage") {
            self.count(usage);
        }
        let choice = loose::items(chunk.remove("choices")).into_iter().next();
        self.choice(loose::fields(choice), emit)
    }

    /// The server says that nothing follows.
    pub(super) fn is_done(&mut self) {
        self.is_whole = true;
    }

    /// The end of the connection or of the answer. Good only if the server said that the answer ends.
    pub(super) fn end(mut self, emit: Emit<'_>) -> Result<(), Broken> {
        let finish = match self.finish.take() {
            Some(finish) => finish,
            // Some servers give no reason and mark the end all the same.
            None if self.is_whole && !self.blocks.are_none() => String::new(),
            None => return Err(senseless("the connection closed in the middle of it")),
        };
        let stop = match finish.as_str() {
            "length" => StopReason::MaxTokens,
            "content_filter" => StopReason::Refusal,
            _ if self.refused => StopReason::Refusal,
            // Some servers say `stop` all the same.
            _ if self.blocks.have_calls() => StopReason::ToolUse,
            _ => StopReason::EndTurn,
        };
        self.blocks.end(matches!(stop, StopReason::MaxTokens | StopReason::Refusal), emit)?;
        emit(ModelEvent::Finished { stop, usage: self.usage });
        Ok(())
    }

    /// Later counts replace earlier ones: they are totals.
    fn count(&mut self, usage: &Value) {
        if let Some(prompt) = loose::count(usage.get("prompt_tokens")) {
            let cached = loose::count(usage.pointer("/prompt_tokens_details/cached_tokens")).unwrap_or(0);
            self.usage.input_tokens = prompt.saturating_sub(cached);
            self.usage.cache_read_input_tokens = cached;
        }
        self.usage.output_tokens =
            loose::count(usage.get("completion_tokens")).unwrap_or(self.usage.output_tokens);
    }

    fn choice(&mut self, mut choice: Map<String, Value>, emit: Emit<'_>) -> Result<(), Broken> {
        let streamed = loose::fields(choice.remove("delta"));
        let (mut delta, in_one_piece) = match streamed.is_empty() {
            false => (streamed, false),
            true => (loose::fields(choice.remove("message")), true),
        };
        // The two names servers have for what the model thinks; some send both.
        let names = ["reasoning_content", "reasoning"];
        let thoughts = names.map(|name| loose::text(delta.remove(name)));
        let is_field = thoughts.iter().any(Option::is_some);
        let thought = thoughts.into_iter().flatten().find(|thought| !thought.is_empty());
        let (mut text, mut thoughts) = (Vec::new(), Vec::from_iter(thought));
        content(delta.remove("content"), &mut text, &mut thoughts);
        for thought in thoughts {
            self.blocks.thought(thought, emit);
        }
        if is_field {
            self.blocks.has_field_for_thoughts();
        }
        let refusal = loose::name(delta.remove("refusal"));
        self.refused |= refusal.is_some();
        for text in text.into_iter().chain(refusal).filter(|text| !text.is_empty()) {
            self.blocks.text(text, emit);
        }
        let pieces = loose::items(delta.remove("tool_calls"));
        for (position, piece) in pieces.into_iter().enumerate() {
            let piece = CallPiece::of(loose::fields(Some(piece)), in_one_piece, position);
            self.blocks.call(piece, emit)?;
        }
        self.finish = loose::name(choice.remove("finish_reason")).or(self.finish.take());
        Ok(())
    }
}

/// Whether the field `error` says that something failed: some servers send it empty with every event.
pub(super) fn is_error(error: &Value) -> bool {
    match error {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

/// Content is text, or a list of parts of which some may be thoughts.
fn content(value: Option<Value>, texts: &mut Vec<String>, thoughts: &mut Vec<String>) {
    let Some(Value::Array(parts)) = value else { return texts.extend(loose::text(value)) };
    for part in parts {
        match part.get("thinking").or_else(|| part.get("reasoning")) {
            Some(thought) => thoughts.extend(loose::text(Some(thought.clone()))),
            None => texts.extend(loose::text(Some(part))),
        }
    }
}

/// An answer that came in one piece, as the events a stream would have brought.
pub(super) fn whole(json: Value, strict: bool, emit: Emit<'_>) -> Result<(), Broken> {
    let mut answer = Answer::new(strict);
    answer.take_json(json, emit)?;
    answer.is_done();
    answer.end(emit)
}
