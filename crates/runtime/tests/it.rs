//! The runtime through its boundary: a scripted model, probe tools, and the journal that is left.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

#[path = "it/asked.rs"]
mod asked;
#[path = "it/authority.rs"]
mod authority;
#[path = "it/bench.rs"]
mod bench;
#[path = "it/calls.rs"]
mod calls;
#[path = "it/command_hooks.rs"]
mod command_hooks;
#[path = "it/compaction.rs"]
mod compaction;
#[path = "it/journal.rs"]
mod journal;
#[path = "it/limits.rs"]
mod limits;
#[path = "it/panics.rs"]
mod panics;
#[path = "it/repeats.rs"]
mod repeats;
#[path = "it/resume.rs"]
mod resume;
#[path = "it/stuck.rs"]
mod stuck;
#[path = "it/subagents.rs"]
mod subagents;
#[path = "it/turns.rs"]
mod turns;
