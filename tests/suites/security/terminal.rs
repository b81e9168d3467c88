//! The binary at a terminal of its own, and what it shows there when it asks.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_tests::stock;

use crate::{Scratch, path};

const CASES: &str = include_str!("../../cases/security/display.jsonl");

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Display {
    id: String,
    input: Value,
    #[serde(default)]
    must_show: Vec<String>,
    #[serde(default)]
    must_not_show: Vec<String>,
    why: String,
}

#[test]
fn what_is_shown_is_what_runs() {
    let scratch = Scratch::new("");
    let model = scratch.root().join("home/model.json");
    let arguments = ["-p".into(), "go".into(), "--model".into(), format!("scripted:{}", model.display())];
    let mut wrong = Vec::new();
    for line in CASES.lines() {
        let case: Display = serde_json::from_str(line).expect("a case");
        let call = json!({"reply": [{"tool": "Bash", "input": case.input}]});
        scratch.write_json("home/model.json", &json!([call, {"reply": [{"text": "done"}]}]));
        let Some(shown) = at_terminal(&scratch, &scratch.root().join("proj"), &arguments, "n") else {
            println!("skipped: there is no `script` that makes a terminal");
            return;
        };
        let question = without_codes(&shown);
        let missing = case.must_show.iter().find(|text| !question.contains(text.as_str()));
        let odd = case.must_not_show.iter().find(|text| !text.is_empty() && question.contains(text.as_str()));
        if missing.is_some() || odd.is_some() {
            wrong.push(format!(
                "{}: lacks {missing:?}, has {odd:?}: {question}\n  because: {}",
                case.id, case.why
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The question alone, without what the renderer writes around words: colours and modes, and the terminal's line ends.
fn without_codes(shown: &str) -> String {
    let question = shown.rsplit_once("May Bash").map_or(shown, |(_, question)| question);
    let mut text = String::new();
    let mut rest = question.chars().peekable();
    while let Some(character) = rest.next() {
        if character == '\u{1b}' && rest.next_if_eq(&'[').is_some() {
            while rest.next().is_some_and(|character| !character.is_ascii_alphabetic()) {}
        } else if !(character == '\r' && rest.peek() == Some(&'\n')) {
            text.push(character);
        }
    }
    text
}

/// Runs it with a terminal of its own, where `answer` is typed once it asks; what was shown until then.
pub(crate) fn at_terminal(
    scratch: &Scratch,
    folder: &Path,
    arguments: &[String],
    answer: &str,
) -> Option<String> {
    let quoted: Vec<_> = arguments.iter().map(|word| format!("'{word}'")).collect();
    let command = format!("'{}' {}", stock().display(), quoted.join(" "));
    let mut script = scratch.program(Path::new("script"), folder, &path());
    script.args(["-qec", &command, "/dev/null"]).env("TERM", "xterm").env("SHELL", "/bin/sh");
    script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = script.spawn().ok()?;
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut shown = Vec::new();
    let mut buffer = [0; 4096];
    let mut asked = None;
    while let Ok(length @ 1..) = stdout.read(&mut buffer) {
        shown.extend(buffer.iter().take(length));
        let text = String::from_utf8_lossy(&shown);
        if asked.is_none() && text.contains("May Bash") && without_codes(&text).ends_with("\n  > ") {
            asked = Some(text.into_owned());
            stdin.write_all(format!("{answer}\n").as_bytes()).expect("it reads");
        }
    }
    child.wait().expect("it ends");
    asked
}
