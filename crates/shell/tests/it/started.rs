//! What a program starts, and code it reads, where neither is known: the part says that rules do not see it.

use std::path::Path;

use serde_json::Value;
use toolwright_core::Subject;
use toolwright_shell::{Place, analyse};

/// The cases that the suite judges through the built binary.
const CASES: &str = include_str!("../../../../tests/cases/security/denied.jsonl");

#[test]
fn rules_on_a_command_see_it_or_are_told_that_they_do_not() {
    let place = Place::new(Path::new("/work"), None);
    let mut wrong = Vec::new();
    let mut judged = 0;
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if case["rule"] != "Bash(touch *)" {
            continue;
        }
        judged += 1;
        let command = case["command"].as_str().unwrap();
        let is_seen = |subject: &Subject| match subject {
            Subject::Command(part) => {
                part.runs_code || part.for_deny.iter().any(|form| form.starts_with("touch "))
            }
            Subject::Unreadable(_) => true,
            _ => false,
        };
        let seen = analyse(command, &place).subjects.iter().any(is_seen);
        if seen != (case["expected"] != "allow") {
            wrong.push(format!("{seen}: {command}"));
        }
    }
    assert!(judged > 100 && wrong.is_empty(), "{judged} judged, wrong:\n{}", wrong.join("\n"));
}
