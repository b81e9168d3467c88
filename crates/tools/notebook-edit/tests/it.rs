//! NotebookEdit as a host sees it.
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

#[path = "it/answers.rs"]
mod answers;
#[path = "it/bytes.rs"]
mod bytes;
#[path = "it/contract.rs"]
mod contract;
