//! A Bash call, as an agent makes it, beside the same text that bash is started with: both from this process, in turn.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use toolwright_core::{Cancel, Environment, Outcome, Registry, Services};
use toolwright_model::scripted::{Script, Scripted};
use toolwright_permissions::Mode;
use toolwright_runtime::{Agent, AgentOptions, Session, SessionOptions, SessionRoots};
use toolwright_services::WorkingFolders;
use toolwright_testkit::TempWorkspace;
use toolwright_tests::bench::{median, milliseconds};

/// How often each runs.
const ROUNDS: usize = 300;

/// Texts that run unasked, and what a call may be beside the bare text: nothing, and what takes about 10 ms. Bash makes room for its
/// output at the first thing it prints, which takes half a millisecond behind so many words; the report of the folder is such a
/// thing where the text prints nothing.
const TEXTS: [(&str, &str, &str); 4] = [
    ("true", "true", "0.6 ms more"),
    ("loop", "for i in {1..7000}; do :; done", "ratio 1.10"),
    ("printing", "for i in {1..2500}; do echo $i; done", "ratio 1.10"),
    ("programs", "seq 1 2000 | sort -r | uniq | wc -l; seq 1 500 | sort | head -3", "ratio 1.10"),
];

/// Measures all.
pub(crate) fn report() {
    let workspace = TempWorkspace::new();
    let variables = variables();
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    println!(
        "\n{:<8} {:>10} {:>10} {:>10} {:>7} {:>10}  {:<12} median of {ROUNDS}; baseline: bash started with the text",
        "", "baseline", "a call", "more", "ratio", "quickest", "limit"
    );
    for (name, text, limit) in TEXTS {
        let mut agent = agent(&workspace, &variables);
        let (mut bare, mut called) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS + 10 {
            let begun = Instant::now();
            bash(text, &workspace);
            let without = begun.elapsed();
            let begun = Instant::now();
            call(text, &mut agent, &runtime);
            let with = begun.elapsed();
            // The first of both find nothing in memory.
            if round >= 10 {
                bare.push(without);
                called.push(with);
            }
        }
        println!("{}  {limit}", row(name, bare, called));
    }
}

/// What both are given: the bare one inherits it, because a changed `PATH` makes the standard library fork.
fn variables() -> BTreeMap<String, String> {
    #[expect(clippy::disallowed_methods, reason = "a bench runs with what whoever starts it has")]
    std::env::vars().collect()
}

fn agent(workspace: &TempWorkspace, variables: &BTreeMap<String, String>) -> Agent {
    let mut services = Services::new(Arc::new(Environment::new(variables.clone(), Default::default())));
    services.offer::<dyn WorkingFolders>(Arc::new(vec![workspace.path().to_path_buf()]));
    let registry = Registry::of(&[toolwright_tool_bash::REGISTRATION]).expect("one tool");
    let session = Session::new(SessionOptions::new(registry, SessionRoots::at(workspace.path())));
    let script: Script = "{\"turns\": []}".parse().expect("a script");
    let model = Arc::new(Scripted::new(script, workspace.path()));
    Agent::new(session, AgentOptions::main(services, model, Mode::Default, workspace.path().into()))
}

fn call(text: &str, agent: &mut Agent, runtime: &Runtime) {
    let called = runtime.block_on(agent.call("Bash", json!({"command": text}), &Cancel::default()));
    let result = called.expect("a call has an answer").result;
    assert!(matches!(result.outcome, Outcome::Success), "{:?}", result.answer);
}

/// The medians, and how many times as long the quickest call took as the quickest without.
fn row(name: &str, bare: Vec<Duration>, called: Vec<Duration>) -> String {
    let least = |taken: &[Duration]| taken.iter().min().copied().unwrap_or_default().as_secs_f64();
    let quickest = least(&called) / least(&bare);
    let (bare, called) = (median(bare), median(called));
    let more = called.saturating_sub(bare);
    let ratio = called.as_secs_f64() / bare.as_secs_f64();
    let [bare, called, more] = [bare, called, more].map(milliseconds);
    format!("{name:<8} {bare:>10} {called:>10} {more:>10} {ratio:>7.2} {quickest:>10.2}")
}

#[expect(clippy::disallowed_methods, reason = "a bench starts what it compares with")]
fn bash(text: &str, workspace: &TempWorkspace) {
    let mut command = Command::new("bash");
    command.args(["--norc", "--noprofile", "-c", text]).current_dir(workspace.path());
    command.stdin(Stdio::null()).output().expect("bash runs");
}
