//! A model that makes one call again and again: somebody is asked, and a run that nobody watches ends.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::BoxFuture;
use toolwright_engine::event::ToolFinish;
use toolwright_engine::{Ending, acceptable};
use toolwright_permissions::{Approval, Mode};
use toolwright_runtime::{AfterCall, BeforeCall, HookCall, Hooks};
use toolwright_services::ScriptedApprover;

use crate::bench::Bench;

/// A model that makes these calls, one a message, and is done then.
fn script(calls: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let mut script: Vec<Value> = calls
        .into_iter()
        .enumerate()
        .map(|(number, (tool, input))| json!({"reply": [{"tool": tool, "input": input, "id": format!("c{number}")}]}))
        .collect();
    script.push(json!({"reply": [{"text": "done"}]}));
    Value::Array(script)
}

fn same(tool: &'static str, times: usize) -> Value {
    script(std::iter::repeat_n((tool, json!({"a": 1})), times))
}

/// How it ended, how many calls ran well, and how often somebody was asked.
fn check(answers: Option<Vec<Approval>>, script: Value, ending: &Ending, ran: usize, asked: usize) {
    check_in(Mode::BypassPermissions, answers, script, ending, ran, asked);
}

fn check_in(
    mode: Mode,
    answers: Option<Vec<Approval>>,
    script: Value,
    ending: &Ending,
    ran: usize,
    asked: usize,
) {
    let approver = answers.map(|answers| Arc::new(ScriptedApprover::new(answers)));
    let mut bench = Bench { mode, allow: vec!["Echo"], deny: vec!["Write(a:1)"], ..Bench::default() };
    bench.approver = approver.clone().map(|approver| approver as _);
    let (agent, report) = bench.turn(script, "go");
    let lines = bench.recorder.lines();
    assert_eq!(&report.ending, ending, "{lines:#?}");
    let well = lines.iter().filter(|line| line.starts_with("finished") && line.contains("Success")).count();
    assert_eq!(well, ran, "{lines:#?}");
    let asks = approver.map(|approver| approver.asked()).unwrap_or_default();
    assert_eq!(asks.len(), asked);
    assert!(asks.iter().all(|ask| ask.reason.contains("10 times in a row")), "{asks:?}");
    assert_eq!(acceptable(&agent.state().messages), Ok(()));
}

#[test]
fn a_run_that_nobody_watches_ends() {
    check(None, same("Echo", 10), &Ending::Done, 10, 0);
    check(None, same("Echo", 30), &Ending::Repeating, 10, 0);
    // What is refused, unknown or denied each time is no better.
    check(None, same("Write", 30), &Ending::Repeating, 0, 0);
    check(None, same("NoSuchTool", 30), &Ending::Repeating, 0, 0);
}

#[test]
fn a_person_is_asked() {
    let allow = || Approval::Allow { input: None, remember: Vec::new() };
    check(Some(vec![allow()]), same("Echo", 20), &Ending::Done, 20, 1);
    check(Some(vec![allow(), allow()]), same("Echo", 25), &Ending::Done, 25, 2);
    check(Some(vec![Approval::refuse("try another way")]), same("Echo", 11), &Ending::Done, 10, 1);
    let stop = Approval::Refuse { message: "no".into(), interrupt: true };
    check(Some(vec![stop]), same("Echo", 30), &Ending::Interrupted, 10, 1);
}

#[test]
fn what_no_person_can_settle_ends_the_run() {
    // A deny rule, a name that is no tool, and a mode in which nobody is asked.
    check(Some(Vec::new()), same("Write", 30), &Ending::Repeating, 0, 0);
    check(Some(Vec::new()), same("NoSuchTool", 30), &Ending::Repeating, 0, 0);
    check_in(Mode::DontAsk, Some(Vec::new()), same("Echo", 30), &Ending::Repeating, 10, 0);
}

#[test]
fn other_calls_between_are_progress() {
    let calls = (0..40).map(|n| ("Echo", json!({"a": n / 9})));
    check(None, script(calls), &Ending::Done, 40, 0);
    let calls = (0..40).map(|n| ("Echo", json!({"a": n % 2})));
    check(None, script(calls), &Ending::Done, 40, 0);
}

/// Rewrites every input.
struct Rewriting;

impl Hooks for Rewriting {
    fn cares_about(&self, _: &str) -> bool {
        true
    }

    fn before<'a>(&'a self, _: HookCall<'a>) -> BoxFuture<'a, BeforeCall> {
        Box::pin(async { BeforeCall { input: Some(json!({"rewritten": 1})), ..BeforeCall::default() } })
    }

    fn after<'a>(&'a self, _: HookCall<'a>, _: &'a ToolFinish) -> BoxFuture<'a, AfterCall> {
        Box::pin(async { AfterCall::default() })
    }
}

#[test]
fn a_call_is_the_same_whatever_hooks_make_of_its_input() {
    let mut bench = Bench { hooks: Some(Arc::new(Rewriting)), ..Bench::default() };
    let (_, report) = bench.turn(same("Echo", 30), "go");
    assert_eq!(report.ending, Ending::Repeating);
}
