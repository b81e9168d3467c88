//! Properties that are shown by running: generated commands that are let through without a question only read.

mod against;

use anyhow::{Context, Result, bail};

use crate::metadata::Workspace;
use crate::process::{cargo, run as start};
use crate::suites::PACKAGE;

/// Commands that CI runs: those of one seed, and those of one that is new each time and printed.
const FIXED: &str = "2000";
const FRESH: &str = "1000";

pub(crate) fn run(what: &str, flags: &[&str]) -> Result<()> {
    match what {
        "read-only" => read_only(flags),
        other => bail!("there is no property `{other}`; there is: read-only"),
    }
}

/// What CI runs of it.
pub(crate) fn in_ci() -> Result<()> {
    read_only(&["--commands", FIXED, "--seed", "1"])?;
    read_only(&["--commands", FRESH])
}

fn read_only(flags: &[&str]) -> Result<()> {
    let workspace = Workspace::read()?;
    let mut words = vec!["run", "--profile", "prove", "--package", PACKAGE, "--bin", "prove", "--"];
    let mut flags = flags.iter().copied();
    let mut decider = None;
    while let Some(flag) = flags.next() {
        if flag == "--against" {
            let commit = flags.next().context("--against wants a commit")?;
            decider = Some(against::decider(&workspace, commit)?);
        } else {
            words.push(flag);
        }
    }
    if let Some(decider) = &decider {
        words.extend(["--decider", decider]);
    }
    start(&mut cargo(&workspace.root, &words))
}
