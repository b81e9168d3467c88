//! What is sent: small enough from the first request on, and the same bytes from turn to turn, so that a vendor's cache knows
//! them again.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;
use toolwright_testkit::{ModelServer, Recorded};
use toolwright_tests::{Ended, Place, Wire, stock};

/// Of the system prompt and all tools, by characters / 4.
const MOST_TOKENS: usize = 6_000;

/// Where a cache may begin to forget; it moves from turn to turn.
const MARK: &str = r#","cache_control":{"type":"ephemeral"}"#;

const TURNS: &str = r#"{"turns": [
    {"reply": [{"text": "I look."}, {"tool": "Read", "input": {"file_path": "{cwd}/a.txt"}}, {"tool": "Glob", "input": {"pattern": "*"}}]},
    {"reply": [{"tool": "Bash", "input": {"command": "echo \"quoted\" ünï | cat"}}]},
    {"reply": [{"tool": "Read", "raw": "{\"file_path\": }"}]},
    {"reply": [{"text": "Then."}, {"tool": "Grep", "input": {"pattern": "alpha"}}]},
    {"reply": [{"text": "Done."}]}]}"#;

fn run(place: &Place, wire: Wire, arguments: &[&str], script: &str) -> Vec<Recorded> {
    let server = ModelServer::with_script(&place.fill(script));
    let mut command = place.command(&stock());
    command.args(arguments);
    wire.ask(&mut command, &server.url(), Some(wire.model()), &BTreeMap::new());
    let ended = Ended::of(command.spawn().expect("a run"), None).expect("an end");
    assert_eq!(ended.exit, Some(0), "{ended:?}");
    server.requests()
}

#[test]
fn the_default_request_is_small() {
    let place = Place::new();
    let requests = run(&place, Wire::Messages, &["-p", "hi"], r#"{"turns": [{"reply": [{"text": "ok"}]}]}"#);
    let body = &requests.first().expect("a request").body;
    let tokens = |value: &Value| value.to_string().replace(MARK, "").chars().count().div_ceil(4);
    let mut table = format!("{:<16} {:>6}\n", "system", tokens(&body["system"]));
    for tool in body["tools"].as_array().expect("tools") {
        let _ = writeln!(table, "{:<16} {:>6}", tool["name"].as_str().unwrap_or_default(), tokens(tool));
    }
    let all = tokens(&body["system"]) + tokens(&body["tools"]);
    let _ = writeln!(table, "{:<16} {all:>6} of {MOST_TOKENS}", "all");
    println!("{table}");
    assert!(all <= MOST_TOKENS, "the default request is too large, in characters / 4:\n{table}");
}

/// All up to the end of the last message.
fn until_the_last_message(request: &Recorded) -> String {
    let text = String::from_utf8(request.bytes.clone()).expect("text").replace(MARK, "");
    let end = [r#"],"max_tokens":"#, r#"],"stream":"#, r#"],"max_completion_tokens":"#];
    let end = end.iter().filter_map(|end| text.rfind(end)).min().expect("what follows the messages");
    text.get(..end).expect("a beginning").to_owned()
}

#[test]
fn what_was_sent_is_sent_again_byte_for_byte() {
    for wire in Wire::ALL {
        let place = Place::new();
        place.write("a.txt", "alpha \"quoted\" ünï \u{2028}\n");
        place.write("AGENTS.md", "Be brief.\n");
        let mut requests = run(&place, wire, &["-p", "look"], TURNS);
        assert_eq!(requests.len(), 5, "{wire:?}");
        // A resumed run goes on with the same bytes.
        let more = r#"{"turns": [{"reply": [{"tool": "Bash", "input": {"command": "true"}}]}, {"reply": [{"text": "ok"}]}]}"#;
        requests.extend(run(&place, wire, &["-c", "-p", "again"], more));
        let sent: Vec<String> = requests.iter().map(until_the_last_message).collect();
        for (number, pair) in sent.windows(2).enumerate() {
            let [earlier, later] = pair else { continue };
            let same = earlier.bytes().zip(later.bytes()).take_while(|(one, other)| one == other).count();
            assert!(
                later.starts_with(earlier),
                "{wire:?}: request {} differs from the one before at byte {same} of {}:\n{}\n{}",
                number + 2,
                earlier.len(),
                String::from_utf8_lossy(around(earlier, same)),
                String::from_utf8_lossy(around(later, same)),
            );
        }
    }
}

fn around(text: &str, place: usize) -> &[u8] {
    text.as_bytes().get(place.saturating_sub(80)..(place + 80).min(text.len())).unwrap_or_default()
}
