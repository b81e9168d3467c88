//! How a child ended, as data.

use std::time::Duration;

use crate::Captured;

/// What came of a child.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finished {
    /// Why it ended.
    pub ended: Ended,
    /// How the first process left.
    pub exit: Exit,
    /// Standard output; with standard error in it where the streams were merged.
    pub stdout: Captured,
    /// Standard error; empty where the streams were merged.
    pub stderr: Captured,
    /// A process it left behind still holds its output open and runs on; later output is dropped.
    pub left_running: bool,
    /// What it wrote to the report descriptor, where one was asked for.
    pub report: Vec<u8>,
    /// From the start to the end.
    pub elapsed: Duration,
}

/// Why a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// By itself.
    ByItself,
    /// Its time was up and the tree was killed.
    TimedOut,
    /// It was cancelled and the tree was killed.
    Cancelled,
}

/// How a process left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// With this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl Exit {
    /// Whether it left with code 0.
    #[must_use]
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Code(0))
    }
}
