//! The running agent against the one its journal makes: the same state, and the same bytes to the model.

use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolwright_core::{
    Cancel, ContextChange, Definition, DynReply, DynTool, Effects, Loading, Message, tool_fn,
};
use toolwright_engine::AgentState;
use toolwright_model::{Abilities, Limits, Model, ModelStream, Request, Scripted};
use toolwright_permissions::{Approval, Mode};
use toolwright_runtime::SessionStore;
use toolwright_services::ScriptedApprover;
use toolwright_testkit::Behaviour;

use crate::bench::{Bench, say, within};

/// The scripted model, with what it was sent.
struct Recording {
    scripted: Scripted,
    sent: Mutex<Vec<String>>,
    references: bool,
}

impl Recording {
    fn new(script: &Value, cwd: &Path, references: bool) -> Arc<Self> {
        let scripted = Scripted::new(script.to_string().parse().unwrap(), cwd);
        Arc::new(Self { scripted, sent: Mutex::default(), references })
    }

    fn last(&self) -> String {
        self.sent.lock().unwrap().last().unwrap().clone()
    }
}

impl Model for Recording {
    fn name(&self) -> &str {
        self.scripted.name()
    }

    fn limits(&self) -> Limits {
        self.scripted.limits()
    }

    fn abilities(&self) -> Abilities {
        if self.references { self.scripted.abilities() } else { Abilities::TEXT }
    }

    fn stream(&self, request: Request<'_>, cancel: Cancel) -> ModelStream {
        let messages = serde_json::to_string_pretty(request.messages).unwrap();
        let tools: Vec<_> = request
            .tools
            .iter()
            .map(|tool| {
                format!("{} {} {}", tool.definition.name, tool.deferred, tool.definition.input_schema)
            })
            .collect();
        let text =
            format!("{:?}\n{}\n{}\n{messages}", request.system, tools.join("\n"), request.built_in_tools);
        self.sent.lock().unwrap().push(text);
        self.scripted.stream(request, cancel)
    }
}

fn deferred(name: &str) -> Arc<dyn DynTool> {
    let mut definition = Definition::new(name, format!("The words of {name}."));
    definition.loading = Loading::Deferred;
    definition.aliases = vec![format!("Old{name}")];
    tool_fn(definition, Effects::READ_ONLY, |_: Arc<Value>, _| async { Ok(DynReply::text("late")) })
}

/// A bench whose tools change everything that can be changed.
fn bench(workspace: &Path) -> Bench {
    let mut bench = Bench { mode: Mode::Default, ..Bench::default() };
    let probes = bench.probes.clone();
    let change = |name: &str, effects: Effects, changes: Vec<ContextChange>| {
        probes.tool(name, effects, Behaviour::Change(changes))
    };
    let added = |id: &str| ContextChange::AddMessages(vec![Message::user(id, format!("added {id}"))]);
    bench.tools = vec![
        change("Move", Effects::WRITES, vec![ContextChange::SetCwd(workspace.join("sub"))]),
        change(
            "Reveal",
            Effects::READ_ONLY,
            vec![ContextChange::RevealTools(vec!["OldZeta".into(), "Nobody".into()])],
        ),
        change("Add", Effects::READ_ONLY, vec![added("one"), added("two")]),
        change("Mode", Effects::WRITES, vec![ContextChange::SetMode("acceptEdits".into()), added("three")]),
        deferred("Alpha"),
        deferred("Zeta"),
        change("ToolSearch", Effects::READ_ONLY, vec![]),
        tool_fn(
            Definition::new("Where", "Says."),
            Effects::READ_ONLY,
            |_: Arc<Value>, cx: toolwright_core::ToolContext| async move {
                Ok(DynReply::text(cx.cwd.display().to_string()))
            },
        ),
    ];
    bench.allow = vec!["Move", "Reveal", "Add", "Alpha", "Zeta", "Where"];
    bench
}

fn check(turn: &Value, references: bool) {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::new(folder.path());
    let workspace = tempfile::tempdir().unwrap();
    std::fs::create_dir(workspace.path().join("sub")).unwrap();
    let answers = || (0..4).map(|_| Approval::Allow { input: None, remember: vec!["Write".into()] });
    let mut live = bench(workspace.path());
    live.journal = Some(store.create().unwrap());
    live.approver = Some(Arc::new(ScriptedApprover::new(answers())));
    let mut script = turn.as_array().unwrap().clone();
    script.push(json!({"reply": [{"text": "done"}]}));
    let next = json!([
        {"reply": [{"tool": "Where", "input": {}, "id": "where"}, {"tool": "Write", "input": {}, "id": "remembered"}]},
        {"reply": [{"text": "done"}]},
    ]);
    script.extend(next.as_array().unwrap().clone());
    let model = Recording::new(&json!(script), live.workspace.path(), references);
    live.model = Some(Arc::clone(&model) as _);
    let mut agent = live.agent(json!([]));
    agent.begin(vec!["system".into()]).unwrap();
    within(say(&mut agent, "first", &live.cancel)).unwrap();
    let id = agent.session().id();
    let copy = tempfile::tempdir().unwrap();
    std::fs::create_dir(copy.path().join(&id)).unwrap();
    let journal = |root: &Path| root.join(&id).join("session.jsonl");
    std::fs::copy(journal(folder.path()), journal(copy.path())).unwrap();
    let state = agent.state().clone();
    within(say(&mut agent, "second", &live.cancel)).unwrap();
    let wanted = model.last();

    let store = SessionStore::new(copy.path());
    let stored = store.open(&id).unwrap();
    assert_eq!(stored.warnings, Vec::<String>::new());
    let folded = AgentState::fold(stored.events.iter().map(|event| &event.body));
    assert_eq!(folded, state, "the running state is the fold of its events");
    let mut resumed = bench(workspace.path());
    resumed.journal = Some(stored.journal);
    resumed.approver = Some(Arc::new(ScriptedApprover::new(answers())));
    resumed.mode = state.mode.parse().unwrap();
    let model = Recording::new(&next, live.workspace.path(), references);
    resumed.model = Some(Arc::clone(&model) as _);
    let mut again = resumed.agent(json!([]));
    assert_eq!(again.resume(&stored.events).unwrap(), Vec::<String>::new());
    within(say(&mut again, "second", &resumed.cancel)).unwrap();
    assert_eq!(model.last(), wanted);
    let names = |agent: &toolwright_runtime::Agent| {
        agent.pool().visible().map(|entry| entry.definition().name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&again), names(&agent));
}

#[test]
fn a_resumed_agent_sends_what_the_running_one_would_have_sent() {
    let calls = |uses: &[(&str, &str)]| {
        let uses: Vec<_> =
            uses.iter().map(|(tool, id)| json!({"tool": tool, "input": {}, "id": id})).collect();
        json!({"reply": uses})
    };
    for references in [true, false] {
        check(&json!([calls(&[("Move", "m"), ("Where", "w")])]), references);
        check(
            &json!([calls(&[("Reveal", "r"), ("Alpha", "a")]), calls(&[("Zeta", "z"), ("Alpha", "b")])]),
            references,
        );
        check(&json!([calls(&[("Add", "a"), ("Mode", "m"), ("Add", "b"), ("Where", "c")])]), references);
        check(
            &json!([
                calls(&[("Write", "asked"), ("Nobody", "n"), ("Add", "a")]),
                calls(&[("Write", "asked")])
            ]),
            references,
        );
        let cut = |blocks: u32| {
            json!({"reply": [
                {"tool": "Reveal", "input": {}, "id": "early"}, {"tool": "Add", "input": {}, "id": "also"}, {"text": "x"},
            ], "fail": {"cut": {"blocks": blocks}}})
        };
        check(&json!([cut(2), calls(&[("Add", "early"), ("Reveal", "also")])]), references);
        check(
            &json!([{"reply": [{"thinking": "hm", "signature": "s"}, {"tool": "Write", "raw": "{\"half", "id": "h"}]}]),
            references,
        );
    }
}
