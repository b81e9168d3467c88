//! Where a session's events go to be seen: a terminal, a pipe, another program. Nothing here draws.

use std::sync::Arc;

use toolwright_core::DynCall;
use toolwright_engine::event::SessionEvent;

/// Sees every event of a session, kept and passing, in order.
pub trait Sink: Send + Sync {
    /// `call` is the parsed call of a tool event, of which views can be asked. Must return soon: the turn waits for it.
    fn event(&self, event: &SessionEvent, call: Option<&Arc<dyn DynCall>>);
}

/// Shows nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSink;

impl Sink for NoSink {
    fn event(&self, _: &SessionEvent, _: Option<&Arc<dyn DynCall>>) {}
}
