//! How well and how fast ToolSearch finds what was meant, beside the usual ranking by hand weights, in one run over one catalogue of
//! real servers' tools. An argument says the catalogue's folder; one more, a file of queries to measure alone and to list what they miss.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a bench fails by panicking and prints its report"
)]

#[path = "tool_search/baseline.rs"]
mod baseline;
#[path = "tool_search/quality.rs"]
mod quality;

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use baseline::Prepared;
use quality::{FIRST, Listed, Quality, Query, SETS, Search};

/// Tools for the measure of time.
const MANY: usize = 5_000;
/// How often each query is asked; the quickest counts, so that a busy machine does not.
const ROUNDS: usize = 7;

fn main() {
    let catalogue = match quality::catalogue(std::env::args_os().nth(1).map(PathBuf::from)) {
        Ok(catalogue) => catalogue,
        Err(reason) => {
            println!("skipped: {reason}");
            return;
        }
    };
    if let Some(path) = std::env::args_os().nth(2).map(PathBuf::from) {
        let lines = std::fs::read_to_string(&path).expect("a file of queries");
        let queries = quality::queries(&lines);
        report_misses(&catalogue, &queries);
        report_quality(&catalogue, &[("given", queries)]);
        return;
    }
    let sets = SETS.map(|(name, lines)| (name, quality::queries(lines)));
    report_quality(&catalogue, &sets);
    let queries: Vec<Query> = sets.into_iter().flat_map(|(_, queries)| queries).collect();
    report_time(&catalogue, &queries);
    report_time(&multiplied(&catalogue, MANY), &queries);
}

fn report_quality(catalogue: &[Listed], sets: &[(&str, Vec<Query>)]) {
    let search = Search::over(catalogue);
    let prepared: Vec<Prepared> = catalogue.iter().map(Prepared::new).collect();
    println!(
        "{} tools                      recall@5   MRR     hand weights: recall@5   MRR",
        catalogue.len()
    );
    for (name, queries) in sets {
        let (ours, kinds) = quality::measure(queries, |query| search.ask(query));
        let (theirs, their_kinds) = quality::measure(queries, |query| baseline::rank(&prepared, query));
        println!("{}", row(&format!("{name} ({} queries)", queries.len()), &ours, &theirs));
        for ((kind, ours), theirs) in kinds.iter().zip(their_kinds.values()) {
            println!("{}", row(&format!("  {kind}"), ours, theirs));
        }
    }
}

/// What is not first, and what stands there instead.
fn report_misses(catalogue: &[Listed], queries: &[Query]) {
    let search = Search::over(catalogue);
    for query in queries {
        let found = search.ask(&query.query);
        let missing = missing(query, &found);
        if !missing.is_empty() {
            println!(
                "{}\n  wanted {}\n  found {}",
                query.query,
                missing.join(" + "),
                found.get(..6).unwrap_or(&found).join(" ")
            );
        }
    }
}

/// For each group that is not first, its place and what it means.
fn missing(query: &Query, found: &[String]) -> Vec<String> {
    let place = |group: &Vec<String>| found.iter().position(|name| quality::means(group, name));
    let alone = query.relevant.len() == 1;
    let late = query.relevant.iter().filter(|group| match place(group) {
        Some(place) => place >= FIRST || (alone && place > 0),
        None => true,
    });
    late.map(|group| format!("{} (place {:?})", group.join(" "), place(group).map(|place| place + 1)))
        .collect()
}

fn row(name: &str, ours: &Quality, theirs: &Quality) -> String {
    format!(
        "{name:30} {:8.3}  {:6.3}  {:22.3}  {:6.3}",
        ours.recall(),
        ours.mrr(),
        theirs.recall(),
        theirs.mrr()
    )
}

fn report_time(catalogue: &[Listed], queries: &[Query]) {
    let search = Search::over(catalogue);
    let begun = Instant::now();
    // The first query builds the index.
    black_box(search.ask("read a file"));
    let indexed = begun.elapsed();
    let mut ours = timed(queries, |query| search.ask(query));
    let prepared: Vec<Prepared> = catalogue.iter().map(Prepared::new).collect();
    let mut theirs = timed(queries, |query| baseline::rank(&prepared, query));
    println!(
        "\n{} tools: index {:.0} ms; a query {}; hand weights {}",
        catalogue.len(),
        indexed.as_secs_f64() * 1e3,
        spread(&mut ours),
        spread(&mut theirs)
    );
}

fn timed(queries: &[Query], ask: impl Fn(&str) -> Vec<String>) -> Vec<(Duration, &str)> {
    let once = |query: &Query| {
        let begun = Instant::now();
        black_box(ask(&query.query));
        begun.elapsed()
    };
    let quickest = |query| (0..ROUNDS).map(|_| once(query)).min();
    queries.iter().filter_map(|query| Some((quickest(query)?, query.query.as_str()))).collect()
}

fn spread(times: &mut [(Duration, &str)]) -> String {
    times.sort_unstable();
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let middle = times.get(times.len() / 2).map_or(0.0, |(time, _)| millis(*time));
    let (last, query) = times.last().map_or((0.0, ""), |(time, query)| (millis(*time), *query));
    format!("{middle:.3} ms (median), {last:.3} ms (slowest: {query})")
}

/// The catalogue again and again, each time from servers of other names, to `many` tools.
fn multiplied(catalogue: &[Listed], many: usize) -> Vec<Listed> {
    let again = catalogue.iter().cycle().take(many).enumerate();
    again
        .map(|(number, tool)| {
            let round = number / catalogue.len();
            let server = if round == 0 { tool.server.clone() } else { format!("{}-{round}", tool.server) };
            Listed { server, ..tool.clone() }
        })
        .collect()
}
