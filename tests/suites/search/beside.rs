//! Our tools beside `rg` on the same tree.
//!
//! Where ours differ on purpose, the comparison makes allowance: what lies in `.git` is never ours to show; a glob only narrows
//! (rg's `-g` also brings back files that a rule ignores); a folder that the glob begins with is walked as if it were named,
//! ignored or not, and an error where there is none; a file named outright is found.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use toolwright_core::Registration;
use toolwright_testkit::{TempWorkspace, block_on, context, test_services};

use crate::random::{self, Tree};

#[test]
fn grep_matches_what_rg_matches() {
    compare(&(random::tree(), random::search()), |workspace, (input, arguments)| {
        let output: toolwright_tool_grep::Output = call(workspace, toolwright_tool_grep::REGISTRATION, input);
        let mut ours = BTreeSet::new();
        for file in &output.files {
            let path = relative(&file.path, workspace);
            match input["output_mode"].as_str() {
                Some("content") => ours.extend(file.lines.iter().map(|line| {
                    let sign = if line.matches { ':' } else { '-' };
                    format!("{path}\0{}{sign}{}", line.number, line.text)
                })),
                Some("count") => {
                    ours.insert(format!("{path}\0{}", file.count));
                }
                _ => {
                    ours.insert(path);
                }
            }
        }
        let said = rg(arguments, workspace.path());
        let theirs = if input["output_mode"] == "files_with_matches" {
            said.split('\0').filter(|path| !path.is_empty()).map(ToOwned::to_owned).collect()
        } else {
            // Lines without a path are separators and words about binary files.
            let lines = said.split('\n').filter(|line| line.contains('\0'));
            lines.map(|line| line.strip_suffix('\r').unwrap_or(line).to_owned()).collect()
        };
        same(&ours, &outside_git(theirs))
    });
}

#[test]
fn glob_finds_what_rg_lists() {
    compare(&(random::tree(), random::glob()), |workspace, glob| {
        let folder = plain_folder(glob);
        if !workspace.path().join(&folder).is_dir() || workspace.path().join(glob).is_file() {
            return Ok(());
        }
        let output: toolwright_tool_glob::Output =
            call(workspace, toolwright_tool_glob::REGISTRATION, &json!({"pattern": glob}));
        let ours = output.files.iter().map(|path| relative(path, workspace)).collect();
        let list = |more: Option<String>| {
            let arguments = ["--files".to_owned(), "--null".to_owned()].into_iter().chain(more);
            let arguments: Vec<String> = arguments.chain([format!("./{folder}")]).collect();
            let said = rg(&arguments, workspace.path());
            let paths = said.split('\0').filter_map(|path| path.strip_prefix("./"));
            paths.map(ToOwned::to_owned).collect::<BTreeSet<_>>()
        };
        let theirs = &list(Some(format!("--glob={glob}"))) & &list(None);
        same(&ours, &outside_git(theirs))
    });
}

/// What a glob begins with before its first wildcard, up to the last `/` in that.
fn plain_folder(glob: &str) -> String {
    let plain = glob.split(['*', '?', '[', '{']).next().unwrap_or_default();
    plain.rfind('/').and_then(|end| plain.get(..end)).unwrap_or_default().to_owned()
}

/// Runs a check on random trees; without `rg`, says so.
fn compare<T: std::fmt::Debug>(
    strategy: &impl Strategy<Value = (Tree, T)>,
    check: impl Fn(&TempWorkspace, &T) -> Result<(), TestCaseError>,
) {
    if let Some(why) = unfit() {
        println!("skipped: {why}");
        return;
    }
    let mut runner = TestRunner::new(Config {
        cases: Config::default().cases / 2,
        failure_persistence: None,
        ..Config::default()
    });
    let result = runner.run(strategy, |(tree, question)| {
        let workspace = TempWorkspace::new();
        tree.iter().for_each(|(path, bytes)| workspace.write(path, bytes));
        check(&workspace, &question)
    });
    match result {
        Err(TestError::Fail(reason, (tree, question))) => {
            let files = tree.iter().map(|(path, bytes)| format!("{path}: {}", shown(bytes)));
            panic!("{question:?}\n{}\n{reason}", files.collect::<Vec<_>>().join("\n"));
        }
        Err(error) => panic!("{error}"),
        Ok(()) => {}
    }
}

/// Why there is no `rg` to compare with.
fn unfit() -> Option<String> {
    /// Those before it see other lines where carriage returns and bytes that are no UTF-8 meet `^` and `$`.
    const OLDEST: u32 = 14;
    let Ok(said) = command(&["--version".to_owned()], Path::new("/")).output() else {
        return Some("rg is not on the PATH".into());
    };
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let version = said.split_whitespace().nth(1).unwrap_or_default();
    let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
    major.is_none_or(|major| major < OLDEST).then(|| format!("rg {version} is older than {OLDEST}"))
}

fn same(ours: &BTreeSet<String>, theirs: &BTreeSet<String>) -> Result<(), TestCaseError> {
    let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
        one.difference(other).take(9).cloned().collect::<Vec<_>>()
    };
    prop_assert!(ours == theirs, "only ours: {:?}\nonly rg's: {:?}", only(ours, theirs), only(theirs, ours));
    Ok(())
}

/// Bytes for a person: the beginning and the end of many.
fn shown(bytes: &[u8]) -> String {
    let (start, end) = (bytes.len().min(80), bytes.len().saturating_sub(40).max(80).min(bytes.len()));
    let part = |part: &[u8]| part.escape_ascii().to_string();
    format!("{} .. {}", part(&bytes[..start]), part(&bytes[end..]))
}

fn outside_git(rows: BTreeSet<String>) -> BTreeSet<String> {
    let inside =
        |row: &str| row.split('\0').next().is_some_and(|path| path.split('/').any(|part| part == ".git"));
    rows.into_iter().filter(|row| !inside(row)).collect()
}

fn relative(path: &Path, workspace: &TempWorkspace) -> String {
    path.strip_prefix(workspace.path()).expect("below").to_string_lossy().into_owned()
}

fn call<T: DeserializeOwned>(workspace: &TempWorkspace, registration: Registration, input: &Value) -> T {
    let tool = (registration.build)(&test_services(workspace)).expect("offered");
    let call = tool.parse(input.clone()).expect("an input");
    let reply = block_on(async { call.run(&context(workspace)).await }).expect("an answer");
    serde_json::from_value(reply.output).expect("an output")
}

fn rg(arguments: &[String], folder: &Path) -> String {
    let output = command(arguments, folder).output().expect("rg runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let searched = matches!(output.status.code(), Some(0 | 1)) || said.contains("No files were searched");
    assert!(searched, "{arguments:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[expect(clippy::disallowed_methods, reason = "the peer of this test")]
fn command(arguments: &[String], folder: &Path) -> Command {
    let mut command = Command::new("rg");
    command.args(["--no-config", "--hidden", "--no-ignore-global", "--color=never"]).args(arguments);
    command.current_dir(folder).stdin(Stdio::null());
    command
}
