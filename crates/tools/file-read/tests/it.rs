//! Read as a host sees it.
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

#[path = "it/answers.rs"]
mod answers;
#[path = "it/contract.rs"]
mod contract;
#[path = "it/notebooks.rs"]
mod notebooks;
#[path = "it/pdfs.rs"]
mod pdfs;
#[path = "it/pictures.rs"]
mod pictures;
#[path = "it/unchanged.rs"]
mod unchanged;
