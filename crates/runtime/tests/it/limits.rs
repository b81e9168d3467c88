//! Much of everything: calls, progress, output; and what is stored of it.

use std::sync::Arc;

use serde_json::json;
use toolwright_core::{Cancel, Content, Definition, DynReply, Effects, Loading, Progress, Usage, tool_fn};
use toolwright_engine::event::EventBody;
use toolwright_engine::{Ending, acceptable};
use toolwright_model::{
    Abilities, Limits, Model, ModelError, ModelErrorKind, ModelStream, Request, Scripted,
};
use toolwright_runtime::{RuntimeError, SessionStore};

use crate::bench::{Bench, say, within};

#[test]
fn two_hundred_calls_in_one_message() {
    let calls: Vec<_> = (0..200)
        .map(|n| match n % 10 {
            9 => json!({"tool": "Write", "input": {"n": n}, "id": "same"}),
            _ => json!({"tool": "Echo", "input": {"n": n}, "id": ""}),
        })
        .collect();
    let mut bench = Bench::default();
    let mut agent = bench.agent(json!([{"reply": calls}, {"reply": [{"text": "done"}]}]));
    agent.begin(vec![]).unwrap();
    let report = within(say(&mut agent, "go", &bench.cancel)).unwrap();
    assert_eq!(report.ending, Ending::Done);
    let state = agent.state();
    assert_eq!(acceptable(&state.messages), Ok(()));
    let results: Vec<_> = state.messages[2].content.iter().map(|block| format!("{block:?}")).collect();
    assert_eq!(results.len(), 200);
    assert!(results.iter().enumerate().all(|(n, text)| text.contains(&format!("{{\\\"n\\\":{n}}}"))));
}

#[test]
fn a_flood_of_progress_is_thinned_and_ends_with_its_call() {
    let flood = tool_fn(
        Definition::new("Flood", "Floods."),
        Effects::READ_ONLY,
        |_: Arc<serde_json::Value>, cx| async move {
            for done in 0..100_000 {
                cx.report(Progress { done, ..Progress::default() });
            }
            Ok(DynReply::text("dry"))
        },
    );
    let mut bench = Bench { tools: vec![flood], ..Bench::default() };
    let script = json!([
        {"reply": [{"tool": "Flood", "input": {}, "id": "f"}, {"tool": "Flood", "input": {}, "id": "g"}]},
        {"reply": [{"text": "done"}]},
    ]);
    bench.turn(script, "go");
    let events = bench.recorder.events();
    let at = |id: &str| {
        events.iter().position(
            |event| matches!(&event.body, EventBody::ToolFinished { tool_use_id, .. } if tool_use_id == id),
        )
    };
    let mut shown = 0;
    for (index, event) in events.iter().enumerate() {
        if let EventBody::ToolProgress { tool_use_id, .. } = &event.body {
            shown += 1;
            assert!(Some(index) < at(tool_use_id), "progress after the end of {tool_use_id}");
        }
    }
    assert!(shown < 1_000, "{shown}");
}

#[test]
fn large_results_are_stored_and_each_message_has_the_whole_limit() {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::new(folder.path());
    let mut bench = Bench { journal: Some(store.create().unwrap()), ..Bench::default() };
    let sized = |length: usize| "x".repeat(length);
    let mut turns: Vec<_> =
        (0..12).map(|n| json!({"reply": [{"tool": "Echo", "input": {"text": sized(25_000 + n)}}]})).collect();
    turns.push(json!({"reply": [{"tool": "Echo", "input": {"text": sized(40_000)}, "id": "big"}]}));
    turns.push(json!({"reply": [{"text": "done"}]}));
    let (agent, report) = bench.turn(json!(turns), "go");
    assert_eq!(report.text, "done");
    let id = agent.session().id();
    drop(agent);
    let stored = store.open(&id).unwrap();
    let mut again = Bench { journal: Some(stored.journal), ..Bench::default() };
    let mut agent = again.agent(json!([]));
    agent.resume(&stored.events).unwrap();
    let files: Vec<_> =
        std::fs::read_dir(folder.path().join(&id).join("results")).unwrap().flatten().collect();
    assert_eq!(files.len(), 1, "only what is over its tool's own limit is stored");
    let text = serde_json::to_string(&agent.state().messages).unwrap();
    let path = files[0].path();
    assert!(text.contains(&*path.to_string_lossy()), "the resumed conversation names the file");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), json!({"text": sized(40_000)}).to_string());
}

#[test]
fn a_session_that_cannot_be_written_ends_and_what_runs_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::new(folder.path());
    let journal = store.create().unwrap();
    // The large result has no place to go to.
    std::fs::write(journal.folder().unwrap().join("results"), "in the way").unwrap();
    let mut bench = Bench { journal: Some(journal), ..Bench::default() };
    let script = json!([{"reply": [
        {"tool": "Wait", "input": {}, "id": "w"},
        {"tool": "Echo", "input": {"text": "x".repeat(40_000)}, "id": "big"},
    ]}]);
    let mut agent = bench.agent(script);
    agent.begin(vec![]).unwrap();
    let error = within(say(&mut agent, "go", &bench.cancel)).unwrap_err();
    assert!(matches!(error, RuntimeError::Storage { .. }), "{error}");
    let seen = bench.probes.events();
    assert!(
        seen.contains(&toolwright_testkit::ProbeEvent::Cancelled("w".into()))
            || !seen.contains(&toolwright_testkit::ProbeEvent::Started("w".into())),
        "{seen:?}"
    );
}

/// Refuses media, and is otherwise the scripted model.
struct NoPictures(Scripted, std::sync::Mutex<u32>);

impl Model for NoPictures {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn limits(&self) -> Limits {
        self.0.limits()
    }

    fn abilities(&self) -> Abilities {
        self.0.abilities()
    }

    fn stream(&self, request: Request<'_>, cancel: Cancel) -> ModelStream {
        if !serde_json::to_string(request.messages).unwrap().contains("\"media\"") {
            return self.0.stream(request, cancel);
        }
        *self.1.lock().unwrap() += 1;
        let error = ModelError::new(ModelErrorKind::MediaRefused, "the image cannot be read");
        Box::pin(futures_util::stream::once(std::future::ready(Err(error))))
    }
}

#[test]
fn media_that_a_model_refuses_is_sent_once() {
    let mut bench = Bench::default();
    let picture = || Content::Media { media_type: "image/png".into(), data: "AAAA".into() };
    bench.tools = vec![tool_fn(
        Definition::new("Picture", "Shows."),
        Effects::READ_ONLY,
        move |_: Arc<serde_json::Value>, _| async move {
            Ok(DynReply { answer: vec![picture()], ..DynReply::text("") })
        },
    )];
    let call = json!({"reply": [{"tool": "Picture", "input": {}}]});
    let script = json!([call, call, {"reply": [{"text": "done"}]}, {"reply": [{"text": "on"}]}]);
    let scripted = Scripted::new(script.to_string().parse().unwrap(), bench.workspace.path());
    let model = Arc::new(NoPictures(scripted, std::sync::Mutex::default()));
    bench.model = Some(Arc::clone(&model) as _);
    let (mut agent, report) = bench.turn(json!([]), "go");
    assert_eq!((report.ending, report.text.as_str()), (Ending::Done, "done"));
    assert_eq!(within(say(&mut agent, "more", &bench.cancel)).unwrap().text, "on");
    assert_eq!(*model.1.lock().unwrap(), 1);
    let kept = serde_json::to_string(&agent.state().messages).unwrap();
    assert_eq!(kept.matches("\"media\"").count(), 2, "the conversation keeps them");
}

#[test]
fn a_deferred_tool_answers_with_its_definition_and_runs_then() {
    let mut bench = Bench::default();
    let tool = |name: &str, loading: Loading| {
        let mut definition = Definition::new(name, format!("The words of {name}."));
        definition.loading = loading;
        definition.aliases = vec![format!("Old{name}")];
        tool_fn(definition, Effects::READ_ONLY, |input: Arc<serde_json::Value>, _| async move {
            Ok(DynReply::text(format!("ran {input}")))
        })
    };
    bench.tools = vec![tool("Late", Loading::Deferred), tool("ToolSearch", Loading::Always)];
    let call = |name: &str, id: &str| json!({"reply": [{"tool": name, "input": {"a": 1}, "id": id}]});
    let script = json!([
        call("Late", "first"),
        call("OldLate", "second"),
        call("OldToolSearch", "third"),
        {"reply": [{"text": "done"}]},
    ]);
    let (agent, _) = bench.turn(script, "go");
    let text = serde_json::to_string(&agent.state().messages).unwrap();
    assert!(text.contains("The words of Late"), "{text}");
    let lines = bench.recorder.lines();
    assert!(
        lines.iter().any(|line| line.starts_with("finished first Failure Late was not run")),
        "{lines:?}"
    );
    assert!(lines.contains(&"finished second Success ran {\"a\":1}".to_owned()), "{lines:?}");
    assert!(lines.contains(&"finished third Success ran {\"a\":1}".to_owned()), "{lines:?}");
    assert_eq!(agent.state().revealed, ["Late"]);
    assert_eq!(agent.state().usage, Usage::default());
}

#[test]
fn single_calls_leave_nothing_behind_and_have_ids_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::new(folder.path());
    let mut bench = Bench { journal: Some(store.create().unwrap()), ..Bench::default() };
    let mut agent = bench.agent(json!([
        {"reply": [{"tool": "Echo", "input": {"by": "model"}, "id": "call-1"}]},
        {"reply": [{"text": "done"}]},
    ]));
    agent.begin(vec![]).unwrap();
    within(agent.call("Echo", json!({"by": "host"}), &bench.cancel)).unwrap();
    let open = agent.state().clone();
    within(agent.call("Echo", json!({"by": "host"}), &bench.cancel)).unwrap();
    assert_eq!(format!("{open:?}").len() + "\"call-2\", ".len(), format!("{:?}", agent.state()).len());
    within(say(&mut agent, "go", &bench.cancel)).unwrap();
    let messages = serde_json::to_string(&agent.state().messages).unwrap();
    assert!(!messages.contains("host"), "{messages}");
    let id = agent.session().id();
    drop(agent);
    let stored = store.open(&id).unwrap();
    let mut again = Bench { journal: Some(stored.journal), ..Bench::default() };
    let mut agent = again.agent(json!([]));
    agent.resume(&stored.events).unwrap();
    within(agent.call("Echo", json!({}), &again.cancel)).unwrap();
    let ids: Vec<_> = again.recorder.lines();
    assert!(ids.iter().all(|line| line.contains("call-3")), "{ids:?}");
}

/// What a call of `Echo` answers is read as a preview: the characters of it.
fn answered(bench: &mut Bench, calls: &[serde_json::Value]) -> Vec<usize> {
    let script = json!([{"reply": calls}, {"reply": [{"text": "done"}]}]);
    let (agent, report) = bench.turn(script, "go");
    assert_eq!(report.text, "done");
    let state = agent.state();
    let results =
        state.messages.iter().flat_map(|message| &message.content).filter_map(|block| match block {
            toolwright_core::Block::ToolResult { content, .. } => Some(content),
            _ => None,
        });
    results
        .map(|content| content.iter().filter_map(Content::as_text).map(|text| text.chars().count()).sum())
        .collect()
}

#[test]
fn a_session_that_is_kept_nowhere_has_the_same_limits() {
    let mut bench = Bench::default();
    let call = json!({"tool": "Echo", "input": {"text": "x".repeat(1_000_000)}, "id": "big"});
    let read = answered(&mut bench, &[call]);
    assert!(read[0] < 4_000, "{read:?}");
}

#[test]
fn tools_that_bound_themselves_share_the_limit_of_a_message() {
    let mut definition = Definition::new("Long", "Answers at length.");
    definition.answer_limit = usize::MAX;
    let long = tool_fn(definition, Effects::READ_ONLY, |_: Arc<serde_json::Value>, _| async {
        Ok(DynReply::text("x".repeat(90_000)))
    });
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::new(folder.path());
    let mut bench = Bench { tools: vec![long], journal: Some(store.create().unwrap()), ..Bench::default() };
    let calls: Vec<_> =
        (0..20).map(|n| json!({"tool": "Long", "input": {"n": n}, "id": format!("c{n}")})).collect();
    let read = answered(&mut bench, &calls);
    assert_eq!(read.iter().filter(|length| **length == 90_000).count(), 1, "{read:?}");
    assert!(read.iter().sum::<usize>() < 200_000, "{read:?}");
}
