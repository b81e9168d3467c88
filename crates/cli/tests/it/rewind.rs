//! `rewind` over whole sessions: what tools changed is put back, what others changed is not.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::place::{Place, Ran};

/// A turn that makes these calls one after another, and its end.
fn turn(calls: &[(&str, Value)]) -> Vec<Value> {
    let call = |(tool, input): &(&str, Value)| json!({"reply": [{"tool": tool, "input": input}]});
    calls.iter().map(call).chain([json!({"reply": [{"text": "done"}]})]).collect()
}

fn read(path: &str) -> (&'static str, Value) {
    ("Read", json!({"file_path": format!("{{cwd}}/{path}")}))
}

fn edit(path: &str, old: &str, new: &str) -> (&'static str, Value) {
    ("Edit", json!({"file_path": format!("{{cwd}}/{path}"), "old_string": old, "new_string": new}))
}

fn write(path: &str, content: &str) -> (&'static str, Value) {
    ("Write", json!({"file_path": format!("{{cwd}}/{path}"), "content": content}))
}

/// Runs prompts of one session in a row; gives its id.
fn session(place: &Place, turns: &[Vec<(&'static str, Value)>]) -> String {
    for (number, calls) in turns.iter().enumerate() {
        place.write("script.json", &json!({"turns": turn(calls)}).to_string());
        let prompt = format!("prompt {number}");
        let mut arguments =
            vec!["-p", &prompt, "--model=scripted:script.json", "--dangerously-skip-permissions"];
        if number > 0 {
            arguments.push("-c");
        }
        let ran = place.run(&arguments);
        assert_eq!((ran.exit, ran.out.as_str()), (0, "done\n"), "{ran:?}");
    }
    let list = place.run(&["sessions"]).out;
    list.split_whitespace().next().unwrap().to_owned()
}

fn rewind(place: &Place, id: &str, more: &[&str]) -> Ran {
    place.run(&[&["rewind", id], more].concat())
}

fn content(place: &Place, name: &str) -> Option<String> {
    fs::read_to_string(place.work().join(name)).ok()
}

#[test]
fn files_are_as_they_were_before_a_prompt() {
    let place = Place::new();
    place.write("a.txt", "one\r\n");
    fs::set_permissions(place.work().join("a.txt"), fs::Permissions::from_mode(0o751)).unwrap();
    place.write("gone.txt", "still here\n");
    let id = session(
        &place,
        &[
            vec![
                read("a.txt"),
                edit("a.txt", "one", "two"),
                read("gone.txt"),
                edit("gone.txt", "still", "not"),
            ],
            vec![
                edit("a.txt", "two", "three"),
                write("new/deep/b.txt", "made"),
                edit("a.txt", "three", "four"),
            ],
        ],
    );
    fs::remove_file(place.work().join("gone.txt")).unwrap();
    let listed = place.run(&["sessions", &id]).out;
    let ids: Vec<_> = listed.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(ids.len(), 2, "{listed}");
    assert!(listed.contains("prompt 0  (2 files changed)"), "{listed}");

    let ran = rewind(&place, &id, &["--dry-run"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    for said in [ids[1], "restore ", "a.txt", "remove ", "new/deep/b.txt", "would be"] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    assert_eq!(content(&place, "a.txt").as_deref(), Some("four\r\n"));

    // Without --to: before the last prompt.
    assert_eq!(rewind(&place, &id, &[]).exit, 0);
    assert_eq!(content(&place, "a.txt").as_deref(), Some("two\r\n"));
    assert!(!place.work().join("new").exists());
    assert_eq!(content(&place, "gone.txt"), None);
    let ran = rewind(&place, &id, &["--to", ids[0]]);
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("recreate "), "{}", ran.out);
    assert_eq!(content(&place, "a.txt").as_deref(), Some("one\r\n"));
    assert_eq!(content(&place, "gone.txt").as_deref(), Some("still here\n"));
    assert_eq!(fs::metadata(place.work().join("a.txt")).unwrap().permissions().mode() & 0o777, 0o751);
    // Doing it again does nothing.
    let ran = rewind(&place, &id, &["--to", ids[0]]);
    assert!(!ran.out.contains("restore ") && ran.out.contains("as it was"), "{}", ran.out);
}

#[test]
fn what_somebody_else_changed_is_left_alone_unless_forced() {
    let place = Place::new();
    place.write("a.txt", "one\n");
    let id = session(&place, &[vec![read("a.txt"), edit("a.txt", "one", "two"), write("b.txt", "made")]]);
    place.write("a.txt", "mine\n");
    place.write("b.txt", "mine\n");
    let ran = rewind(&place, &id, &[]);
    assert_eq!((ran.exit, ran.out.matches("leave ").count()), (0, 2), "{ran:?}");
    assert_eq!(content(&place, "a.txt").as_deref(), Some("mine\n"));
    assert_eq!(content(&place, "b.txt").as_deref(), Some("mine\n"));
    assert_eq!(rewind(&place, &id, &["--force"]).exit, 0);
    assert_eq!(content(&place, "a.txt").as_deref(), Some("one\n"));
    assert_eq!(content(&place, "b.txt"), None);
    // What was overwritten is kept in its turn.
    let kept = place.work().join("../home/.toolwright/sessions").join(&id).join("checkpoints");
    let texts: Vec<_> =
        fs::read_dir(kept).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    assert!(texts.contains(&"mine\n".to_owned()), "{texts:?}");
}

#[test]
fn a_subagents_changes_are_taken_back_too() {
    let place = Place::new();
    place.write("a.txt", "one\n");
    let all = json!({"turns": [
        {"reply": [{"tool": "Agent", "input": {"description": "edit", "prompt": "edit it", "subagent_type": "general-purpose"}}]},
        {"reply": [{"tool": "Read", "input": {"file_path": "{cwd}/a.txt"}}]},
        {"reply": [{"tool": "Edit", "input": {"file_path": "{cwd}/a.txt", "old_string": "one", "new_string": "two"}}]},
        {"reply": [{"text": "edited"}]},
        {"reply": [{"text": "done"}]},
    ]});
    place.write("script.json", &all.to_string());
    let ran = place.run(&["-p", "go", "--model=scripted:script.json", "--dangerously-skip-permissions"]);
    assert_eq!((ran.exit, ran.out.as_str()), (0, "done\n"), "{ran:?}");
    assert_eq!(content(&place, "a.txt").as_deref(), Some("two\n"));
    let id = place.run(&["sessions"]).out.split_whitespace().next().unwrap().to_owned();
    assert_eq!(rewind(&place, &id, &[]).exit, 0);
    assert_eq!(content(&place, "a.txt").as_deref(), Some("one\n"));
}

#[test]
fn what_was_not_kept_is_said() {
    let place = Place::new();
    place.write("a.txt", "one one one\n");
    fs::create_dir_all(place.work().join("../home/.toolwright")).unwrap();
    let settings = json!({"checkpoints": {"maxFileBytes": 5}}).to_string();
    fs::write(place.work().join("../home/.toolwright/settings.json"), settings).unwrap();
    let id = session(&place, &[vec![read("a.txt"), write("a.txt", "two\n"), write("a.txt", "three\n")]]);
    let ran = rewind(&place, &id, &[]);
    assert!(ran.out.contains("leave ") && ran.out.contains("checkpoints.maxFileBytes"), "{ran:?}");
    assert_eq!(content(&place, "a.txt").as_deref(), Some("three\n"));
}

#[test]
fn a_session_or_prompt_that_is_not_there_is_named() {
    let place = Place::new();
    let ran = rewind(&place, "nope", &[]);
    assert!(ran.exit == 1 && ran.err.contains("no session `nope`"), "{ran:?}");
    place.write("a.txt", "one\n");
    let id = session(&place, &[vec![read("a.txt")]]);
    let ran = rewind(&place, &id, &["--to", "zzz"]);
    assert!(ran.exit == 1 && ran.err.contains("no prompt `zzz`"), "{ran:?}");
    let ran = rewind(&place, &id, &[]);
    assert!(ran.exit == 0 && ran.out.contains("No tool changed a file"), "{ran:?}");
}
