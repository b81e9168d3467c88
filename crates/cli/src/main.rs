//! The stock coding agent.
fn main() {}
