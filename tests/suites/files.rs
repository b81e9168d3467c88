//! The file, search and shell tools on their cases, through `call --stdin` of the built binary.

#[path = "files/bombs.rs"]
mod bombs;

use toolwright_testkit::TempWorkspace;
use toolwright_tests::cases::{self, Case};
use toolwright_tests::{Calls, Tally};

const SUITES: &[&str] = &[
    include_str!("../cases/files/read.jsonl"),
    include_str!("../cases/files/edit.jsonl"),
    include_str!("../cases/files/write.jsonl"),
    include_str!("../cases/files/glob.jsonl"),
    include_str!("../cases/files/grep.jsonl"),
    include_str!("../cases/files/bash.jsonl"),
    include_str!("../cases/files/notebook.jsonl"),
    include_str!("../cases/files/later.jsonl"),
    include_str!("../cases/files/handed-2.jsonl"),
];

#[test]
fn handed_cases() {
    let mut tally = Tally::default();
    for case in SUITES.iter().flat_map(|lines| cases::parse(lines).expect("cases")) {
        let verdict = one(case.clone());
        tally.add(&case.tool, &case.id, &format!("{} ({})", case.why, case.grade), &verdict);
    }
    println!("{}", tally.report());
    assert!(tally.failures().is_empty(), "{}\n{}", tally.report(), tally.failures().join("\n"));
}

fn one(mut case: Case) -> cases::Verdict {
    let folder = TempWorkspace::new();
    let home = TempWorkspace::new();
    // A variable that a case needs is given to it.
    let place = |text: &str| text.replace("{D}", &folder.path().to_string_lossy());
    let (variables, needs): (Vec<_>, Vec<_>) =
        case.needs.drain(..).partition(|need| need.starts_with("env:"));
    case.needs = needs;
    // Root can be another user.
    let as_nobody = case.needs == ["nonroot"] && cases::user_is_root();
    if as_nobody {
        case.needs.clear();
    }
    let start = if as_nobody { Calls::start_as_nobody } else { Calls::start };
    let variables: Vec<(String, String)> = variables
        .iter()
        .filter_map(|need| need.strip_prefix("env:")?.split_once('='))
        .map(|(name, value)| (name.to_owned(), place(value)))
        .collect();
    let mut calls: Option<Calls> = None;
    cases::run(&case, folder.path(), &mut |line| {
        // Started late: the case's folder is prepared first.
        calls.get_or_insert_with(|| start(folder.path(), home.path(), &variables)).call(line)
    })
}
