//! The suite itself under test: a tool that says nothing is taken for the worst, and each broken promise is caught.
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]
#[path = "it/bare.rs"]
mod bare;
#[path = "it/broken.rs"]
mod broken;
#[path = "it/inputs.rs"]
mod inputs;
#[path = "it/probes.rs"]
mod probes;
