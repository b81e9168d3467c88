//! Both model APIs through the built binary: faults on the way, what is sent, and how large it is.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a suite fails by panicking, and says what it leaves out"
)]

#[path = "api/faults.rs"]
mod faults;
#[path = "api/handed.rs"]
mod handed;
#[path = "api/long.rs"]
mod long;
#[path = "api/sent.rs"]
mod sent;
