//! The text layer: strict decoding, windows of lines, the LF view and splicing into it. Works on bytes; opens no file.

mod encoding;
mod lines;
mod view;

pub(crate) use encoding::{Detected, Encoding, NotText, decode, detect, encode};
pub(crate) use lines::{Flow, LineWindow, Seen};
pub(crate) use view::{Ends, LineEnd, from_view, line_ends, lone_cr_ends_lines, splice, to_view};
