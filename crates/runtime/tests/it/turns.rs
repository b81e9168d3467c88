//! Whole turns: what is recorded, in which order, and how they end.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{BoxFuture, Effects};
use toolwright_engine::{Ending, acceptable};
use toolwright_permissions::{Approval, Mode, PermissionAsk};
use toolwright_services::{Approver, ScriptedApprover};
use toolwright_testkit::{Behaviour, ProbeEvent};

use crate::bench::{Bench, block_on, say};

fn check(script: Value, lines: &[&str]) {
    check_on(&mut Bench::default(), script, lines);
}

fn check_on(bench: &mut Bench, script: Value, lines: &[&str]) {
    let (agent, _) = bench.turn(script, "go");
    assert_eq!(bench.recorder.lines(), lines);
    assert_eq!(acceptable(&agent.state().messages), Ok(()));
}

#[test]
fn a_turn_without_calls() {
    check(json!([{"reply": [{"text": "hello"}]}]), &["prompt go", "message hello []", "end done"]);
}

#[test]
fn a_write_is_recorded_before_it_runs_and_answered_before_the_next_request() {
    check(
        json!([
            {"reply": [{"tool": "Write", "input": {"a": 1}, "id": "w"}]},
            {"expect": {"tool_result": "{\"a\":1}"}, "reply": [{"text": "done"}]},
        ]),
        &[
            "prompt go",
            "message  [Write:w]",
            "decision w allow",
            "started w",
            "finished w Success {\"a\":1}",
            "message done []",
            "end done",
        ],
    );
}

#[test]
fn what_fails_is_the_calls_own_error() {
    check(
        json!([
            {"reply": [
                {"tool": "Write", "raw": "{\"half", "id": "cut"},
                {"tool": "Wriet", "input": {}, "id": "name"},
                {"tool": "Fail", "input": {}, "id": "fail"},
                {"tool": "Write", "input": {}, "id": "between"},
                {"tool": "Panic", "input": {}, "id": "panic"},
            ]},
            {"reply": [{"text": "done"}]},
        ]),
        &[
            "prompt go",
            "message  [Write:cut Wriet:name Fail:fail Write:between Panic:panic]",
            "finished cut Failure Write was not run: its input was no whole JSON. The output l",
            "finished name Failure There is no tool `Wriet`. Did you mean `Write`?",
            "decision fail allow",
            "started fail",
            "finished fail Failure the probe failed",
            "decision between allow",
            "started between",
            "finished between Success {}",
            "decision panic allow",
            "started panic",
            "finished panic Failure Panic failed with a fault of its own (it panicked). What it ",
            "message done []",
            "end done",
        ],
    );
}

#[test]
fn an_id_that_was_used_gets_another() {
    let script = json!([
        {"reply": [{"tool": "Write", "input": {}, "id": "same"}, {"tool": "Write", "input": {}, "id": "same"}]},
        {"reply": [{"tool": "Write", "input": {}, "id": "same"}]},
        {"reply": [{"text": "done"}]},
    ]);
    let mut bench = Bench::default();
    let (agent, _) = bench.turn(script, "go");
    let messages: Vec<_> =
        bench.recorder.lines().into_iter().filter(|line| line.starts_with("message")).collect();
    assert_eq!(
        messages,
        ["message  [Write:same Write:same-2]", "message  [Write:same-3]", "message done []"]
    );
    assert_eq!(acceptable(&agent.state().messages), Ok(()));
}

#[test]
fn a_lost_stream_is_asked_for_whole_and_then_given_up() {
    let cut = json!({"reply": [{"text": "never whole"}], "fail": {"cut": {"bytes": 5}}});
    check(
        json!([cut, {"expect": {"delivery": "whole"}, "reply": [{"text": "whole"}]}]),
        &["prompt go", "message whole []", "end done"],
    );
    let (_, report) = Bench::default().turn(json!([cut, cut]), "go");
    assert!(matches!(report.ending, Ending::Failed(_)), "{report:?}");
}

#[test]
fn nothing_is_refused_quietly() {
    let script = json!([
        {"reply": [{"tool": "Write", "input": {}, "id": "w"}]},
        {"reply": [{"text": "done"}]},
    ]);
    let mut bench = Bench { mode: Mode::Default, ..Bench::default() };
    let (agent, report) = bench.turn(script.clone(), "go");
    assert_eq!(report.refusals.len(), 1);
    let text = serde_json::to_string(&agent.state().messages).unwrap();
    assert!(text.contains("nobody can be asked") && text.contains("rule `Write`"), "{text}");

    let approver =
        Arc::new(ScriptedApprover::new([Approval::Allow { input: Some(json!({"b": 2})), remember: vec![] }]));
    let mut bench = Bench { mode: Mode::Default, approver: Some(approver.clone()), ..Bench::default() };
    check_on(
        &mut bench,
        script.clone(),
        &[
            "prompt go",
            "message  [Write:w]",
            "decision w ask",
            "approval w true",
            "started w",
            "finished w Success {\"b\":2}",
            "message done []",
            "end done",
        ],
    );
    assert_eq!(approver.asked().len(), 1);

    let refusal = Approval::Refuse { message: "stop it".into(), interrupt: true };
    let mut bench = Bench {
        mode: Mode::Default,
        approver: Some(Arc::new(ScriptedApprover::new([refusal]))),
        ..Bench::default()
    };
    check_on(
        &mut bench,
        script,
        &[
            "prompt go",
            "message  [Write:w]",
            "decision w ask",
            "approval w false",
            "finished w Failure stop it",
            "end interrupted",
        ],
    );
}

#[test]
fn a_deny_rule_takes_the_tool_away() {
    let mut bench = Bench { deny: vec!["Write"], ..Bench::default() };
    let agent = bench.agent(json!([]));
    assert!(agent.pool().get("Write").is_none() && agent.pool().get("Echo").is_some());
}

#[test]
fn an_interrupt_answers_every_tool_use() {
    for (tool, answer) in [
        ("SlowWrite", "finished a Failure"),
        ("Deaf", "finished a Failure Interrupted; it did not stop in time"),
    ] {
        let script = json!([{"reply": [
            {"text": "I begin."},
            {"tool": tool, "input": {}, "id": "a"},
            {"tool": "Write", "input": {}, "id": "b"},
        ]}]);
        let mut bench = Bench::default();
        let mut agent = bench.agent(script);
        agent.begin(vec![]).unwrap();
        let (probes, cancel) = (bench.probes.clone(), bench.cancel.clone());
        let report = block_on(async {
            let stop = async {
                probes
                    .until(|events| events.iter().any(|event| matches!(event, ProbeEvent::Started(_))))
                    .await;
                cancel.cancel();
            };
            tokio::join!(say(&mut agent, "go", &cancel), stop).0.unwrap()
        });
        assert_eq!(report.ending, Ending::Interrupted);
        let lines = bench.recorder.lines();
        assert!(lines.iter().any(|line| line.starts_with(answer)), "{lines:?}");
        assert!(lines.iter().any(|line| line == "finished b Failure Not run: interrupted."), "{lines:?}");
        assert_eq!(acceptable(&agent.state().messages), Ok(()));
    }
}

#[test]
fn reads_run_beside_each_other_and_before_the_message_is_whole() {
    let script = json!([
        {"reply": [{"tool": "Wait", "input": {}, "id": "a"}, {"tool": "Wait", "input": {}, "id": "b"}, {"text": "and"}]},
        {"reply": [{"text": "done"}]},
    ]);
    let mut bench = Bench::default();
    let mut agent = bench.agent(script);
    agent.begin(vec![]).unwrap();
    let (probes, cancel) = (bench.probes.clone(), bench.cancel.clone());
    block_on(async {
        let let_go = async {
            // Both are on their way before either may end.
            probes.until(|events| events.len() >= 2).await;
            probes.release();
        };
        tokio::join!(say(&mut agent, "go", &cancel), let_go).0.unwrap()
    });
    let results =
        agent.state().messages[2].content.iter().map(|block| format!("{block:?}")).collect::<Vec<_>>();
    assert!(results[0].contains("\"a\"") && results[1].contains("\"b\""), "{results:?}");
}

#[test]
fn the_limit_of_requests_ends_a_turn_with_everything_answered() {
    let call = json!({"reply": [{"tool": "Echo", "input": {}, "id": "e"}]});
    let mut bench = Bench { requests: Some(2), ..Bench::default() };
    let (agent, report) = bench.turn(json!([call, call, call]), "go");
    assert_eq!((report.ending, report.requests), (Ending::MaxRequests, 2));
    assert_eq!(acceptable(&agent.state().messages), Ok(()));
}

/// A person who takes their time, and allows the tool for good.
#[derive(Default)]
struct Slowly(std::sync::atomic::AtomicU32);

impl Approver for Slowly {
    fn approve<'a>(&'a self, ask: &'a PermissionAsk) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            // The other questions come up meanwhile.
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            Approval::Allow { input: None, remember: vec![ask.tool.clone()] }
        })
    }
}

#[test]
fn what_a_person_allowed_meanwhile_is_not_asked_again() {
    let approver = Arc::new(Slowly::default());
    let mut bench = Bench { mode: Mode::Default, approver: Some(approver.clone()), ..Bench::default() };
    // Beside others and not harmless by itself: three questions wait for one person.
    bench.tools = vec![bench.probes.tool("Fetch", Effects::READ_ONLY, Behaviour::Echo)];
    let uses: Vec<_> =
        ["a", "b", "c"].iter().map(|id| json!({"tool": "Fetch", "input": {}, "id": id})).collect();
    let (_, report) = bench.turn(json!([{"reply": uses}, {"reply": [{"text": "done"}]}]), "go");
    assert_eq!(report.refusals, []);
    let lines = bench.recorder.lines();
    assert_eq!(lines.iter().filter(|line| line.contains("Success")).count(), 3, "{lines:?}");
    assert_eq!(approver.0.load(std::sync::atomic::Ordering::Relaxed), 1, "{lines:?}");
}

#[test]
fn a_turn_that_failed_does_not_repeat_the_answer_before() {
    let mut bench = Bench::default();
    let script =
        json!([{"reply": [{"text": "the first answer"}]}, {"reply": [], "fail": {"error": "overloaded"}}]);
    let (mut agent, report) = bench.turn(script, "go");
    assert_eq!(report.text, "the first answer");
    let report = block_on(say(&mut agent, "again", &bench.cancel)).unwrap();
    assert!(matches!(report.ending, Ending::Failed(_)), "{report:?}");
    assert_eq!(report.text, "");
}
