//! Every pure decision of an agent: pools, batches, the turn, session events, budgets, the system prompt. No runtime, file or clock.

mod budget;
mod compaction;
mod deferral;
pub mod event;
mod nesting;
mod pool;
mod repair;
mod repeats;
mod state;
mod system_prompt;
mod turn;

pub use budget::{Budget, BudgetLimits, Budgeted, StoreRequest};
pub use compaction::{CompactionLimits, NoSummary, Reduction, ask_for_summary};
pub use deferral::{
    DeferralMode, DeferralModeError, DeferralPolicy, TOOL_SEARCH, announce_deferred, answer_not_loaded,
};
pub use nesting::{NESTING_LIMIT, is_too_deep, is_too_deep_text};
pub use pool::{
    Arrival, Candidates, DenyRules, Explanation, Layer, Pool, PoolDifference, PoolEntry, Selection, Standing,
    definition_hash,
};
pub use repair::{RepairOptions, acceptable, repair, replace_media};
pub use repeats::{CallHash, MOST_REPEATS, Repeats};
pub use state::{AgentState, INTERRUPTED_RUN, NOT_RUN};
pub use system_prompt::{MemoryFile, MemoryScope, PromptParts, SystemPrompt, Workplace};
pub use turn::{
    Action, BlockKind, CallKey, CompactionReason, Decided, Delivery, Ending, Input, Limits, Timing, Turn,
};
