//! A writer that is killed at any moment leaves the old file or the new one, whether it is replaced or written in place.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;

use toolwright_core::Cancel;
use toolwright_services::{Files, Window};
use toolwright_testkit::{TempWorkspace, block_on};
use toolwright_workspace::LocalFiles;

use crate::child::{self, say};

const ALL: Window = Window { first_line: 1, lines: u64::MAX, bytes: usize::MAX, line_bytes: usize::MAX };
/// Long enough that a write takes a while.
const LENGTHS: [usize; 2] = [600 << 10, 500 << 10];

fn text(number: usize) -> String {
    let letter = if number.is_multiple_of(2) { "a" } else { "b" };
    letter.repeat(LENGTHS[number % 2]) + "\n"
}

/// The recovery folder, below the place.
const STATE: &str = "state";

fn files(place: &Path) -> LocalFiles {
    LocalFiles::new(None).recovering_in(place.join(STATE))
}

/// Writes one text and the other over each other, so many times or until it is killed.
fn keep_writing(place: &Path, times: usize) {
    let (files, path) = (files(place), place.join("file"));
    block_on(async {
        files.read(&path, ALL, &Cancel::default()).await.unwrap();
        for number in 1..=times {
            say(&format!("writing {number}"));
            files.write(&path, &text(number)).await.unwrap();
        }
    });
}

#[test]
#[ignore = "the program of another test"]
fn writer() {
    if let Some(place) = child::place() {
        keep_writing(&place, usize::MAX);
    }
}

#[test]
#[ignore = "the program of another test"]
fn writer_of_one() {
    if let Some(place) = child::place() {
        keep_writing(&place, 1);
    }
}

/// What a file is: its name alone, or one of two.
#[derive(Debug, Clone, Copy)]
enum Names {
    One,
    Two,
}

fn begin(names: Names) -> TempWorkspace {
    let workspace = TempWorkspace::new();
    workspace.write("file", text(0));
    if let Names::Two = names {
        fs::hard_link(workspace.join("file"), workspace.join("other name")).unwrap();
    }
    workspace
}

/// The file is one of the texts, whole, by each of its names, once the next one has begun. Whether it was half before that.
fn check(workspace: &TempWorkspace, names: Names) -> bool {
    let whole = || {
        let found = fs::read_to_string(workspace.join("file")).unwrap_or_default();
        if let Names::Two = names {
            assert_eq!(fs::read_to_string(workspace.join("other name")).unwrap_or_default(), found);
        }
        [text(0), text(1)].contains(&found)
    };
    let before = whole();
    drop(files(workspace.path()));
    assert!(whole(), "half a file");
    let left = fs::read_dir(workspace.join(STATE)).into_iter().flatten().map(Result::unwrap);
    let left: Vec<_> = left.map(|entry| entry.file_name().into_string().unwrap()).collect();
    assert!(left.iter().all(|name| name.ends_with(".tmp")), "{left:?}");
    !before
}

#[test]
fn killed_in_the_middle_of_writing() {
    for names in [Names::One, Names::Two] {
        let workspace = begin(names);
        // The system kills a program that makes a file longer than this: so the writer dies at that byte.
        for kilobytes in [1, 77, 200, 490] {
            let limits = format!("ulimit -c 0; ulimit -f {kilobytes}; exec \"$@\"");
            let ended = child::command_within(&limits, "killed::writer", workspace.path()).output().unwrap();
            assert!(ended.status.signal().is_some(), "{ended:?}");
            check(&workspace, names);
            assert_eq!(workspace.read("file"), text(0));
        }
    }
}

#[test]
fn killed_at_any_moment() {
    let mut half = 0;
    for (names, rounds) in [(Names::One, 8), (Names::Two, 40)] {
        let workspace = begin(names);
        for round in 0..rounds {
            let mut child = child::command("killed::writer", workspace.path()).spawn().unwrap();
            // A line is said before each write: how far that gets by the time the signal comes is nobody's choice.
            child::wait_for(&mut child, "writing", 1 + round % 4);
            // Some work in place of a clock, so that the signal comes later from round to round.
            let work = (0..round * 10_000).fold(0_usize, |sum, next| sum.wrapping_mul(31).wrapping_add(next));
            std::hint::black_box(work);
            child.kill().unwrap();
            child.wait().unwrap();
            half += usize::from(check(&workspace, names));
        }
    }
    say(&format!("{half} of 48 had half a file to put back"));
}

/// The steps of a write, as the system sees them. Opening is none: it changes nothing that counts.
const STEPS: [&str; 8] = ["write", "ftruncate", "rename", "renameat2", "link", "unlink", "fchmod", "mkdir"];

/// One write, killed as it is about to take its `number`th step of this kind; nothing if there is no such step or no way to
/// find out.
fn killed_before(step: &str, number: usize, place: &Path) -> Option<()> {
    let writer = child::command("killed::writer_of_one", place);
    #[expect(clippy::disallowed_methods, reason = "another process is what is tested")]
    let mut strace = std::process::Command::new("strace");
    let inject = format!("inject={step}:signal=SIGKILL:when={number}");
    strace.args(["-f", "-o", "/dev/null", "-e", &inject]).arg(writer.get_program()).args(writer.get_args());
    strace.envs(writer.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ended = strace.output().ok()?;
    (ended.status.signal() == Some(9)).then_some(())
}

#[test]
fn killed_between_any_two_steps() {
    for names in [Names::One, Names::Two] {
        let (mut old, mut new, mut half) = (0, 0, 0);
        for step in STEPS {
            for number in 1.. {
                let workspace = begin(names);
                let killed = killed_before(step, number, workspace.path());
                if (step, number, killed) == ("write", 1, None) {
                    return say("skipped: no strace that may trace here");
                }
                half += usize::from(check(&workspace, names));
                let is_old = workspace.read("file") == text(0);
                old += usize::from(is_old);
                new += usize::from(!is_old);
                if killed.is_none() {
                    break;
                }
            }
        }
        say(&format!("{names:?}: {old} times the old text, {new} times the new, {half} times half before"));
        assert!(old > 0 && new > 0, "{names:?}: {old} {new}");
        // In place, the end of the longer old text is cut off in a step of its own.
        assert_eq!(half > 0, matches!(names, Names::Two), "{names:?}: {half}");
    }
}
