//! Drives `engine` on tokio: streams the model, runs tools, journals sessions, spawns subagents, stores large results.
//!
//! The way of a call: a tool-use block ends, its input is parsed (`call`), hooks, validation and the order of decision
//! follow (`decide`), the turn says when it runs (`drive`), and its one result is recorded before the next request. It
//! knows no terminal and no concrete tool; questions go to an [`Approver`](toolwright_services::Approver), events to a
//! [`Sink`].

mod agent;
mod apart;
mod below;
mod call;
mod checkpoints;
mod command_hooks;
mod decide;
mod drive;
mod error;
mod hooks;
mod journal;
mod reach;
mod request;
mod rewind;
mod session;
mod single;
mod sink;
mod store;
mod subagents;
mod tracked;
mod views;

pub use agent::{Agent, AgentOptions};
pub use apart::{OwnProgram, serve_apart};
pub use checkpoints::CheckpointLimits;
pub use command_hooks::{CommandEvent, CommandHook, CommandHooks, HookError};
pub use drive::{Refusal, TurnReport};
pub use error::RuntimeError;
pub use hooks::{AfterCall, BeforeCall, HookCall, Hooks, NoHooks, Occasion, OnPrompt};
pub use journal::Journal;
pub use rewind::{PromptMark, RewindAction, RewindPlan, RewindStep, Rewound, prompts};
pub use session::{FindModel, Session, SessionOptions, SessionRoots, resolved_folder};
pub use single::CallResult;
pub use sink::{NoSink, Sink};
pub use store::cleaning::{Cleaned, cleanup_period};
pub use store::{RECOVERY, SessionStore, SessionSummary, StoredSession};
