//! Deny and ask rules on paths and commands: every way to a file and to a command that they speak of, and what goes on as before
//! beside them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;

use crate::{Decided, Scratch, Started, none_wrong};

const CASES: &str = include_str!("../../cases/security/denied.jsonl");

/// Other names of the denied file, and a folder of which nothing may be changed.
const SETUP: &str = "ln -s ../.env src/link; ln .env src/hard; ln -s . here; ln -s \"$ROOT/proj\" \"$ROOT/alias\"; \
    mkdir gen; echo x > gen/a.ts";

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// The one deny rule beside rules that allow every command.
    rule: String,
    command: String,
    /// What it comes to. What asks may be refused as well.
    expected: String,
}

#[test]
fn a_denied_file_or_command_is_one_whichever_way_leads_to_it() {
    judged("deny", "default");
}

#[test]
fn no_mode_loosens_a_deny_rule() {
    judged("deny", "bypassPermissions");
}

#[test]
fn an_ask_rule_sees_what_a_deny_rule_sees() {
    judged("ask", "default");
}

fn judged(kind: &str, mode: &str) {
    let scratch = Scratch::new(SETUP);
    let root = scratch.root().to_string_lossy().into_owned();
    let mut by_rule: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for line in CASES.lines() {
        let case: Case = serde_json::from_str(line).expect("a case");
        by_rule.entry(case.rule.clone()).or_default().push(case);
    }
    let (mut judged, mut wrong) = (0, Vec::new());
    for (rule, cases) in by_rule {
        let settings = scratch.root().join("proj/rules.json");
        let rules = json!({"allow": ["Bash", "Edit"], kind: [rule]});
        scratch.write_json("proj/rules.json", &json!({"permissions": rules}));
        let started = Started { cwd: "proj", mode, settings: Some(&settings), ..Started::default() };
        let input = |case: &Case| json!({"tool": "Bash", "command": case.command.replace("@ROOT@", &root)});
        let inputs: Vec<_> = cases.iter().map(input).collect();
        for (case, (decided, answer)) in cases.iter().zip(scratch.calls(&started, &inputs)) {
            judged += 1;
            let right = match (case.expected.as_str(), kind) {
                ("allow", _) => decided == Decided::Allow,
                ("ask", _) | (_, "ask") => matches!(decided, Decided::Ask | Decided::Deny),
                _ => decided == Decided::Deny,
            };
            if !right {
                let Case { command, expected, .. } = case;
                wrong.push(format!(
                    "{kind} {rule}: {} and not {expected}: {command:?}: {answer}",
                    decided.name()
                ));
            }
        }
    }
    none_wrong(judged, &wrong);
}
