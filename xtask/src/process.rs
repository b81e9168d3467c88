//! Starting programs and waiting for them. The one place of xtask that does.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// A program to run in `folder`, with words as arguments.
pub(crate) fn command(folder: &Path, program: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
    #[expect(
        clippy::disallowed_methods,
        reason = "xtask starts build tools, and must not depend on our crates"
    )]
    let mut command = Command::new(program);
    command.current_dir(folder).args(arguments);
    command
}

/// Cargo, the one that runs us.
pub(crate) fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    command(folder, env!("CARGO"), arguments)
}

/// Runs it with our output; fails with the line to type when it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    let status = command.status().with_context(|| format!("`{line}` cannot be started; is it installed?"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Runs it and gives its standard output; its errors go to ours.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = line(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("`{line}` cannot be started; is it installed?"))?;
    if !output.status.success() {
        bail!("`{line}` failed ({})", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` wrote something that is not UTF-8"))
}

fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
