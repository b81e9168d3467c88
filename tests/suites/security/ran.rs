//! What runs and what is recorded of it, by who let the call run: the text as written where it was seen, else what was printed.

use std::path::Path;

use serde_json::{Value, json};
use toolwright_tests::{Journal, stock};

use crate::terminal::at_terminal;
use crate::{Scratch, path};

/// Shows what bash was given.
const WRITTEN: &str = r"echo $BASH_EXECUTION_STRING; touch 'a'\b";
const PRINTED: &str = "echo ${BASH_EXECUTION_STRING}; touch 'ab'\n";

#[test]
fn what_ran_is_recorded() {
    check("a rule for a prefix", &["Bash(echo *)", "Bash(touch *)"], &[], None, WRITTEN, Some(PRINTED));
    check("a rule for the tool", &["Bash"], &[], None, WRITTEN, Some(PRINTED));
    check("acceptEdits", &["Bash(echo *)"], &["acceptEdits"], None, WRITTEN, Some(PRINTED));
    check("reading", &[], &[], None, r"echo 'a'\b", Some("echo 'ab'\n"));
    check("dontAsk", &["Bash(echo *)", "Bash(touch *)"], &["dontAsk"], None, WRITTEN, Some(PRINTED));
    check("the whole text", &[&format!("Bash({WRITTEN})")], &[], None, WRITTEN, None);
    check("bypass", &[], &["bypassPermissions"], None, WRITTEN, None);
    check("a person", &[], &[], Some("y"), WRITTEN, None);
    check("nobody", &[], &[], None, WRITTEN, None);
}

fn check(who: &str, allow: &[&str], mode: &[&str], answer: Option<&str>, command: &str, ran: Option<&str>) {
    let scratch = Scratch::new("");
    let turns = json!([
        {"reply": [{"tool": "Bash", "input": {"command": command}}]},
        {"reply": [{"text": "done"}]},
    ]);
    scratch.write_json("home/model.json", &turns);
    scratch.write_json("home/rules.json", &json!({"permissions": {"allow": allow}}));
    let home = scratch.root().join("home");
    let mut arguments: Vec<String> = ["-p", "go", "--settings"].map(Into::into).into();
    arguments.push(home.join("rules.json").to_string_lossy().into_owned());
    arguments.extend(["--model".into(), format!("scripted:{}", home.join("model.json").display())]);
    arguments.extend(mode.iter().flat_map(|mode| ["--permission-mode".into(), (*mode).into()]));
    let project = scratch.root().join("proj");
    match answer {
        None => {
            let output = scratch.program(&stock(), &project, &path()).args(&arguments).output();
            output.expect("the binary ends");
        }
        Some(answer) => {
            if at_terminal(&scratch, &project, &arguments, answer).is_none() {
                println!("skipped: {who}: there is no `script` that makes a terminal");
                return;
            }
        }
    }
    let journal = journal(&home);
    let result = journal.of_type("tool_finished").pop().expect("a result");
    let started = journal.of_type("tool_started").pop();
    let allowed = !(answer.is_none() && allow.is_empty() && mode.is_empty()) || ran.is_some();
    assert_eq!(started.is_some(), allowed, "{who}: {result}");
    let Some(started) = started else { return };
    assert_eq!(started["ran"], ran.map_or(Value::Null, Value::from), "{who}: {started}");
    assert_eq!(started["input"]["command"], command, "{who}");
    if command == WRITTEN {
        let said = result["output"]["text"].as_str().unwrap_or_default();
        assert_eq!(said, ran.unwrap_or(command).trim_end(), "{who}: {result}");
        assert!(project.join("ab").exists(), "{who}");
    }
}

fn journal(home: &Path) -> Journal {
    let sessions = std::fs::read_dir(home.join(".toolwright/sessions")).expect("a session");
    let newest = sessions.filter_map(Result::ok).map(|entry| entry.path().join("session.jsonl")).max();
    Journal::read(&newest.expect("a session"))
}
