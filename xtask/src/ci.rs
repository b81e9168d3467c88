//! All that CI runs, in the order in which it fails soonest.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::metadata::Workspace;
use crate::process::{cargo, run as start};
use crate::{features, msrv, prove, suites, tidy};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnFailure {
    Stop,
    KeepGoing,
}

type Step = (&'static str, fn() -> Result<()>);

const STEPS: &[Step] = &[
    ("lock", || in_root(&["tree", "--locked", "--quiet", "--depth", "0"])),
    ("tidy", || tidy::run(tidy::Generated::Compare)),
    ("fmt", fmt),
    ("msrv", msrv::run),
    ("clippy", || in_root(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])),
    // Doc tests are among them.
    ("test", suites::all),
    ("prove", prove::in_ci),
    ("doc", doc),
    ("features", || features::run(features::Pairs::All)),
];

pub(crate) fn run(on_failure: OnFailure) -> Result<()> {
    let mut report = Vec::new();
    for (name, step) in STEPS {
        println!("== {name}");
        let start = Instant::now();
        let result = step();
        let took = start.elapsed();
        if let Err(error) = &result {
            println!("== {name}: failed after {}: {error:#}", seconds(took));
        }
        let failed = result.is_err();
        report.push((*name, took, failed));
        if failed && on_failure == OnFailure::Stop {
            break;
        }
    }
    println!();
    for (name, took, failed) in &report {
        println!("{name:<10} {:>7}  {}", seconds(*took), if *failed { "FAILED" } else { "ok" });
    }
    let total = seconds(report.iter().map(|(_, took, _)| *took).sum());
    let failed: Vec<&str> = report.iter().filter(|(_, _, failed)| *failed).map(|(name, ..)| *name).collect();
    if !failed.is_empty() {
        bail!("ci: {} failed, after {total}; what to run alone stands above", failed.join(", "));
    }
    println!("ci: all {} steps passed in {total}", report.len());
    Ok(())
}

fn in_root(arguments: &[&str]) -> Result<()> {
    start(&mut cargo(&Workspace::read()?.root, arguments))
}

fn fmt() -> Result<()> {
    in_root(&["fmt", "--all", "--check"])?;
    for outside in ["tests/fuzz", "tests/third-party"] {
        start(&mut cargo(&Workspace::read()?.root.join(outside), &["fmt", "--all", "--check"]))?;
    }
    Ok(())
}

fn doc() -> Result<()> {
    let root = Workspace::read()?.root;
    start(cargo(&root, &["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

fn seconds(took: Duration) -> String {
    format!("{:.1} s", took.as_secs_f64())
}
