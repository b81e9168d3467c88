//! Glob and Grep: their cases over the built binary, and, where `rg` is on the PATH, the same matches as it gives on random
//! trees.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a suite fails by panicking, and says what it leaves out"
)]

#[path = "search/beside.rs"]
mod beside;
#[path = "search/handed.rs"]
mod handed;
#[path = "search/memory.rs"]
mod memory;
#[path = "search/random.rs"]
mod random;
#[path = "search/tool_search.rs"]
mod tool_search;
