//! Search beside the newest `rg`: our call in this process plus the start of our binary, against rg's whole process, on the
//! same trees with a warm cache. Rounds of both are interleaved, so that a busy machine disturbs both; processor time stands
//! beside wall time because it is disturbed less.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a bench fails by panicking and prints its report"
)]

#[path = "search/cancel.rs"]
mod cancel;
#[path = "search/hard.rs"]
mod hard;
#[path = "search/measure.rs"]
mod measure;
#[path = "search/memory.rs"]
mod memory;
#[path = "search/need.rs"]
mod need;
#[path = "search/query.rs"]
mod query;

use std::path::Path;

use toolwright_testkit::{TempWorkspace, block_on};

use measure::{Row, measure};
use query::{Query, Tools};

/// Rounds of each query on the large tree, and on the small one.
const ROUNDS: (usize, usize) = (9, 41);
/// Cancelled calls of each kind on the large tree, and on what is hard to search.
const CANCELLED: (usize, usize) = (40, 20);

fn main() {
    let rg = need::rg();
    let small = need::small_tree();
    let home = TempWorkspace::new();
    println!("peak memory of a process, few matches and ten times as many\n{}\n", memory::table(&rg, &home));
    let hard = hard::tree();
    let rows = run_cancelled(hard.path(), cancel::HARD, CANCELLED.1, &home);
    println!("cancelled at random moments on the way: until the call returned\n{}", cancel::table(&rows));
    let start = measure::start(&home, 21);
    println!("start of the binary (`call --stdin`, nothing to do): {}", measure::milliseconds(start));
    println!("\n2,000 files of 5 to 10 KB");
    let rows = run(&rg, small.path(), query::SMALL, ROUNDS.1, &home);
    println!("{}", measure::table(&rows, start));
    let Some(tree) = need::large_tree() else {
        println!("skipped: there is no large tree (apt-get gives no linux-source-6.1)");
        return;
    };
    println!("\n{}", tree.display());
    let rows = run_cancelled(&tree, cancel::LARGE, CANCELLED.0, &home);
    println!("cancelled at random moments on the way: until the call returned\n{}\n", cancel::table(&rows));
    let rows = run(&rg, &tree, query::LARGE, ROUNDS.0, &home);
    println!("{}", measure::table(&rows, start));
    println!("{}", measure::verdict(&rows, start));
}

fn run_cancelled(
    tree: &Path,
    queries: &[cancel::Query],
    rounds: usize,
    home: &TempWorkspace,
) -> Vec<cancel::Row> {
    let tools = Tools::new(tree, home);
    queries.iter().map(|query| cancel::measure(query, &tools, rounds)).collect()
}

fn run(rg: &Path, tree: &Path, queries: &[Query], rounds: usize, home: &TempWorkspace) -> Vec<Row> {
    let tools = Tools::new(tree, home);
    block_on(async {
        let mut rows = Vec::new();
        for query in queries {
            rows.push(measure(query, rg, tree, &tools, rounds).await);
        }
        rows
    })
}
