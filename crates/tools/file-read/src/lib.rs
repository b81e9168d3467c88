//! The Read tool.
