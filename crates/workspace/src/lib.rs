//! Paths and roots, text encodings and line endings, read state, atomic replace, one walker.

pub mod walk;
