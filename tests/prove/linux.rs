//! The harness, where processes are traced.
#![expect(clippy::print_stderr, reason = "it says why it cannot run")]

mod arguments;
mod child;
mod decide;
mod filter;
mod generate;
mod jobs;
mod known;
mod memory;
mod other;
mod place;
mod prover;
mod random;
mod resolve;
mod run;
mod seeds;
mod smaller;
mod tally;
mod trace;
mod verdict;
mod work;

use std::process::ExitCode;

pub(crate) fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = arguments::Arguments::read(&words)
        .map_err(std::io::Error::other)
        .and_then(|arguments| run::run(&arguments, &words));
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("prove: {error}");
            ExitCode::FAILURE
        }
    }
}
