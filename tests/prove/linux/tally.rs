//! Counts of what was tried and found, and how they are told.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Kinds by which the analysis once read a text otherwise than bash, and how many of them a run on that analysis must find.
const KNOWN: [&str; 14] = [
    "quotes in an expansion",
    "quotes in a here-document",
    "joined lines",
    "delimiter",
    "here-document in an expansion",
    "end of an expansion",
    "comment in a substitution",
    "back-quotes",
    "escaped dollar",
    "dollars and braces",
    "hash behind a bracket",
    "descriptor variable",
    "subscript of an element",
    "subscript of a length",
];
const AGAIN: usize = 12;

/// Counts of one process, or of all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) generated: u64,
    pub(crate) allowed: u64,
    pub(crate) timed_out: u64,
    /// By kind.
    pub(crate) finds: BTreeMap<String, u64>,
    pub(crate) holes: BTreeSet<String>,
    /// What the texts began as: how many were made, how many allowed, how many finds.
    pub(crate) sources: BTreeMap<String, (u64, u64, u64)>,
    pub(crate) deciding: Duration,
    pub(crate) running: Duration,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Self) {
        self.generated += other.generated;
        self.allowed += other.allowed;
        self.timed_out += other.timed_out;
        for (kind, count) in &other.finds {
            *self.finds.entry(kind.clone()).or_default() += count;
        }
        self.holes.extend(other.holes.iter().cloned());
        for (source, (made, allowed, finds)) in &other.sources {
            let of_source = self.sources.entry(source.clone()).or_default();
            of_source.0 += made;
            of_source.1 += allowed;
            of_source.2 += finds;
        }
        self.deciding += other.deciding;
        self.running += other.running;
    }

    /// One line.
    pub(crate) fn line(&self, elapsed: Duration) -> String {
        let Self { generated, allowed, timed_out, .. } = self;
        let finds: Vec<String> = self.finds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let finds = if finds.is_empty() { "0 finds".into() } else { format!("finds: {}", finds.join(", ")) };
        let seconds = elapsed.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "a rate for a person")]
        let rate = *allowed as f64 / seconds.max(0.001);
        format!(
            "{allowed} allowed of {generated} generated, {timed_out} stopped by time, {finds}; {seconds:.0} s, {rate:.0} allowed a second"
        )
    }

    /// What is said at the end.
    pub(crate) fn end(&self, elapsed: Duration) -> String {
        let of_each = |show: fn(&(u64, u64, u64)) -> String| {
            let texts = self.sources.iter().map(|(source, counts)| format!("{source} {}", show(counts)));
            texts.collect::<Vec<_>>().join(", ")
        };
        let mut text = format!(
            "{}\nallowed by source: {}\ndeciding took {:.0} s and running {:.0} s, over all processes",
            self.line(elapsed),
            of_each(|(made, allowed, _)| format!("{allowed} of {made}")),
            self.deciding.as_secs_f64(),
            self.running.as_secs_f64()
        );
        if !self.finds.is_empty() {
            text.push_str("\nfinds by source: ");
            text.push_str(&of_each(|(.., finds)| finds.to_string()));
        }
        text
    }

    /// Which known kinds an earlier analysis let through, and whether they are enough.
    pub(crate) fn again(&self) -> (String, bool) {
        let again = KNOWN.iter().filter(|hole| self.holes.contains(**hole)).count();
        let holes: Vec<&str> = self.holes.iter().map(String::as_str).collect();
        let text = format!(
            "kinds found again: {}\n{again} of {} known kinds; at least {AGAIN} are to be found",
            holes.join(", "),
            KNOWN.len()
        );
        (text, again >= AGAIN)
    }
}
