//! A model that answers from a script: what tests and the demo use. It has no clock (unless the script paces itself), no
//! randomness and no network, so the same script gives the same events.
//!
//! A script is JSON, `{"turns": [TURN, ..]}` or `[TURN, ..]`, or JSON lines with one turn a line. One turn answers one request:
//!
//! ```json
//! {"turns": [
//!   {"expect": {"last_user_text": "fix the typo", "tool": "Read"},
//!    "reply": [{"text": "I look first."}, {"tool": "Read", "input": {"file_path": "{cwd}/a.txt"}}]},
//!   {"expect": {"tool_result": "teh"}, "reply": [{"text": "Found: {last_result}"}], "usage": {"input_tokens": 9}},
//!   {"when": {"first_user_text": "count the files"}, "reply": [{"text": "There are two."}]},
//!   {"reply": [{"text": "never whole"}], "fail": {"cut": {"bytes": 5}}}
//! ]}
//! ```
//!
//! - Turns are taken in order. `expect` must hold for the request, or the answer is an error that names the turn.
//! - A turn with `when` stands outside the order: it answers the first request for which it holds, once. That is for
//!   subagents and whatever else asks at a time nobody knows.
//! - A condition is any of `first_user_text`, `last_user_text`, `tool_result` (in any result since the last answer),
//!   `system` (each: contains this), `tool` (one of this name is offered), `delivery` (`stream` or `whole`).
//! - `reply` holds `{"text"}`, `{"thinking", "signature"?}`, `{"tool", "input", "id"?}`, `{"tool", "raw"}` (text that is no JSON,
//!   or half of it) and `{"vendor", "value"}`.
//! - `stop` is `end_turn`, or `tool_use` where a tool is called, unless it says otherwise; `usage` defaults to nothing.
//! - `fail` ends the turn on purpose: see [`Fault`]. A driver that repeats a lost answer gets the next turn.
//! - `pace_ms` waits between two pieces of text.
//! - In any string of a reply `{cwd}` is the working directory, `{last_result}` the text of the last tool result,
//!   `{last_user_text}` what the person last said.

mod matching;
mod replay;
mod script;

pub use matching::{Asked, Mismatch, Turns};
pub use script::{At, Condition, Fault, Http, Piece, Script, ScriptError, Turn};

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use toolwright_core::Cancel;

use crate::generate::generate;
use crate::{Abilities, Limits, Model, ModelError, ModelErrorKind, ModelStream, Request};

/// A model that answers from a script.
pub struct Scripted {
    name: String,
    cwd: String,
    turns: Mutex<Turns>,
}

impl Scripted {
    /// A model that replays `script`; `{cwd}` in it stands for `cwd`.
    #[must_use]
    pub fn new(script: Script, cwd: &Path) -> Self {
        let cwd = cwd.display().to_string();
        Self { name: "scripted".to_owned(), cwd, turns: Mutex::new(Turns::new(script)) }
    }

    /// The script in `file`, with the process's directory as `{cwd}`.
    ///
    /// # Errors
    /// `Script` when it cannot be read or is no script: the text names the file, and the line where there is one.
    pub fn from_file(file: &Path) -> Result<Self, ModelError> {
        let shown = file.display();
        let wrong = |what: String| ModelError::new(ModelErrorKind::Script, format!("script {shown}: {what}"));
        let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        let script = text.parse::<Script>().map_err(|error| wrong(error.to_string()))?;
        let cwd =
            std::path::absolute(".").map_err(|error| wrong(format!("no working directory: {error}")))?;
        Ok(Self { name: format!("scripted:{shown}"), ..Self::new(script, &cwd) })
    }

    /// How many turns have not been asked for yet.
    #[must_use]
    pub fn left(&self) -> usize {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner).left()
    }
}

impl fmt::Debug for Scripted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Scripted")
            .field("name", &self.name)
            .field("left", &self.left())
            .finish_non_exhaustive()
    }
}

impl Model for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    fn limits(&self) -> Limits {
        Limits { context_tokens: 200_000, max_output_tokens: 32_000 }
    }

    fn abilities(&self) -> Abilities {
        Abilities { tool_references: true, media_types: &["image/*", "application/pdf"] }
    }

    fn stream(&self, request: Request<'_>, cancel: Cancel) -> ModelStream {
        let asked = Asked::of(&request);
        let taken = self.turns.lock().unwrap_or_else(PoisonError::into_inner).take(&asked);
        let cwd = self.cwd.clone();
        generate(cancel, async move |emitter| {
            let (number, turn) =
                taken.map_err(|mismatch| ModelError::new(ModelErrorKind::Script, mismatch.to_string()))?;
            replay::replay(number, turn.filled(&cwd, &asked), &asked, &emitter).await
        })
    }
}
