//! `cargo xtask prove read-only`: what runs without a question only reads. Commands are generated, decided as in a session, and
//! those that are allowed run, in the form they would run in, under trace in a throw-away folder.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a harness prints its report")]

#[cfg(target_os = "linux")]
mod arguments;
#[cfg(target_os = "linux")]
mod child;
#[cfg(target_os = "linux")]
mod decide;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod generate;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod other;
#[cfg(target_os = "linux")]
mod place;
#[cfg(target_os = "linux")]
mod random;
#[cfg(target_os = "linux")]
mod run;
#[cfg(target_os = "linux")]
mod seeds;
#[cfg(target_os = "linux")]
mod smaller;
#[cfg(target_os = "linux")]
mod trace;
#[cfg(target_os = "linux")]
mod verdict;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let arguments = match arguments::Arguments::read(&words) {
        Ok(arguments) => arguments,
        Err(why) => {
            eprintln!("prove: {why}");
            return ExitCode::FAILURE;
        }
    };
    match run::run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("prove: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    println!("skipped: processes are traced on Linux alone");
    ExitCode::SUCCESS
}
