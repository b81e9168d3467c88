//! Memory that does not grow with the number of matches: the most that the binary ever held, after a search with few matches
//! and after one with many times as many.

use std::fmt::Write as _;

use serde_json::{Value, json};
use toolwright_testkit::TempWorkspace;
use toolwright_tests::Calls;

/// More than measuring varies by, and much less than the matches would take if they were held.
const MOST_GROWTH_MIB: u64 = 3;

fn check(workspace: &TempWorkspace, input: &Value) {
    let home = TempWorkspace::new();
    let mut calls = Calls::start(workspace.path(), home.path(), &[]);
    let mut peak = |folder: &str| {
        let mut input = input.clone();
        input["path"] = json!(folder);
        let answer = calls.call(&json!({"tool": "Grep", "input": input}));
        let text = answer.to_string();
        assert!(answer["is_error"] == json!(false) && !text.contains("No match"), "{text}");
        answer["peak_mib"].as_u64()
    };
    // Twice: what is set up once counts for neither.
    let (_, few, many) = (peak("few"), peak("few"), peak("many"));
    let (Some(few), Some(many)) = (few, many) else {
        println!("skipped: the system does not say how much memory a process held");
        return;
    };
    let grown = many.saturating_sub(few);
    assert!(grown <= MOST_GROWTH_MIB, "{input}: {few} MiB with few matches, {many} MiB with many");
}

/// Paths that would take eight MiB and more if all were held.
#[test]
fn of_files() {
    let workspace = TempWorkspace::new();
    let long = "a".repeat(240);
    for (top, folders) in [("few", 40), ("many", 400)] {
        for folder in 0..folders {
            let folder = workspace.join(format!("{top}/{long}/{long}/{long}{folder}"));
            std::fs::create_dir_all(&folder).expect("a folder");
            for file in 0..20 {
                std::fs::write(folder.join(format!("{long}{file}")), "hit\n").expect("a file");
            }
        }
    }
    for mode in ["files_with_matches", "count"] {
        check(&workspace, &json!({"pattern": "hit", "output_mode": mode, "head_limit": 10}));
    }
}

/// Lines that would take thirty MiB and more if all were held.
#[test]
fn of_lines() {
    let workspace = TempWorkspace::new();
    for (top, lines) in [("few", 1_000), ("many", 200_000)] {
        let text = (0..lines).fold(String::new(), |mut text, line| {
            let _ = writeln!(text, "hit {line} {}", "-".repeat(100));
            text
        });
        workspace.write(format!("{top}/a.txt"), text);
    }
    for more in [json!({}), json!({"-C": 1}), json!({"offset": 100})] {
        let mut input = json!({"pattern": "hit", "output_mode": "content", "head_limit": 10});
        input.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        check(&workspace, &input);
    }
}
