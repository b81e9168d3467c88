//! A conversation through several tool calls with a fault on the way: it recovers, or ends cleanly and goes on later. No half
//! call runs, every call has its answer, nothing is lost.

use serde_json::{Value, json};
use toolwright_tests::{Scene, Tally, stock};

/// Bytes into the reply after which its stream goes wrong: in the middle of the call.
const MIDDLE: usize = 40;

fn kinds() -> Vec<(&'static str, Value)> {
    vec![
        ("429", json!({"http": {"status": 429}})),
        ("529", json!({"http": {"status": 529}})),
        ("500", json!({"http": {"status": 500}})),
        ("cut", json!({"cut": {"bytes": MIDDLE}})),
        ("garbled", json!({"garbled": {"bytes": MIDDLE}})),
        ("error event", json!({"error_event": {"bytes": MIDDLE}})),
        ("stall", json!({"stall": {"bytes": MIDDLE}})),
        ("drop", json!("drop")),
    ]
}

/// A turn that goes wrong while it says what must not be done.
fn faulty(fault: &Value) -> Value {
    let input = json!({"file_path": "{cwd}/half.txt", "content": "must never be written"});
    json!({"reply": [{"text": "I write now."}, {"tool": "Write", "input": input}], "fail": fault})
}

fn conversation() -> Vec<Value> {
    let edit = json!({"file_path": "{cwd}/a.txt", "old_string": "alpha", "new_string": "beta"});
    vec![
        json!({"reply": [{"text": "I look."}, {"tool": "Read", "input": {"file_path": "{cwd}/a.txt"}}]}),
        json!({"expect": {"tool_result": "alpha"}, "reply": [{"tool": "Edit", "input": edit}]}),
        json!({"reply": [{"tool": "Bash", "input": {"command": "echo ran >> log.txt"}}, {"tool": "Glob", "input": {"pattern": "*.txt"}}]}),
        json!({"expect": {"tool_result": "log.txt"}, "reply": [{"text": "All done."}]}),
    ]
}

fn scene(id: String, runs: &Value) -> Scene {
    let scene = json!({
        "id": id, "why": "a fault of the model's side costs nothing that was done",
        "wires": ["messages", "chat"], "files": {"a.txt": "alpha\n"}, "runs": runs,
    });
    serde_json::from_value(scene).expect("a scene")
}

/// With waits that a fault can end in, and no more repetitions than that needs.
fn run(arguments: &[&str], turns: &[Value], expect: &Value) -> Value {
    json!({
        "arguments": arguments, "turns": turns, "expect": expect,
        "model_options": {"idleTimeoutMs": 1_000, "answerTimeoutMs": 2_000, "maxRetries": 2, "outageMs": 200},
    })
}

fn done() -> Value {
    json!({
        "stdout": "All done.\n",
        "files": {"a.txt": "beta\n", "log.txt": "ran\n", "half.txt": null},
        "events": ["tool_finished Read success", "tool_finished Edit success", "tool_finished Bash success", "message All done.", "finished done"],
        "no_events": ["tool_started Write"],
    })
}

const BYPASS: [&str; 4] = ["-p", "do it", "--permission-mode", "bypassPermissions"];

#[test]
fn one_fault_on_the_way() {
    let binary = stock();
    let mut tally = Tally::default();
    for (kind, fault) in kinds() {
        for place in 0..conversation().len() {
            let mut turns = conversation();
            turns.insert(place, faulty(&fault));
            let scene = scene(format!("{kind} before turn {place}"), &json!([run(&BYPASS, &turns, &done())]));
            tally.add(kind, &scene.id, &scene.why, &scene.play(&binary));
        }
    }
    finish(&tally);
}

#[test]
fn a_fault_that_stays_ends_the_run_and_not_the_session() {
    let binary = stock();
    let mut tally = Tally::default();
    for (kind, fault) in kinds() {
        let mut rest = conversation();
        let mut turns = vec![rest.remove(0)];
        turns.extend(std::iter::repeat_n(faulty(&fault), 12));
        let ends = json!({
            "exit": 1, "stderr_has": ["\\S"], "stderr_lacks": ["panicked"], "files": {"half.txt": null},
            "events": ["tool_finished Read success", "finished failed"], "no_events": ["tool_started Write"],
            "any_turns_left": true,
        });
        let mut runs = json!([run(&BYPASS, &turns, &ends)]);
        let again = ["-c", "-p", "go on", "--permission-mode", "bypassPermissions"];
        runs.as_array_mut().expect("runs").push(run(&again, &rest, &done()));
        // The result that the script waits for came in the run before.
        runs[1]["turns"][0].as_object_mut().expect("a turn").remove("expect");
        let scene = scene(format!("{kind} for good"), &runs);
        tally.add(kind, &scene.id, &scene.why, &scene.play(&binary));
    }
    finish(&tally);
}

fn finish(tally: &Tally) {
    println!("{}", tally.report());
    assert!(tally.failures().is_empty(), "{}\n{}", tally.report(), tally.failures().join("\n"));
}
