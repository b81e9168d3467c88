//! A conversation that is too long for its model goes on as a summary, on either wire: what was read may still be edited, what
//! is no longer shown is shown again, and the next run begins where this one ended.

use serde_json::{Value, json};
use toolwright_tests::{Scene, Tally, stock};

/// As large as a tail that would be kept is not.
const PADDING: &str = "Nothing of this line is needed for anything that follows.\n";

fn summary() -> Value {
    json!({
        "expect": {"last_user_text": "Call no tool", "tool": "Read"},
        "reply": [{"text": "Both files were read."}],
    })
}

fn play(id: &str, before: Vec<Value>) {
    let edit = json!({"file_path": "{cwd}/a.txt", "old_string": "alpha", "new_string": "beta"});
    let mut turns = before;
    turns.extend([
        json!({
            "expect": {"first_user_text": "Both files were read."},
            "reply": [{"tool": "Edit", "input": edit}, {"tool": "Read", "input": {"file_path": "{cwd}/b.txt"}}],
        }),
        json!({"expect": {"tool_result": "Nothing of this line"}, "reply": [{"text": "Done."}]}),
    ]);
    let options = json!({"contextTokens": 4_000, "maxRetries": 0});
    let runs = json!([
        {
            "arguments": ["-p", "go through the files", "--permission-mode", "bypassPermissions", "--output-format", "stream-json"],
            "turns": turns, "model_options": options,
            "expect": {
                "files": {"a.txt": "beta\n"},
                "events": ["tool_finished Read success", "tool_finished Read success", "compacted", "tool_finished Edit success", "tool_finished Read success", "finished done"],
                "stdout_lines": [{"type": "system", "subtype": "compact_boundary"}, {"type": "result", "subtype": "success"}],
                "request_has": ["The person's last words", "go through the files"],
                "request_lacks": ["Call no tool"],
            },
        },
        {
            "arguments": ["-c", "-p", "and now?"],
            "turns": [{"expect": {"first_user_text": "Both files were read.", "last_user_text": "and now?"}, "reply": [{"text": "Nothing."}]}],
            "model_options": options,
            "expect": {"stdout": "Nothing.\n"},
        },
    ]);
    let scene = json!({
        "id": id, "why": "a long conversation costs nothing that was done", "wires": ["messages", "chat"],
        "files": {"a.txt": "alpha\n", "b.txt": PADDING.repeat(40)}, "runs": runs,
    });
    let scene: Scene = serde_json::from_value(scene).expect("a scene");
    let mut tally = Tally::default();
    tally.add(id, &scene.id, &scene.why, &scene.play(&stock()));
    println!("{}", tally.report());
    assert!(tally.failures().is_empty(), "{}\n{}", tally.report(), tally.failures().join("\n"));
}

fn reads(tokens: u64) -> Value {
    let read = |name: &str| json!({"tool": "Read", "input": {"file_path": format!("{{cwd}}/{name}")}});
    json!({"reply": [read("a.txt"), read("b.txt")], "usage": {"input_tokens": tokens}})
}

#[test]
fn before_the_limit() {
    play("crowded", vec![reads(3_000), summary()]);
}

#[test]
fn when_the_vendor_says_so() {
    let full = json!({"reply": [], "fail": {"http": {"status": 413}}});
    play("full", vec![reads(100), full.clone(), full, summary()]);
}
