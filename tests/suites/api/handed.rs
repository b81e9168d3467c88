//! Answers from the field that other programs fell over.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::{Value, json};
use toolwright_testkit::ModelServer;
use toolwright_tests::cases::{Verdict, shell};
use toolwright_tests::{Ended, Place, Tally, Wire, faults, stock};

#[test]
fn handed_cases() {
    let mut tally = Tally::default();
    for line in include_str!("../../cases/api/handed.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        let word = |name: &str| case[name].as_str().unwrap_or_default();
        for wire in Wire::ALL {
            let verdict = one(&case, wire).map_or_else(Verdict::Failed, |()| Verdict::Passed);
            tally.add("api", &format!("{} {wire:?}", word("id")), word("why"), &verdict);
        }
    }
    println!("{}", tally.report());
    assert!(tally.failures().is_empty(), "{}\n{}", tally.report(), tally.failures().join("\n"));
}

/// A described reply as a turn of a script.
fn turn(reply: &Value) -> Result<Value, String> {
    let Some(stream) = reply["sse"].as_array() else {
        return Ok(match reply["status"].as_u64() {
            Some(200) => json!({"reply": [{"text": reply["text"]}]}),
            status => json!({"fail": {"http": {"status": status, "message": reply["body"]}}}),
        });
    };
    let mut turn = json!({"reply": []});
    for event in stream.iter().filter_map(Value::as_str) {
        match event.split_once(':') {
            None if event == "message_start" => {}
            // It breaks off inside what was being said.
            None if event == "CUT" => {
                let raw = turn["reply"][0]["raw"].as_str().unwrap_or_default().to_owned();
                turn["fail"] = json!({"cut": {"bytes": raw.len()}});
                turn["reply"][0]["raw"] = (raw + "tial").into();
            }
            Some(("error", _)) => turn["fail"] = json!({"error_event": {"bytes": 0}}),
            Some(("stop", reason)) => turn["stop"] = reason.into(),
            Some(("tool", call)) => {
                let (tool, raw) = call.split_once(':').ok_or("a call without input")?;
                turn["reply"] = json!([{"tool": tool, "raw": raw}]);
            }
            _ => return Err(format!("the case has an event nobody knows: {event}")),
        }
    }
    if turn["reply"] == json!([]) {
        turn["reply"] = json!([{"text": "never whole"}]);
    }
    Ok(turn)
}

fn one(case: &Value, wire: Wire) -> Result<(), String> {
    let place = Place::new();
    let replies = case["input"]["script"].as_array().into_iter().flatten();
    let turns: Vec<Value> = replies.map(turn).collect::<Result<_, _>>()?;
    let script = json!({"turns": turns}).to_string().replace("{D}", "{cwd}");
    let server = ModelServer::with_script(&place.fill(&script));
    let mut command = place.command(&stock());
    command.args(["-p", "hi", "--permission-mode", "bypassPermissions"]);
    wire.ask(&mut command, &server.url(), Some(wire.model()), &BTreeMap::new());
    let ended = Ended::of(command.spawn().map_err(|error| error.to_string())?, None)?;

    let expect = &case["expect"];
    if expect["is_error"] == false && ended.exit != Some(0) {
        return Err(format!("{ended:?}"));
    }
    if ended.exit != Some(0) && ended.stderr.trim().is_empty() {
        return Err("it failed without a word".into());
    }
    let requests = server.requests();
    if expect["requests"].as_u64().is_some_and(|wanted| wanted != requests.len() as u64)
        || expect["max_requests"].as_u64().is_some_and(|most| requests.len() as u64 > most)
    {
        return Err(format!("{} requests", requests.len()));
    }
    for request in &requests {
        let wrong = faults(wire, &request.body);
        if !wrong.is_empty() {
            return Err(format!("its vendor refuses it: {wrong:?}\n{}", request.body));
        }
    }
    let last = requests.last().map(|request| request.body["messages"].to_string()).unwrap_or_default();
    let patterns = [(&expect["contains_re"], &ended.stdout), (&expect["next_request"]["contains_re"], &last)];
    for (patterns, text) in patterns {
        for pattern in patterns.as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !Regex::new(pattern).map_err(|error| error.to_string())?.is_match(text) {
                return Err(format!("`{pattern}` is not in {text}"));
            }
        }
    }
    let checks = expect["checks"].as_array().into_iter().flatten().filter_map(Value::as_str);
    checks.into_iter().try_for_each(|check| shell(check, &place.project()))
}
