//! Which session is gone on with, what is said where there is nothing to go on with, and a run that can keep none.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::place::{Place, Ran};

const SCRIPT: &str = r#"{"turns": [{"reply": [{"text": "done"}]}]}"#;

/// One prompt, with more flags.
fn run(place: &Place, more: &[&str]) -> Ran {
    place.write("script.json", SCRIPT);
    place.run(&[&["-p", "go", "--model=scripted:script.json"], more].concat())
}

fn sessions(place: &Place) -> PathBuf {
    place.work().join("../home/.toolwright/sessions")
}

/// The ids of the sessions, the oldest first.
fn ids(place: &Place) -> Vec<String> {
    let names = fs::read_dir(sessions(place)).unwrap().map(|entry| entry.unwrap().file_name());
    let mut ids: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    ids.sort_unstable();
    ids
}

fn journal(place: &Place, id: &str) -> PathBuf {
    sessions(place).join(id).join("session.jsonl")
}

/// How many prompts a session has.
fn prompts(place: &Place, id: &str) -> usize {
    fs::read_to_string(journal(place, id)).unwrap().matches("\"type\":\"prompt\"").count()
}

#[test]
fn a_session_without_anything_to_go_on_with_is_an_error() {
    let check = |spoil: &dyn Fn(&PathBuf), expect: &str| {
        let place = Place::new();
        assert_eq!(run(&place, &[]).exit, 0);
        let id = ids(&place).remove(0);
        spoil(&journal(&place, &id));
        let ran = run(&place, &["-r", &id]);
        assert!(ran.exit == 1 && ran.out.is_empty() && ran.err.contains(expect), "{expect}: {ran:?}");
        assert_eq!(ids(&place), [id], "nothing is begun");
    };
    let nothing = "it cannot be gone on with; start a new session without --resume";
    check(&|path| fs::remove_file(path).unwrap(), nothing);
    check(&|path| drop(File::create(path).unwrap()), nothing);
    check(&|path| fs::write(path, "no line of ours\n").unwrap(), nothing);
    check(
        &|path| {
            let lines = fs::read_to_string(path).unwrap();
            fs::write(path, lines.replace("\"agent\":\"main\"", "\"agent\":\"other\"")).unwrap();
        },
        nothing,
    );
    // Nothing waits for what a pipe would say.
    let pipe = |path: &PathBuf| {
        fs::remove_file(path).unwrap();
        nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).unwrap();
    };
    check(&pipe, "it is no regular file");
}

#[test]
fn a_pipe_in_the_place_of_a_journal_is_in_nobodys_way() {
    let place = Place::new();
    assert_eq!(run(&place, &[]).exit, 0);
    let path = journal(&place, &ids(&place).remove(0));
    fs::remove_file(&path).unwrap();
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(run(&place, &["-c"]).exit, 1);
    assert_eq!(place.run(&["sessions"]).exit, 0);
    assert_eq!(run(&place, &[]).exit, 0);
}

#[test]
fn what_was_used_last_is_gone_on_with() {
    let place = Place::new();
    for _ in 0..2 {
        assert_eq!(run(&place, &[]).exit, 0);
    }
    let [old, new] = ids(&place).try_into().unwrap();
    let check = |used: &str, expect: &str| {
        assert_eq!(run(&place, &["-r", used]).exit, 0);
        let before = prompts(&place, expect);
        assert_eq!(run(&place, &["-c"]).exit, 0);
        assert_eq!(prompts(&place, expect), before + 1, "{used}");
    };
    check(&old, &old);
    check(&new, &new);
    // As if the clock had been ahead when the new one was used.
    let ahead = SystemTime::now() + Duration::from_secs(1_000_000);
    File::options().append(true).open(journal(&place, &new)).unwrap().set_modified(ahead).unwrap();
    check(&old, &old);
    // Without a record of it, by the time of the last line; one that is still to come says nothing.
    fs::remove_dir_all(sessions(&place).with_file_name("last-used")).unwrap();
    let before = prompts(&place, &old);
    assert_eq!(run(&place, &["-c"]).exit, 0);
    assert_eq!(prompts(&place, &old), before + 1);
}

#[test]
fn a_run_that_cannot_keep_its_session_says_so_and_runs() {
    let place = Place::new();
    let home = place.work().join("../home/.toolwright");
    fs::create_dir_all(&home).unwrap();
    // In the place of the folder: a home that nobody may write would not keep root out.
    fs::write(home.join("sessions"), "").unwrap();
    let ran = run(&place, &[]);
    assert!(ran.exit == 0 && ran.out == "done\n", "{ran:?}");
    assert!(ran.err.contains("this session is not kept") && ran.err.contains("cannot make"), "{ran:?}");
    assert_eq!(run(&place, &["-c"]).exit, 1);
}
