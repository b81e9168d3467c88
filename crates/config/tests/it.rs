//! Settings, trust and memory on real folders that are thrown away.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

#[path = "it/addresses.rs"]
mod addresses;
#[path = "it/files.rs"]
mod files;
#[path = "it/layers.rs"]
mod layers;
#[path = "it/memory.rs"]
mod memory;
#[path = "it/support.rs"]
mod support;
#[path = "it/trust.rs"]
mod trust;
