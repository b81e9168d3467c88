//! What ToolSearch finds in a catalogue of real servers' tools does not get less.

#[path = "../bench/tool_search/quality.rs"]
mod quality;

use quality::{SETS, Search};

/// A little under what was measured: recall@5 and MRR of each set.
const FLOORS: [(f64, f64); 6] =
    [(0.96, 0.88), (0.94, 0.86), (0.87, 0.78), (0.95, 0.89), (0.85, 0.72), (0.85, 0.77)];

#[test]
fn what_was_meant_is_found() {
    let catalogue = match quality::catalogue(None) {
        Ok(catalogue) => catalogue,
        Err(reason) => {
            println!("skipped: {reason}");
            return;
        }
    };
    let search = Search::over(&catalogue);
    for ((name, lines), (recall, mrr)) in SETS.iter().zip(FLOORS) {
        let (found, kinds) = quality::measure(&quality::queries(lines), |query| search.ask(query));
        assert!(found.recall() >= recall && found.mrr() >= mrr, "{name}: {found:?} {kinds:?}");
    }
}
