//! Rules, modes and the order of decision, as pure functions on data. Knows no tool, no shell syntax, no terminal, no file.

mod ask;

pub use ask::{Approval, PermissionAsk};
