//! Work on what strangers made, in a process of its own: what it does to memory and time ends with that process.

use std::time::Duration;

use toolwright_core::{BoxFuture, Cancel};

/// A piece of work that can be done apart: bytes in, bytes out, and nothing else is touched. A crate submits it at link time
/// with [`chore!`](crate::chore), so that the process apart, which is the same program, knows it by its name.
#[derive(Debug, Clone, Copy)]
pub struct Chore {
    /// Its name: that of the crate, a slash, and what it does.
    pub name: &'static str,
    /// The work.
    pub run: fn(&[u8]) -> Vec<u8>,
}

inventory::collect!(Chore);

impl Chore {
    /// The piece of work of this name among those linked.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        inventory::iter::<Self>().find(|chore| chore.name == name)
    }
}

/// Submits a [`Chore`] that stands in a constant.
#[macro_export]
macro_rules! chore {
    ($chore:path) => {
        $crate::__private::inventory::submit!($chore);
    };
}

/// What a process apart may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of memory. Kept where the system can: on Linux.
    pub memory: u64,
    /// How long it may take.
    pub time: Duration,
    /// Bytes of its answer.
    pub answer: usize,
}

/// Does work in a process of its own.
pub trait Apart: Send + Sync {
    /// The answer of the work to `input`.
    ///
    /// # Errors
    /// When it went over its bounds, crashed, could not be started, or was interrupted.
    fn run<'a>(
        &'a self,
        chore: &'a Chore,
        input: Vec<u8>,
        bounds: Bounds,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Vec<u8>, ApartError>>;
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApartError {
    /// It needed more memory than it may take, or crashed for another reason.
    #[error("it took more memory than it may, or crashed")]
    Broke,
    /// It took too long.
    #[error("it took too long")]
    TooSlow,
    /// It was interrupted.
    #[error("interrupted")]
    Cancelled,
    /// There is no such process.
    #[error("no process for it could be started: {0}")]
    NotStarted(String),
}
