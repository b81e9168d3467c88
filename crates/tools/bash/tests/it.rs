//! The Bash tool through its registration, as a host sees it.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says what it skips"
)]

#[path = "it/authority.rs"]
mod authority;
#[path = "it/behaviour.rs"]
mod behaviour;
#[path = "it/cases.rs"]
mod cases;
#[path = "it/contract.rs"]
mod contract;
#[path = "it/git_flags.rs"]
mod git_flags;
#[path = "it/repositories.rs"]
mod repositories;
#[path = "it/session.rs"]
mod session;
#[path = "it/starts.rs"]
mod starts;
