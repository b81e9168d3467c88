//! End-to-end suites and benches over the built binaries: what a case is, how a binary is run in a place of its own, and what
//! every request to a model must be. Knows the binaries' surface alone, none of the crates they are made of.

pub mod bench;
mod binary;
pub mod cases;
mod journal;
mod place;
mod request;
mod scene;
mod tally;

pub use binary::{Calls, peak_kib, stock};
pub use journal::Journal;
pub use place::{Ended, KEY, Place};
pub use request::{Wire, faults, results, tool_uses, tools};
pub use scene::{Scene, parse_scenes};
pub use tally::Tally;
