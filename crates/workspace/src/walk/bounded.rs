//! A search on a thread of its own, for a call that waits: it is cancelled with the call, ends at a time limit with what it
//! has, and tells how far it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use serde::Deserialize;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout};
use toolwright_core::{Cancel, Environment, ErrorKind, Progress, ToolContext, ToolError, Unavailable};

/// How often the host is told how far a search is; shorter ones say nothing.
const EVERY: Duration = Duration::from_millis(200);
/// How long a search may take where no setting says otherwise.
const USUAL_LIMIT: Duration = Duration::from_secs(60);
/// How long this thread stays awake until all threads of a search are made.
const AWAKE: Duration = Duration::from_micros(300);
/// How long a cancelled search may take to come back with what it has. One that hangs in a read of a dead network file system, or
/// in a pattern on one huge line, is left to end by itself.
const GRACE: Duration = Duration::from_millis(25);
/// The same at the time limit, where what it has is worth a wait.
const LATE: Duration = Duration::from_secs(2);

/// What a search shares with who waits for it.
#[derive(Debug, Default)]
pub struct Bounds {
    /// Cancelled with the call, and at the time limit.
    pub cancel: Cancel,
    /// Files looked at so far: the search counts them here.
    pub seen: AtomicU64,
    /// All threads of the search are made.
    pub(super) all_begun: AtomicBool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Limits {
    search_timeout_ms: Option<u64>,
}

/// How long a search may take: `limits.searchTimeoutMs` of the settings, else a minute.
///
/// # Errors
/// When the setting is no whole number.
pub fn time_limit(environment: &Environment) -> Result<Duration, Unavailable> {
    let limits: Limits = environment.settings("limits")?;
    Ok(limits.search_timeout_ms.map_or(USUAL_LIMIT, Duration::from_millis))
}

/// Runs `search`; says whether the time limit ended it.
///
/// # Errors
/// When it panicked, or did not come back soon after it was cancelled or its time was over.
pub async fn bounded<T: Send + 'static>(
    cx: &ToolContext,
    limit: Duration,
    search: impl FnOnce(&Bounds) -> T + Send + 'static,
) -> Result<(T, bool), ToolError> {
    let bounds = Arc::new(Bounds { cancel: cx.cancel.child(), ..Bounds::default() });
    let (found, mut ended) = oneshot::channel();
    let shared = Arc::clone(&bounds);
    // No thread of a runtime's pool: the end of a program would wait for one that hangs.
    let started = std::thread::Builder::new().name("search".into()).spawn(move || {
        let answer = search(&shared);
        // Also a search that needs no more threads is not stayed awake for.
        shared.all_begun.store(true, Relaxed);
        // Nobody waits for one that came back too late.
        let _ = found.send(answer);
    });
    let failed = |words: &str| ToolError::new(ErrorKind::Failed, words);
    started.map_err(|error| failed("there is no thread left for a search; try it again").caused_by(error))?;
    stay_awake(&bounds);
    let lost = |error| failed("the search ended before its time; try it again").caused_by(error);
    let over = tokio::select! {
        biased;
        ended = &mut ended => return Ok((ended.map_err(lost)?, false)),
        over = over(cx, &bounds, limit) => over,
    };
    bounds.cancel.cancel();
    let (grace, timed_out) = match over {
        Over::Cancelled => (GRACE, false),
        Over::TimedOut => (LATE, true),
    };
    match timeout(grace, ended).await {
        Ok(ended) => Ok((ended.map_err(lost)?, timed_out)),
        Err(_) if timed_out => {
            let words = "the time limit ended the search, and it did not come back: a file or file system does not answer, or the \
                         pattern takes too long; search elsewhere or for something simpler";
            Err(ToolError::new(ErrorKind::TimedOut, words))
        }
        Err(_) => Err(ToolError::new(ErrorKind::Cancelled, "the search was interrupted")),
    }
}

/// Spins until the threads have been spawned, for at most 300 microseconds. Where cores share no cache, as on virtual machines,
/// the scheduler queues a new thread on its parent's core, and an idle core takes it over only milliseconds later, when a small
/// search has ended. A core that is still awake takes it at once.
fn stay_awake(bounds: &Bounds) {
    let begun = std::time::Instant::now();
    while !bounds.all_begun.load(Relaxed) && begun.elapsed() < AWAKE {
        std::thread::yield_now();
    }
}

/// Why a search is not waited for any longer.
enum Over {
    Cancelled,
    TimedOut,
}

/// Tells how far the search is until its time is over.
async fn over(cx: &ToolContext, bounds: &Bounds, limit: Duration) -> Over {
    let end = Instant::now().checked_add(limit);
    loop {
        let next = Instant::now() + EVERY;
        tokio::select! {
            biased;
            () = cx.cancel.cancelled() => return Over::Cancelled,
            () = sleep_until(end.map_or(next, |end| end.min(next))) => {}
        }
        let done = bounds.seen.load(Relaxed);
        let message = Some(format!("{done} files"));
        cx.report(Progress { done, message, ..Progress::default() });
        if end.is_some_and(|end| end <= Instant::now()) {
            return Over::TimedOut;
        }
    }
}

#[cfg(test)]
#[path = "bounded_tests.rs"]
mod tests;
