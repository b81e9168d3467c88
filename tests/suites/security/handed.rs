//! Cases handed from the field: each in its setup, with its rules, and what it must come to.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Decided, Scratch, Started, none_wrong};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Handed {
    id: String,
    kind: String,
    family: String,
    harmful: bool,
    #[serde(default)]
    setup: String,
    cwd: String,
    rules: Value,
    mode: String,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    add_dir: Option<String>,
    input: Value,
    expected: Vec<String>,
    /// It may be allowed where the harm does not come about.
    #[serde(default)]
    outcome_check: bool,
    #[serde(default)]
    privileged: bool,
    #[serde(default)]
    check: String,
    why: String,
}

impl Handed {
    /// Whether nothing of its decision depends on more than its text, its mode and its rules, and nothing runs.
    fn is_plain(&self) -> bool {
        let bare = self.setup.is_empty() && self.environment.is_empty() && self.add_dir.is_none();
        bare && self.input["tool"] == "Bash" && !self.outcome_check && !self.privileged
    }

    fn is_right(&self, decided: Decided, answer: &str) -> bool {
        let refused = decided == Decided::Allow && answer.contains("`command` holds a NUL");
        refused || self.expected.iter().any(|expected| expected == decided.name())
    }

    fn said(&self, decided: Decided, answer: &str) -> String {
        let Self { id, family, why, input, .. } = self;
        format!("{id} ({family}): {} {input}: {answer}\n  because: {why}", decided.name())
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    right: usize,
    /// Asked or refused without need.
    over: usize,
    /// Allowed, or asked where it must be refused.
    under: usize,
}

#[test]
fn handed_first() {
    judge(include_str!("../../cases/security/handed.jsonl"));
}

#[test]
fn handed_later() {
    judge(include_str!("../../cases/security/handed-2.jsonl"));
}

fn judge(cases: &str) {
    let cases: Vec<Handed> = cases.lines().map(|line| serde_json::from_str(line).expect("a case")).collect();
    let mut judged = 0;
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut count = |case: &Handed, decided: Decided, answer: &str, right: bool| {
        judged += 1;
        let count = counts.entry(case.kind.clone()).or_default();
        match (right, case.harmful) {
            (true, _) => count.right += 1,
            (false, true) => count.under += 1,
            (false, false) => count.over += 1,
        }
        if !right {
            wrong.push(case.said(decided, answer));
        }
    };
    // One process decides all that it can decide: nothing runs, so that nothing is changed.
    let mut together: BTreeMap<(&str, &str, String), Vec<&Handed>> = BTreeMap::new();
    for case in cases.iter().filter(|case| case.is_plain()) {
        let key = (case.cwd.as_str(), case.mode.as_str(), case.rules.to_string());
        together.entry(key).or_default().push(case);
    }
    let scratch = Scratch::new("");
    for ((cwd, mode, _), cases) in &together {
        let Some(first) = cases.first() else { continue };
        let (settings, root) = (scratch.root().join("proj/rules.json"), root(&scratch));
        scratch.write_json("proj/rules.json", &json!({"permissions": filled(&first.rules, &root)}));
        let started = Started { cwd, mode, settings: Some(&settings), ..Started::default() };
        let inputs: Vec<_> = cases.iter().map(|case| filled(&case.input, &root)).collect();
        for (case, (decided, answer)) in cases.iter().zip(scratch.calls(&started, &inputs)) {
            count(case, decided, &answer, case.is_right(decided, &answer));
        }
    }
    for case in cases.iter().filter(|case| !case.is_plain()) {
        if case.privileged {
            println!("skipped: {}: it would change the machine", case.id);
            continue;
        }
        let (decided, answer, right) = alone(case);
        count(case, decided, &answer, right);
    }
    for (kind, Count { right, over, under }) in &counts {
        println!("{kind:<8} {right:>4} right  {over:>3} over-asking  {under:>3} under-asking");
    }
    none_wrong(judged, &wrong);
}

/// In folders of its own.
fn alone(case: &Handed) -> (Decided, String, bool) {
    let scratch = Scratch::new(&case.setup);
    let root = root(&scratch);
    // Beside the project's files, so that rules start where a project's own would.
    scratch.write_json("proj/rules.json", &json!({"permissions": filled(&case.rules, &root)}));
    let settings = scratch.root().join("proj/rules.json");
    let add_dir = case.add_dir.as_ref().map(|folder| folder.replace("@ROOT@", &root));
    let variable = |(name, value): (&String, &String)| (name.clone(), value.replace("@ROOT@", &root));
    let mut started = Started {
        cwd: &case.cwd,
        mode: &case.mode,
        settings: Some(&settings),
        add_dir: add_dir.as_deref(),
        environment: case.environment.iter().map(variable).collect(),
        runs: false,
    };
    let input = filled(&case.input, &root);
    let (decided, answer) = scratch.call(&started, &input);
    if case.is_right(decided, &answer) {
        return (decided, answer, true);
    }
    if case.outcome_check && decided == Decided::Allow {
        started.runs = true;
        let (_, answer) = scratch.call(&started, &input);
        let outside = scratch.folder.read("out/secret.txt") == "S3CR3T-FAKE-OUT\n";
        let marked = !scratch.shell("find .. -name pwned", &scratch.root().join("proj")).stdout.is_empty();
        if outside && !marked && !(case.check == "leak" && answer.contains("S3CR3T-FAKE")) {
            return (decided, answer, true);
        }
    }
    (decided, answer, false)
}

fn root(scratch: &Scratch) -> String {
    scratch.root().to_string_lossy().into_owned()
}

fn filled(value: &Value, root: &str) -> Value {
    serde_json::from_str(&value.to_string().replace("@ROOT@", root)).expect("still JSON")
}
