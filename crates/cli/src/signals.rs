//! Signals that stop the program: the first interrupts what is going on, the second ends the program.
//!
//! Ctrl-C (`SIGINT`), `SIGTERM`, and `SIGHUP`, which a terminal sends when it is closed. Commands that run are in sessions of
//! their own, so none of these reaches them but through us. A `SIGHUP` that whoever started us ignores (`nohup`) stays ignored.

use std::future::Future;

use tokio::signal::unix::{Signal, SignalKind, signal};
use toolwright::core::Cancel;

use crate::exit::Exit;
use crate::stdout::say;

/// Runs `work`, whose `cancel` the first signal cancels. Gives the exit that `work` ends with, or [`Exit::Signal`] of the first
/// signal where there was one and it did not end well, or where a second one came before it ended.
pub(crate) async fn interruptible(cancel: &Cancel, work: impl Future<Output = Exit>) -> Exit {
    tokio::pin!(work);
    let Some(mut signals) = Signals::listen() else {
        // Without handlers the system's own way holds: the program ends.
        return work.await;
    };
    let first = tokio::select! {
        biased;
        exit = &mut work => return exit,
        sent = signals.next() => sent,
    };
    cancel.cancel();
    tokio::select! {
        biased;
        exit = &mut work => if exit == Exit::Done { exit } else { Exit::Signal(first) },
        _ = signals.next() => {
            say("\nended while it was being interrupted");
            Exit::Signal(first)
        }
    }
}

/// The signals that stop the program, by number.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// None where it is ignored.
    hang_up: Option<Signal>,
}

impl Signals {
    fn listen() -> Option<Self> {
        let on = |kind| signal(kind).ok();
        let hang_up = if ignores_hang_up() { None } else { Some(on(SignalKind::hangup())?) };
        Some(Self {
            interrupt: on(SignalKind::interrupt())?,
            terminate: on(SignalKind::terminate())?,
            hang_up,
        })
    }

    async fn next(&mut self) -> u8 {
        let hung_up = async {
            match &mut self.hang_up {
                Some(signal) => signal.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => number(SignalKind::interrupt()),
            _ = self.terminate.recv() => number(SignalKind::terminate()),
            _ = hung_up => number(SignalKind::hangup()),
        }
    }
}

fn number(kind: SignalKind) -> u8 {
    u8::try_from(kind.as_raw_value()).unwrap_or_default()
}

/// Whether the program was started with `SIGHUP` ignored. Where the system does not tell, it was not.
fn ignores_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    mask & (1 << (SignalKind::hangup().as_raw_value() - 1)) != 0
}
