//! The suites of cases.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a suite fails by panicking, and says what it leaves out"
)]

#[path = "it/files.rs"]
mod files;
#[path = "it/fuzzed.rs"]
mod fuzzed;
#[path = "it/tool_search.rs"]
mod tool_search;
