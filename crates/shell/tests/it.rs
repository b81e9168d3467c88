//! Texts through the one door, and what comes out.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "it/attacks.rs"]
mod attacks;
#[path = "it/behind.rs"]
mod behind;
#[path = "it/changed.rs"]
mod changed;
#[path = "it/everyday.rs"]
mod everyday;
#[path = "it/flags.rs"]
mod flags;
#[path = "it/git.rs"]
mod git;
#[path = "it/given_up.rs"]
mod given_up;
#[path = "it/holes.rs"]
mod holes;
#[path = "it/mentioned.rs"]
mod mentioned;
#[path = "it/printed.rs"]
mod printed;
#[path = "it/security.rs"]
mod security;
#[path = "it/started.rs"]
mod started;
#[path = "it/subjects.rs"]
mod subjects;
#[path = "it/words.rs"]
mod words;
