//! The Edit tool.
