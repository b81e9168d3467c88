//! End-to-end suites and benches over the built binaries.

pub mod cases;
