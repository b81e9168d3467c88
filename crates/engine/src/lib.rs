//! Every pure decision of an agent: pools, batches, the turn, session events, budgets, the system prompt. No runtime, file or clock.

pub mod event;
mod state;
mod turn;

pub use state::{AgentState, INTERRUPTED_RUN, NOT_RUN};
pub use turn::{Action, BlockKind, CallKey, Decided, Delivery, Ending, Input, Limits, Timing, Turn};
