//! The handed cases.

use toolwright_testkit::TempWorkspace;
use toolwright_tests::cases::{self, Verdict};
use toolwright_tests::{Calls, Tally};

const SUITES: &[&str] =
    &[include_str!("../../cases/files/glob.jsonl"), include_str!("../../cases/files/grep.jsonl")];

#[test]
fn handed_cases() {
    let mut tally = Tally::default();
    for case in SUITES.iter().flat_map(|lines| cases::parse(lines).expect("cases")) {
        let (folder, home) = (TempWorkspace::new(), TempWorkspace::new());
        let mut calls: Option<Calls> = None;
        let verdict: Verdict = cases::run(&case, folder.path(), &mut |line| {
            // Started late: the case's folder is prepared first.
            calls.get_or_insert_with(|| Calls::start(folder.path(), home.path(), &[])).call(line)
        });
        tally.add(&case.tool, &case.id, &format!("{} ({})", case.why, case.grade), &verdict);
    }
    println!("{}", tally.report());
    assert!(tally.failures().is_empty(), "{}\n{}", tally.report(), tally.failures().join("\n"));
}
