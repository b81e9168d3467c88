//! The workspace's own commands. Starts processes and reads `cargo metadata`; depends on nothing of ours, so that it
//! compiles in seconds and works while the rest does not.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "its output is what it is for")]

mod bench;
mod ci;
mod features;
mod metadata;
mod msrv;
mod new_tool;
mod outside;
mod peer;
mod process;
mod prove;
mod suites;
mod tidy;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask <task>

  ci [--keep-going]     all that CI runs; --keep-going tells every failure instead of the first
  test [suite]          all tests, then the crates outside the workspace; or one suite (a wrong name lists them)
  tidy [--fix]          the rules of the house: edges, sizes, words, lists that must agree; --fix writes the generated ones
  features [--quick]    builds the stock binary with no tool, each, every pair and all: listed, and absent where off
  msrv                  whether the stated minimum Rust version is true of the dependencies
  new-tool <name>       a new tool crate (kebab-case, such as `word-count`), wired in
  bench <name>          one benchmark, in release
  prove read-only [--minutes N] [--commands N] [--jobs N] [--seed S [--number N]] [--against COMMIT]
                        runs generated commands that need no question under trace: they only read, or it prints what they did
  prove printed [--commands N] [--seed S]
                        runs generated texts as written and as printed, in a real bash: the same output, exit code and files
  peer llama            talks to a real model server over both wires; installs 350 MB under target/, so not in ci
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    match arguments {
        ["ci"] => ci::run(ci::OnFailure::Stop),
        ["ci", "--keep-going"] => ci::run(ci::OnFailure::KeepGoing),
        ["test"] => suites::all(),
        ["test", suite] => suites::one(suite),
        ["tidy"] => tidy::run(tidy::Generated::Compare),
        ["tidy", "--fix"] => tidy::run(tidy::Generated::Write),
        ["features"] => features::run(features::Pairs::All),
        ["features", "--quick"] => features::run(features::Pairs::None),
        ["msrv"] => msrv::run(),
        ["new-tool", name] => new_tool::run(name),
        ["bench", name] => bench::run(name),
        ["prove", what, flags @ ..] => prove::run(what, flags),
        ["peer", name] => peer::run(name),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        ["new-tool"] => bail!("which name? `cargo xtask new-tool word-count` makes crates/tools/word-count"),
        ["prove"] => bail!("which property? There are: read-only, printed"),
        ["peer"] => bail!("which one? There is: llama"),
        ["bench"] => bail!("which one? There are: {}", bench::names()?.join(", ")),
        other => bail!("`{}` is no task.\n\n{HELP}", other.join(" ")),
    }
}
