//! What one hook said, from how it ended.
//!
//! - Exit 0: what it printed counts, where it is a JSON object: `hookSpecificOutput` with `permissionDecision` (`allow`, `deny`,
//!   `ask`), `permissionDecisionReason`, `updatedInput`, `additionalContext`; or `decision` (`block`, `approve`) with `reason`;
//!   `continue: false` with `stopReason`; `systemMessage`. Other text counts for a prompt alone, as context.
//! - Exit 2: it blocks, and standard error says why.
//! - Any other end: it has no say and a person is told; but what it printed to forbid something still counts.

use std::time::Duration;

use serde_json::{Map, Value};
use toolwright_permissions::HookVerdict;
use toolwright_process::{Captured, Ended, Exit, Finished, ProcessError};

use super::{CommandEvent, CommandHook};

/// Characters of one text that go on to the model or a person.
const LONGEST_TEXT: usize = 10_000;

/// The exit code that blocks.
const BLOCKS: i32 = 2;

/// What one hook said. For other events than a call to come, `Deny` is a block.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) verdict: HookVerdict,
    pub(super) input: Option<Value>,
    pub(super) context: Option<String>,
    pub(super) stop: Option<String>,
    pub(super) notices: Vec<String>,
}

pub(super) fn of(hook: &CommandHook, limit: Duration, ended: Result<Finished, ProcessError>) -> Answer {
    let (mut answer, problem) = match ended {
        Err(error) => (Answer::default(), Some(error.to_string())),
        Ok(finished) if finished.ended != Ended::ByItself => {
            (Answer::default(), Some(format!("took longer than {} s and was ended", limit.as_secs_f64())))
        }
        Ok(finished) => by_itself(hook.event, &finished),
    };
    if let Some(problem) = problem {
        let (event, origin) = (hook.event.name(), &hook.origin);
        answer.notices.push(format!("the {event} hook of {origin} had no say: {problem}"));
    }
    answer
}

fn by_itself(event: CommandEvent, finished: &Finished) -> (Answer, Option<String>) {
    let (said, unreadable) = match printed(&finished.stdout) {
        Printed::Object(object) => (said(event, &object), None),
        Printed::Text(text) if event == CommandEvent::UserPromptSubmit && !text.is_empty() => {
            (Answer { context: Some(cut(&text)), ..Answer::default() }, None)
        }
        Printed::Text(_) => (Answer::default(), None),
        Printed::Unreadable(why) => (Answer::default(), Some(why)),
    };
    let words = text(&finished.stderr);
    match finished.exit {
        Exit::Code(0) => (said, unreadable),
        Exit::Code(BLOCKS) => {
            let why = match (words.is_empty(), &said.verdict) {
                (true, HookVerdict::Deny(why) | HookVerdict::Ask(why)) => why.clone(),
                (true, HookVerdict::None | HookVerdict::Allow) => "it said no more".into(),
                (false, _) => cut(&words),
            };
            (Answer { verdict: HookVerdict::Deny(why), input: None, ..said }, None)
        }
        Exit::Code(code) => (tightening(said), Some(failed(&format!("exit code {code}"), &words))),
        Exit::Signal(signal) => (tightening(said), Some(failed(&format!("signal {signal}"), &words))),
    }
}

fn failed(how: &str, words: &str) -> String {
    if words.is_empty() { how.into() } else { format!("{how}: {}", cut(words)) }
}

/// What a hook that failed said to forbid something; nothing else of it.
fn tightening(said: Answer) -> Answer {
    let verdict = match said.verdict {
        HookVerdict::Allow | HookVerdict::None => HookVerdict::None,
        stricter @ (HookVerdict::Ask(_) | HookVerdict::Deny(_)) => stricter,
    };
    Answer { verdict, stop: said.stop, ..Answer::default() }
}

enum Printed {
    Object(Map<String, Value>),
    Text(String),
    Unreadable(String),
}

fn printed(stdout: &Captured) -> Printed {
    let words = text(stdout);
    if !words.starts_with('{') {
        return Printed::Text(words);
    }
    if stdout.omitted > 0 {
        return Printed::Unreadable(format!("it printed {} bytes, too much for an answer", stdout.total));
    }
    match serde_json::from_str(&words) {
        Ok(object) => Printed::Object(object),
        Err(error) => Printed::Unreadable(format!("what it printed is no JSON: {error}")),
    }
}

fn said(event: CommandEvent, object: &Map<String, Value>) -> Answer {
    let mut answer = Answer::default();
    let specific = object.get("hookSpecificOutput").and_then(Value::as_object);
    let in_specific = |name: &str| specific.and_then(|specific| specific.get(name));
    let words =
        |value: Option<&Value>| value.and_then(Value::as_str).map(cut).filter(|text| !text.is_empty());

    let reason = words(in_specific("permissionDecisionReason")).or_else(|| words(object.get("reason")));
    let why = reason.unwrap_or_else(|| "it said no more".into());
    for decision in [in_specific("permissionDecision"), object.get("decision")].into_iter().flatten() {
        let verdict = verdict(event, decision, &why);
        if strictness(&verdict) > strictness(&answer.verdict) {
            answer.verdict = verdict;
        }
    }
    answer.input = in_specific("updatedInput").filter(|input| !input.is_null()).cloned();
    answer.context = words(in_specific("additionalContext"));
    if object.get("continue") == Some(&Value::Bool(false)) {
        answer.stop = Some(words(object.get("stopReason")).unwrap_or(why));
    }
    answer.notices.extend(words(object.get("systemMessage")));
    answer
}

/// A word that is none of those known was meant to say something: a person decides, or it blocks what cannot be asked.
fn verdict(event: CommandEvent, decision: &Value, why: &str) -> HookVerdict {
    match decision.as_str() {
        None if decision.is_null() => HookVerdict::None,
        Some("allow" | "approve") => HookVerdict::Allow,
        Some("deny" | "block") => HookVerdict::Deny(why.into()),
        Some("ask") if event == CommandEvent::PreToolUse => HookVerdict::Ask(why.into()),
        _ => {
            let why = cut(&format!("its decision {decision} is none of `allow`, `deny` and `ask` ({why})"));
            match event {
                CommandEvent::PreToolUse => HookVerdict::Ask(why),
                CommandEvent::PostToolUse | CommandEvent::UserPromptSubmit => HookVerdict::Deny(why),
            }
        }
    }
}

/// The higher, the stricter.
pub(super) const fn strictness(verdict: &HookVerdict) -> u8 {
    match verdict {
        HookVerdict::None => 0,
        HookVerdict::Allow => 1,
        HookVerdict::Ask(_) => 2,
        HookVerdict::Deny(_) => 3,
    }
}

fn text(captured: &Captured) -> String {
    String::from_utf8_lossy(&captured.head).trim().to_owned()
}

/// A text within its length, and a mark where it was longer.
fn cut(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{} [cut: it is longer]", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
