//! The most memory a whole process ever held: our binary that is given one call, beside `rg` that writes all it finds.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use toolwright_testkit::TempWorkspace;
use toolwright_tests::{Calls, peak_kib};

/// Each: its name, our input, rg's arguments.
const QUERIES: &[(&str, &str, &[&str])] = &[
    ("files", r#"{"pattern":"hit"}"#, &["-l", "hit"]),
    ("counts", r#"{"pattern":"hit","output_mode":"count"}"#, &["-c", "hit"]),
    ("lines", r#"{"pattern":"hit","output_mode":"content"}"#, &["-n", "hit"]),
    ("10,000 lines", r#"{"pattern":"hit","output_mode":"content","head_limit":0}"#, &["-n", "hit"]),
];

/// Measures all.
pub(crate) fn table(rg: &Path, home: &TempWorkspace) -> String {
    let tree = tree();
    let mut text = format!("{:<14} {:>9} {:>9}   {:>9} {:>9}\n", "", "few", "many", "rg few", "rg many");
    for (name, input, arguments) in QUERIES {
        let ours = |part: &str| ours(tree.path(), home, input, part);
        let theirs = |part: &str| theirs(rg, arguments, &tree.join(part));
        let (few, many, rg_few, rg_many) = (ours("few"), ours("many"), theirs("few"), theirs("many"));
        let _ = writeln!(text, "{name:<14} {few:>9} {many:>9}   {rg_few:>9} {rg_many:>9}");
    }
    text.trim_end().to_owned()
}

/// Files with ten hits each: 2,000, and 20,000.
fn tree() -> TempWorkspace {
    let tree = TempWorkspace::new();
    for (top, folders) in [("few", 100), ("many", 1_000)] {
        for folder in 0..folders {
            (0..20).for_each(|file| {
                tree.write(format!("{top}/folder{folder}/file{file}"), "a hit in a line\n".repeat(10))
            });
        }
    }
    tree
}

fn ours(tree: &Path, home: &TempWorkspace, input: &str, part: &str) -> String {
    let mut input: Value = serde_json::from_str(input).expect("JSON");
    input["path"] = json!(part);
    let answer = Calls::start(tree, home.path(), &[]).call(&json!({"tool": "Grep", "input": input}));
    assert!(answer["is_error"] == json!(false), "{answer}");
    answer["peak_mib"].as_u64().map_or("?".into(), |mib| format!("{mib} MiB"))
}

#[expect(clippy::disallowed_methods, reason = "a bench starts what it compares with")]
fn theirs(rg: &Path, arguments: &[&str], tree: &Path) -> String {
    let mut command = Command::new(rg);
    command.args(["--no-config", "--hidden"]).args(arguments).arg("./").current_dir(tree);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("rg starts");
    let mut peak = None;
    // What it held at most is known for as long as it runs.
    while child.try_wait().is_ok_and(|ended| ended.is_none()) {
        peak = peak_kib(child.id()).or(peak);
    }
    peak.map_or("?".into(), |kib| format!("{} MiB", kib / 1024))
}
