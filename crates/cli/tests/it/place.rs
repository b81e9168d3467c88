//! A folder to work in, a home beside it, and the binary.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Where one test works.
pub(crate) struct Place {
    root: TempDir,
}

/// What a run of the binary came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) exit: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self { root: TempDir::new().unwrap() };
        for folder in ["work", "home", "tmp"] {
            fs::create_dir(place.root.path().join(folder)).unwrap();
        }
        place
    }

    /// The working directory.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    /// What is in the folder for temporary files.
    pub(crate) fn left_behind(&self) -> usize {
        fs::read_dir(self.root.path().join("tmp")).unwrap().count()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.work().join(name), text).unwrap();
    }

    /// Runs the binary with nothing on standard input.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, "")
    }

    /// Runs the binary with `input` on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &str) -> Ran {
        let mut child = self.command(arguments).spawn().unwrap();
        // A program that ends before it has read everything is no fault of the test.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        ran(child.wait_with_output().unwrap())
    }

    /// The binary about to be run, all three streams piped.
    #[expect(clippy::disallowed_methods, reason = "the binary is what is tested")]
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolwright"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.args(arguments).current_dir(self.work()).env_clear().env("PATH", path);
        command.env("HOME", self.root.path().join("home")).env("TMPDIR", self.root.path().join("tmp"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

pub(crate) fn ran(output: Output) -> Ran {
    Ran {
        exit: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
