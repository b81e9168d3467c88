//! Calls without a model, and hooks.

use std::sync::Arc;

use serde_json::json;
use toolwright_core::BoxFuture;
use toolwright_engine::event::ToolFinish;
use toolwright_permissions::{HookVerdict, Mode};
use toolwright_runtime::{AfterCall, BeforeCall, HookCall, Hooks};

use crate::bench::{Bench, block_on};

struct Rewriter;

impl Hooks for Rewriter {
    fn cares_about(&self, tool: &str) -> bool {
        tool == "Write"
    }

    fn before<'a>(&'a self, call: HookCall<'a>) -> BoxFuture<'a, BeforeCall> {
        let verdict = match call.input.get("forbidden") {
            Some(_) => HookVerdict::Deny("the hook says no".into()),
            None => HookVerdict::None,
        };
        let input = Some(json!({"rewritten": call.input}));
        Box::pin(async move { BeforeCall { verdict, input, ..BeforeCall::default() } })
    }

    fn after<'a>(&'a self, _: HookCall<'a>, _: &'a ToolFinish) -> BoxFuture<'a, AfterCall> {
        Box::pin(async { AfterCall { context: Some("the hook saw it".into()), ..AfterCall::default() } })
    }
}

#[test]
fn hooks_rewrite_deny_and_add() {
    let mut bench = Bench { hooks: Some(Arc::new(Rewriter)), ..Bench::default() };
    let script = json!([
        {"reply": [
            {"tool": "Write", "input": {"a": 1}, "id": "w"},
            {"tool": "Write", "input": {"forbidden": 1}, "id": "f"},
        ]},
        {"reply": [{"text": "done"}]},
    ]);
    let (agent, _) = bench.turn(script, "go");
    let lines = bench.recorder.lines();
    assert!(lines.contains(&"finished w Success {\"rewritten\":{\"a\":1}}".to_owned()), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("finished f Failure") && line.contains("not run")),
        "{lines:?}"
    );
    assert!(serde_json::to_string(&agent.state().messages).unwrap().contains("the hook saw it"));
}

#[test]
fn single_calls_go_the_same_way() {
    let mut bench = Bench { mode: Mode::Default, allow: vec!["Write", "Panic"], ..Bench::default() };
    let mut agent = bench.agent(json!([]));
    let cancel = bench.cancel.clone();
    let mut check = |tool: &str, expected: &str| {
        let outcome = block_on(agent.call(tool, json!({"x": 1}), &cancel)).unwrap();
        let text = outcome.result.answer[0].as_text().unwrap().to_owned();
        assert!(text.contains(expected), "{tool}: {text}");
    };
    check("Write", "{\"x\":1}");
    check("SlowWrite", "nobody can be asked");
    check("Panic", "panicked");
    check("Nothing", "no tool `Nothing`");
    check("", "the call names no tool");
}
