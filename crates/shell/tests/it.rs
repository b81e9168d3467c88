//! Texts through the one door, and what comes out.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says how much it saw"
)]

#[path = "it/security.rs"]
mod security;
#[path = "it/subjects.rs"]
mod subjects;
