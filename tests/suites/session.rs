//! What a session survives: a damaged journal, a second writer, and kill -9 at any point.
#![expect(clippy::expect_used, reason = "a suite fails by panicking")]

#[path = "session/handed.rs"]
mod handed;
#[path = "session/killed.rs"]
mod killed;
#[path = "session/transcript.rs"]
mod transcript;
