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

fn notebook(path: &str, cell: &str, source: &str) -> (&'static str, Value) {
    let input = json!({"notebook_path": format!("{{cwd}}/{path}"), "cell_id": cell, "new_source": source});
    ("NotebookEdit", input)
}

fn newest(place: &Place) -> String {
    place.run(&["sessions"]).out.split_whitespace().next().unwrap().to_owned()
}

#[test]
fn bytes_links_and_notebooks_come_back_exactly() {
    let place = Place::new();
    let at = |name: &str| place.work().join(name);
    let utf16: Vec<u8> = "\u{feff}eins\r\nzwei\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin =
        b"caf\xe9 au lait, gar\xe7on, \xe0 bient\xf4t, d\xe9j\xe0 vu, cr\xe8me br\xfbl\xe9e\none\n".to_vec();
    let cells = "{\"cells\": [\n  {\"id\":\"a1\", \"cell_type\":\"code\",\"source\":[\"x = 1\\n\"], \"outputs\":[],\
                 \"metadata\":{},\"execution_count\":7}],\n \"metadata\":{\"b\":1,\"a\":2},\"nbformat\":4,\"nbformat_minor\":5}";
    let files: [(&str, &[u8]); 5] = [
        ("utf16.txt", &utf16),
        ("latin.txt", &latin),
        ("n.ipynb", cells.as_bytes()),
        ("target.txt", b"one\n"),
        ("first.txt", b"one\n"),
    ];
    files.iter().for_each(|(name, bytes)| fs::write(at(name), bytes).unwrap());
    std::os::unix::fs::symlink("target.txt", at("link.txt")).unwrap();
    fs::hard_link(at("first.txt"), at("second.txt")).unwrap();
    let id = session(
        &place,
        &[vec![
            read("utf16.txt"),
            edit("utf16.txt", "zwei", "drei"),
            read("latin.txt"),
            edit("latin.txt", "one", "two"),
            read("n.ipynb"),
            notebook("n.ipynb", "a1", "x = 2\ny = 3"),
            read("link.txt"),
            edit("link.txt", "one", "two"),
            read("second.txt"),
            edit("second.txt", "one", "two"),
        ]],
    );
    for (name, bytes) in files {
        assert_ne!(fs::read(at(name)).unwrap(), bytes, "{name} was not changed");
    }
    let ran = rewind(&place, &id, &["--dry-run"]);
    // By the file's own path, not by that of the link.
    assert!(ran.out.contains("target.txt") && !ran.out.contains("link.txt"), "{}", ran.out);
    assert_eq!(ran.out.matches("restore ").count(), 5, "{}", ran.out);
    assert_eq!(
        (rewind(&place, &id, &[]).exit, rewind(&place, &id, &["--dry-run"]).out.matches("as it was").count()),
        (0, 5)
    );
    for (name, bytes) in files {
        assert_eq!(fs::read(at(name)).unwrap(), bytes, "{name}");
    }
    assert_eq!(fs::read_link(at("link.txt")).unwrap().to_str(), Some("target.txt"));
    fs::write(at("first.txt"), "both").unwrap();
    assert_eq!(content(&place, "second.txt").as_deref(), Some("both"), "it is one file still");
    assert!(
        !place
            .work()
            .join("../home/.toolwright/recovery")
            .read_dir()
            .is_ok_and(|mut left| left.next().is_some())
    );
}

#[test]
fn two_sessions_on_one_file_are_taken_back_in_turn() {
    let place = Place::new();
    place.write("a.txt", "one\n");
    session(&place, &[vec![read("a.txt"), edit("a.txt", "one", "two")]]);
    let first = newest(&place);
    session(&place, &[vec![read("a.txt"), edit("a.txt", "two", "three")]]);
    let second = newest(&place);
    assert_ne!(first, second);
    let ran = rewind(&place, &first, &[]);
    assert!(ran.out.contains("leave ") && ran.out.contains("somebody else"), "{}", ran.out);
    assert_eq!(content(&place, "a.txt").as_deref(), Some("three\n"));
    assert_eq!(rewind(&place, &second, &[]).exit, 0);
    assert_eq!(content(&place, "a.txt").as_deref(), Some("two\n"));
    assert_eq!(rewind(&place, &first, &[]).exit, 0);
    assert_eq!(content(&place, "a.txt").as_deref(), Some("one\n"));
}

#[test]
fn a_session_keeps_no_more_than_its_limit_and_says_so() {
    let place = Place::new();
    let settings = json!({"checkpoints": {"maxSessionBytes": 30}}).to_string();
    fs::create_dir_all(place.work().join("../home/.toolwright")).unwrap();
    fs::write(place.work().join("../home/.toolwright/settings.json"), settings).unwrap();
    place.write("a.txt", "twenty bytes of text");
    place.write("b.txt", "twenty bytes as well");
    let id = session(&place, &[vec![read("a.txt"), write("a.txt", "x"), read("b.txt"), write("b.txt", "x")]]);
    let ran = rewind(&place, &id, &[]);
    assert!(ran.out.contains("leave ") && ran.out.contains("checkpoints.maxSessionBytes"), "{ran:?}");
    assert_eq!(content(&place, "a.txt").as_deref(), Some("twenty bytes of text"));
    assert_eq!(content(&place, "b.txt").as_deref(), Some("x"));
}

#[test]
fn a_file_made_and_a_folder_the_person_uses_since() {
    let place = Place::new();
    let id =
        session(&place, &[vec![write("new/deep/a.txt", "made"), edit("new/deep/a.txt", "made", "again")]]);
    place.write("new/mine.txt", "mine");
    assert_eq!(rewind(&place, &id, &[]).exit, 0);
    assert!(!place.work().join("new/deep").exists());
    assert_eq!(content(&place, "new/mine.txt").as_deref(), Some("mine"));
    // As if the rewind had been killed behind the file: the folder goes too.
    fs::create_dir_all(place.work().join("new/deep")).unwrap();
    assert_eq!(rewind(&place, &id, &[]).exit, 0);
    assert!(!place.work().join("new/deep").exists());
    // It is gone already: nothing is to be done, and nothing fails.
    let ran = rewind(&place, &id, &[]);
    assert!(ran.exit == 0 && ran.out.contains("as it was"), "{ran:?}");
}

#[test]
fn old_sessions_go_with_all_they_kept_and_the_list_says_when() {
    let place = Place::new();
    place.write("a.txt", "one\n");
    session(&place, &[vec![read("a.txt"), edit("a.txt", "one", "two")]]);
    let sessions = place.work().join("../home/.toolwright/sessions");
    // As if it had been held in 2023.
    let old = sessions.join("18bcfe56800-00000001");
    fs::rename(sessions.join(newest(&place)), &old).unwrap();
    let journal = fs::File::open(old.join("session.jsonl")).unwrap();
    journal.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000)).unwrap();
    assert!(place.run(&["sessions"]).err.contains("30 days"));
    let settings = |folder: &str, days: u32| {
        fs::create_dir_all(place.work().join(folder)).unwrap();
        let text = json!({"cleanupPeriodDays": days}).to_string();
        fs::write(place.work().join(folder).join("settings.json"), text).unwrap();
    };
    let run = || {
        place.write("script.json", &json!({"turns": turn(&[])}).to_string());
        place.run(&["-p", "go", "--model=scripted:script.json"])
    };
    settings("../home/.toolwright", 36500);
    // A project has no say.
    settings(".toolwright", 1);
    let ran = run();
    assert!(ran.exit == 0 && ran.err.contains("cleanupPeriodDays"), "{ran:?}");
    assert!(old.is_dir());
    fs::remove_dir_all(place.work().join(".toolwright")).unwrap();
    settings("../home/.toolwright", 0);
    let ran = run();
    assert!(ran.exit == 0 && ran.err.contains("36500 keeps all"), "{ran:?}");
    assert!(old.is_dir());
    settings("../home/.toolwright", 7);
    assert!(place.run(&["sessions"]).err.contains("7 days"));
    assert_eq!(run(), Ran { exit: 0, out: "done\n".into(), err: String::new() });
    assert!(!old.exists());
    assert_eq!(place.run(&["sessions"]).out.lines().count(), 3, "the younger ones stay");
}
