//! The crates of tests/third-party, outside the workspace: what another author's tool and agent see of ours. They share the
//! target folder, so that what both workspaces depend on is built once.

use anyhow::{Result, bail};

use crate::metadata::Workspace;
use crate::process::{cargo, output, run as start};

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let folder = workspace.root.join("tests/third-party");
    let target = workspace.target.to_string_lossy();
    start(&mut cargo(&folder, &["test", "--workspace", "--target-dir", &target]))?;
    // The agent says which package answers for each of its tools.
    let agent = ["run", "--quiet", "--package", "third-party-agent", "--target-dir", &target];
    let tools = output(&mut cargo(&folder, &agent))?;
    let expected = "Glob third-party-agent\nRead toolwright-tool-file-read\nWordCount third-party-tool\n";
    if tools != expected {
        bail!("tests/third-party/agent should print\n{expected}and printed\n{tools}");
    }
    println!("outside: a tool of another author is linked, and one of ours replaced");
    Ok(())
}
