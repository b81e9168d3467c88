//! Subagents: several at once, refused, interrupted, and never with more rights than the agent that asks.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;
use toolwright_core::{ContextChange, Effects};
use toolwright_engine::event::{EventBody, SessionEvent};
use toolwright_engine::{AgentState, Ending, acceptable};
use toolwright_permissions::{Approval, Mode};
use toolwright_runtime::SessionStore;
use toolwright_services::ScriptedApprover;
use toolwright_testkit::{Behaviour, ProbeEvent};

use crate::bench::{Bench, interrupted, say, spawning, within};

fn bench() -> Bench {
    Bench { registry: spawning(), ..Bench::default() }
}

/// Every tool use of every agent has exactly one result, and each conversation is one a provider accepts.
fn whole(events: &[SessionEvent]) {
    let mut agents: BTreeMap<&str, Vec<&EventBody>> = BTreeMap::new();
    for event in events {
        agents.entry(&event.agent).or_default().push(&event.body);
    }
    for (agent, bodies) in agents {
        let mut results: BTreeMap<&str, u32> = BTreeMap::new();
        for body in &bodies {
            if let EventBody::ToolFinished { tool_use_id, .. } = body {
                *results.entry(tool_use_id).or_default() += 1;
            }
        }
        for body in &bodies {
            if let EventBody::Message { message, .. } = body {
                for (id, ..) in message.tool_uses() {
                    assert_eq!(results.get(id), Some(&1), "{agent}: {id}");
                }
            }
        }
        assert_eq!(acceptable(&AgentState::fold(bodies).messages), Ok(()), "{agent}");
    }
}

#[test]
fn several_at_once_each_in_a_conversation_of_its_own() {
    let script = json!([
        {"reply": [
            {"tool": "Spawn", "input": {"prompt": "first task"}, "id": "s1"},
            {"tool": "Spawn", "input": {"prompt": "second task"}, "id": "s2"},
        ]},
        {"expect": {"tool_result": "agent-s1 said: one (2 uses)"}, "reply": [{"text": "done"}]},
        {"when": {"first_user_text": "first task", "tool_result": "released"}, "reply": [{"text": "one"}]},
        {"when": {"first_user_text": "second task", "tool_result": "released"}, "reply": [{"text": "two"}]},
        {"when": {"first_user_text": "first task"}, "reply": [
            {"tool": "Wait", "input": {}, "id": "w"}, {"tool": "Denied", "input": {}, "id": "d"},
        ]},
        {"when": {"first_user_text": "second task"}, "reply": [{"tool": "Wait", "input": {}, "id": "w"}]},
    ]);
    let mut bench = bench();
    bench.tools = vec![bench.probes.tool("Denied", Effects::WRITES, Behaviour::Echo)];
    bench.deny = vec!["Denied(x:1)", "Denied"];
    let mut agent = bench.agent(script);
    agent.begin(vec![]).unwrap();
    let (probes, cancel) = (bench.probes.clone(), bench.cancel.clone());
    let report = within(async {
        let both = async {
            probes.until(|events| events.len() >= 2).await;
            probes.release();
        };
        tokio::join!(say(&mut agent, "go", &cancel), both).0.unwrap()
    });
    assert_eq!(report.text, "done", "{:?}", bench.recorder.lines());
    let events = bench.recorder.events();
    whole(&events);
    assert!(events.iter().all(|event| match event.agent.as_str() {
        "main" => event.parent_tool_use_id.is_none(),
        agent => event.parent_tool_use_id.as_deref() == agent.strip_prefix("agent-"),
    }));
    let progress = events.iter().find_map(|event| match &event.body {
        EventBody::ToolProgress { progress, .. } if event.agent == "main" => Some(progress.done),
        _ => None,
    });
    assert_eq!(progress, Some(1), "the parent's call says how far its subagent is");
}

#[test]
fn an_interrupt_reaches_the_calls_of_subagents_and_the_session_goes_on() {
    for tool in ["SlowWrite", "Deaf"] {
        let folder = tempfile::tempdir().unwrap();
        let store = SessionStore::new(folder.path());
        let mut bench = Bench { journal: Some(store.create().unwrap()), ..bench() };
        let script = json!([
            {"reply": [
                {"tool": "Spawn", "input": {"prompt": "first task"}, "id": "s1"},
                {"tool": "Spawn", "input": {"prompt": "second task"}, "id": "s2"},
                {"tool": "Write", "input": {}, "id": "never"},
            ]},
            {"when": {"first_user_text": "first task"}, "reply": [
                {"tool": tool, "input": {}, "id": "w"}, {"tool": "Write", "input": {}, "id": "x"},
            ]},
            {"when": {"first_user_text": "second task"}, "reply": [{"tool": "Wait", "input": {}, "id": "w"}]},
        ]);
        let mut agent = bench.agent(script);
        agent.begin(vec![]).unwrap();
        let report = interrupted(&mut bench, &mut agent, |events| {
            events.iter().filter(|event| matches!(event, ProbeEvent::Started(_))).count() == 2
        });
        assert_eq!(report.ending, Ending::Interrupted);
        let id = agent.session().id();
        drop(agent);
        let stored = store.open(&id).unwrap();
        whole(&stored.events);
        let child = bench.recorder.of("agent-s1");
        assert!(child.contains(&"finished x Failure Not run: interrupted.".to_owned()), "{tool}: {child:?}");
        assert!(child.contains(&"end interrupted".to_owned()), "{tool}: {child:?}");
        let parent = bench.recorder.of("main");
        let said = "finished s1 Failure The subagent was interrupted.";
        assert!(parent.iter().any(|line| line.starts_with(said)), "{tool}: {parent:?}");
        let mut again = Bench { journal: Some(stored.journal), ..self::bench() };
        let mut agent = again.agent(json!([{"reply": [{"text": "on"}]}]));
        agent.resume(&stored.events).unwrap();
        assert_eq!(within(say(&mut agent, "on", &again.cancel)).unwrap().text, "on");
    }
}

#[test]
fn calls_a_killed_subagent_left_open_are_closed_on_resume() {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::new(folder.path());
    let mut bench = Bench { journal: Some(store.create().unwrap()), ..bench() };
    let script = json!([
        {"reply": [{"tool": "Spawn", "input": {"prompt": "first task"}, "id": "s1"}]},
        {"reply": [{"text": "done"}]},
        {"when": {"first_user_text": "first task", "tool_result": "{"}, "reply": [{"text": "one"}]},
        {"when": {"first_user_text": "first task"}, "reply": [{"tool": "Write", "input": {}, "id": "w"}]},
    ]);
    let (agent, _) = bench.turn(script, "go");
    let id = agent.session().id();
    drop(agent);
    let path = folder.path().join(&id).join("session.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let kept: Vec<_> =
        text.split_inclusive('\n').take_while(|line| !line.contains("tool_finished")).collect();
    std::fs::write(&path, kept.concat()).unwrap();
    let stored = store.open(&id).unwrap();
    let mut again = Bench { journal: Some(stored.journal), ..self::bench() };
    let mut agent = again.agent(json!([]));
    agent.resume(&stored.events).unwrap();
    drop(agent);
    let events = store.open(&id).unwrap().events;
    whole(&events);
    assert!(again.recorder.of("agent-s1")[0].starts_with("finished w Failure Interrupted while it ran"));
}

#[test]
fn a_subagent_is_never_looser_than_its_parent() {
    let loosen = Behaviour::Change(vec![ContextChange::SetMode("bypassPermissions".into())]);
    let check = |mode: Mode, kind: &str, ends: &[&str], answers: Vec<Approval>| {
        let approver = Arc::new(ScriptedApprover::new(answers));
        let mut bench =
            Bench { mode, approver: Some(Arc::clone(&approver) as _), ask: vec!["Loosen"], ..bench() };
        bench.tools = vec![bench.probes.tool("Loosen", Effects::READ_ONLY_ALONE, loosen.clone())];
        let script = json!([
            {"reply": [{"tool": "Spawn", "input": {"prompt": "first task", "kind": kind}, "id": "s"}]},
            {"reply": [{"text": "done"}]},
            {"when": {"first_user_text": "first task", "tool_result": "e"}, "reply": [{"text": "one"}]},
            {"when": {"first_user_text": "first task"}, "reply": [
                {"tool": "Loosen", "input": {}, "id": "l"}, {"tool": "Write", "input": {}, "id": "w"},
            ]},
        ]);
        let (_, report) = bench.turn(script, "go");
        assert_eq!(report.text, "done", "{:?}", bench.recorder.lines());
        let lines = bench.recorder.of("agent-s");
        let found: Vec<_> = lines
            .iter()
            .filter(|line| line.starts_with("approval") || line.starts_with("finished"))
            .collect();
        assert_eq!(found.len(), ends.len(), "{mode}: {found:?}");
        assert!(found.iter().zip(ends).all(|(line, end)| line.starts_with(end)), "{mode}: {found:?}");
        assert!(bench.recorder.events().iter().all(|event| match &event.body {
            EventBody::ToolFinished { result, .. } if event.agent == "agent-s" => result.changes.is_empty(),
            _ => true,
        }));
    };
    let yes = || Approval::Allow { input: None, remember: vec![] };
    // Even what a person agreed to does not loosen it; the write is asked about as before.
    check(
        Mode::Default,
        "general-purpose",
        &["approval l true", "finished l Success", "approval w true", "finished w Success"],
        vec![yes(), yes()],
    );
    // A kind's own mode is a bound as well; the tools of that kind are all it has.
    check(
        Mode::BypassPermissions,
        "Explore",
        &["finished l Failure There is no tool", "finished w Failure There is no tool"],
        vec![],
    );
    // Where the parent asks nobody, its subagents ask nobody.
    check(
        Mode::DontAsk,
        "general-purpose",
        &["finished l Failure", "finished w Failure"],
        vec![yes(), yes()],
    );
}

#[test]
fn a_reader_of_a_parent_that_asks_nobody_asks_nobody() {
    let approver = Arc::new(ScriptedApprover::new([Approval::Allow { input: None, remember: vec![] }]));
    let mut bench = Bench {
        mode: Mode::DontAsk,
        approver: Some(Arc::clone(&approver) as _),
        ask: vec!["Grep"],
        ..bench()
    };
    bench.tools = vec![bench.probes.tool("Grep", Effects::READ_ONLY, Behaviour::Echo)];
    let script = json!([
        {"reply": [{"tool": "Spawn", "input": {"prompt": "first task", "kind": "Explore"}, "id": "s"}]},
        {"reply": [{"text": "done"}]},
        {"when": {"first_user_text": "first task", "tool_result": "e"}, "reply": [{"text": "one"}]},
        {"when": {"first_user_text": "first task"}, "reply": [{"tool": "Grep", "input": {}, "id": "g"}]},
    ]);
    bench.turn(script, "go");
    assert_eq!(approver.asked().len(), 0, "{:?}", bench.recorder.lines());
    assert!(bench.recorder.of("agent-s").iter().any(|line| line.starts_with("finished g Failure")));
}

#[test]
fn the_limit_of_requests_holds_for_each_agent_and_ends_none_without_an_answer() {
    let script = json!([
        {"reply": [{"tool": "Spawn", "input": {"prompt": "first task"}, "id": "s"}]},
        {"reply": [{"text": "done"}]},
        {"when": {"first_user_text": "first task"}, "reply": [{"text": "so far"}, {"tool": "Write", "input": {}, "id": "a"}]},
        {"when": {"first_user_text": "first task"}, "reply": [{"text": "so on"}, {"tool": "Write", "input": {}, "id": "b"}]},
    ]);
    let mut bench = Bench { requests: Some(2), ..bench() };
    let (agent, report) = bench.turn(script, "go");
    assert_eq!(report.ending, Ending::Done);
    let text = serde_json::to_string(&agent.state().messages).unwrap();
    assert!(text.contains("used up its requests") && text.contains("so on"), "{text}");
    whole(&bench.recorder.events());
}

#[test]
fn a_subagent_spawns_none_and_an_unknown_kind_is_named() {
    let script = json!([
        {"reply": [
            {"tool": "Spawn", "input": {"prompt": "first task"}, "id": "s"},
            {"tool": "Spawn", "input": {"prompt": "x", "kind": "Guess"}, "id": "k"},
            {"tool": "Spawn", "input": {"prompt": "x", "model": "none"}, "id": "m"},
        ]},
        {"reply": [{"text": "done"}]},
        {"when": {"first_user_text": "first task", "tool_result": "no tool"}, "reply": [{"text": "one"}]},
        {"when": {"first_user_text": "first task"}, "reply": [{"tool": "Spawn", "input": {}, "id": "n"}]},
    ]);
    let mut bench = bench();
    bench.turn(script, "go");
    let lines = bench.recorder.lines();
    for expected in [
        "finished n Failure There is no tool `Spawn`",
        "finished k Failure there is no subagent type `Guess`",
        "finished m Failure this host knows no model `none`",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(expected)), "{expected}: {lines:?}");
    }
}
