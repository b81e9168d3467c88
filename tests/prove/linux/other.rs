//! Another program that decides: one line of JSON in, one out.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::linux::place::{PATH, Place};

/// It, running.
pub(crate) struct Other {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Other {
    pub(crate) fn start(program: &Path, place: &Place) -> io::Result<Self> {
        #[expect(clippy::disallowed_methods, reason = "the decider of another commit is a program")]
        let mut command = Command::new(program);
        command.env_clear().env("PATH", PATH).env("HOME", place.home()).env("PROJECT", place.project());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the decider has no pipes"));
        };
        Ok(Self { child, input, output: BufReader::new(output) })
    }

    pub(crate) fn allows(&mut self, text: &str, folder: &Path) -> io::Result<bool> {
        writeln!(self.input, "{}", json!({"text": text, "folder": folder}))?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let answer: Value = serde_json::from_str(&line).map_err(io::Error::other)?;
        answer.as_bool().ok_or_else(|| io::Error::other(format!("the decider answered {line}")))
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
