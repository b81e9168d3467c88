//! Standard output for results alone: flushed by the line, and quiet when nobody reads any more.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Nobody gets the result: the reader has gone, or there is no room for it, which was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReaderGone;

/// Writes a text whole and ends its last line.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn print(text: &str) -> Result<(), ReaderGone> {
    let mut out = io::stdout().lock();
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.write_all(end.as_bytes()));
    told(written.and_then(|()| out.flush()))
}

/// Standard output for what is drawn as it happens; what cannot be written is said as it is by `print`.
#[derive(Debug)]
pub(crate) struct Drawn;

impl Write for Drawn {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().lock().write(bytes).inspect_err(remember)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().lock().flush().inspect_err(remember)
    }
}

/// Whether all of it was written.
///
/// # Errors
/// When some could not be, for another reason than that nobody reads.
pub(crate) fn finish() -> Result<(), ReaderGone> {
    let _ = io::stdout().lock().flush().inspect_err(remember);
    if SAID.load(Ordering::Relaxed) { Err(ReaderGone) } else { Ok(()) }
}

fn told(written: io::Result<()>) -> Result<(), ReaderGone> {
    written.inspect_err(remember).map_err(|_| ReaderGone)
}

/// Whether it was said that something cannot be written.
static SAID: AtomicBool = AtomicBool::new(false);

/// A reader that has gone is no fault; anything else, such as a full disk, is said, once.
fn remember(error: &io::Error) {
    if error.kind() != ErrorKind::BrokenPipe && !SAID.swap(true, Ordering::Relaxed) {
        say(&format!("standard output cannot be written: {error}"));
    }
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
