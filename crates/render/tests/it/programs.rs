//! What programs read: the final text, the result object, JSON lines.

use std::time::Duration;

use serde_json::Value;
use toolwright_core::ErrorKind;
use toolwright_engine::event::{EventBody, SessionEvent};
use toolwright_render::{RunEnd, StreamJson, Summary};

use crate::fixtures::{
    event, finished, message, pool, prompt, started, tool_failed, tool_finished, tool_started,
};

fn summary(events: &[SessionEvent]) -> Summary {
    let mut summary = Summary::default();
    events.iter().for_each(|event| summary.event(event));
    summary
}

#[test]
fn the_result_object_says_how_it_ended() {
    let check = |reason: &str, end: RunEnd, subtype: &str| {
        let events = [started(), prompt(), message("half", &[]), finished(reason, None)];
        let summary = summary(&events);
        let result = summary.result(None);
        assert_eq!((summary.end(), result["subtype"].as_str()), (end, Some(subtype)), "{reason}");
        assert_eq!(result["is_error"], end != RunEnd::Done, "{reason}");
        assert_eq!(summary.complaint().is_some(), end != RunEnd::Done, "{reason}");
    };
    check("done", RunEnd::Done, "success");
    check("max_turns", RunEnd::Failed, "error_max_turns");
    check("interrupted", RunEnd::Interrupted, "error_during_execution");
    check("failed", RunEnd::Failed, "error_during_execution");
    check("output_limit", RunEnd::Failed, "error_during_execution");
    assert_eq!(summary(&[started(), prompt()]).end(), RunEnd::Open);
}

#[test]
fn the_result_object_is_whole() {
    let events = [
        started(),
        prompt(),
        message("I look.", &[("t1", "secret")]),
        tool_failed("t1", "secret", ErrorKind::Denied, "a rule denies it"),
        message("I may not.", &[]),
        finished("done", None),
    ];
    let result = summary(&events).result(Some(Duration::from_millis(1_234)));
    insta::assert_snapshot!(serde_json::to_string_pretty(&result).unwrap());
}

#[test]
fn another_prompt_begins_anew() {
    let first = [started(), prompt(), message("one", &[]), finished("failed", Some("no model"))];
    let second = [prompt(), message("two", &[]), finished("done", None)];
    let summary = summary(&first.into_iter().chain(second).collect::<Vec<_>>());
    assert_eq!((summary.text(), summary.end(), summary.complaint()), ("two", RunEnd::Done, None));
}

fn stream(events: &[SessionEvent]) -> Vec<Value> {
    let mut stream = StreamJson::default();
    let mut lines: Vec<_> = events.iter().flat_map(|event| stream.event(event)).collect();
    lines.push(stream.finish(None));
    lines
}

#[test]
fn a_run_as_json_lines() {
    let lines = stream(&[
        started(),
        pool(),
        prompt(),
        message("I look.", &[("t1", "a"), ("t2", "b")]),
        tool_started("t1", "a"),
        tool_started("t2", "b"),
        tool_finished("t2", "b", "a b"),
        tool_failed("t1", "a", ErrorKind::NotFound, "there is no a"),
        event(EventBody::Retrying {
            attempt: 2,
            wait_ms: 500,
            left_ms: Some(90_000),
            text: "refused".into(),
        }),
        event(EventBody::Notice { text: "asking again".into() }),
        message("Done.", &[]),
        finished("done", None),
    ]);
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_result_never_stands_before_its_call() {
    let lines = stream(&[
        started(),
        prompt(),
        tool_started("t1", "a"),
        tool_finished("t1", "a", "early"),
        message("I look.", &[("t1", "a")]),
        finished("done", None),
    ]);
    let kinds: Vec<_> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["system", "assistant", "assistant", "user", "result"]);
}

#[test]
fn a_subagents_calls_show_and_its_words_do_not() {
    let of_subagent = |event: SessionEvent| SessionEvent {
        agent: "agent-1".into(),
        parent_tool_use_id: Some("t0".into()),
        ..event
    };
    let lines = stream(&[
        started(),
        prompt(),
        of_subagent(message("I think.", &[("t1", "a")])),
        of_subagent(tool_finished("t1", "a", "x")),
        of_subagent(finished("failed", None)),
        message("Done.", &[]),
        finished("done", None),
    ]);
    let shown: Vec<_> = lines
        .iter()
        .map(|line| (line["type"].as_str().unwrap(), line["parent_tool_use_id"].as_str()))
        .collect();
    let expect = [
        ("system", None),
        ("assistant", Some("t0")),
        ("user", Some("t0")),
        ("assistant", None),
        ("result", None),
    ];
    assert_eq!(shown, expect);
    assert_eq!(lines.last().unwrap()["subtype"], "success");
}
