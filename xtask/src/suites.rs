//! Tests: every package's own, the suites of tests/, and the crates outside the workspace.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::metadata::Workspace;
use crate::process::{cargo, run};

/// The package whose test binaries are the suites.
pub(crate) const PACKAGE: &str = "toolwright-tests";

/// Where suites and benches find the stock binary, which is another package's.
pub(crate) const BINARY: &str = "TOOLWRIGHT_BIN";

pub(crate) fn all() -> Result<()> {
    let workspace = Workspace::read()?;
    let binary = stock_binary(&workspace)?;
    run(cargo(&workspace.root, &["test", "--workspace"]).env(BINARY, binary))?;
    crate::outside::run(&workspace)
}

pub(crate) fn one(suite: &str) -> Result<()> {
    let workspace = Workspace::read()?;
    let suites = suites(&workspace);
    if suite == "outside" {
        return crate::outside::run(&workspace);
    }
    if !suites.iter().any(|known| known == suite) {
        bail!("there is no suite `{suite}`; there are: {}, outside", suites.join(", "));
    }
    let binary = stock_binary(&workspace)?;
    // A suite counts what passed, and says what it left out.
    let test = ["test", "--package", PACKAGE, "--test", suite, "--", "--show-output"];
    run(cargo(&workspace.root, &test).env(BINARY, binary))
}

fn suites(workspace: &Workspace) -> Vec<String> {
    let targets = workspace.members.get(PACKAGE).map_or(&[][..], |package| &package.targets);
    targets.iter().filter(|target| target.kind == "test").map(|target| target.name.clone()).collect()
}

/// Builds the stock binary as people get it, with its default features.
fn stock_binary(workspace: &Workspace) -> Result<PathBuf> {
    run(&mut cargo(&workspace.root, &["build", "--package", "toolwright-cli"]))?;
    Ok(workspace.target.join("debug").join("toolwright"))
}
