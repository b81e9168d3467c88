//! What lists things: its forms, and what happens where it cannot be written.

use serde_json::{Value, json};

use crate::place::Place;

fn with_session(prompt: &str) -> Place {
    let place = Place::new();
    place.write("one.json", r#"[{"reply": [{"text": "One."}]}]"#);
    assert_eq!(place.run(&["-p", prompt, "--model", "scripted:one.json"]).out, "One.\n");
    place
}

#[test]
fn lists_are_json_where_that_is_asked_for() {
    let place = with_session("begin\nhere");
    let json = |arguments: &[&str]| {
        let ran = place.run(arguments);
        let list: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        (ran.exit, list)
    };
    let (exit, sessions) = json(&["sessions", "--json"]);
    assert_eq!((exit, sessions[0]["prompt"].as_str()), (0, Some("begin\nhere")));
    assert!(sessions[0]["at"].is_u64() && sessions[0]["cwd"].is_string(), "{sessions}");
    assert_eq!(json(&["sessions", "--output-format", "json"]).1, sessions);
    let id = sessions[0]["id"].as_str().unwrap();
    let (_, prompts) = json(&["sessions", id, "--json"]);
    assert_eq!((&prompts[0]["prompt"], &prompts[0]["files"]), (&json!("begin\nhere"), &json!(0)));
    assert_eq!(json(&["tools", "--output-format", "json"]), json(&["tools", "--json"]));
    assert_eq!(
        serde_json::from_str::<Value>(&Place::new().run(&["sessions", "--json"]).out).unwrap(),
        json!([])
    );
}

#[test]
fn a_form_that_a_command_does_not_have_is_refused() {
    let place = Place::new();
    for arguments in [&["trust"][..], &["rewind", "x"], &["demo"], &["tools", "--explain"]] {
        let arguments = [arguments, &["--output-format", "json"]].concat();
        let ran = place.run(&arguments);
        assert!(ran.exit == 2 && ran.err.contains("has one form of output"), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn a_title_is_cut_where_it_is_no_terminal() {
    let place = with_session(&"a long prompt ".repeat(1_000));
    let listed = place.run(&["sessions"]).out;
    let title = listed.split_once("a long").unwrap().1;
    assert!(
        listed.lines().count() == 1 && title.chars().count() < 100 && listed.ends_with("…\n"),
        "{listed}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_said() {
    let place = with_session("begin");
    let check = |arguments: &[&str]| {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let ran = crate::place::ran(place.command(arguments).stdout(full).output().unwrap());
        let said = ran.err.matches("standard output cannot be written: No space left on device").count();
        assert!(said == 1 && ran.exit != 0, "{arguments:?}: {ran:?}");
    };
    check(&["tools"]);
    check(&["tools", "--json"]);
    check(&["sessions"]);
    check(&["--help"]);
    check(&["--version"]);
    check(&["trust"]);
    check(&["call", "Glob", r#"{"pattern": "*"}"#]);
    check(&["demo"]);
    check(&["-p", "x", "--model", "scripted:one.json"]);
    check(&["-p", "x", "--model", "scripted:one.json", "--output-format", "json"]);
    check(&["-p", "x", "--model", "scripted:one.json", "--output-format", "stream-json"]);
}
