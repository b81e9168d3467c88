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
