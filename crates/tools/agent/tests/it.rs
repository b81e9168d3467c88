//! Agent as a host sees it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/calls.rs"]
mod calls;
#[path = "it/contract.rs"]
mod contract;
#[path = "it/fake.rs"]
mod fake;
