//! One call from the model's words to its result: how it is taken in, and how it runs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use futures_util::FutureExt as _;
use serde_json::Value;
use toolwright_core::{
    ContextChange, DynCall, DynReply, DynTool, Effects, ErrorKind, ToolContext, ToolError, ToolInput,
};
use toolwright_engine::event::ToolFinish;
use toolwright_engine::{NESTING_LIMIT, answer_not_loaded, is_too_deep, is_too_deep_text};

use crate::Agent;

/// A tool use as it was taken in.
pub(crate) struct Taken {
    /// Unique in the conversation.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) effects: Effects,
    pub(crate) parsed: Parsed,
}

pub(crate) enum Parsed {
    Call {
        tool: Arc<dyn DynTool>,
        call: Arc<dyn DynCall>,
    },
    /// It cannot run; this is its result.
    Answered(ToolFinish),
}

impl Agent {
    /// Finds the tool and reads the input, once.
    pub(crate) fn take_in(&self, id: String, name: &str, input: &ToolInput) -> Taken {
        let answered = |result| Taken {
            id: id.clone(),
            name: name.into(),
            effects: Effects::default(),
            parsed: Parsed::Answered(result),
        };
        let invalid = |message: String| {
            answered(ToolFinish::error(name, Value::Null, ErrorKind::InvalidInput, message))
        };
        let input = match input {
            ToolInput::Json(value) if is_too_deep(value) => return invalid(too_deep(name)),
            ToolInput::Json(value) => value,
            ToolInput::Malformed(text) if is_too_deep_text(text) => return invalid(too_deep(name)),
            ToolInput::Malformed(text) => return invalid(malformed(name, text)),
        };
        let error = |kind, message: String| answered(ToolFinish::error(name, input.clone(), kind, message));
        let tool = {
            let pool = self.pool();
            let Some(entry) = pool.get(name) else {
                let names = pool.visible().map(|entry| entry.definition().name.as_str());
                return error(ErrorKind::NotFound, no_such_tool(name, names));
            };
            if !entry.is_visible() {
                let mut result = ToolFinish::error(
                    name,
                    input.clone(),
                    ErrorKind::InvalidInput,
                    answer_not_loaded(entry.definition()),
                );
                let own = entry.definition().name.clone();
                result.changes.push(ContextChange::RevealTools(vec![own]));
                return answered(result);
            }
            Arc::clone(entry.tool())
        };
        // A third-party tool may panic in any of its methods; that is an error of this call alone.
        let parsed = catch_unwind(AssertUnwindSafe(|| {
            Arc::clone(&tool).parse(input.clone()).map(|call| {
                let effects = call.effects();
                (call, effects)
            })
        }));
        match parsed {
            Ok(Ok((call, effects))) => Taken {
                id,
                name: tool.definition().name.clone(),
                effects,
                parsed: Parsed::Call { tool, call },
            },
            Ok(Err(refused)) => error(refused.kind, refused.message),
            Err(_) => error(ErrorKind::Panicked, panicked(name)),
        }
    }
}

/// Runs a decided call to its result. Never panics; dropping it drops the call.
pub(crate) async fn run(name: &str, call: &dyn DynCall, cx: &ToolContext) -> ToolFinish {
    let input = call.input().clone();
    let reply = AssertUnwindSafe(call.run(cx)).catch_unwind().await;
    let reply = reply.unwrap_or_else(|_| Err(ToolError::new(ErrorKind::Panicked, panicked(name))));
    match reply {
        Ok(DynReply { output, answer, outcome, changes }) => {
            // Its views need the output; a line of the journal that cannot be read back would cost its answer as well.
            let output = if is_too_deep(&output) { Value::Null } else { output };
            let shortened = false;
            ToolFinish { tool: name.into(), input, output, answer, shortened, outcome, changes, error: None }
        }
        Err(error) => ToolFinish::error(name, input, error.kind, error.message),
    }
}

/// The text that the call hands to an interpreter in place of its input's own. None where a third-party tool panics here.
pub(crate) fn text_that_runs(call: &dyn DynCall, cx: &ToolContext) -> Option<String> {
    catch_unwind(AssertUnwindSafe(|| call.runs(cx))).unwrap_or_default()
}

/// The result of a call that did not end within its grace time after it was cancelled.
pub(crate) fn given_up(name: &str, input: Value) -> ToolFinish {
    ToolFinish::error(
        name,
        input,
        ErrorKind::Cancelled,
        "Interrupted; it did not stop in time and was left. It may have taken effect: check before you do it again.",
    )
}

pub(crate) fn panicked(name: &str) -> String {
    format!(
        "{name} failed with a fault of its own (it panicked). What it did until then may have taken effect. Try another way."
    )
}

pub(crate) fn too_deep(name: &str) -> String {
    format!(
        "{name} was not run: its input is nested more than {NESTING_LIMIT} levels deep. Call it again with lists and objects \
         that are nested less."
    )
}

fn malformed(name: &str, text: &str) -> String {
    /// Enough to see where it broke off.
    const TAIL: usize = 80;
    let start = text.char_indices().rev().nth(TAIL).map_or(0, |(index, _)| index);
    let tail = text.get(start..).unwrap_or_default();
    format!(
        "{name} was not run: its input was no whole JSON. The output limit may have cut it; it ends `..{tail}`. Call it again \
         with the whole input, in smaller pieces if it is long."
    )
}

fn no_such_tool<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    /// Below this two names have too little in common for a guess (Jaro-Winkler, 0 to 1).
    const NEAR: f64 = 0.8;
    let known: Vec<_> = known.collect();
    if name.is_empty() {
        return format!("Not run: the call names no tool. There are: {}.", known.join(", "));
    }
    let scored =
        known.iter().map(|other| (strsim::jaro_winkler(&other.to_lowercase(), &name.to_lowercase()), *other));
    let nearest = scored.filter(|(score, _)| *score > NEAR).max_by(|one, other| one.0.total_cmp(&other.0));
    match nearest {
        Some((_, other)) => format!("There is no tool `{name}`. Did you mean `{other}`?"),
        None => format!("There is no tool `{name}`. There are: {}.", known.join(", ")),
    }
}
