//! What is kept of a child's output, and how it left.

use std::sync::{Arc, Mutex};

use toolwright_core::Cancel;
use toolwright_process::{Capture, Ended, Exit, Process, ProcessError, Streams, Variables};

use crate::{bash, run, text};

async fn check(script: &str, output: &str, exit: Exit) {
    let finished = run(bash(script)).await;
    assert_eq!((text(&finished.stdout.head), finished.exit), (output, exit), "{script}");
    assert_eq!(finished.ended, Ended::ByItself);
}

#[tokio::test]
async fn output_and_exit() {
    check("true", "", Exit::Code(0)).await;
    check("echo a; echo b >&2; echo c; exit 7", "a\nb\nc\n", Exit::Code(7)).await;
    check("cat; echo \"$#:$0\"", "0:bash\n", Exit::Code(0)).await;
    check("kill -9 $$", "", Exit::Signal(9)).await;
    check("yes | head -1", "y\n", Exit::Code(0)).await;
    check("exec 2>&-; exec >&-; true", "", Exit::Code(0)).await;
}

#[tokio::test]
async fn what_it_reads_and_two_streams() {
    let finished = run(bash("cat; echo err >&2").stdin("in").streams(Streams::Separate)).await;
    assert_eq!((text(&finished.stdout.head), text(&finished.stderr.head)), ("in", "err\n"));
    let unread = run(bash("true").stdin(vec![b'x'; 1 << 20])).await;
    assert_eq!(unread.exit, Exit::Code(0));
}

#[tokio::test]
async fn a_large_output_is_bounded_and_told() {
    let capture = Capture { head: 10, tail: 10, ..Capture::default() };
    let finished = run(bash("head -c 3000000 /dev/zero | tr '\\0' a; echo; echo END").capture(capture)).await;
    assert_eq!((text(&finished.stdout.head), text(&finished.stdout.tail)), ("aaaaaaaaaa", "aaaaa\nEND\n"));
    assert_eq!((finished.stdout.total, finished.stdout.omitted), (3_000_005, 2_999_985));
}

#[tokio::test]
async fn many_small_writes_are_all_there_in_order() {
    let lines = |each: &str| (1..=2500).map(|line| format!("{line}{each}")).collect::<String>();
    let capture = Capture { head: 4 << 20, ..Capture::default() };
    let script = "for i in {1..2500}; do echo $i; echo $i >&2; done; exit 3";
    for streams in [Streams::Merged, Streams::Separate] {
        let finished = run(bash(script).capture(capture.clone()).streams(streams)).await;
        assert_eq!((finished.exit, finished.left_running), (Exit::Code(3), false));
        let got = (text(&finished.stdout.head), text(&finished.stderr.head));
        match streams {
            Streams::Merged => {
                let twice: String = (1..=2500).map(|line| format!("{line}\n{line}\n")).collect();
                assert_eq!(got, (twice.as_str(), ""));
            }
            Streams::Separate => assert_eq!(got, (lines("\n").as_str(), lines("\n").as_str())),
        }
    }
    // Small and large by turns, until the pipe is full many times.
    let script = "large=$(printf 'y%.0s' {1..70000}); for i in {1..40}; do echo $i; echo $large; done";
    let finished = run(bash(script).capture(capture)).await;
    let expect: String = (1..=40).map(|line| format!("{line}\n{}\n", "y".repeat(70_000))).collect();
    assert!(text(&finished.stdout.head) == expect, "{} bytes", finished.stdout.total);
}

#[tokio::test]
async fn the_newest_output_is_reported() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    let report = move |newest: &[u8], total: u64| told.lock().unwrap().push((newest.to_vec(), total));
    run(bash("echo one").on_output(report)).await;
    assert_eq!(seen.lock().unwrap().first(), Some(&(b"one\n".to_vec(), 4)));
}

#[tokio::test]
async fn variables_are_those_given() {
    let variables = Variables::default().with("PATH", "/usr/bin:/bin").with("A", "1");
    let finished = run(Process::new("env", "/", variables)).await;
    let mut names: Vec<_> =
        text(&finished.stdout.head).lines().filter_map(|line| line.split('=').next()).collect();
    names.sort_unstable();
    assert_eq!(names, ["A", "PATH", "TOOLWRIGHT_JOB"]);
}

#[tokio::test]
async fn errors_name_what_is_wrong() {
    let cancel = Cancel::default();
    let missing = Process::new("no-such-program", "/", Variables::default()).run(&cancel).await;
    assert!(matches!(missing, Err(ProcessError::NotFound { program }) if program == "no-such-program"));
    let folder = Process::bash("true", "/no/such/folder", Variables::default()).run(&cancel).await;
    assert!(matches!(folder, Err(ProcessError::Folder { path, .. }) if path.ends_with("folder")));
}
