//! Properties that are shown by running: generated commands that are let through without a question only read, and a text does
//! the same when it is printed.

mod against;

use anyhow::{Context, Result, bail};

use crate::metadata::Workspace;
use crate::process::{cargo, run as start};
use crate::suites::PACKAGE;

/// Allowed commands that CI runs, always those of the same seed: a new one is for runs in which somebody waits for finds.
const IN_CI: &str = "3000";

pub(crate) fn run(what: &str, flags: &[&str]) -> Result<()> {
    match what {
        "read-only" => read_only("prove", flags),
        "printed" => printed(flags),
        other => bail!("there is no property `{other}`; there are: read-only, printed"),
    }
}

/// What CI runs of it.
pub(crate) fn in_ci() -> Result<()> {
    // As the tests before it were built: what is built for many more commands takes longer to build than to run so few.
    read_only("dev", &["--commands", IN_CI, "--seed", "1"])
}

fn read_only(profile: &str, flags: &[&str]) -> Result<()> {
    let workspace = Workspace::read()?;
    let mut words = vec!["run", "--profile", profile, "--package", PACKAGE, "--bin", "prove", "--"];
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

/// Generated texts as written beside their printed form, in a real bash: the test of the printer, with more of them.
fn printed(flags: &[&str]) -> Result<()> {
    const TESTS: [&str; 7] =
        ["test", "--package", "toolwright-bash-syntax", "--test", "it", "--", "printed::"];
    let workspace = Workspace::read()?;
    let mut test = cargo(&workspace.root, &TESTS);
    test.arg("--nocapture");
    let (mut commands, mut seed) = ("10000", "0");
    for pair in flags.chunks(2) {
        match pair {
            ["--commands", number] => commands = number,
            ["--seed", number] => seed = number,
            other => bail!("`{}` is no flag of it; there are: --commands N, --seed S", other.join(" ")),
        }
    }
    test.env("TOOLWRIGHT_PRINTED_COMMANDS", commands).env("TOOLWRIGHT_PRINTED_PIECES", commands);
    start(test.env("TOOLWRIGHT_PRINTED_SEED", seed))
}
