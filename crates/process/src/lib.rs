//! Starts, streams, caps and kills the whole tree of a child process.
