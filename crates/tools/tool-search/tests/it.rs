//! ToolSearch as a host sees it.
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

#[path = "it/answers.rs"]
mod answers;
#[path = "it/contract.rs"]
mod contract;
#[path = "it/ranking.rs"]
mod ranking;
