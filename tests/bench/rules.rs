//! Grep and Glob over the built binary on 20,000 files with up to 10,000 deny rules, beside the same without a rule, in rounds
//! of all. The goal is at most double.
#![expect(clippy::print_stdout, reason = "a bench prints its report")]

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwright_testkit::TempWorkspace;
use toolwright_tests::{
    Calls,
    bench::{median, milliseconds},
};

const FILES: usize = 20_000;
const ROUNDS: usize = 21;
const RULES: [usize; 5] = [0, 10, 100, 1_000, 10_000];

fn main() {
    let place = TempWorkspace::new();
    for file in 0..FILES {
        let text = format!("file {file}\n").repeat(1 + file % 60);
        place.write(format!("part{}/folder{}/file{file}.txt", file / 1_000, file / 100), text);
    }
    let homes = RULES.map(home);
    let mut programs = homes.each_ref().map(|home| Calls::start(place.path(), home.path(), &[]));
    let calls = [
        ("Grep, all files read", json!({"tool": "Grep", "input": {"pattern": "file 777\\b"}}), "file777.txt"),
        ("Grep by name", json!({"tool": "Grep", "input": {"pattern": "file", "glob": "*99.txt"}}), "99.txt"),
        ("Glob, all files", json!({"tool": "Glob", "input": {"pattern": "**/*"}}), ".txt"),
        ("Glob of a name", json!({"tool": "Glob", "input": {"pattern": "**/file777.txt"}}), "file777.txt"),
    ];
    for (name, call, part) in calls {
        let mut taken = RULES.map(|_| Vec::new());
        for round in 0..=ROUNDS {
            for (program, taken) in programs.iter_mut().zip(&mut taken) {
                let time = timed(program, &call, part);
                // The first round warms the cache, and rules are made ready in it.
                if round > 0 {
                    taken.push(time);
                }
            }
        }
        report(name, taken.map(median));
    }
}

/// A home whose settings deny so many paths, in the usual forms.
fn home(rules: usize) -> TempWorkspace {
    let deny: Vec<String> = (0..rules)
        .map(|rule| match rule % 4 {
            0 => format!("Read(./part{}/private{rule}/**)", rule % 20),
            1 => format!("Read(./keys/key{rule}.pem)"),
            2 => format!("Read(**/*.secret{rule})"),
            _ => format!("Read(**/hidden{rule}/**)"),
        })
        .collect();
    let home = TempWorkspace::new();
    home.write(".toolwright/settings.json", json!({"permissions": {"deny": deny}}).to_string());
    home
}

fn timed(program: &mut Calls, call: &Value, part: &str) -> Duration {
    let begun = Instant::now();
    let answer = program.call(call);
    let taken = begun.elapsed();
    assert!(answer["is_error"] == false && answer["content"].to_string().contains(part), "{answer}");
    taken
}

fn report(name: &str, taken: [Duration; RULES.len()]) {
    println!("{name}");
    let plain = taken.first().copied().unwrap_or_default();
    for (rules, taken) in RULES.iter().zip(taken) {
        let ratio = taken.as_secs_f64() / plain.as_secs_f64();
        println!("  {rules:>6} rules: {}, ratio {ratio:.2}", milliseconds(taken));
    }
}
