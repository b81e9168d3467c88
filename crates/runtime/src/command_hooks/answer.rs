//! What one hook said, from how it ended.
//!
//! - Exit 0: what it printed counts, where it is a JSON object: `hookSpecificOutput` with `permissionDecision` (`allow`, `deny`,
//!   `ask`), `permissionDecisionReason`, `updatedInput`, `additionalContext`; or `decision` (`block`, `approve`) with `reason`;
//!   `continue: false` with `stopReason`; `systemMessage`. Other text counts for a prompt alone, as context.
//! - JSON objects among other text, or several of them: what they forbid counts and nothing else, because a hook may print what it
//!   was asked about.
//! - Exit 2: it blocks, and standard error says why.
//! - Any other exit code: it has no say and a person is told; but what it printed to forbid something still counts.
//! - It did not answer: it could not be started, took too long, was killed, or printed what cannot be read. What it printed to
//!   forbid something counts; else a call needs a person, and a person is told. Other events go on.

mod printed;

use std::time::Duration;

use serde_json::{Map, Value};
use toolwright_permissions::HookVerdict;
use toolwright_process::{Captured, Ended, Exit, Finished, ProcessError};

use super::{CommandEvent, CommandHook};
use printed::{Printed, printed};

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

/// Exit codes by which a shell says that it could not start the command.
const NOT_STARTED: [i32; 2] = [126, 127];

/// How it went, beside what was said.
enum Went {
    Well,
    /// It has no say in what it did not forbid.
    Failed(String),
    /// Whether it would have forbidden something is not known.
    Unanswered(String),
}

pub(super) fn of(hook: &CommandHook, limit: Duration, ended: Result<Finished, ProcessError>) -> Answer {
    let (mut answer, went) = match ended {
        Err(error) => (Answer::default(), Went::Unanswered(error.to_string())),
        Ok(finished) => of_finished(hook.event, limit, &finished),
    };
    let (event, origin) = (hook.event.name(), &hook.origin);
    match went {
        Went::Well => {}
        Went::Failed(problem) => {
            answer.notices.push(format!("the {event} hook of {origin} had no say: {problem}"));
        }
        Went::Unanswered(problem) => {
            let problem = format!("the {event} hook of {origin} gave no answer: {problem}");
            if hook.event == CommandEvent::PreToolUse && strictness(&answer.verdict) < ASKS {
                answer.verdict = HookVerdict::Ask(problem.clone());
            }
            answer.notices.push(problem);
        }
    }
    answer
}

fn of_finished(event: CommandEvent, limit: Duration, finished: &Finished) -> (Answer, Went) {
    let (said, unreadable) = match printed(&finished.stdout) {
        Printed::Object(object) => (said(event, &object), None),
        Printed::Text { text, objects } => {
            let mut found = Answer::default();
            for object in &objects {
                stricter_of(&mut found, tightening(said(event, object)));
            }
            if event == CommandEvent::UserPromptSubmit
                && strictness(&found.verdict) < ASKS
                && !text.is_empty()
            {
                found.context = Some(cut(&text));
            } else if !objects.is_empty() {
                found.notices.push(
                    "a hook printed JSON among other text or more than once: what it forbids counts, and nothing else of it".into(),
                );
            }
            (found, None)
        }
        Printed::Unreadable { why, objects } => {
            let mut found = Answer::default();
            for object in &objects {
                stricter_of(&mut found, tightening(said(event, object)));
            }
            (found, Some(why))
        }
    };
    if finished.ended != Ended::ByItself {
        let why = format!("it took longer than {} s and was ended", limit.as_secs_f64());
        return (tightening(said), Went::Unanswered(why));
    }
    let words = text(&finished.stderr);
    match finished.exit {
        Exit::Code(0) => (said, unreadable.map_or(Went::Well, Went::Unanswered)),
        Exit::Code(BLOCKS) => {
            let why = match (words.is_empty(), &said.verdict) {
                (true, HookVerdict::Deny(why) | HookVerdict::Ask(why)) => why.clone(),
                (true, HookVerdict::None | HookVerdict::Allow) => "it said no more".into(),
                (false, _) => cut(&words),
            };
            (Answer { verdict: HookVerdict::Deny(why), input: None, ..said }, Went::Well)
        }
        Exit::Code(code) => {
            let how = failed(&format!("exit code {code}"), &words);
            let unanswered = NOT_STARTED.contains(&code) || unreadable.is_some();
            (tightening(said), if unanswered { Went::Unanswered(how) } else { Went::Failed(how) })
        }
        Exit::Signal(signal) => {
            (tightening(said), Went::Unanswered(failed(&format!("signal {signal}"), &words)))
        }
    }
}

/// Takes in what another object of the same output forbids.
fn stricter_of(answer: &mut Answer, other: Answer) {
    if strictness(&other.verdict) > strictness(&answer.verdict) {
        answer.verdict = other.verdict;
    }
    answer.stop = answer.stop.take().or(other.stop);
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

/// The strictness of a verdict by which a person is asked.
const ASKS: u8 = 2;

/// The higher, the stricter.
pub(super) const fn strictness(verdict: &HookVerdict) -> u8 {
    match verdict {
        HookVerdict::None => 0,
        HookVerdict::Allow => 1,
        HookVerdict::Ask(_) => ASKS,
        HookVerdict::Deny(_) => 3,
    }
}

fn text(captured: &Captured) -> String {
    let text = String::from_utf8_lossy(&captured.head);
    // A byte order mark is no blank.
    text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}').to_owned()
}

/// A text within its length, and a mark where it was longer.
fn cut(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{} [cut: it is longer]", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
