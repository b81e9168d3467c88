//! The built binary as its users meet it: in a pipe, with good and bad input. Everything happens in folders of the test's
//! own, its home among them.
// A binary of fewer tools is proven by its own list of them.
#![cfg(feature = "full")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "it/bad_input.rs"]
mod bad_input;
#[path = "it/calls.rs"]
mod calls;
#[path = "it/catalogue.rs"]
mod catalogue;
#[path = "it/demo.rs"]
mod demo;
#[path = "it/file_state.rs"]
mod file_state;
#[path = "it/listed.rs"]
mod listed;
#[path = "it/place.rs"]
mod place;
#[path = "it/prompts.rs"]
mod prompts;
#[path = "it/results.rs"]
mod results;
#[path = "it/resumed.rs"]
mod resumed;
#[path = "it/rewind.rs"]
mod rewind;
#[path = "it/trust.rs"]
mod trust;
