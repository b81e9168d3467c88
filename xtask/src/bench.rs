//! Benchmarks are binaries of tests/ called `bench-<name>`; this runs one, in release.

use anyhow::{Result, bail};

use crate::metadata::Workspace;
use crate::process::{cargo, run as start};
use crate::suites::{BINARY, PACKAGE};

pub(crate) fn run(name: &str) -> Result<()> {
    let workspace = Workspace::read()?;
    let names = names_in(&workspace);
    if !names.iter().any(|known| known == name) {
        bail!("there is no benchmark `{name}`; there are: {}", names.join(", "));
    }
    let binary = format!("bench-{name}");
    start(&mut cargo(&workspace.root, &["build", "--release", "--package", "toolwright-cli"]))?;
    let stock = workspace.target.join("release").join("toolwright");
    let mut bench = cargo(&workspace.root, &["run", "--release", "--package", PACKAGE, "--bin", &binary]);
    start(bench.env(BINARY, stock))
}

pub(crate) fn names() -> Result<Vec<String>> {
    Ok(names_in(&Workspace::read()?))
}

fn names_in(workspace: &Workspace) -> Vec<String> {
    let targets = workspace.members.get(PACKAGE).map_or(&[][..], |package| &package.targets);
    let binaries = targets.iter().filter(|target| target.kind == "bin");
    binaries.filter_map(|target| target.name.strip_prefix("bench-")).map(Into::into).collect()
}
