//! `cargo xtask prove read-only`: what runs without a question only reads. Commands are generated, decided as in a session, and
//! those that are allowed run, in the form they would run in, under trace in a throw-away folder.
#![expect(clippy::print_stdout, reason = "a harness prints its report")]

#[cfg(target_os = "linux")]
mod linux;

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    return linux::main();
    #[cfg(not(target_os = "linux"))]
    {
        println!("skipped: processes are traced on Linux alone");
        ExitCode::SUCCESS
    }
}
