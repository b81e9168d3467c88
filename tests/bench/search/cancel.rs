//! How long a call goes on after it was cancelled: at random moments of its way, in walks, in listings, in reads, in patterns.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use toolwright_core::Cancel;
use toolwright_testkit::block_on;

use crate::measure::milliseconds;
use crate::query::Tools;

/// A call that is cancelled.
pub(crate) struct Query {
    name: &'static str,
    tool: &'static str,
    input: &'static str,
}

const fn query(name: &'static str, tool: &'static str, input: &'static str) -> Query {
    Query { name, tool, input }
}

pub(crate) const LARGE: &[Query] = &[
    query("Grep, files", "Grep", r#"{"pattern":"no such thing"}"#),
    query("Grep, lines", "Grep", r#"{"pattern":"\\w+_no_such_thing","output_mode":"content"}"#),
    query("Grep, lines of 10,000", "Grep", r#"{"pattern":"\\w","output_mode":"content","head_limit":0}"#),
    query("Glob", "Glob", r#"{"pattern":"**/*.c"}"#),
];

/// What [`crate::hard::tree`] holds.
pub(crate) const HARD: &[Query] = &[
    query("200,000 entries, Glob", "Glob", r#"{"pattern":"entries/*7"}"#),
    query("200,000 entries, files", "Grep", r#"{"pattern":"x","path":"entries"}"#),
    query("200,000 entries, lines", "Grep", r#"{"pattern":"x","path":"entries","output_mode":"content"}"#),
    query("2 GiB of nothing", "Grep", r#"{"pattern":"x","path":"sparse"}"#),
    query("a line of 30 MB", "Grep", r#"{"pattern":"(\\w+ )+x","path":"line"}"#),
    query("multiline", "Grep", r#"{"pattern":"(\\w+\\s)+x","path":"line","multiline":true}"#),
    query("a slow look-around", "Grep", r#"{"pattern":"^(?=(a+)+b?$)(a|aa)+\\1?b","path":"slow"}"#),
    query(
        "the same, over lines",
        "Grep",
        r#"{"pattern":"(?=(a+)+b?$)(a|aa)+\\1?b","path":"slow","multiline":true}"#,
    ),
];

/// The times of a call: whole, and after cancellations.
pub(crate) struct Row {
    name: &'static str,
    whole: Duration,
    after: Vec<Duration>,
}

/// Measures a call.
pub(crate) fn measure(query: &Query, tools: &Tools, rounds: usize) -> Row {
    let begun = Instant::now();
    // One whole call, or as much of it as anybody would wait for.
    cancelled_after(query, tools, Duration::from_secs(2));
    let whole = begun.elapsed();
    let mut after = Vec::new();
    for round in 0..rounds {
        // Moments that lie evenly over the way, in the order of no pattern that the call could share.
        let part = (round * 7 % rounds) as f64 / rounds as f64;
        after.extend(cancelled_after(query, tools, whole.mul_f64(part)));
    }
    after.sort_unstable();
    Row { name: query.name, whole, after }
}

/// The time between a cancellation and the end of the call; none where it ended before.
fn cancelled_after(query: &Query, tools: &Tools, wait: Duration) -> Option<Duration> {
    let cancel = Cancel::default();
    let (stop, (waited, done)) = (cancel.clone(), std::sync::mpsc::channel::<()>());
    let canceller = std::thread::spawn(move || {
        let ended = done.recv_timeout(wait).is_ok();
        let moment = Instant::now();
        stop.cancel();
        (!ended).then_some(moment)
    });
    let answer = block_on(tools.answer(query.tool, query.input, cancel));
    let ended = Instant::now();
    std::hint::black_box(answer.is_ok());
    // It may have ended by itself.
    let _ = waited.send(());
    let moment = canceller.join().expect("no panic")?;
    Some(ended.saturating_duration_since(moment))
}

/// Medians and worst.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = format!("{:<24} {:>10} {:>9} {:>9}\n", "", "whole", "median", "worst");
    for Row { name, whole, after } in rows {
        let middle = after.get(after.len() / 2).copied().unwrap_or_default();
        let worst = after.last().copied().unwrap_or_default();
        let (whole, middle, worst) = (milliseconds(*whole), milliseconds(middle), milliseconds(worst));
        let _ = writeln!(text, "{name:<24} {whole:>10} {middle:>9} {worst:>9}");
    }
    text.trim_end().to_owned()
}
