//! Text that others wrote, made readable. Knows no file, no terminal and no tool.

pub mod look_alike;
mod screen;

pub use screen::redrawn;
