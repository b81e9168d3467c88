//! How the program ends, as its callers see it.

use std::process::ExitCode;

/// What the exit code says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done,
    /// It could not be done.
    Failed,
    /// The command line is wrong.
    Usage,
    /// A person stopped it.
    Interrupted,
    /// The signal of this number stopped it.
    Signal(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Interrupted => 130,
            // As shells tell it of a program that a signal ended.
            Exit::Signal(number) => 128_u8.saturating_add(number),
        })
    }
}
