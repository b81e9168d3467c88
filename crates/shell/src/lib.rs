//! Bash text into a syntax tree, and that into what a command touches. Pure.
