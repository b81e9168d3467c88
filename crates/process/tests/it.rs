//! Children for real: output, limits, trees, reports.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "it/output.rs"]
mod output;
#[path = "it/report.rs"]
mod report;
#[path = "it/start.rs"]
mod start;
#[path = "it/tree.rs"]
mod tree;

use toolwright_core::Cancel;
use toolwright_process::{Finished, Process, Variables};

fn bash(script: &str) -> Process {
    Process::bash(
        script,
        std::env::temp_dir(),
        Variables::default().with("PATH", "/usr/local/bin:/usr/bin:/bin"),
    )
}

async fn run(process: Process) -> Finished {
    process.run(&Cancel::default()).await.unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}
