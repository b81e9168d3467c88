//! A writer that is killed at any moment leaves the old file or the new one.

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

/// Writes one text and the other over each other until it is killed.
fn write_for_ever(path: &Path) {
    let files = LocalFiles::new(None);
    block_on(async {
        files.read(path, ALL, &Cancel::default()).await.unwrap();
        for number in 1.. {
            say(&format!("writing {number}"));
            files.write(path, &text(number)).await.unwrap();
        }
    });
}

#[test]
#[ignore = "the program of another test"]
fn writer() {
    if let Some(place) = child::place() {
        write_for_ever(&place.join("file"));
    }
}

/// The file is one of the texts, whole.
fn check(workspace: &TempWorkspace) {
    let found = fs::read_to_string(workspace.join("file")).unwrap();
    assert!([text(0), text(1)].contains(&found), "half a file: {} bytes", found.len());
}

#[test]
fn killed_in_the_middle_of_writing() {
    let workspace = TempWorkspace::new();
    // The system kills a program that makes a file longer than this: so the writer dies at that byte.
    for kilobytes in [1, 77, 200, 490] {
        workspace.write("file", text(0));
        let limits = format!("ulimit -c 0; ulimit -f {kilobytes}; exec \"$@\"");
        let ended = child::command_within(&limits, "killed::writer", workspace.path()).output().unwrap();
        assert!(ended.status.signal().is_some(), "{ended:?}");
        check(&workspace);
        assert_eq!(workspace.read("file"), text(0));
    }
}

#[test]
fn killed_at_any_moment() {
    let workspace = TempWorkspace::new();
    for round in 0..8 {
        workspace.write("file", text(0));
        let mut child = child::command("killed::writer", workspace.path()).spawn().unwrap();
        // A line is said before each write: how far that gets by the time the signal comes is nobody's choice.
        child::wait_for(&mut child, "writing", 1 + round % 4);
        // Some work in place of a clock, so that the signal comes later from round to round.
        let work = (0..round * 10_000).fold(0_usize, |sum, next| sum.wrapping_mul(31).wrapping_add(next));
        std::hint::black_box(work);
        child.kill().unwrap();
        child.wait().unwrap();
        check(&workspace);
    }
}
