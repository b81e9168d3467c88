//! This test binary again as another process: one ignored test of it, which is the program to run.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Tells the child where it works. Without it a child's program does nothing: somebody ran the ignored tests.
const PLACE: &str = "TOOLWRIGHT_TEST_PLACE";

/// The command that runs the ignored test of this name in `place`.
#[expect(clippy::disallowed_methods, reason = "another process is what is tested")]
pub(crate) fn command(test: &str, place: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"]).env(PLACE, place);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The same by way of a shell, which first says under which limits it runs.
pub(crate) fn command_within(limits: &str, test: &str, place: &Path) -> Command {
    let program = command(test, place);
    #[expect(clippy::disallowed_methods, reason = "another process is what is tested")]
    let mut shell = Command::new("sh");
    shell.args(["-c", limits, "sh"]).arg(program.get_program()).args(program.get_args()).env(PLACE, place);
    shell.stdin(Stdio::null());
    shell
}

/// Says a line to the parent.
#[expect(clippy::print_stdout, reason = "the parent reads it there")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}

/// Where a child works.
#[expect(clippy::disallowed_methods, reason = "the parent says so by this alone")]
pub(crate) fn place() -> Option<std::path::PathBuf> {
    std::env::var_os(PLACE).map(Into::into)
}

/// Waits until the child has said so many lines that begin with `word`.
pub(crate) fn wait_for(child: &mut Child, word: &str, times: usize) {
    let out = BufReader::new(child.stdout.as_mut().expect("a pipe"));
    let said = out.lines().map_while(Result::ok).filter(|line| line.starts_with(word)).take(times).count();
    assert_eq!(said, times, "the child ended early");
}
