//! A real run in a real repository, killed at points nobody chose, and gone on with: nothing recorded is lost, every call has its
//! answer, nothing runs twice.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwright_testkit::ModelServer;
use toolwright_tests::cases::shell;
use toolwright_tests::{Ended, Journal, Place, Wire, faults, results, stock};

const POINTS: u64 = 50;
const SEED: u64 = 0x5EED_1234_ABCD_0001;

const SCRIPT: &str = r#"{"turns": [
    {"reply": [{"text": "First a file."}, {"tool": "Write", "input": {"file_path": "{cwd}/a.txt", "content": "alpha\n"}}]},
    {"reply": [{"tool": "Read", "input": {"file_path": "{cwd}/a.txt"}}, {"tool": "Read", "input": {"file_path": "{cwd}/kept.txt"}}, {"tool": "Grep", "input": {"pattern": "kept"}}]},
    {"reply": [{"tool": "Edit", "input": {"file_path": "{cwd}/a.txt", "old_string": "alpha", "new_string": "beta"}}]},
    {"reply": [{"tool": "Bash", "input": {"command": "echo one >> log.txt"}}, {"tool": "Bash", "input": {"command": "echo two >> log.txt"}}]},
    {"reply": [{"tool": "Bash", "input": {"command": "git add -A && git commit -qm work"}}]},
    {"reply": [{"tool": "Bash", "input": {"command": "echo three >> log.txt"}}, {"tool": "Write", "input": {"file_path": "{cwd}/c.txt", "content": "c\n"}}]},
    {"reply": [{"text": "All done."}]}]}"#;

/// Numbers that look random and are the same in every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit.max(1)
    }
}

/// Where a run is killed.
#[derive(Debug, Clone, Copy)]
enum Point {
    After(Duration),
    Bytes(u64),
    Never,
}

#[test]
fn killed_at_any_point_it_goes_on() {
    let begun = Instant::now();
    let place = prepared();
    run_until(&place, Point::Never);
    let (whole, length) = (begun.elapsed(), place.journal().bytes.len() as u64);
    assert_eq!(place.journal().short().last().map(String::as_str), Some("finished done"));
    let mut numbers = Numbers(SEED);
    let mut resumed = 0;
    for number in 0..POINTS {
        let micros = u64::try_from(whole.as_micros()).unwrap_or(u64::MAX);
        let point = if number % 2 == 0 {
            Point::Bytes(1 + numbers.below(length))
        } else {
            Point::After(Duration::from_micros(numbers.below(micros)))
        };
        match killed_and_resumed(point) {
            Ok(true) => resumed += 1,
            Ok(false) => {}
            Err(what) => panic!("killed at {point:?} (point {number}): {what}"),
        }
    }
    println!("killed at {POINTS} points; {resumed} had something to go on with");
    assert!(resumed > POINTS / 2, "only {resumed} of {POINTS} runs had begun: the points are no test");
}

fn prepared() -> Place {
    let place = Place::new();
    place.write("kept.txt", "kept\n");
    let script = "git init -q . && git config user.email a@b.c && git config user.name n && git add -A && git commit -qm first";
    shell(script, &place.project()).expect("a repository");
    place.write_home("script.json", SCRIPT);
    place
}

fn run_until(place: &Place, point: Point) {
    let mut command = place.command(&stock());
    command.args(["-p", "do it all", "--permission-mode", "bypassPermissions", "--model"]);
    command.arg(format!("scripted:{}", place.home().join("script.json").display()));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("a run");
    match point {
        Point::After(delay) => std::thread::sleep(delay),
        Point::Bytes(bytes) => {
            while (place.journal().bytes.len() as u64) < bytes && matches!(child.try_wait(), Ok(None)) {
                std::hint::spin_loop();
            }
        }
        Point::Never => drop(child.wait()),
    }
    child.kill().expect("a run that can be killed");
    child.wait().expect("a run that has ended");
}

/// Whether there was something to go on with.
fn killed_and_resumed(point: Point) -> Result<bool, String> {
    let place = prepared();
    run_until(&place, point);
    let before = place.journal();
    let server = ModelServer::with_script(r#"{"turns": [{"reply": [{"text": "on"}]}]}"#);
    let mut command = place.command(&stock());
    command.args(["-p", "go on", "--continue"]);
    let wire = Wire::Messages;
    wire.ask(&mut command, &server.url(), Some(wire.model()), &BTreeMap::new());
    let ended = Ended::of(command.spawn().map_err(|error| error.to_string())?, None)?;
    if before.of_type("started").is_empty() {
        return if ended.exit == Some(1) {
            Ok(false)
        } else {
            Err(format!("nothing had begun, and yet {ended:?}"))
        };
    }
    if ended.exit != Some(0) || ended.stdout != "on\n" {
        return Err(format!("{ended:?}\n{:#?}", before.short()));
    }
    let after = place.journal();
    if after.id() != before.id() || !after.bytes.starts_with(&before.bytes) {
        return Err("what was recorded is no longer there".into());
    }
    let request = server.requests().pop().ok_or("no request")?.body;
    let wrong = faults(wire, &request);
    if !wrong.is_empty() {
        return Err(format!("its vendor refuses the request: {wrong:?}\n{:#?}", before.short()));
    }
    sent(&before, &request)?;
    let log = std::fs::read_to_string(place.project().join("log.txt")).unwrap_or_default();
    for word in ["one", "two", "three"] {
        if log.lines().filter(|line| *line == word).count() > 1 {
            return Err(format!("a command ran twice: {log}"));
        }
    }
    Ok(true)
}

/// All that was recorded is in the request, word for word.
fn sent(before: &Journal, request: &Value) -> Result<(), String> {
    let text = request.to_string();
    let answers: BTreeMap<String, String> = results(Wire::Messages, request).into_iter().collect();
    let mut open = Vec::new();
    for line in before.lines() {
        match line["type"].as_str() {
            Some("prompt" | "message") => {
                for block in line["message"]["content"].as_array().into_iter().flatten() {
                    if let Some(said) =
                        block["text"].as_str().filter(|said| !text.contains(&json!(said).to_string()))
                    {
                        return Err(format!("lost: {said}"));
                    }
                    if let Some(id) = block["id"].as_str() {
                        open.push(id.to_owned());
                    }
                }
            }
            Some("tool_finished") => {
                let id = line["tool_use_id"].as_str().unwrap_or_default();
                open.retain(|call| call != id);
                let words = line["answer"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|block| block["text"].as_str());
                let words = words.collect::<Vec<_>>().join("\n");
                // The message of a call that began early may not have been recorded yet: then nobody asked for it.
                if answers.get(id).is_some_and(|answer| *answer != words) {
                    return Err(format!("the answer of {id} changed: {words:?} {:?}", answers.get(id)));
                }
            }
            _ => {}
        }
    }
    match open.iter().find(|id| answers.get(*id).is_none_or(|answer| answer.trim().is_empty())) {
        Some(id) => Err(format!("{id} is not answered")),
        None => Ok(()),
    }
}
