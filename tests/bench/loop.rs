//! From the last byte of the model's turn to the next request: what the agent itself costs between two turns, beside a client
//! that answers at once. Each run makes many turns of a kind; kinds are interleaved.
#![expect(clippy::print_stdout, reason = "a bench prints its report")]

#[path = "loop/floor.rs"]
mod floor;
#[path = "loop/tree.rs"]
mod tree;

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use toolwright_testkit::ModelServer;
use toolwright_tests::bench::{median, milliseconds};
use toolwright_tests::{Ended, Place, Wire, stock};

/// Turns of a kind in one run; the first is not counted.
const TURNS: usize = 12;
const ROUNDS: usize = 4;

/// What is done in a turn.
struct Kind {
    name: &'static str,
    goal: &'static str,
    calls: fn(usize) -> Vec<Value>,
    times: Vec<Duration>,
}

fn kinds() -> Vec<Kind> {
    let kind = |name, goal, calls| Kind { name, goal, calls, times: Vec::new() };
    vec![
        kind("Read", "< 1 ms", |turn| vec![read(turn)]),
        // Another description each time: a call that is made again and again would end the run.
        kind("Bash true", "< 4 ms", |turn| {
            vec![json!({"tool": "Bash", "input": {"command": "true", "description": format!("turn {turn}")}})]
        }),
        kind("Grep over 2,000 files", "< 8 ms", |turn| {
            vec![
                json!({"tool": "Grep", "input": {"pattern": format!("needle_{turn}\\b"), "path": "{cwd}/tree"}}),
            ]
        }),
        kind("20 Reads in one turn", "< 3 ms", |turn| (0..20).map(|file| read(turn * 20 + file)).collect()),
    ]
}

fn read(file: usize) -> Value {
    json!({"tool": "Read", "input": {"file_path": format!("{{cwd}}/small/{}.txt", file % tree::SMALL_FILES)}})
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, floor, address, requests] = arguments.as_slice()
        && floor == floor::NAME
    {
        return floor::ask(address, requests.parse().unwrap_or(0));
    }
    let place = Place::new();
    tree::make(&place);
    let mut floors = Vec::new();
    let mut kinds = kinds();
    for _ in 0..ROUNDS {
        floors.extend(gaps("the floor", &script(&place, |turn| vec![read(turn)]), floor::command));
        for kind in &mut kinds {
            let script = script(&place, kind.calls);
            kind.times.extend(gaps(kind.name, &script, |url| {
                let mut command = place.command(&stock());
                command.args(["-p", "go"]).envs(Wire::Messages.environment(url));
                command
            }));
        }
    }
    let base = median(floors);
    println!("end of the model's turn to the next request, median of {} turns\n", ROUNDS * (TURNS - 1));
    println!("{:<24} {:>10} {:>10} {:>10}  goal", "", "median", "fastest", "- floor");
    println!("{:<24} {:>10}", "answers at once", milliseconds(base));
    for kind in &kinds {
        let middle = median(kind.times.clone());
        let fastest = kind.times.iter().min().copied().unwrap_or_default();
        println!(
            "{:<24} {:>10} {:>10} {:>10}  {}",
            kind.name,
            milliseconds(middle),
            milliseconds(fastest),
            milliseconds(middle.saturating_sub(base)),
            kind.goal
        );
    }
}

fn script(place: &Place, calls: fn(usize) -> Vec<Value>) -> String {
    let mut turns: Vec<Value> = (0..TURNS).map(|turn| json!({"reply": calls(turn)})).collect();
    turns.push(json!({"reply": [{"text": "done"}]}));
    place.fill(&json!({"turns": turns}).to_string())
}

/// The time between each turn and the request after it.
fn gaps(name: &str, script: &str, command: impl FnOnce(&str) -> Command) -> Vec<Duration> {
    let server = ModelServer::with_script(script);
    let mut command = command(&server.url());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap_or_else(|error| panic!("{name} does not start: {error}"));
    let ended = Ended::of(child, None).unwrap_or_else(|error| panic!("{name}: {error}"));
    let requests = server.requests();
    assert!(requests.len() == TURNS + 1, "{name}: {} requests came; {ended:?}", requests.len());
    let pairs = requests.iter().zip(requests.iter().skip(1)).skip(1);
    pairs.filter_map(|(turn, next)| Some(next.received.saturating_duration_since(turn.answered?))).collect()
}
