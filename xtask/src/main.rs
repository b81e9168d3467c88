//! The workspace's own commands. Depends on nothing of ours.
fn main() {}
