//! `tools` and `call`.

use serde_json::{Value, json};

use crate::place::Place;

#[test]
fn tools_are_listed_for_people_and_for_programs() {
    let place = Place::new();
    let listed: Value = serde_json::from_str(&place.run(&["tools", "--json"]).out).unwrap();
    let read = listed.as_array().unwrap().iter().find(|tool| tool["name"] == "Read").unwrap();
    let expect = json!({"name": "Read", "package": "toolwright-tool-file-read", "origin": "built-in", "loading": "always"});
    assert_eq!(read, &expect);
    assert!(place.run(&["tools"]).out.contains("Read"));
}

#[test]
fn a_denied_tool_is_gone_and_explained() {
    let place = Place::new();
    let check = |arguments: &[&str]| {
        let listed = place.run(&[&["tools"], arguments].concat());
        assert!(!listed.out.lines().any(|line| line.starts_with("Bash ")), "{arguments:?}: {}", listed.out);
        let explained = place.run(&[&["tools", "--explain"], arguments].concat()).out;
        let line = explained.lines().find(|line| line.starts_with("Bash ")).unwrap();
        assert!(line.contains("denied"), "{line}");
    };
    check(&["--disallowedTools", "Bash"]);
    check(&["--settings", r#"{"permissions": {"deny": ["Bash"]}}"#]);
}

#[test]
fn one_call_prints_its_answer() {
    let place = Place::new();
    place.write("a.txt", "hello\n");
    let ran = place.run(&["call", "Read", r#"{"file_path": "a.txt"}"#]);
    assert_eq!((ran.exit, ran.out.contains("hello"), ran.err.as_str()), (0, true, ""));
    let ran = place.run(&["call", "Read", r#"{"file_path": "a.txt"}"#, "--output-format", "json"]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.exit, &answer["is_error"]), (0, &json!(false)));
}

#[test]
fn calls_obey_rules_and_modes() {
    let place = Place::new();
    let check = |command: &str, flags: &[&str], exit: i32, out: &str| {
        let input = json!({"command": command}).to_string();
        let ran = place.run(&[&["call", "Bash", &input], flags].concat());
        assert_eq!((ran.exit, ran.out.trim_end()), (exit, out), "{command} {flags:?}: {}", ran.err);
    };
    check("touch x && echo made", &[], 1, "");
    check("touch x && echo made", &["--permission-mode", "bypassPermissions"], 0, "made");
    check("touch x && echo made", &["--allowedTools", "Bash(touch *)"], 0, "made");
    check("touch x", &["--dangerously-skip-permissions", "--disallowedTools", "Bash(touch *)"], 1, "");
    check("echo out; exit 3", &["--allowedTools", "Bash"], 1, "out\n[exit code 3]");
}

#[test]
fn a_stream_of_calls_has_one_state() {
    let place = Place::new();
    place.write("a.txt", "one\n");
    std::fs::create_dir(place.work().join("inner")).unwrap();
    let calls = [
        r#"{"tool": "Bash", "input": {"command": "cd inner"}}"#,
        r#"{"tool": "Bash", "input": {"command": "pwd"}}"#,
        "",
        "no json",
        r#"{"tool": "Reed", "input": {}}"#,
        r#"{"tool": "Bash", "input": {"command": "cat ../a.txt"}}"#,
    ];
    let ran = place.run_with(&["call", "--stdin"], &calls.join("\n"));
    let answers: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let text = |index: usize| answers[index]["content"][0]["text"].as_str().unwrap();
    let errors: Vec<_> = answers.iter().map(|answer| answer["is_error"].as_bool().unwrap()).collect();
    assert_eq!((ran.exit, errors), (0, vec![false, false, true, true, false]), "{}", ran.out);
    assert!(text(1).ends_with("inner") && text(4) == "one", "{}", ran.out);
    assert!(text(2).starts_with("line 4: ") && text(3).contains("`Read`"), "{}", ran.out);
}
