//! What the benches share: numbers in order, and how they are printed.

use std::time::Duration;

/// The one in the middle.
#[must_use]
pub fn median(mut values: Vec<Duration>) -> Duration {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// In milliseconds, with two places.
#[must_use]
pub fn milliseconds(duration: Duration) -> String {
    format!("{:.2} ms", duration.as_secs_f64() * 1000.0)
}
