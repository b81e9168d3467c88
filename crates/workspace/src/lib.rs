//! The working folder as tools see it: paths, text encodings and line endings, what was read, safe replacement, one walker.
//! [`LocalFiles`] is `Files` on the local file system. Knows no tool.

mod aside;
mod files;
pub mod git_index;
pub mod hard_links;
mod held;
pub mod links;
mod near;
pub mod network;
pub mod notebook;
pub mod patch;
mod path;
mod read_state;
mod replace;
pub mod restore;
mod target;
pub mod text;
pub mod walk;

pub use aside::aside;
pub use files::LocalFiles;
pub use held::open_resolved;
