//! Harmless commands of the security cases and those of every day: the printed text does in a project what the text as written
//! does. A case starts some hundred processes, so one in eight is run; all where `TOOLWRIGHT_PRINTED_CASES` is 1.

use std::path::Path;

use serde_json::Value;

use super::bash::Bash;
use super::printed::{SYSTEM, printed, setting};

const CASES: [&str; 3] = [
    include_str!("../../../../tests/cases/security/handed.jsonl"),
    include_str!("../../../../tests/cases/security/handed-2.jsonl"),
    include_str!("../../../../tests/cases/security/everyday.jsonl"),
];
const FIXTURE: &str = include_str!("../../../../tests/cases/security/fixture.sh");

struct Case {
    command: String,
    setup: String,
    cwd: String,
}

fn case(line: &str) -> Option<Case> {
    let value: Value = serde_json::from_str(line).expect("a case");
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    if value["expected"] == "read" {
        return Some(Case { command: text("command"), setup: String::new(), cwd: "proj".to_owned() });
    }
    let harmless = value["kind"] == "bash" && value["harmful"] == false && value["privileged"] != true;
    let command = value["input"]["command"].as_str().filter(|_| harmless)?.to_owned();
    Some(Case { command, setup: text("setup"), cwd: text("cwd") })
}

/// Times, process numbers and what else is not the same a second time.
fn changes_by_itself(command: &str) -> bool {
    const PROGRAMS: [&str; 9] = ["date", "ps", "top", "uptime", "free", "df", "stat", "time", "who"];
    let mut words = command.split(|character: char| !character.is_ascii_alphanumeric() && character != '-');
    words.any(|word| PROGRAMS.contains(&word))
        || ["ls -l", "ls -al", "ls -la", "/proc", "$$"].iter().any(|part| command.contains(part))
}

#[test]
fn harmless_commands_do_the_same_when_printed() {
    let bash = Bash::new(Path::new(SYSTEM), "cases");
    let step = usize::try_from(setting("TOOLWRIGHT_PRINTED_CASES", 8)).expect("a small number");
    let (mut same, mut refused, mut unsteady) = (0, Vec::new(), 0);
    let mut finds = Vec::new();
    let mut made = None;
    for case in CASES.iter().flat_map(|cases| cases.lines()).filter_map(case).step_by(step) {
        let printed = match printed(&case.command) {
            Ok(Some(printed)) => printed,
            Ok(None) => {
                refused.push(case.command);
                continue;
            }
            Err(why) => {
                finds.push(format!("{}\n{why}", case.command));
                continue;
            }
        };
        if made.as_ref() != Some(&case.setup) {
            bash.make_project(FIXTURE, &case.setup);
            made = Some(case.setup.clone());
        }
        let cwd = if case.cwd.is_empty() { "proj" } else { &case.cwd };
        let written = bash.run_in_project(&case.command, cwd);
        let ours = bash.run_in_project(&printed, cwd);
        if written == ours {
            same += 1;
        } else if written != bash.run_in_project(&case.command, cwd) || changes_by_itself(&case.command) {
            unsteady += 1;
        } else {
            finds.push(format!(
                "{}\n{printed}\n{} {} {}\n{} {} {}",
                case.command,
                written.code,
                written.output,
                written.errors,
                ours.code,
                ours.output,
                ours.errors
            ));
        }
    }
    println!(
        "cases: {same} same, {unsteady} not steady, {} refused: {refused:#?}, {} finds",
        refused.len(),
        finds.len()
    );
    assert!(finds.is_empty(), "{}", finds.join("\n\n"));
    assert!(same > 10 * refused.len(), "{refused:#?}");
}
