//! A Bash call of the built binary beside the same text that bash is started with, in turn.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use toolwright_testkit::TempWorkspace;
use toolwright_tests::Calls;
use toolwright_tests::bench::{median, milliseconds};

/// How often each runs.
const ROUNDS: usize = 300;

/// Texts that run unasked, and what a call may be beside the bare text: nothing, and what takes about 10 ms.
const TEXTS: [(&str, &str, &str); 2] =
    [("true", "true", "0.6 ms more"), ("10 ms", "for i in {1..7000}; do :; done", "ratio 1.10")];

/// Measures all.
pub(crate) fn report() {
    let workspace = TempWorkspace::new();
    let mut calls = Calls::start_deciding(workspace.path(), workspace.path());
    println!(
        "\nAn answer alone, to a call of no tool: {}\n\n{:<8} {:>10} {:>10} {:>10} {:>7}  {:<12} median of {ROUNDS}; baseline: bash started with the text",
        milliseconds(answer_alone(&mut calls)),
        "",
        "baseline",
        "a call",
        "more",
        "ratio",
        "limit"
    );
    for (name, text, limit) in TEXTS {
        let call = json!({"tool": "Bash", "input": {"command": text}});
        let (mut bare, mut called) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS + 10 {
            let begun = Instant::now();
            bash(text, &workspace);
            let without = begun.elapsed();
            let begun = Instant::now();
            let answer = calls.call(&call);
            let with = begun.elapsed();
            assert!(answer["is_error"] == json!(false), "{answer}");
            // The first of both find nothing in memory.
            if round >= 10 {
                bare.push(without);
                called.push(with);
            }
        }
        let (bare, called) = (median(bare), median(called));
        println!("{}  {limit}", row(name, bare, called));
    }
}

/// What the way to the binary and back takes, which is in every call below.
fn answer_alone(calls: &mut Calls) -> Duration {
    let none = json!({"tool": "None", "input": {}});
    let timed = |calls: &mut Calls| {
        let begun = Instant::now();
        calls.call(&none);
        begun.elapsed()
    };
    median((0..ROUNDS).map(|_| timed(calls)).collect())
}

fn row(name: &str, bare: Duration, called: Duration) -> String {
    let more = called.saturating_sub(bare);
    let ratio = called.as_secs_f64() / bare.as_secs_f64();
    let [bare, called, more] = [bare, called, more].map(milliseconds);
    format!("{name:<8} {bare:>10} {called:>10} {more:>10} {ratio:>7.2}")
}

#[expect(clippy::disallowed_methods, reason = "a bench starts what it compares with")]
fn bash(text: &str, workspace: &TempWorkspace) {
    let mut command = Command::new("bash");
    command.args(["--norc", "--noprofile", "-c", text]).current_dir(workspace.path());
    command.stdin(Stdio::null()).output().expect("bash runs");
}
