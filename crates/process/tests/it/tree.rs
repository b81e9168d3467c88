//! Nothing of a tree survives a time limit, a cancellation or a dropped future.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use toolwright_core::Cancel;
use toolwright_process::{Ended, Exit, Finished, Process, Streams};

use crate::{bash, run, text};

/// A shell with a child, a child of that, one in a session of its own and a daemon; all sleep `mark` seconds.
fn tree(mark: &str) -> String {
    format!(
        "sleep {mark} & (sleep {mark} & sleep {mark}) & setsid sleep {mark} & \
         (setsid bash -c 'sleep {mark} & sleep {mark}' >/dev/null 2>&1 &) ; echo up; sleep {mark}"
    )
}

/// Living processes whose command line is `sleep mark`.
fn left(mark: &str) -> Vec<String> {
    let wanted = format!("sleep\0{mark}\0").into_bytes();
    let entries = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let ours =
        entries.filter(|entry| std::fs::read(entry.path().join("cmdline")).is_ok_and(|line| line == wanted));
    ours.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Waits for the kernel to take dead processes away; bounded, so that a survivor fails the test.
async fn none_left(mark: &str) {
    for _ in 0..200 {
        if left(mark).is_empty() {
            return;
        }
        tokio::task::yield_now().await;
        std::thread::yield_now();
    }
    assert_eq!(left(mark), Vec::<String>::new(), "survivors of {mark}");
}

/// Cancels once the first output came.
async fn cancelled(process: Process) -> Finished {
    let cancel = Cancel::default();
    let on_output = cancel.clone();
    process.on_output(move |_, _| on_output.cancel()).run(&cancel).await.unwrap()
}

#[tokio::test]
async fn a_cancelled_tree_is_gone_and_its_output_kept() {
    let finished = cancelled(bash(&tree("9001.1"))).await;
    assert_eq!((finished.ended, finished.exit), (Ended::Cancelled, Exit::Signal(15)));
    assert_eq!(text(&finished.stdout.head), "up\n");
    none_left("9001.1").await;
}

#[tokio::test]
async fn a_time_limit_ends_the_tree() {
    let finished = run(bash("echo up; sleep 9001.2").time_limit(Duration::from_millis(50))).await;
    assert_eq!((finished.ended, text(&finished.stdout.head)), (Ended::TimedOut, "up\n"));
    none_left("9001.2").await;
}

#[tokio::test]
async fn what_never_stops_writing_is_ended_too() {
    for script in ["while :; do echo x; done", "yes", "while :; do echo x; echo y >&2; done"] {
        let limited = bash(script).streams(Streams::Separate).time_limit(Duration::from_millis(20));
        assert_eq!(run(limited).await.ended, Ended::TimedOut, "{script}");
        assert_eq!(cancelled(bash(script)).await.exit, Exit::Signal(15), "{script}");
        // One that is left behind holds up nothing either. It dies of its pipe with this runtime.
        assert!(run(bash(&format!("({script}) & true"))).await.left_running, "{script}");
    }
}

#[tokio::test]
async fn what_ignores_term_is_killed() {
    let stubborn = bash("trap '' TERM; echo up; sleep 9001.3; sleep 9001.3").grace(Duration::from_millis(50));
    assert_eq!(cancelled(stubborn).await.exit, Exit::Signal(9));
    none_left("9001.3").await;
}

#[tokio::test]
async fn term_lets_a_tree_clean_up() {
    let tidy = bash("trap 'echo bye; exit 4' TERM; echo up; sleep 9001.4 & wait");
    let finished = cancelled(tidy).await;
    assert_eq!((finished.exit, text(&finished.stdout.head)), (Exit::Code(4), "up\nbye\n"));
}

#[tokio::test]
async fn a_dropped_future_kills_the_tree() {
    let process = bash(&tree("9001.5")).grace(Duration::from_secs(60));
    let (up, mut is_up) = tokio::sync::mpsc::unbounded_channel();
    let process = process.on_output(move |_, _| _ = up.send(()));
    let cancel = Cancel::default();
    tokio::select! {
        _ = process.run(&cancel) => panic!("it sleeps for hours"),
        _ = is_up.recv() => {}
    }
    none_left("9001.5").await;
}

#[tokio::test]
async fn a_shell_that_ends_is_not_held_up_by_what_it_left() {
    let finished = run(bash("sleep 9001.6 & echo first")).await;
    assert_eq!((text(&finished.stdout.head), finished.left_running), ("first\n", true));
    assert_eq!(left("9001.6").len(), 1);
    let pid = left("9001.6").remove(0);
    run(bash(&format!("kill {pid}"))).await;
}

#[tokio::test]
async fn jobs_beside_each_other_do_not_meet() {
    let other = tokio::spawn(run(bash("sleep 0.3; echo other")));
    cancelled(bash(&tree("9001.7"))).await;
    none_left("9001.7").await;
    assert_eq!(text(&other.await.unwrap().stdout.head), "other\n");
}

#[tokio::test]
async fn a_conversation() {
    let mut running = bash("read -r line; echo \"got $line\"; sleep 9001.8").start().unwrap();
    running.stdin.as_mut().unwrap().write_all(b"hello\n").await.unwrap();
    let mut lines = BufReader::new(running.stdout.take().unwrap()).lines();
    assert_eq!(lines.next_line().await.unwrap().as_deref(), Some("got hello"));
    assert_eq!(running.stop().await.unwrap(), Exit::Signal(15));
    none_left("9001.8").await;
}
