//! Rules on what the analysis of a shell text gives: the two together decide what people run every day.

use std::sync::Arc;

use serde_json::Value;
use toolwright_core::Subject;
use toolwright_permissions::{Decision, RuleKind, RuleSet, Ruling, Scope, Source};

use crate::support::{Call, PROJECT, rules};

const EVERYDAY: &str = include_str!("../../../../tests/cases/security/everyday.jsonl");
const HANDED: &str = include_str!("../../../../tests/cases/security/handed.jsonl");
const LATER: &str = include_str!("../../../../tests/cases/security/handed-2.jsonl");

const WITH_DENY_RULES: &str = include_str!("../cases/with-deny-rules.jsonl");

/// A text with rules.
struct Case {
    command: String,
    rules: RuleSet,
}

impl Case {
    fn decide(&self) -> Decision {
        Call::text(&self.command).decide(&self.rules)
    }

    /// What is decided once these rules are kept.
    fn after(&self, kept: &[String]) -> Ruling {
        let source = Arc::new(Source::new(Scope::Session, PROJECT));
        let mut rules = self.rules.clone();
        rules.add_all(RuleKind::Allow, kept.iter().map(String::as_str), &source);
        Call::text(&self.command).decide(&rules).outcome
    }
}

fn everyday(expect: &str) -> Vec<Case> {
    let read = |line: &str| {
        let case: Value = serde_json::from_str(line).expect("a case");
        let command = case["command"].as_str().expect("a command").to_owned();
        (case["expected"] == expect).then(|| Case { command, rules: RuleSet::default() })
    };
    EVERYDAY.lines().filter_map(read).collect()
}

/// The cases for the shell, each with its rules and with none.
fn handed() -> Vec<Case> {
    let read = |line: &str| {
        let case: Value = serde_json::from_str(&line.replace("@ROOT@", "/r")).expect("a case");
        let command = case["input"]["command"].as_str().filter(|_| case["input"]["tool"] == "Bash")?;
        let source = Arc::new(Source::new(Scope::Project, PROJECT));
        let mut rules = RuleSet::default();
        for (kind, list) in [(RuleKind::Allow, "allow"), (RuleKind::Ask, "ask"), (RuleKind::Deny, "deny")] {
            let texts = case["rules"][list].as_array().into_iter().flatten().filter_map(Value::as_str);
            rules.add_all(kind, texts, &source);
        }
        let command = command.to_owned();
        Some([Case { command: command.clone(), rules }, Case { command, rules: RuleSet::default() }])
    };
    HANDED.lines().chain(LATER.lines()).filter_map(read).flatten().collect()
}

#[test]
fn what_is_asked_every_day_has_a_rule_that_covers_the_next_one_like_it() {
    let mut wrong = Vec::new();
    for case in everyday("ask") {
        let decision = case.decide();
        let code = |prepared: &toolwright_permissions::ResolvedSubject| match &prepared.subject {
            Subject::Command(part) if part.runs_code => Some(part.for_allow.clone()),
            _ => None,
        };
        let subjects = Call::text(&case.command).subjects;
        let code: Vec<String> = subjects.iter().filter_map(code).collect();
        let fits = match code.as_slice() {
            // Code of its own is never like the next.
            [code] => decision.suggestions == [format!("Bash({code})")],
            _ => decision.suggestions.iter().any(|rule| {
                // Without words behind the command, or with any: `Bash(env)`, `Bash(gh pr view *)`. `npm run` alone lists
                // scripts; a rule for what it begins would run them all.
                rule.ends_with(" *)") || !rule.contains(' ') || rule == "Bash(npm run)"
            }),
        };
        if decision.outcome != Ruling::Ask || !fits {
            wrong.push(format!("{}: {:?} {:?}", case.command, decision.outcome, decision.suggestions));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_suggested_lets_the_same_call_run_and_is_suggested_wherever_a_rule_can_help() {
    let mut wrong = Vec::new();
    let mut asked = 0;
    for case in everyday("ask").into_iter().chain(handed()) {
        let decision = case.decide();
        if decision.outcome != Ruling::Ask {
            continue;
        }
        asked += 1;
        let mut kept: Vec<Vec<String>> = decision.suggestions.iter().map(|rule| vec![rule.clone()]).collect();
        let sets = [&decision.together, &decision.of_kind].into_iter().filter(|rules| !rules.is_empty());
        kept.extend(sets.cloned());
        let vain = kept.iter().filter(|kept| case.after(kept) != Ruling::Allow);
        wrong.extend(vain.map(|kept| format!("{}: in vain {kept:?}", case.command)));
        let any = ["Bash", "Read", "Edit"].map(str::to_owned).into_iter();
        let text = format!("Bash({})", case.command.replace('*', "\\*"));
        let all: Vec<String> = any.chain([text]).collect();
        if kept.is_empty() && case.after(&all) == Ruling::Allow {
            wrong.push(format!("{}: nothing is suggested: {}", case.command, decision.reason));
        }
    }
    assert!(asked > 900 && wrong.is_empty(), "of {asked}:\n{}", wrong.join("\n"));
}

#[test]
fn nothing_wider_than_a_use_of_the_program_is_suggested() {
    for case in everyday("ask").into_iter().chain(handed()) {
        let Decision { suggestions, together, of_kind, .. } = case.decide();
        for rule in suggestions.iter().chain(&together).chain(&of_kind) {
            let whole =
                matches!(rule.as_str(), "Bash" | "Bash(*)" | "Read" | "Edit" | "Read(**)" | "Edit(**)");
            assert!(!whole && !rule.starts_with("Bash(bash *") && !rule.starts_with("Bash(sh *"), "{rule}");
        }
    }
}

/// What a project like this allows, beside what only reads.
const ALLOWED: &str = "allow Bash(npm *)\nallow Bash(npx *)\nallow Bash(make *)\nallow Bash(python3 *)\nallow Bash(node *)
    allow Bash(pytest *)\nallow Bash(cargo *)\nallow Bash(go *)\nallow Bash(docker *)\nallow Bash(git commit *)
    allow Bash(git add *)\nallow Bash(git push *)\nallow Bash(git -C *)\nallow Bash(rm *)\nallow Bash(curl *)
    allow Bash(cp *)\nallow Bash(openssl *)\nallow Bash(mkdir *)\nallow Bash(touch *)\nallow Edit(**)";

/// Deny rules as people have them.
const DENIED: [&str; 6] =
    ["Bash(rm *)", "Bash(git push *)", "Read(.env)", "Read(./secrets/**)", "Bash(curl *)", "Read(**/*.pem)"];

#[test]
fn deny_rules_ask_about_nothing_that_they_do_not_concern() {
    let (mut needless, mut missed, mut seen) = (Vec::new(), Vec::new(), 0);
    for line in WITH_DENY_RULES.lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        let command = case["command"].as_str().expect("a command");
        let decided = |lines: &str| {
            let decision = Call::text(command).decide(&rules(&format!("{lines}\n{ALLOWED}")));
            (decision.outcome, decision.reason)
        };
        let (before, reason) = decided("");
        if before != Ruling::Allow {
            missed.push(format!("{command} without: {reason}"));
            continue;
        }
        for rule in DENIED {
            seen += 1;
            let (outcome, reason) = decided(&format!("deny {rule}"));
            let expect = match case["touches"][rule].as_str() {
                Some("ask") => Ruling::Ask,
                Some(_) => Ruling::Deny,
                None => Ruling::Allow,
            };
            match (outcome, expect) {
                (outcome, expect) if outcome == expect => {}
                (_, Ruling::Allow) => needless.push(format!("{command}: {reason}")),
                _ => missed.push(format!("{command} with {rule}: {reason}")),
            }
        }
    }
    let (missed, needless) = (missed.join("\n"), needless.join("\n"));
    assert!(
        missed.is_empty() && needless.is_empty(),
        "of {seen}, not seen:\n{missed}\nneedless:\n{needless}"
    );
}
