//! Commands that people run every day (`tests/cases/security/everyday.jsonl`): those that read need no question, those that do
//! more need one.

use std::path::Path;

use serde_json::Value;
use toolwright_core::{Cover, Subject};
use toolwright_shell::{Place, analyse};

const CASES: &str = include_str!("../../../../tests/cases/security/everyday.jsonl");

/// Whether it runs without a question: it reads, in the project or what every machine shows.
fn passes(command: &str) -> bool {
    let project = Path::new("/scratch/proj");
    let mut place = Place::new(project, Some(Path::new("/scratch/home")));
    place.repository = Some(project.into());
    let analysis = analyse(command, &place);
    let inside = |subject: &Subject| match subject {
        Subject::Path { path, access, cover } => {
            access.is_read()
                && (matches!(cover, Cover::Unneeded | Cover::IfPresent) || path.starts_with(project))
        }
        _ => true,
    };
    analysis.effects.is_read_only() && analysis.subjects.iter().all(inside)
}

fn judged(expect: &str) -> impl Iterator<Item = (String, bool)> {
    let read = move |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap();
        let command = case["command"].as_str().unwrap().to_owned();
        (case["expected"] == expect).then(|| (command.clone(), passes(&command)))
    };
    CASES.lines().filter_map(read)
}

#[test]
fn reading_passes() {
    let asked: Vec<String> =
        judged("read").filter(|(_, passes)| !passes).map(|(command, _)| command).collect();
    assert!(asked.is_empty(), "{} ask:\n{}", asked.len(), asked.join("\n"));
}

#[test]
fn more_than_reading_asks() {
    let passing: Vec<String> =
        judged("ask").filter(|(_, passes)| *passes).map(|(command, _)| command).collect();
    assert!(passing.is_empty(), "{} pass:\n{}", passing.len(), passing.join("\n"));
}
