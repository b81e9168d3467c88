//! Views and session events into ANSI, plain text and JSON lines.
