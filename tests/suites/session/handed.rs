//! Sessions from the field: transcripts that other programs could not go on with.

use std::collections::BTreeMap;
use std::process::Stdio;

use regex::Regex;
use serde_json::{Value, json};
use toolwright_testkit::ModelServer;
use toolwright_tests::cases::{Verdict, shell};
use toolwright_tests::{Ended, Place, Tally, Wire, faults, stock};

const ID: &str = "18bcfe56800-00000001";

#[test]
fn handed_cases() {
    let mut tally = Tally::default();
    for line in include_str!("../../cases/session/handed.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        let word = |name: &str| case[name].as_str().unwrap_or_default();
        for wire in Wire::ALL {
            let done = match word_of(&case["input"]["driver"]) {
                "resume" => resumed(&case, wire),
                "two_sessions" => two_writers(wire),
                other => Err(format!("no such driver: {other}")),
            };
            let verdict = done.map_or_else(Verdict::Failed, |()| Verdict::Passed);
            tally.add("session", &format!("{} {wire:?}", word("id")), word("why"), &verdict);
        }
    }
    println!("{}", tally.report());
    assert!(tally.failures().is_empty(), "{}\n{}", tally.report(), tally.failures().join("\n"));
}

fn word_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn resumed(case: &Value, wire: Wire) -> Result<(), String> {
    let place = Place::new();
    shell(word_of(&case["setup"]), &place.project())?;
    let transcript =
        std::fs::read_to_string(place.project().join("t.jsonl")).map_err(|error| error.to_string())?;
    let journal = super::transcript::journal(&transcript, ID, &place.fill("{cwd}"));
    place.write_home(&format!(".toolwright/sessions/{ID}/session.jsonl"), &journal);

    let replies = case["input"]["api"].as_array().cloned().unwrap_or_else(|| vec![json!({"status": 200})]);
    let turns: Vec<Value> = replies
        .iter()
        .map(|reply| match reply["status"].as_u64() {
            Some(200) => json!({"reply": [{"text": "ok"}]}),
            status => json!({"fail": {"http": {"status": status, "message": reply["body"]}}}),
        })
        .collect();
    let server = ModelServer::with_script(&json!({"turns": turns}).to_string());
    let mut command = place.command(&stock());
    command.args(["-p", word_of(&case["input"]["prompt"]), "--resume", ID]);
    wire.ask(&mut command, &server.url(), Some(wire.model()), &BTreeMap::new());
    let ended = Ended::of(command.spawn().map_err(|error| error.to_string())?, None)?;

    let expect = &case["expect"];
    if expect["is_error"] == false && ended.exit != Some(0) {
        return Err(format!("it ended with {:?}: {}\n{journal}", ended.exit, ended.stderr));
    }
    if expect["warns"] == true && !ended.stderr.contains("line") {
        return Err(format!("it does not warn of the line: {:?}", ended.stderr));
    }
    let requests = server.requests();
    if expect["requests"].as_u64().is_some_and(|wanted| requests.len() as u64 != wanted) {
        return Err(format!("{} requests", requests.len()));
    }
    for request in &requests {
        let wrong = faults(wire, &request.body);
        if !wrong.is_empty() {
            return Err(format!("its vendor refuses it: {wrong:?}\n{}", request.body));
        }
    }
    let Some(last) = requests.last() else { return Err("no request".into()) };
    next_request(&expect["next_request"], wire, &last.body)?;
    if !place.journal().bytes.starts_with(journal.as_bytes()) {
        return Err("what was recorded is gone from the journal".into());
    }
    Ok(())
}

/// `every_tool_use_has_result`, `no_empty_text` and `alternates` hold of every request: see `faults`.
fn next_request(expect: &Value, wire: Wire, body: &Value) -> Result<(), String> {
    let text = body.to_string();
    for pattern in expect["contains_re"].as_array().into_iter().flatten() {
        let pattern = Regex::new(word_of(pattern)).map_err(|error| error.to_string())?;
        if !pattern.is_match(&text) {
            return Err(format!("{pattern} is not in the request: {}", body["messages"]));
        }
    }
    if let Some(kind) = expect["no_block"].as_str()
        && text.contains(&format!("\"type\":\"{kind}"))
    {
        return Err(format!("there is a block {kind}"));
    }
    if let Some(kind) = expect["last_assistant_block_not"].as_str().filter(|_| wire == Wire::Messages) {
        let mut said = body["messages"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|message| message["role"] == "assistant");
        let last = said.next_back().and_then(|message| message["content"].as_array()?.last().cloned());
        if last.is_some_and(|block| block["type"] == kind) {
            return Err(format!("the last block of the model is a {kind}"));
        }
    }
    Ok(())
}

/// A second process on a session that is being written.
fn two_writers(wire: Wire) -> Result<(), String> {
    let place = Place::new();
    let start = |server: &ModelServer, arguments: &[&str]| {
        let mut command = place.command(&stock());
        command.args(arguments).args(["--permission-mode", "bypassPermissions"]).stdin(Stdio::null());
        wire.ask(&mut command, &server.url(), Some(wire.model()), &BTreeMap::new());
        command.spawn().map_err(|error| error.to_string())
    };
    let slow = r#"{"turns": [
        {"reply": [{"tool": "Bash", "input": {"command": "until test -e go; do sleep 0.02; done"}}]},
        {"reply": [{"text": "first is done"}]}]}"#;
    let first_server = ModelServer::with_script(slow);
    let first = start(&first_server, &["-p", "FIRST"])?;
    let begun = std::time::Instant::now();
    while place.journal().of_type("tool_started").is_empty() {
        if begun.elapsed().as_secs() > 60 {
            return Err("the first never began".into());
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let second_server = ModelServer::with_script(r#"{"turns": [{"reply": [{"text": "second is done"}]}]}"#);
    let id = place.journal().id();
    let second = Ended::of(start(&second_server, &["-p", "SECOND", "--resume", &id])?, None)?;
    place.write("go", "");
    let first = Ended::of(first, None)?;
    if first.exit != Some(0) || first.stdout != "first is done\n" {
        return Err(format!("the first was disturbed: {first:?}"));
    }
    if second.exit == Some(0) && place.journals().len() < 2 {
        return Err("both wrote to one session".into());
    }
    if second.exit != Some(0) && !second.stderr.contains(&id) {
        return Err(format!("the second was refused without a reason: {second:?}"));
    }
    for journal in place.journals() {
        let whole = journal.bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count();
        if journal.lines().len() != whole {
            return Err("there is half a line in a journal".into());
        }
    }
    let events = place.journals().first().map(toolwright_tests::Journal::short).unwrap_or_default();
    if !events.contains(&"message first is done".to_owned()) {
        return Err(format!("a message was lost: {events:?}"));
    }
    Ok(())
}
