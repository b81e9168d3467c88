//! What became of the cases of a suite, counted by family; what was left out is said with its reason.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::cases::Verdict;

/// Verdicts so far.
#[derive(Debug, Default)]
pub struct Tally {
    families: BTreeMap<String, [usize; 3]>,
    skipped: Vec<String>,
    failed: Vec<String>,
}

impl Tally {
    /// Counts one.
    pub fn add(&mut self, family: &str, case: &str, why: &str, verdict: &Verdict) {
        let counts = self.families.entry(family.to_owned()).or_default();
        let [passed, skipped, failed] = counts;
        match verdict {
            Verdict::Passed => *passed += 1,
            Verdict::Skipped(reason) => {
                *skipped += 1;
                self.skipped.push(format!("skipped: {case}: {reason}"));
            }
            Verdict::Failed(what) => {
                *failed += 1;
                self.failed.push(format!("{case}: {what}\n  because: {why}"));
            }
        }
    }

    /// The counts, and what was left out and why.
    #[must_use]
    pub fn report(&self) -> String {
        let mut report = String::new();
        for line in &self.skipped {
            let _ = writeln!(report, "{line}");
        }
        for (family, [passed, skipped, failed]) in &self.families {
            let _ =
                writeln!(report, "{family:<14} {passed:>3} passed  {skipped:>3} skipped  {failed:>3} failed");
        }
        report
    }

    /// Every failure.
    #[must_use]
    pub fn failures(&self) -> &[String] {
        &self.failed
    }
}
