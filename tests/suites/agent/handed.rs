//! Neutral descriptions from the field of what a whole program does: hooks, settings, permissions, plan mode, the command
//! line, subagents. Each is played as a run of the built binary.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::time::{Duration, Instant};

use regex::Regex;
use serde_json::{Value, json};
use toolwright_testkit::ModelServer;
use toolwright_tests::cases::{Verdict, shell};
use toolwright_tests::{Ended, Place, Tally, Wire, stock};

/// Builds without optimisation, on a machine that does other things too, are given this many times longer.
const SLOW: u32 = if cfg!(debug_assertions) { 5 } else { 1 };

#[test]
fn handed_cases() {
    let mut tally = Tally::default();
    for line in include_str!("../../cases/drivers/handed.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        let verdict = match word(&case["input"]["driver"]) {
            "hook" | "permission" | "plan" | "settings" => verdict(call(&case)),
            "cli" => verdict(command_line(&case)),
            "agent" => match unbuilt(&case) {
                Some(why) => Verdict::Skipped(why.into()),
                None => verdict(subagents(&case)),
            },
            other => Verdict::Failed(format!("no such driver: {other}")),
        };
        tally.add(word(&case["tool"]), word(&case["id"]), word(&case["why"]), &verdict);
    }
    println!("{}", tally.report());
    assert!(tally.failures().is_empty(), "{}\n{}", tally.report(), tally.failures().join("\n"));
}

fn verdict(done: Result<(), String>) -> Verdict {
    done.map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn unbuilt(case: &Value) -> Option<&'static str> {
    let resumes = case["input"]["child"].as_array().is_some_and(|child| child.contains(&json!("resume")));
    match (case["input"]["isolation"].is_string(), resumes) {
        (true, _) => Some("subagents in a work tree of their own are not built yet"),
        (_, true) => Some("a subagent that ended is not gone on with yet"),
        _ => None,
    }
}

/// A run with one tool call (where the case has one) and a last word.
struct Played {
    place: Place,
    ended: Ended,
    taken: Duration,
}

/// Runs a place whose settings are there, with these arguments and a model that says `turns`.
fn play(place: Place, arguments: &[&str], turns: &Value) -> Result<(Played, ModelServer), String> {
    let server = ModelServer::with_script(&place.fill(&json!({"turns": turns}).to_string()));
    let mut command = place.command(&stock());
    command.args(arguments);
    let options = BTreeMap::from([("maxRetries".to_owned(), json!(0))]);
    Wire::Messages.ask(&mut command, &server.url(), Some(Wire::Messages.model()), &options);
    let begun = Instant::now();
    let ended = Ended::of(command.spawn().map_err(|error| error.to_string())?, None)?;
    Ok((Played { place, ended, taken: begun.elapsed() }, server))
}

/// Settings that a case asks for, a call under them, and what came of it.
fn call(case: &Value) -> Result<(), String> {
    let input = &case["input"];
    let place = Place::new();
    shell(word(&case["setup"]), &place.project())?;
    let in_place = |value: &Value| value.to_string().replace("{D}", "{cwd}");
    let mut mode = "default";
    let mut called = in_place(&input["call"]);
    match word(&input["driver"]) {
        "hook" => {
            mode = "bypassPermissions";
            let group = json!({"matcher": input["matcher"], "hooks": [input["hook"]]});
            let settings = json!({"hooks": {word(&input["event"]): [group]}});
            place.write_home(".toolwright/settings.json", &place.fill(&in_place(&settings)));
        }
        "permission" => {
            let settings = json!({"permissions": input["rules"]});
            place.write_home(".toolwright/settings.json", &settings.to_string());
        }
        "plan" => mode = "plan",
        _ => {
            // Read as a person's settings; the rule it is to have loaded is then met.
            let file = place.fill(&word(&input["file"]).replace("{D}", "{cwd}"));
            let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
            place.write_home(".toolwright/settings.json", &text);
            called = json!({"tool": "Bash", "input": {"command": "rm x"}}).to_string();
        }
    }
    let called: Value = serde_json::from_str(&called).map_err(|error| error.to_string())?;
    let turns =
        json!([{"reply": [{"tool": called["tool"], "input": called["input"]}]}, {"reply": [{"text": "ok"}]}]);
    let (played, _server) = play(place, &["-p", "go", "--permission-mode", mode], &turns)?;
    seen(case, &played)
}

fn seen(case: &Value, played: &Played) -> Result<(), String> {
    let (expect, Played { place, ended, taken }) = (&case["expect"], played);
    let journal = place.journal();
    let failed = |what: String| Err(format!("{what}: {:#?}\n{}", journal.short(), ended.stderr));
    let finished = journal.of_type("tool_finished");
    let Some(result) = finished.first() else { return failed("the call has no result".into()) };
    let decisions = journal.of_type("decision");
    let decision = decisions.first().unwrap_or(&Value::Null);
    if expect["loaded"].is_array() {
        let rule = &expect["loaded"][0];
        let right = ended.exit == Some(0) && decision["rule"] == *rule && decision["outcome"] == "deny";
        return if right { Ok(()) } else { failed(format!("{rule} was not loaded")) };
    }
    if expect["is_error"].as_bool().is_some_and(|wanted| wanted != (result["outcome"] == "failure")) {
        return failed(format!("`is_error` should be {}", expect["is_error"]));
    }
    if expect["decision"].is_string() && decision["outcome"] != expect["decision"] {
        return failed(format!("it should be decided as {}", expect["decision"]));
    }
    for pattern in expect["contains_re"].as_array().into_iter().flatten() {
        if !matches(word(pattern), &result["answer"].to_string())? {
            return failed(format!("{pattern} is not in {}", result["answer"]));
        }
    }
    if expect["warns"] == true && !ended.stderr.contains("warn") {
        return failed("it does not show what the hook said".into());
    }
    let longest = expect["max_ms"].as_u64().map(|most| Duration::from_millis(most) * SLOW);
    if longest.is_some_and(|longest| *taken > longest) {
        return failed(format!("it took {taken:?}"));
    }
    checks(expect, place)
}

fn matches(pattern: &str, text: &str) -> Result<bool, String> {
    Ok(Regex::new(pattern).map_err(|error| error.to_string())?.is_match(text))
}

fn checks(expect: &Value, place: &Place) -> Result<(), String> {
    let checks = expect["checks"].as_array().into_iter().flatten();
    checks.map(word).try_for_each(|check| shell(check, &place.project()))
}

fn command_line(case: &Value) -> Result<(), String> {
    let (input, expect) = (&case["input"], &case["expect"]);
    let text = input["reply_text_bytes"]
        .as_u64()
        .map_or("ok".into(), |bytes| "x".repeat(usize::try_from(bytes).unwrap_or_default()));
    let turn = match input["api"][0]["status"].as_u64() {
        Some(status) => json!({"fail": {"http": {"status": status}}}),
        None => json!({"reply": [{"text": text}]}),
    };
    let arguments: Vec<&str> = input["args"].as_array().into_iter().flatten().map(word).collect();
    let (place, turns) = (Place::new(), json!([turn]));
    let ended = if input["stdout"] == "pipe_slow_reader" {
        slowly_read(&place, &arguments, &turns)?
    } else if input["setsid"] == true {
        without_terminal(&place, &arguments, &turns)?
    } else {
        play(place, &arguments, &turns)?.0.ended
    };
    let failed = |what: &str| Err(format!("{what}: {:?} {}", ended.exit, ended.stderr));
    if expect["exit_nonzero"] == true {
        let right = ended.exit.is_some_and(|code| code != 0) && !ended.stderr.trim().is_empty();
        return if right { Ok(()) } else { failed("it should fail and say why") };
    }
    if ended.exit != Some(0) {
        return failed("it should end with 0");
    }
    let least = expect["min_stdout_bytes"].as_u64().unwrap_or_default();
    if (ended.stdout.len() as u64) < least {
        return failed("its output is cut");
    }
    if expect["stdout_json"] == true && serde_json::from_str::<Value>(&ended.stdout).is_err() {
        return failed("its output is no JSON");
    }
    for pattern in expect["not_contains_re"].as_array().into_iter().flatten() {
        if matches(word(pattern), &ended.stdout)? || matches(word(pattern), &ended.stderr)? {
            return failed("it shows what it must not");
        }
    }
    Ok(())
}

/// Its output is read only when it has long filled the pipe.
fn slowly_read(place: &Place, arguments: &[&str], turns: &Value) -> Result<Ended, String> {
    let server = ModelServer::with_script(&json!({"turns": turns}).to_string());
    let mut command = place.command(&stock());
    command.args(arguments);
    Wire::Messages.ask(&mut command, &server.url(), Some(Wire::Messages.model()), &BTreeMap::new());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let mut first = [0; 10];
    let pipe = child.stdout.as_mut().ok_or("no pipe")?;
    pipe.read_exact(&mut first).map_err(|error| error.to_string())?;
    let Ended { exit, stdout, stderr } = Ended::of(child, None)?;
    Ok(Ended { exit, stdout: String::from_utf8_lossy(&first).into_owned() + &stdout, stderr })
}

fn without_terminal(place: &Place, arguments: &[&str], turns: &Value) -> Result<Ended, String> {
    let server = ModelServer::with_script(&json!({"turns": turns}).to_string());
    let mut command = place.command(std::path::Path::new("setsid"));
    command.arg("--wait").arg(stock()).args(arguments);
    Wire::Messages.ask(&mut command, &server.url(), Some(Wire::Messages.model()), &BTreeMap::new());
    Ended::of(command.spawn().map_err(|error| format!("setsid: {error}"))?, None)
}

/// Several subagents in one message: each result arrives, once, in the request that follows.
fn subagents(case: &Value) -> Result<(), String> {
    let count = case["input"]["parallel"].as_u64().unwrap_or(1);
    let answer = word(&case["input"]["child"][0]).trim_start_matches("text:").to_owned();
    let of = |number: u64| answer.replace("{n}", &number.to_string());
    let calls: Vec<Value> = (1..=count)
        .map(|number| {
            let prompt = format!("child number {number}");
            json!({"tool": "Agent", "input": {"description": "a part", "prompt": prompt, "subagent_type": "Explore"}})
        })
        .collect();
    let mut turns = vec![json!({"reply": calls})];
    turns.extend((1..=count).map(|number| {
        let asked = format!("child number {number}");
        json!({"when": {"first_user_text": asked}, "reply": [{"text": of(number)}]})
    }));
    turns.push(json!({"reply": [{"text": "ok"}]}));
    let (played, server) = play(Place::new(), &["-p", "go"], &json!(turns))?;
    let requests = server.requests();
    let last = requests.last().map(|request| request.body["messages"].to_string()).unwrap_or_default();
    for wanted in case["expect"]["parent_sees"].as_array().into_iter().flatten().map(word) {
        if last.matches(&format!("\"{wanted}")).count() != 1 {
            return Err(format!("{wanted} should be in the request once: {last}\n{}", played.ended.stderr));
        }
    }
    Ok(())
}
