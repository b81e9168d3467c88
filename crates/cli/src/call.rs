//! `call`: tools without a model, for people and for other programs.

use std::io::{self, BufRead, IsTerminal};
use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolwright::core::{Cancel, Content, Detail, Environment};
use toolwright::engine::event::ToolFinish;
use toolwright::{Ready, Start};
use toolwright_render::{LiveOptions, contents, safe_text};

use crate::environment::Surroundings;
use crate::exit::Exit;
use crate::flags::{Common, OutputFormat};
use crate::output::SaidNotices;
use crate::run::{approver, in_runtime, say_what_counts};
use crate::setup::{self, Hands, ToolShelf};
use crate::signals::interruptible;
use crate::stdout::{ReaderGone, no_thread, print, say};
use crate::terminal::Stream;
use crate::watch::Watch;

/// Makes one call, or those that come on standard input.
pub(crate) fn call(common: &Common, surroundings: Surroundings, one: Option<(&str, &str)>) -> Exit {
    let one = match one.map(|(tool, input)| (tool, serde_json::from_str::<Value>(input))) {
        Some((_, Err(error))) => {
            say(&format!("the input is no JSON: {error}; write it like '{{\"file_path\": \"a.txt\"}}'"));
            return Exit::Usage;
        }
        Some((tool, Ok(input))) => Some((tool, input)),
        None => None,
    };
    in_runtime(async {
        let environment = Environment::new(surroundings.variables.clone(), serde_json::Map::new());
        let watch = (one.is_some() && io::stdin().is_terminal()).then(|| {
            let options = LiveOptions {
                paint: Stream::Err.paint(&environment),
                redraw: false,
                detail: Detail::Condensed,
                facts: false,
                fold: None,
                cwd: surroundings.cwd.clone(),
            };
            Watch::on(Stream::Err, options, ToolShelf::default().finder())
        });
        let hands = Hands {
            sink: Arc::new(SaidNotices),
            approver: approver(watch.as_ref(), &environment),
            model: None,
        };
        let ready = match setup::prepare(common, surroundings, hands, Start::Unrecorded) {
            Ok(ready) => ready,
            Err(error) => {
                say(&error.to_string());
                return Exit::Failed;
            }
        };
        say_what_counts(&ready.warnings, &ready.waiting);
        let cancel = Cancel::default();
        let done = async {
            match one {
                Some((tool, input)) => call_once(ready, tool, input, common.output_format, &cancel).await,
                None => call_all(ready, &cancel).await,
            }
        };
        interruptible(&cancel, done).await
    })
}

async fn call_once(
    mut ready: Ready,
    tool: &str,
    input: Value,
    format: OutputFormat,
    cancel: &Cancel,
) -> Exit {
    let result = match ready.agent.call(tool, input, cancel).await {
        Ok(called) => called.result,
        Err(error) => {
            say(&error.to_string());
            return Exit::Failed;
        }
    };
    let printed = match (format, result.error) {
        (OutputFormat::Json | OutputFormat::StreamJson, _) => print(&answer(&result).to_string()),
        // What could not be done is no result.
        (OutputFormat::Text, Some(_)) => {
            say(&words(&result.answer));
            Ok(())
        }
        (OutputFormat::Text, None) if Stream::Out.is_terminal() => print(&safe_text(&words(&result.answer))),
        (OutputFormat::Text, None) => print(&words(&result.answer)),
    };
    match printed {
        _ if cancel.is_cancelled() => Exit::Interrupted,
        Ok(()) if !result.outcome.is_failure() => Exit::Done,
        _ => Exit::Failed,
    }
}

async fn call_all(mut ready: Ready, cancel: &Cancel) -> Exit {
    let mut lines = match lines_of_stdin() {
        Ok(lines) => lines,
        Err(error) => {
            say(&no_thread("standard input", &error));
            return Exit::Failed;
        }
    };
    let mut number = 0_u64;
    loop {
        let line = tokio::select! {
            biased;
            () = cancel.cancelled() => return Exit::Interrupted,
            line = lines.recv() => line,
        };
        let line = match line {
            Some(Ok(line)) => line,
            Some(Err(error)) => {
                say(&format!("standard input cannot be read: {error}"));
                return Exit::Failed;
            }
            None => return Exit::Done,
        };
        number += 1;
        if line.trim().is_empty() {
            continue;
        }
        let answered = match asked_for(&line) {
            Ok((tool, input)) => match ready.agent.call(&tool, input, cancel).await {
                Ok(called) => answer(&called.result),
                Err(error) => {
                    say(&error.to_string());
                    return Exit::Failed;
                }
            },
            Err(message) => complaint(&format!("line {number}: {message}")),
        };
        if let Err(ReaderGone) = print(&answered.to_string()) {
            return Exit::Failed;
        }
    }
}

/// A thread of its own reads: nothing waits for it when the program ends.
fn lines_of_stdin() -> io::Result<mpsc::Receiver<io::Result<String>>> {
    let (send, receive) = mpsc::channel(1);
    thread::Builder::new().spawn(move || {
        for line in io::stdin().lock().lines() {
            if send.blocking_send(line).is_err() {
                return;
            }
        }
    })?;
    Ok(receive)
}

fn asked_for(line: &str) -> Result<(String, Value), String> {
    const FORM: &str = "write {\"tool\": NAME, \"input\": {..}}";
    let value: Value = serde_json::from_str(line).map_err(|error| format!("no JSON ({error}); {FORM}"))?;
    let Value::Object(mut fields) = value else { return Err(format!("no object; {FORM}")) };
    let tool = match fields.remove("tool") {
        Some(Value::String(tool)) => tool,
        Some(other) => return Err(format!("`tool` is {other} and should be a name; {FORM}")),
        None => return Err(format!("`tool` is missing; {FORM}")),
    };
    let input = fields.remove("input").unwrap_or_else(|| json!({}));
    match fields.keys().next() {
        Some(unknown) => Err(format!("unknown field `{unknown}`; {FORM}")),
        None => Ok((tool, input)),
    }
}

fn answer(result: &ToolFinish) -> Value {
    json!({"is_error": result.outcome.is_failure(), "content": contents(&result.answer)})
}

fn complaint(message: &str) -> Value {
    json!({"is_error": true, "content": [{"type": "text", "text": message}]})
}

/// What a model reads, as text.
fn words(answer: &[Content]) -> String {
    let words = answer.iter().map(|content| match content {
        Content::Text { text } => text.clone(),
        Content::Media { media_type, data } => format!("[{media_type}, {} base64 characters]", data.len()),
        Content::ToolReference { tool_name } => tool_name.clone(),
        other => serde_json::to_string(other).unwrap_or_default(),
    });
    words.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::asked_for;

    #[test]
    fn a_line_that_is_no_call_says_what_is_wrong() {
        let check = |line: &str, expect: Result<(&str, &str), &str>| match (asked_for(line), expect) {
            (Ok((tool, input)), Ok((name, json))) => {
                assert_eq!((tool.as_str(), input.to_string().as_str()), (name, json))
            }
            (Err(error), Err(part)) => assert!(error.contains(part), "{line}: {error}"),
            (asked, expect) => panic!("{line}: {asked:?}, not {expect:?}"),
        };
        check(r#"{"tool":"Read","input":{"a":1}}"#, Ok(("Read", r#"{"a":1}"#)));
        check(r#"{"tool":"Read"}"#, Ok(("Read", "{}")));
        check(r#"{"tool":"Read","input":"{}"}"#, Ok(("Read", r#""{}""#)));
        check("{", Err("no JSON"));
        check("[]", Err("no object"));
        check(r#"{"input":{}}"#, Err("`tool` is missing"));
        check(r#"{"tool":3}"#, Err("`tool` is 3"));
        check(r#"{"tool":"Read","inptu":{}}"#, Err("`inptu`"));
    }
}
