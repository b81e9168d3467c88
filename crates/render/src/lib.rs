//! Views and session events into ANSI, plain text and JSON lines.
//!
//! [`lines`] draws a [`View`](toolwright_core::View). Three projections of a session's events take every event in turn:
//! [`Summary`] gathers the final text and the one result object, [`StreamJson`] gives JSON lines, [`Live`] draws on a
//! terminal. All of them see the contract and the events alone: no tool, no runtime, no clock, no process.

mod code;
mod diff;
mod line;
mod live;
mod safe;
mod stream_json;
mod summary;
mod view;
mod wire;
mod wrap;

pub use line::{Line, Paint, Style};
pub use live::{FindTool, Live, LiveOptions};
pub use safe::{safe_line, safe_text};
pub use stream_json::StreamJson;
pub use summary::{RunEnd, Summary};
pub use view::{Layout, lines};
pub use wire::contents;
