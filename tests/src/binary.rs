//! The stock binary: where it is, and how its `call --stdin` is driven line by line.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::place::command;

/// Where it is said: `cargo xtask test` builds the binary and sets this.
const VARIABLE: &str = "TOOLWRIGHT_BIN";

/// The stock binary.
///
/// # Panics
/// When nothing says where it is: a suite that takes what happens to lie about would test an old one.
#[must_use]
pub fn stock() -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "a suite is told by its own environment what to test")]
    let said = std::env::var_os(VARIABLE);
    let Some(path) = said.map(PathBuf::from) else {
        panic!(
            "{VARIABLE} is not set. `cargo xtask test` builds the stock binary and sets it; to run one suite: `cargo xtask test agent`."
        )
    };
    assert!(path.is_file(), "{VARIABLE} is {}, where no file is", path.display());
    path
}

/// A running `call --stdin`: one state for all its calls.
#[derive(Debug)]
pub struct Calls {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Calls {
    /// Starts it in `folder`, with its home and what else its environment should hold. It asks nobody: all calls may run.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn start(folder: &Path, home: &Path, environment: &[(String, String)]) -> Self {
        let mut command = command(&stock(), folder, home);
        command.args(["call", "--stdin", "--permission-mode", "bypassPermissions"]);
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("the binary does not start: {error}"));
        let to = child.stdin.take();
        let Some(from) = child.stdout.take() else { panic!("the binary has no standard output") };
        Self { child, to, from: BufReader::new(from) }
    }

    /// One call. A program that ends instead of answering has said something that is no answer.
    pub fn call(&mut self, line: &Value) -> Value {
        let sent = self.to.as_mut().map(|to| writeln!(to, "{line}").and_then(|()| to.flush()));
        let mut answer = String::new();
        let read = self.from.read_line(&mut answer);
        let mut answer: Value = match (sent, read) {
            (Some(Ok(())), Ok(bytes)) if bytes > 0 => match serde_json::from_str(&answer) {
                Ok(answer) => answer,
                Err(error) => json!({"no_answer": answer, "why": error.to_string()}),
            },
            _ => json!({"no_answer": format!("it ended: {:?}", self.child.try_wait())}),
        };
        if let Some(peak) = peak_kib(self.child.id()) {
            answer["peak_mib"] = (peak / 1024).into();
        }
        answer
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        // Its input ends, and so does it.
        drop(self.to.take());
        let _ = self.child.wait();
    }
}

/// The most memory that a running process ever had, in KiB.
#[must_use]
pub fn peak_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}
