//! What is wrong is named, with what would be right, under the right exit code.

use crate::place::Place;

#[test]
fn wrong_command_lines_are_usage_errors() {
    let place = Place::new();
    let check = |arguments: &[&str], input: &str, exit: i32, parts: &[&str]| {
        let ran = place.run_with(arguments, input);
        assert_eq!((ran.exit, ran.out.as_str()), (exit, ""), "{arguments:?}: {}", ran.err);
        for part in parts {
            assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
        }
    };
    check(&["-p", "x", "--modle", "y"], "", 2, &["--modle", "--model"]);
    check(&["tolls"], "", 2, &["`tolls`", "`tools`"]);
    check(&["-p"], "", 2, &["no prompt"]);
    check(&[], "", 2, &["no prompt"]);
    check(&["-p", "x"], "", 1, &["ANTHROPIC_API_KEY", "openai:", "demo"]);
    check(&["-p", "x", "--model", "scripted:none.json"], "", 1, &["none.json"]);
    check(&["-p", "x", "-c", "--model", "scripted:none.json"], "", 1, &["none.json"]);
    check(&["-p", "x", "--settings", "{\"permissions\""], "", 1, &["--settings:1:"]);
    check(&["-p", "x", "--settings", "none.json"], "", 1, &["none.json"]);
    check(&["call", "Read", "{"], "", 2, &["no JSON"]);
    check(&["call", "Reed", "{}"], "", 1, &["`Reed`", "`Read`"]);
    check(&["call", "Read", r#"{"file_pat": "a"}"#], "", 1, &["`file_pat`", "`file_path`"]);
    let negative = r#"{"command": "true", "timeout": -5}"#;
    check(&["call", "Bash", negative], "", 1, &["`timeout` is -5; give a whole number from 0"]);
}

#[test]
fn input_that_is_no_text_is_refused() {
    use std::io::Write as _;

    let place = Place::new();
    let mut child = place.command(&["-p"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"ab\xff").unwrap();
    let ran = crate::place::ran(child.wait_with_output().unwrap());
    assert_eq!(ran.exit, 2);
    assert!(ran.err.contains("byte 2"), "{}", ran.err);
}

#[test]
fn programs_are_told_of_a_run_that_could_not_begin() {
    let ran =
        Place::new().run(&["-p", "x", "--model", "scripted:none.json", "--output-format", "stream-json"]);
    assert_eq!(ran.exit, 1);
    let result: serde_json::Value = serde_json::from_str(ran.out.trim_end()).unwrap();
    assert_eq!((&result["type"], &result["is_error"]), (&"result".into(), &true.into()));
    assert!(result["errors"][0].as_str().unwrap().contains("none.json"));
}
