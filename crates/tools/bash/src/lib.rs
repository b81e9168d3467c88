//! The Bash tool.
