//! Commands that people run every day: those that read run unasked, and a question has a rule that covers the next of its kind.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Decided, Scratch, Started, none_wrong};

const CASES: &str = include_str!("../../cases/security/everyday.jsonl");

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Everyday {
    command: String,
    expected: String,
    /// Another of its kind; left out where the next is the same, as with code that stands in the command.
    #[serde(default)]
    next: Option<String>,
}

#[test]
fn everyday_commands() {
    let scratch = Scratch::new("");
    let cases: Vec<Everyday> =
        CASES.lines().map(|line| serde_json::from_str(line).expect("a case")).collect();
    let input = |command: &str| json!({"tool": "Bash", "command": command});
    let inputs: Vec<Value> = cases.iter().map(|case| input(&case.command)).collect();
    let started = Started { cwd: "proj", mode: "default", ..Started::default() };
    let mut judged = 0;
    let mut wrong = Vec::new();
    for (case, (decided, answer)) in cases.iter().zip(scratch.calls(&started, &inputs)) {
        let said = match case.expected.as_str() {
            "read" => (decided != Decided::Allow).then_some(answer),
            "ask" if decided != Decided::Ask => Some(answer),
            "ask" => {
                let rules = suggested(&answer);
                scratch.write_json("home/rules.json", &json!({"permissions": {"allow": rules}}));
                let settings = scratch.root().join("home/rules.json");
                let started = Started { settings: Some(&settings), ..started.clone() };
                let next = case.next.as_ref().unwrap_or(&case.command);
                let (decided, _) = scratch.call(&started, &input(next));
                (decided != Decided::Allow).then(|| format!("no rule for `{next}`: {answer}"))
            }
            "either" => continue,
            other => panic!("{}: expected `{other}`", case.command),
        };
        judged += 1;
        wrong.extend(said.map(|said| format!("{}: {said}", case.command)));
    }
    none_wrong(judged, &wrong);
}

/// The rules that an answer names.
fn suggested(answer: &str) -> Vec<&str> {
    let (_, rules) = answer.split_once("A person can allow it with").unwrap_or_default();
    rules.split('`').skip(1).step_by(2).collect()
}
