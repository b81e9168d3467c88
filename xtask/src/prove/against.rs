//! The decision of an earlier commit as a program: its files are laid out under the target folder, and a package is added to
//! its workspace that asks its Bash tool.

use std::fs;

use anyhow::{Context, Result};

use crate::metadata::Workspace;
use crate::process::{cargo, command, output, run as start};

/// Where the package lies in the checkout, so that its workspace has it as a member.
const PACKAGE: &str = "tests/agents/prove-decider";
const NAME: &str = "prove-decider";

/// The path of the built program.
pub(super) fn decider(workspace: &Workspace, commit: &str) -> Result<String> {
    let resolve = ["rev-parse", "--verify", &format!("{commit}^{{commit}}")];
    let commit = output(&mut command(&workspace.root, "git", &resolve))?.trim().to_owned();
    let checkout = workspace.target.join("prove").join(&commit);
    if !checkout.join("Cargo.toml").exists() {
        fs::create_dir_all(&checkout)?;
        let archive = checkout.join("archive.tar").to_string_lossy().into_owned();
        start(&mut command(&workspace.root, "git", &["archive", "--output", &archive, &commit]))?;
        start(&mut command(&checkout, "tar", &["-xf", "archive.tar"]))?;
        fs::remove_file(&archive)?;
    }
    let package = checkout.join(PACKAGE);
    fs::create_dir_all(package.join("src"))?;
    let ours = workspace.root.join("tests/prove/against");
    for (from, to) in [("package.toml", "Cargo.toml"), ("decider.rs", "src/main.rs")] {
        fs::copy(ours.join(from), package.join(to)).with_context(|| format!("{from} cannot be copied"))?;
    }
    let target = workspace.target.to_string_lossy();
    let words = ["build", "--profile", "dev", "--package", NAME, "--target-dir", &target];
    start(&mut cargo(&checkout, &words))?;
    Ok(workspace.target.join("debug").join(NAME).to_string_lossy().into_owned())
}
