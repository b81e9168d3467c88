//! The stock binary: where it is, and how its `call --stdin` is driven line by line.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::place::command;

/// Where it is said: `cargo xtask test` builds the binary and sets this.
const VARIABLE: &str = "TOOLWRIGHT_BIN";

/// A user who owns nothing.
const NOBODY: u32 = 65_534;

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
        Self::spawn(command(&stock(), folder, home), "bypassPermissions", environment)
    }

    /// Starts it in `folder`, with its home, in the mode in which rules and what a call does decide.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn start_deciding(folder: &Path, home: &Path) -> Self {
        Self::spawn(command(&stock(), folder, home), "default", &[])
    }

    /// The same as a user who is not root and to whom both folders are given: for what root may do and others may not.
    ///
    /// # Panics
    /// When this process may not give files away, or it cannot be started.
    #[must_use]
    pub fn start_as_nobody(folder: &Path, home: &Path, environment: &[(String, String)]) -> Self {
        // The binary must lie where that user gets at it.
        let binary = home.join("toolwright");
        let given = std::fs::copy(stock(), &binary)
            .map_err(|error| error.to_string())
            .and_then(|_| crate::cases::shell(&format!("chown -R {NOBODY}:{NOBODY} ."), home))
            .and_then(|()| crate::cases::shell(&format!("chown -R {NOBODY}:{NOBODY} ."), folder));
        given.unwrap_or_else(|error| panic!("nothing can be given to another user: {error}"));
        let mut command = command(&binary, folder, home);
        command.uid(NOBODY).gid(NOBODY);
        Self::spawn(command, "bypassPermissions", environment)
    }

    fn spawn(mut command: Command, mode: &str, environment: &[(String, String)]) -> Self {
        command.args(["call", "--stdin", "--permission-mode", mode]);
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
