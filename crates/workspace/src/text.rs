//! The text layer: strict decoding, windows of lines, the LF view and splicing into it. Works on bytes; opens no file.

mod encoding;
mod layout;
mod lines;
mod stored;
mod view;

pub use encoding::{Named, NotText};
pub use layout::window;
pub use stored::Stored;

pub(crate) use encoding::{Detected, Encoding, decode, detect, encode};
pub(crate) use layout::{HEAD, Layout};
pub(crate) use lines::{Flow, LineWindow, Seen};
pub(crate) use view::{Ends, LineEnd, from_view, line_ends, lone_cr_ends_lines, splice, to_view};
