//! Rounds of both, interleaved; medians of wall and processor time.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use toolwright_testkit::TempWorkspace;

use crate::query::{Query, Tools};

/// What one query took.
pub(crate) struct Row {
    name: &'static str,
    alike: bool,
    ours: Cost,
    theirs: Cost,
}

#[derive(Clone, Copy, Default)]
struct Cost {
    wall: Duration,
    processor: Duration,
}

/// Measures a query.
pub(crate) async fn measure(query: &Query, rg: &Path, tree: &Path, tools: &Tools, rounds: usize) -> Row {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let (begun, used) = (Instant::now(), used(UsageWho::RUSAGE_SELF));
        let answer = tools.call(query).await;
        let own = cost(begun, used, UsageWho::RUSAGE_SELF);
        std::hint::black_box(answer);
        let (begun, used) = (Instant::now(), self::used(UsageWho::RUSAGE_CHILDREN));
        search(rg, query.rg, tree);
        let other = cost(begun, used, UsageWho::RUSAGE_CHILDREN);
        // The first round warms the cache.
        if round > 0 {
            ours.push(own);
            theirs.push(other);
        }
    }
    Row { name: query.name, alike: query.alike, ours: middle(&ours), theirs: middle(&theirs) }
}

/// What the start of our binary takes, with all its tools and nothing to do.
#[expect(clippy::disallowed_methods, reason = "a bench starts what it measures")]
pub(crate) fn start(home: &TempWorkspace, rounds: usize) -> Duration {
    let binary = toolwright_tests::stock();
    let once = || {
        let begun = Instant::now();
        let mut command = Command::new(&binary);
        command.args(["call", "--stdin"]).env_clear().env("HOME", home.path()).current_dir(home.path());
        let ended = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(ended.is_ok_and(|status| status.success()), "the binary does not start");
        begun.elapsed()
    };
    let mut taken: Vec<_> = (0..rounds).map(|_| once()).collect();
    median(&mut taken)
}

#[expect(clippy::disallowed_methods, reason = "a bench starts what it compares with")]
fn search(rg: &Path, arguments: &[&str], tree: &Path) {
    let mut command = Command::new(rg);
    command.args(["--no-config", "--hidden"]).args(arguments).arg("./").current_dir(tree);
    let ended = command.stdin(Stdio::null()).stdout(Stdio::null()).status().expect("rg starts");
    assert!(matches!(ended.code(), Some(0 | 1)), "rg: {ended}");
}

fn used(who: UsageWho) -> Duration {
    let usage = getrusage(who).expect("the kernel counts");
    let of = |time: nix::sys::time::TimeVal| {
        Duration::new(time.tv_sec().try_into().unwrap_or(0), 0)
            + Duration::from_micros(time.tv_usec().try_into().unwrap_or(0))
    };
    of(usage.user_time()) + of(usage.system_time())
}

fn cost(begun: Instant, before: Duration, who: UsageWho) -> Cost {
    let wall = begun.elapsed();
    Cost { wall, processor: used(who).saturating_sub(before) }
}

fn middle(costs: &[Cost]) -> Cost {
    let of = |part: fn(&Cost) -> Duration| median(&mut costs.iter().map(part).collect::<Vec<_>>());
    Cost { wall: of(|cost| cost.wall), processor: of(|cost| cost.processor) }
}

fn median(values: &mut [Duration]) -> Duration {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

pub(crate) fn milliseconds(duration: Duration) -> String {
    format!("{:.1} ms", duration.as_secs_f64() * 1000.0)
}

fn ratio(ours: Duration, theirs: Duration) -> f64 {
    ours.as_secs_f64() / theirs.as_secs_f64().max(1e-9)
}

/// Call and start of ours against rg's whole process.
pub(crate) fn table(rows: &[Row], start: Duration) -> String {
    let mut text = format!(
        "{:<24} {:>9} {:>9} {:>9} {:>6}   {:>9} {:>9} {:>6}\n",
        "", "call", "+ start", "rg", "ratio", "cpu", "rg cpu", "ratio"
    );
    for Row { name, ours, theirs, .. } in rows {
        let whole = ours.wall + start;
        let _ = writeln!(
            text,
            "{name:<24} {:>9} {:>9} {:>9} {:>6.2}   {:>9} {:>9} {:>6.2}",
            milliseconds(ours.wall),
            milliseconds(whole),
            milliseconds(theirs.wall),
            ratio(whole, theirs.wall),
            milliseconds(ours.processor),
            milliseconds(theirs.processor),
            ratio(ours.processor, theirs.processor),
        );
    }
    text.trim_end().to_owned()
}

/// The median ratio and the worst, of the queries that look at the same.
pub(crate) fn verdict(rows: &[Row], start: Duration) -> String {
    let alike = || rows.iter().filter(|row| row.alike);
    let mut wall: Vec<f64> = alike().map(|row| ratio(row.ours.wall + start, row.theirs.wall)).collect();
    let mut processor: Vec<f64> =
        alike().map(|row| ratio(row.ours.processor, row.theirs.processor)).collect();
    wall.sort_by(f64::total_cmp);
    processor.sort_by(f64::total_cmp);
    let middle = |ratios: &[f64]| ratios.get(ratios.len() / 2).copied().unwrap_or_default();
    let worst = |ratios: &[f64]| ratios.last().copied().unwrap_or_default();
    format!(
        "median ratio {:.2} (worst {:.2}); of processor time {:.2} (worst {:.2})",
        middle(&wall),
        worst(&wall),
        middle(&processor),
        worst(&processor)
    )
}
