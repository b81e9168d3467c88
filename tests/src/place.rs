//! A home and a project of their own, and a binary that runs there with nothing of ours in its environment.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use toolwright_testkit::TempWorkspace;

use crate::cases::shell;
use crate::journal::Journal;

/// The key that runs are given: whoever sees it in an output or a journal has found a leak.
pub const KEY: &str = "sk-test-0123456789abcdef";

/// Longer than this nothing is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A home and a project.
#[derive(Debug)]
pub struct Place {
    folder: TempWorkspace,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Its exit code; none where a signal ended it.
    pub exit: Option<i32>,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Default for Place {
    fn default() -> Self {
        Self::new()
    }
}

impl Place {
    /// Both empty.
    #[must_use]
    pub fn new() -> Self {
        let folder = TempWorkspace::new();
        folder.create_folder("home");
        folder.create_folder("project");
        Self { folder }
    }

    /// The home.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    /// The project: where runs start.
    #[must_use]
    pub fn project(&self) -> PathBuf {
        self.folder.join("project")
    }

    /// Writes a file of the project.
    pub fn write(&self, path: &str, text: &str) {
        self.folder.write(Path::new("project").join(path), text);
    }

    /// Writes a file of the home.
    pub fn write_home(&self, path: &str, text: &str) {
        self.folder.write(Path::new("home").join(path), text);
    }

    /// `text` with `{cwd}` and `{home}` filled in.
    #[must_use]
    pub fn fill(&self, text: &str) -> String {
        text.replace("{cwd}", &self.project().to_string_lossy())
            .replace("{home}", &self.home().to_string_lossy())
    }

    /// The binary, to be started here.
    #[must_use]
    pub fn command(&self, binary: &Path) -> Command {
        let mut command = command(binary, &self.project(), &self.home());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The journals of the home's sessions, oldest first.
    #[must_use]
    pub fn journals(&self) -> Vec<Journal> {
        let folders =
            std::fs::read_dir(self.home().join(".toolwright/sessions")).into_iter().flatten().flatten();
        let mut paths: Vec<_> = folders.map(|folder| folder.path().join("session.jsonl")).collect();
        paths.retain(|path| path.is_file());
        paths.sort();
        paths.iter().map(|path| Journal::read(path)).collect()
    }

    /// The newest session's journal; empty where there is none.
    #[must_use]
    pub fn journal(&self) -> Journal {
        self.journals().pop().unwrap_or_default()
    }
}

/// A program with an environment of three variables.
pub(crate) fn command(program: &Path, folder: &Path, home: &Path) -> Command {
    #[expect(clippy::disallowed_methods, reason = "suites start the binary they test")]
    let (mut command, path) = (Command::new(program), std::env::var_os("PATH"));
    command.current_dir(folder).env_clear().env("HOME", home).env("LANG", "C.UTF-8");
    command.env("PATH", path.unwrap_or_default());
    command
}

impl Ended {
    /// Feeds a started program and waits for it. `input` of none leaves its input as it was set up. One that does not end is
    /// killed, so that a suite does.
    ///
    /// # Errors
    /// When it cannot be waited for, or did not end.
    pub fn of(mut child: Child, input: Option<&str>) -> Result<Self, String> {
        let (ended, end) = mpsc::channel::<()>();
        let process = child.id();
        let watchdog = thread::spawn(move || {
            let hangs = end.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout);
            hangs && shell(&format!("kill -KILL {process}"), Path::new("/")).is_ok()
        });
        let writer = child.stdin.take().zip(input.map(str::to_owned)).map(|(mut stdin, text)| {
            // It may end without reading all.
            thread::spawn(move || drop(stdin.write_all(text.as_bytes())))
        });
        let errors = child.stderr.take().map(|mut stderr| {
            thread::spawn(move || {
                let mut bytes = Vec::new();
                let _ = stderr.read_to_end(&mut bytes);
                bytes
            })
        });
        let mut stdout = Vec::new();
        if let Some(mut pipe) = child.stdout.take() {
            pipe.read_to_end(&mut stdout).map_err(|error| format!("standard output: {error}"))?;
        }
        let status = child.wait().map_err(|error| format!("waiting: {error}"))?;
        drop(ended);
        if watchdog.join().unwrap_or_default() {
            return Err(format!("it did not end within {} s", PATIENCE.as_secs()));
        }
        if let Some(writer) = writer {
            let _ = writer.join();
        }
        let stderr = errors.and_then(|errors| errors.join().ok()).unwrap_or_default();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok(Self { exit: status.code(), stdout: text(stdout), stderr: text(stderr) })
    }
}
