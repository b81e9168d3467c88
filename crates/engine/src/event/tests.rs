//! Stored lines of this and of other versions.

use serde_json::{Value, json};

use super::*;

/// A line as some version stored it.
fn line(fields: Value) -> String {
    let mut line = json!({"v": 1, "seq": 3, "at": 5, "agent": "main"});
    line.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    line.to_string()
}

fn decision(outcome: &str, step: &str) -> Value {
    json!({"type": "decision", "tool_use_id": "t", "outcome": outcome, "step": step, "reason": "why"})
}

#[test]
fn decisions_are_stored_by_names_that_do_not_change() {
    let check = |step: Step, stored: &str, before: &str| {
        for name in [stored, before] {
            let event = SessionEvent::from_line(&line(decision("allow", name))).unwrap();
            let EventBody::Decision { outcome, step: read, .. } = &event.body else { panic!("{event:?}") };
            assert_eq!((*outcome, *read), (Ruling::Allow, Some(step)), "{name}");
            let written: Value = serde_json::from_str(&event.to_line().unwrap()).unwrap();
            assert_eq!((&written["outcome"], &written["step"]), (&json!("allow"), &json!(stored)));
        }
    };
    check(Step::Unreadable, "unreadable", "Unreadable");
    check(Step::BlockingHook, "blocking_hook", "BlockingHook");
    check(Step::DenyRule, "deny_rule", "DenyRule");
    check(Step::AskRule, "ask_rule", "AskRule");
    check(Step::NeedsPerson, "needs_person", "NeedsPerson");
    check(Step::Mode, "mode", "Mode");
    check(Step::ProtectedPlace, "protected_place", "ProtectedPlace");
    check(Step::AllowRule, "allow_rule", "AllowRule");
    check(Step::ReadOnly, "read_only", "ReadOnly");
    check(Step::AcceptEdits, "accept_edits", "AcceptEdits");
    check(Step::Nothing, "nothing", "Nothing");
    for (outcome, stored) in [(Ruling::Allow, "allow"), (Ruling::Ask, "ask"), (Ruling::Deny, "deny")] {
        assert_eq!(serde_json::to_value(outcome).unwrap(), json!(stored));
        assert_eq!(outcome.to_string(), stored);
    }
    let newer = SessionEvent::from_line(&line(decision("deny", "a_step_of_a_newer_version"))).unwrap();
    assert!(matches!(newer.body, EventBody::Decision { outcome: Ruling::Deny, step: None, .. }), "{newer:?}");
}

#[test]
fn a_word_of_a_newer_version_does_not_cost_its_line() {
    let check = |fields: Value, expect: Value| {
        let event = SessionEvent::from_line(&line(fields.clone())).unwrap();
        let mut written: Value = serde_json::from_str(&event.to_line().unwrap()).unwrap();
        let mut expected: Value = serde_json::from_str(&line(fields)).unwrap();
        for (field, value) in expect.as_object().unwrap() {
            expected[field] = value.clone();
        }
        // A field that is left out reads as null.
        for value in [&mut written, &mut expected] {
            value.as_object_mut().unwrap().retain(|_, value| !value.is_null() && *value != json!([]));
        }
        assert_eq!(written, expected);
    };
    let message = json!({"id": "m", "role": "assistant", "content": [{"type": "text", "text": "hi"}]});
    let said = |stop: Value| json!({"type": "message", "message": message, "stop": stop});
    check(said(json!("end_turn")), json!({}));
    check(said(json!("something_new")), json!({"stop": null}));
    check(said(json!({"kind": "new"})), json!({"stop": null}));
    let finished = |more: Value| {
        let mut fields = json!({"type": "tool_finished", "tool_use_id": "t", "tool": "Read", "input": {"a": 1},
            "output": {"b": 2}, "answer": [{"type": "text", "text": "x"}], "outcome": "success"});
        fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        fields
    };
    check(finished(json!({"outcome": "partly"})), json!({"outcome": "failure"}));
    check(finished(json!({"outcome": "failure", "error": "denied"})), json!({}));
    check(finished(json!({"outcome": "failure", "error": "out_of_luck"})), json!({"error": "failed"}));
    check(
        finished(json!({"changes": [{"teleport": "/x"}, {"set_cwd": "/y"}, 7]})),
        json!({"changes": [{"set_cwd": "/y"}]}),
    );
    let compacted = json!({"type": "compacted", "reason": "bored", "summary": message, "kept": 2, "tokens_before": 7,
        "usage": Usage::default()});
    check(compacted, json!({"reason": "crowded"}));
}

#[test]
fn what_cannot_be_read_says_why() {
    let check = |line: &str, expect: &str| {
        let error = SessionEvent::from_line(line).unwrap_err();
        assert!(error.to_string().contains(expect), "{line}: {error}");
    };
    let prompt = json!({"type": "prompt", "message": {"id": "m", "role": "user", "content": []}});
    assert!(SessionEvent::from_line(&line(prompt.clone())).is_ok());
    let mut newer = prompt;
    newer["v"] = json!(999);
    check(&line(newer.clone()), "the format 999 of a newer toolwright, and this one reads 1");
    newer["type"] = json!("from_the_future");
    check(&line(newer), "unknown type `from_the_future`");
    check(&line(json!({"type": "prompt"})), "`prompt` does not fit: missing field `message`");
    check(r#"{"type": "prompt"}"#, "`prompt` does not fit");
    check(r#"{"v": 1"#, "torn or no JSON");
    check("[]", "unknown type");
}
