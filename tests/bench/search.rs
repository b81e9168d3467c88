//! Search beside the newest `rg`: our call in this process plus the start of our binary, against rg's whole process, on the
//! same trees with a warm cache. Rounds of both are interleaved, so that a busy machine disturbs both; processor time stands
//! beside wall time because it is disturbed less.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a bench fails by panicking and prints its report"
)]

#[path = "search/measure.rs"]
mod measure;
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

fn main() {
    let rg = need::rg();
    let small = need::small_tree();
    let home = TempWorkspace::new();
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
    let rows = run(&rg, &tree, query::LARGE, ROUNDS.0, &home);
    println!("{}", measure::table(&rows, start));
    println!("{}", measure::verdict(&rows, start));
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
