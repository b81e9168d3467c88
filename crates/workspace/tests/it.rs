//! Replacing files as other processes see it: killed writers, other users, links put in the way.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

#[path = "it/child.rs"]
mod child;
#[path = "it/killed.rs"]
mod killed;
#[path = "it/users.rs"]
mod users;
