//! Standard output for results alone: flushed by the line, and quiet when nobody reads any more.

use std::io::{self, Write};

/// The reader has gone: there is nothing more to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReaderGone;

/// Writes a text whole and ends its last line.
///
/// # Errors
/// When nobody reads.
pub(crate) fn print(text: &str) -> Result<(), ReaderGone> {
    let mut out = io::stdout().lock();
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.write_all(end.as_bytes()));
    written.and_then(|()| out.flush()).map_err(|_| ReaderGone)
}

/// Says something to the person: on standard error, which nothing reads as a result.
pub(crate) fn say(text: &str) {
    // Nobody to say it to is no reason to stop.
    let _ = writeln!(io::stderr().lock(), "{}", toolwright_render::safe_text(text));
}

/// What is said where the system gives no thread to read with.
pub(crate) fn no_thread(what: &str, error: &io::Error) -> String {
    format!(
        "the system gives no thread to read {what} with: {error}; end some programs, or raise the limit of processes"
    )
}
