//! A find made small: pieces are left out as long as it is still found.

use std::io;
use std::time::{Duration, Instant};

use crate::linux::decide::Allowed;
use crate::linux::generate::{Case, tokens};
use crate::linux::prover::Prover;
use crate::linux::verdict::Found;

/// How long one find may take.
const LIMIT: Duration = Duration::from_secs(10);

pub(crate) fn smaller(
    prover: &mut Prover,
    case: Case,
    allowed: Allowed,
    found: Found,
) -> io::Result<(Case, Allowed, Found)> {
    let began = Instant::now();
    let mut best = (case, allowed, found);
    let mut step = tokens(&best.0.text).len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        let mut shorter = false;
        loop {
            let pieces = tokens(&best.0.text);
            if at >= pieces.len() || began.elapsed() > LIMIT {
                break;
            }
            let end = (at + step).min(pieces.len());
            let left = pieces.iter().enumerate().filter(|(index, _)| !(at..end).contains(index));
            let text: String = left.map(|(_, piece)| *piece).collect();
            let case = Case { text, ..best.0.clone() };
            match prover.try_case(&case)? {
                Some((allowed, _, Some(found))) if found.kind == best.2.kind => {
                    best = (case, allowed, found);
                    shorter = true;
                }
                _ => at += step,
            }
        }
        if began.elapsed() > LIMIT || (step == 1 && !shorter) {
            return Ok(best);
        }
        step = if shorter { step } else { step.div_ceil(2) };
    }
}
