//! The working folder as tools see it: paths, text encodings and line endings, what was read, safe replacement, one walker.
//! [`LocalFiles`] is `Files` on the local file system. Knows no tool.

mod files;
pub mod network;
pub mod notebook;
pub mod patch;
mod path;
mod read_state;
mod regular;
mod replace;
pub mod restore;
pub mod text;
pub mod walk;

pub use files::LocalFiles;
