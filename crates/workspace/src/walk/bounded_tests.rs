//! A search that is waited for, on a clock that stands until it is moved.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use tokio::task::{spawn_blocking, yield_now};
use tokio::time::advance;

use super::*;

const MINUTE: Duration = Duration::from_secs(60);

/// What a script may do and look at.
struct Stage {
    /// Tells the search that it has all.
    finish: Sender<()>,
    cancel: Cancel,
    reported: Arc<Mutex<Vec<u64>>>,
}

impl Stage {
    fn reports(&self) -> usize {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Runs a search beside a script that moves the clock; gives how it ended and what was reported. One that does not heed its
/// cancellation hangs, as in a read that never ends.
fn check<Script: Future<Output = Stage>>(
    heeds: bool,
    script: impl FnOnce(Stage) -> Script,
) -> (Result<(&'static str, bool), ErrorKind>, Vec<u64>) {
    let reported = Arc::new(Mutex::new(Vec::new()));
    let (cancel, heard) = (Cancel::default(), Arc::clone(&reported));
    let hear = move |progress: Progress| heard.lock().expect("whole").push(progress.done);
    let cx = ToolContext::new("call", "main", Path::new("/"), cancel.clone(), hear);
    let (finish, finished) = channel();
    let (begin, begun) = channel();
    let search = move |bounds: &Bounds| {
        bounds.seen.store(7, Relaxed);
        begin.send(()).expect("somebody listens");
        while finished.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
            if heeds && bounds.cancel.is_cancelled() {
                return "a part";
            }
            std::thread::yield_now();
        }
        "all"
    };
    let stage = Stage { finish, cancel, reported: Arc::clone(&reported) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let ended = runtime.expect("a runtime").block_on(async {
        let _held = hold_the_clock();
        let script = async {
            begun.recv().expect("it begins");
            script(stage).await
        };
        // The stage is kept until then: dropped, it tells the search to end.
        let (ended, _stage) = tokio::join!(bounded(&cx, MINUTE, search), script);
        ended
    });
    let reported = reported.lock().expect("whole").clone();
    (ended.map_err(|error| error.kind), reported)
}

/// A paused clock goes on by itself while a runtime has nothing to do, but not while something blocks.
fn hold_the_clock() -> Sender<()> {
    let (held, hold): (Sender<()>, Receiver<()>) = channel();
    spawn_blocking(move || hold.recv());
    held
}

/// Lets time pass, and everything happen that then should.
async fn pass(time: Duration) {
    advance(time).await;
    settle().await;
}

async fn settle() {
    for _ in 0..8 {
        yield_now().await;
    }
}

#[test]
fn how_far_a_search_is_is_told_five_times_a_second() {
    let ended = check(true, |stage| async move {
        pass(EVERY / 2).await;
        assert_eq!(stage.reports(), 0, "short searches say nothing");
        for times in 1..=3 {
            pass(EVERY + Duration::from_millis(1)).await;
            assert_eq!(stage.reports(), times);
        }
        stage.finish.send(()).expect("it runs");
        stage
    });
    assert_eq!(ended, (Ok(("all", false)), vec![7; 3]));
}

#[test]
fn the_time_limit_ends_a_search_with_what_it_has() {
    let ended = check(true, |stage| async move {
        pass(MINUTE).await;
        stage
    });
    assert_eq!(ended, (Ok(("a part", true)), vec![7]));
}

#[test]
fn a_cancelled_search_ends_with_what_it_has() {
    let ended = check(true, |stage| async move {
        stage.cancel.cancel();
        stage
    });
    assert_eq!(ended, (Ok(("a part", false)), Vec::new()));
}

#[test]
fn a_search_that_hangs_is_left_behind() {
    let ended = check(false, |stage| async move {
        stage.cancel.cancel();
        settle().await;
        pass(2 * GRACE).await;
        stage
    });
    assert_eq!(ended, (Err(ErrorKind::Cancelled), Vec::new()));
    let ended = check(false, |stage| async move {
        pass(MINUTE).await;
        pass(2 * LATE).await;
        stage
    });
    assert_eq!(ended, (Err(ErrorKind::TimedOut), vec![7]));
}
