//! What is left on the disk, and going on from it.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{Definition, DynReply, Effects, tool_fn};
use toolwright_engine::event::EventBody;
use toolwright_engine::{AgentState, Ending, RepairOptions, acceptable, repair};
use toolwright_runtime::{RuntimeError, SessionStore};

use crate::bench::{Bench, block_on, say};

/// A session with a write in it, on the disk. Gives its id.
fn held(store: &SessionStore, bench: &mut Bench) -> String {
    let journal = store.create().unwrap();
    let id = journal.id().to_owned();
    bench.journal = Some(journal);
    let script = json!([
        {"reply": [{"tool": "Write", "input": {"a": 1}, "id": "w"}]},
        {"reply": [{"text": "done"}]},
    ]);
    bench.turn(script, "first");
    id
}

#[test]
fn wherever_a_session_was_cut_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::new(folder.path());
    let mut bench = Bench::default();
    let id = held(&store, &mut bench);
    let path = folder.path().join(&id).join("session.jsonl");
    let whole = std::fs::read(&path).unwrap();
    // Around every end of a line, and in the middle of all else.
    let ends = whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(index, _)| index);
    let mut lengths: Vec<_> = ends.flat_map(|end| [end - 1, end, end + 1]).collect();
    lengths.extend((0..whole.len()).step_by(23));
    for length in lengths {
        std::fs::write(&path, &whole[..length]).unwrap();
        // Without a whole line there is nothing to go on with.
        let stored = match store.open(&id) {
            Ok(stored) => stored,
            Err(RuntimeError::NothingStored { .. }) if !whole[..length + 1].contains(&b'\n') => continue,
            Err(error) => panic!("cut at {length}: {error}"),
        };
        let recorded = stored.events.len();
        let mut bench = Bench { journal: Some(stored.journal), ..Bench::default() };
        let mut agent = bench.agent(json!([{"reply": [{"text": "again"}]}]));
        assert_eq!(agent.resume(&stored.events).unwrap(), Vec::<String>::new(), "cut at {length}");
        if agent.state().system_prompt.is_empty() {
            agent.begin(vec!["system".into()]).unwrap();
        }
        let cancel = bench.cancel.clone();
        block_on(say(&mut agent, "second", &cancel)).unwrap();
        let sent = repair(&agent.state().messages, &RepairOptions::default()).into_owned();
        assert_eq!(acceptable(&sent), Ok(()), "cut at {length}");
        assert_eq!(agent.state().system_prompt, ["system"], "cut at {length}");
        drop(agent);
        let again = store.open(&id).unwrap();
        assert_eq!(again.events[..recorded], stored.events[..], "nothing recorded is lost, cut at {length}");
        let started =
            again.events.iter().filter(|event| matches!(event.body, EventBody::ToolStarted { .. })).count();
        let finished =
            again.events.iter().filter(|event| matches!(event.body, EventBody::ToolFinished { .. })).count();
        assert!(finished >= started, "cut at {length}");
        let order: Vec<_> = again.events.iter().map(|event| event.seq).collect();
        assert!(order.is_sorted(), "cut at {length}: {order:?}");
    }
}

#[test]
fn a_resumed_session_sends_the_same_conversation() {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::new(folder.path());
    let mut bench = Bench::default();
    let id = held(&store, &mut bench);
    let stored = store.open(&id).unwrap();
    let mut other = Bench { journal: Some(stored.journal), ..Bench::default() };
    let mut agent = other.agent(json!([]));
    let warnings = agent.resume(&stored.events).unwrap();
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!(agent.state().system_prompt, ["system"]);
    let texts: Vec<_> = agent.state().messages.iter().map(toolwright_core::Message::text).collect();
    assert_eq!(texts, ["first", "", "", "done"]);
}

/// A call's input as the model writes it, this many levels deep.
fn nested(levels: usize) -> String {
    format!("{{\"x\":{}{}}}", "[".repeat(levels - 1), "]".repeat(levels - 1))
}

#[test]
fn a_deeply_nested_input_is_refused_where_it_could_not_be_read_back() {
    let check = |levels: usize, runs: bool| {
        let folder = tempfile::tempdir().unwrap();
        let store = SessionStore::new(folder.path());
        let journal = store.create().unwrap();
        let id = journal.id().to_owned();
        let mut bench = Bench { journal: Some(journal), ..Bench::default() };
        let (agent, _) = bench.turn(
            json!([
                {"reply": [{"tool": "Write", "raw": nested(levels), "id": "w"}]},
                {"reply": [{"text": "done"}]},
            ]),
            "go",
        );
        let lines = bench.recorder.lines();
        assert_eq!(lines.contains(&"started w".to_owned()), runs, "{levels}: {lines:?}");
        let refused = lines.iter().any(|line| line.contains("nested more than 100 levels"));
        assert_eq!(refused, !runs, "{levels}: {lines:?}");
        let messages = agent.state().messages.clone();
        drop(agent);
        let stored = store.open(&id).unwrap();
        assert_eq!(stored.warnings, Vec::<String>::new(), "{levels}");
        let state = AgentState::fold(stored.events.iter().map(|event| &event.body));
        assert_eq!(state.messages, messages, "{levels}");
    };
    for levels in [2, 99, 100] {
        check(levels, true);
    }
    for levels in [101, 121, 122, 126, 127, 128, 500] {
        check(levels, false);
    }
}

#[test]
fn what_else_is_nested_too_deeply_spoils_no_line() {
    let deep = || serde_json::from_str::<Value>(&nested(120)).unwrap();
    let tool =
        tool_fn(Definition::new("Deep", "Deep."), Effects::READ_ONLY, move |_: Arc<Value>, _| async move {
            Ok(DynReply { output: deep(), ..DynReply::text("the answer") })
        });
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::new(folder.path());
    let journal = store.create().unwrap();
    let id = journal.id().to_owned();
    let mut bench = Bench { journal: Some(journal), tools: vec![tool], ..Bench::default() };
    let mut agent = bench.agent(json!([
        {"reply": [{"tool": "Deep", "input": {}, "id": "d"}]},
        {"reply": [{"vendor": "v", "value": deep()}]},
        {"reply": [{"vendor": "v", "value": deep()}]},
    ]));
    let cancel = bench.cancel.clone();
    agent.begin(vec!["system".into()]).unwrap();
    let report = block_on(say(&mut agent, "go", &cancel)).unwrap();
    assert!(
        matches!(&report.ending, Ending::Failed(why) if why.contains("nested more than 100 levels deep")),
        "{report:?}"
    );
    let single = block_on(agent.call("Write", deep(), &cancel)).unwrap();
    assert!(single.result.answer[0].as_text().unwrap().contains("nested more than 100 levels deep"));
    drop(agent);
    let stored = store.open(&id).unwrap();
    assert_eq!(stored.warnings, Vec::<String>::new());
    let state = AgentState::fold(stored.events.iter().map(|event| &event.body));
    assert!(serde_json::to_string(&state.messages).unwrap().contains("the answer"));
}

#[test]
fn bad_lines_are_skipped_with_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::new(folder.path());
    let id = held(&store, &mut Bench::default());
    let path = folder.path().join(&id).join("session.jsonl");
    let mut text = std::fs::read_to_string(&path).unwrap();
    // A separator that only some readers take for one stays inside its line.
    text = text.replace("first", "fir\u{2028}st");
    text.push_str(
        "{\"type\":\"from_the_future\",\"v\":9,\"seq\":99,\"at\":0,\"agent\":\"main\"}\n{\"type\":\"prom",
    );
    std::fs::write(&path, text).unwrap();
    let stored = store.open(&id).unwrap();
    assert_eq!(stored.warnings.len(), 2, "{:?}", stored.warnings);
    assert!(stored.warnings[0].contains("unknown type `from_the_future`"));
    assert!(stored.events.iter().any(
        |event| matches!(&event.body, EventBody::Prompt { message } if message.text() == "fir\u{2028}st")
    ));
}

#[test]
fn lines_that_are_skipped_alike_are_one_warning() {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::new(folder.path());
    let id = held(&store, &mut Bench::default());
    let path = folder.path().join(&id).join("session.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    let check = |lines: &[(&str, usize)], expect: &[&str]| {
        let mut text = whole.clone();
        for (line, times) in lines {
            text.extend(std::iter::repeat_n(format!("{line}\n"), *times));
        }
        let first = whole.lines().count() + 1;
        std::fs::write(&path, text).unwrap();
        let stored = store.open(&id).unwrap();
        let expect: Vec<_> = expect.iter().map(|text| text.replace("FIRST", &first.to_string())).collect();
        assert_eq!(stored.warnings, expect);
        assert_eq!(stored.events.len(), whole.lines().count());
    };
    let newer =
        r#"{"type":"approval","v":2,"seq":99,"at":0,"agent":"main","tool_use_id":"t","allowed":true}"#;
    let unknown = r#"{"type":"from_the_future","v":1,"seq":99,"at":0,"agent":"main"}"#;
    check(&[], &[]);
    check(&[(unknown, 1)], &["line FIRST of the session was skipped: unknown type `from_the_future`"]);
    check(
        &[(newer, 3)],
        &[
            "3 lines of the session were skipped; the first is line FIRST: it has the format 2 of a newer toolwright, and this \
           one reads 1: update to go on with all of it",
        ],
    );
    check(
        &[(unknown, 2000), (r#"{"type":"another"}"#, 1)],
        &["2001 lines of the session were skipped; the first is line FIRST: unknown type `from_the_future`"],
    );
}

#[test]
fn sessions_are_found_by_id_and_folder() {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::new(folder.path());
    let mut bench = Bench::default();
    let id = held(&store, &mut bench);
    assert_eq!(store.latest(bench.workspace.path()).unwrap(), id);
    assert_eq!(store.list()[0].prompt, "first");
    assert!(matches!(store.latest(folder.path()), Err(RuntimeError::NothingToContinue { .. })));
    let open = store.open(&id[..9]).unwrap();
    assert_eq!(open.journal.id(), id);
    assert!(matches!(store.open(&id), Err(RuntimeError::InUse { .. })));
    for wrong in ["nothing", "../etc", ""] {
        assert!(matches!(store.open(wrong), Err(RuntimeError::NoSession { .. })), "{wrong}");
    }
}

#[test]
fn a_session_without_anything_of_the_agent_is_not_begun_anew() {
    let check = |content: Option<&[u8]>| {
        let folder = tempfile::tempdir().unwrap();
        let store = SessionStore::new(folder.path());
        let mut bench = Bench::default();
        let id = held(&store, &mut bench);
        drop(bench);
        let path = folder.path().join(&id).join("session.jsonl");
        match content {
            Some(content) => std::fs::write(&path, content).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        let error = store.open(&id).unwrap_err();
        assert!(matches!(error, RuntimeError::NothingStored { .. }), "{content:?}: {error}");
        assert_eq!(std::fs::read(&path).ok().as_deref(), content, "nothing is written");
    };
    check(None);
    check(Some(b""));
    check(Some(b"no line of ours\n"));
    check(Some(
        b"{\"v\":1,\"seq\":0,\"at\":1,\"agent\":\"other\",\"type\":\"finished\",\"stop\":\"done\"}\n",
    ));
}
