//! The file tools over the built binary, each beside plain code that does the least that must be done, in rounds of both.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a bench fails by panicking and prints its report"
)]

use std::fs::{self, File};
use std::io::{BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwright_testkit::TempWorkspace;
use toolwright_tests::{
    Calls,
    bench::{median, milliseconds},
};

const LINES: u64 = 1 << 24;
const LINE: usize = 64;
const EDITS: usize = 1_000;
const FILES: usize = 10_000;
const ROUNDS: usize = 5;

fn main() {
    let place = TempWorkspace::new();
    large(&place);
    edits(&place);
    small(&place);
}

/// 100 lines at the end of 1 GiB.
fn large(place: &TempWorkspace) {
    let path = place.join("large.txt");
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    for number in 0..LINES {
        let line = format!("{number:010} {}\n", "x".repeat(LINE - 12));
        file.write_all(line.as_bytes()).expect("room for 1 GiB");
    }
    let file = file.into_inner().expect("room for 1 GiB");
    file.sync_all().expect("a disk");
    let first = LINES - 99;
    let input = json!({"tool": "Read", "input": {"file_path": path, "offset": first, "limit": 100}});
    for (name, cold) in [("cold", true), ("warm", false)] {
        let (mut ours, mut plain, mut peak) = (Vec::new(), Vec::new(), 0);
        for _ in 0..ROUNDS {
            let mut calls = start(place);
            forget(&path, cold);
            ours.push(timed(|| peak = peak.max(call(&mut calls, &input, &format!("{:010}", LINES - 1)))));
            forget(&path, cold);
            plain.push(timed(|| assert_eq!(newlines(&path), LINES)));
        }
        report(
            &format!("Read 100 lines at the end of 1 GiB, {name}"),
            ours,
            plain,
            peak,
            "under 1000 ms, 64 MiB",
        );
    }
    fs::remove_file(path).expect("the file");
}

/// 1,000 edits of 1 MiB.
fn edits(place: &TempWorkspace) {
    let text: String =
        (0..(1 << 20) / LINE).map(|line| format!("{line:010} {}\n", "y".repeat(LINE - 12))).collect();
    let path = place.join("edited.txt");
    place.write("edited.txt", &text);
    place.write("plain.txt", &text);
    let mut calls = start(place);
    call(&mut calls, &json!({"tool": "Read", "input": {"file_path": path}}), "0000000000");
    let (mut ours, mut plain, mut peak) = (Vec::new(), Vec::new(), 0);
    for edit in 0..EDITS {
        let old = format!("{:010} ", edit * 16);
        let new = format!("{:010}!", edit * 16);
        let input =
            json!({"tool": "Edit", "input": {"file_path": path, "old_string": old, "new_string": new}});
        ours.push(timed(|| peak = peak.max(call(&mut calls, &input, "1 replacement"))));
        plain.push(timed(|| {
            let path = place.join("plain.txt");
            let text = fs::read_to_string(&path).expect("a text");
            fs::write(place.join("plain.tmp"), text.replacen(&old, &new, 1)).expect("room");
            fs::rename(place.join("plain.tmp"), path).expect("the file");
        }));
    }
    assert_eq!(place.read("edited.txt"), place.read("plain.txt"));
    report("Edit of 1 MiB", ours, plain, peak, "");
}

/// 10,000 small files.
fn small(place: &TempWorkspace) {
    let name = |file: usize| format!("small/{}/{file}.txt", file % 100);
    for file in 0..FILES {
        place.write(name(file), format!("file {file}\n").repeat(1 + file % 60));
    }
    let mut calls = start(place);
    let (mut ours, mut plain, mut peak) = (Vec::new(), Vec::new(), 0);
    for file in 0..FILES {
        let path = place.join(name(file));
        let input = json!({"tool": "Read", "input": {"file_path": path}});
        ours.push(timed(|| peak = peak.max(call(&mut calls, &input, &format!("file {file}")))));
        plain.push(timed(|| assert!(fs::read_to_string(&path).is_ok())));
    }
    // A call goes through a pipe, and reading a file does not.
    let nothing = json!({"tool": "Read", "input": {"file_path": ""}});
    let pipe = (0..FILES).map(|_| timed(|| drop(calls.call(&nothing)))).collect();
    println!("  the pipe, with a call that is refused: {}", milliseconds(median(pipe)));
    report("Read of a small file", ours, plain, peak, "");
}

fn start(place: &TempWorkspace) -> Calls {
    Calls::start(place.path(), place.path(), &[])
}

/// Makes a call that must answer with `part`; gives the most memory the process had by then, in MiB.
fn call(calls: &mut Calls, input: &Value, part: &str) -> u64 {
    let answer = calls.call(input);
    assert!(answer["is_error"] == false && answer["content"].to_string().contains(part), "{answer}");
    answer["peak_mib"].as_u64().unwrap_or_default()
}

fn timed(work: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}

/// Lets the system forget what it has of a file, so that the disk is read.
#[expect(clippy::disallowed_methods, reason = "a bench prepares what it measures")]
fn forget(path: &Path, cold: bool) {
    if cold {
        let of: PathBuf = path.into();
        let mut command = Command::new("dd");
        command.arg(format!("if={}", of.display())).args(["iflag=nocache", "count=0"]);
        let ended = command.stderr(Stdio::null()).stdout(Stdio::null()).status();
        assert!(ended.is_ok_and(|status| status.success()), "dd drops the cache");
    }
}

/// What must be done to find a line by its number: its newlines are counted.
fn newlines(path: &Path) -> u64 {
    let mut file = File::open(path).expect("a file");
    let mut chunk = vec![0; 1 << 18];
    let mut count = 0;
    loop {
        let read = file.read(&mut chunk).expect("a disk");
        if read == 0 {
            return count;
        }
        count += chunk[..read].iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
    }
}

fn report(name: &str, ours: Vec<Duration>, plain: Vec<Duration>, peak: u64, goal: &str) {
    let (ours, plain) = (median(ours), median(plain));
    let ratio = ours.as_secs_f64() / plain.as_secs_f64();
    let (ours, plain) = (milliseconds(ours), milliseconds(plain));
    println!("{name}: {ours}, plain {plain}, ratio {ratio:.1}, peak {peak} MiB  {goal}");
}
