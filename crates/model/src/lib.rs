//! The Model trait and its clients.
