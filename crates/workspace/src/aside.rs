//! Work that may block, on a thread for such work.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

/// Does the work on a thread of its own and gives what it came to; nothing where it panicked. Where the system gives no more
/// threads, it is done at once by whoever calls: that is slow for others, and better than not at all. The pool of a tokio
/// runtime panics there.
pub async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    aside_by(|run| thread::Builder::new().name("files".into()).spawn(run).is_ok(), work).await
}

/// `start` says whether it could start a thread.
async fn aside_by<T: Send + 'static>(
    start: impl FnOnce(Box<dyn FnOnce() + Send>) -> bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    // A thread that is not started drops what it was to run: so that has no more than a share of the work.
    let left = Arc::new(Mutex::new(Some(work)));
    let shared = Arc::clone(&left);
    let take = |left: &Mutex<Option<_>>| left.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (done, result) = oneshot::channel();
    let run = move || {
        if let Some(work) = take(&shared) {
            // Nobody waits for a call that was dropped.
            let _ = done.send(work());
        }
    };
    if start(Box::new(run)) { result.await.ok() } else { take(&left).map(|work| work()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn without_a_thread_the_work_is_done_here() {
        let here = thread::current().id();
        let done = aside_by(|_| false, || thread::current().id()).await;
        assert_eq!(done, Some(here));
        let done = aside(|| thread::current().id()).await;
        assert!(done.is_some_and(|there| there != here), "{done:?}");
    }
}
