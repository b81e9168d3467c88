//! The clients against the local server, and the script that both replay.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

#[path = "it/bodies.rs"]
mod bodies;
#[path = "it/cancelling.rs"]
mod cancelling;
#[path = "it/connections.rs"]
mod connections;
#[path = "it/faults.rs"]
mod faults;
#[path = "it/keys.rs"]
mod keys;
#[path = "it/raw.rs"]
mod raw;
#[path = "it/round_trip.rs"]
mod round_trip;
#[path = "it/scripts.rs"]
mod scripts;
#[path = "it/select.rs"]
mod select;
#[path = "it/support.rs"]
mod support;
#[path = "it/wires.rs"]
mod wires;
