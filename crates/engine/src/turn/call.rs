//! Where one call of a turn stands.

use toolwright_core::Effects;

use super::CallKey;

#[derive(Debug)]
pub(super) struct Call {
    pub(super) key: CallKey,
    pub(super) effects: Effects,
    pub(super) state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Not decided.
    Waiting,
    /// The driver decides.
    Deciding,
    /// To be decided when the message is whole.
    NotEarly,
    /// Decided to run, waiting for its place.
    Ready,
    /// Runs.
    Running,
    /// Has its result.
    Done,
}

impl Call {
    /// Whether the driver is at work on it.
    pub(super) fn is_under_way(&self) -> bool {
        matches!(self.state, State::Deciding | State::Running)
    }
}
