//! Ctrl-C: the first interrupts what is going on, the second ends the program.

use std::future::Future;

use tokio::signal::unix::{Signal, SignalKind, signal};
use toolwright::core::Cancel;

use crate::stdout::say;

/// Runs `work`, whose `cancel` the first signal cancels. `None` when a second one came before it ended.
pub(crate) async fn interruptible<T>(cancel: &Cancel, work: impl Future<Output = T>) -> Option<T> {
    tokio::pin!(work);
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        // Without handlers the system's own way holds: the program ends.
        return Some(work.await);
    };
    tokio::select! {
        biased;
        done = &mut work => return Some(done),
        () = either(&mut interrupt, &mut terminate) => cancel.cancel(),
    }
    tokio::select! {
        biased;
        done = &mut work => Some(done),
        () = either(&mut interrupt, &mut terminate) => {
            say("\nended while it was being interrupted");
            None
        }
    }
}

async fn either(first: &mut Signal, second: &mut Signal) {
    tokio::select! {
        _ = first.recv() => {}
        _ = second.recv() => {}
    }
}
