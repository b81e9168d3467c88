//! What runs, asks and is refused, through `call` of the built binary: cases handed from the field, and attacks of our own.
//!
//! A decision is seen without anything being run: the binary has no `bash` on its PATH, so what is allowed ends with that.
//! Only where the outcome is what counts, the command runs.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a suite fails by panicking, and says what it counts"
)]

#[path = "security/commit_messages.rs"]
mod commit_messages;
#[path = "security/denied.rs"]
mod denied;
#[path = "security/everyday.rs"]
mod everyday;
#[path = "security/handed.rs"]
mod handed;
#[path = "security/keys.rs"]
mod keys;
#[path = "security/ran.rs"]
mod ran;
#[path = "security/secrets.rs"]
mod secrets;
#[path = "security/settings.rs"]
mod settings;
#[path = "security/terminal.rs"]
mod terminal;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};
use toolwright_testkit::TempWorkspace;
use toolwright_tests::stock;

const FIXTURE: &str = include_str!("../cases/security/fixture.sh");

/// The folders of the fixture.
struct Scratch {
    folder: TempWorkspace,
}

/// How the binary is started.
#[derive(Debug, Clone, Default)]
struct Started<'a> {
    cwd: &'a str,
    mode: &'a str,
    settings: Option<&'a Path>,
    /// A folder that is added.
    add_dir: Option<&'a str>,
    /// Variables beside HOME and PATH, or in their place.
    environment: Vec<(String, String)>,
    /// With programs on its PATH.
    runs: bool,
}

impl Scratch {
    /// A copy of the fixture, changed by a script.
    fn new(setup: &str) -> Self {
        static FIRST: OnceLock<Scratch> = OnceLock::new();
        let first = FIRST.get_or_init(|| {
            let scratch = Self { folder: TempWorkspace::new() };
            let made = scratch.shell(FIXTURE, &scratch.root());
            assert!(made.status.success(), "the fixture: {}", String::from_utf8_lossy(&made.stderr));
            scratch
        });
        let scratch = Self { folder: TempWorkspace::new() };
        let copied = scratch.shell(&format!("cp -a '{}/.' .", first.root().display()), &scratch.root());
        assert!(copied.status.success(), "a copy: {}", String::from_utf8_lossy(&copied.stderr));
        if !setup.is_empty() {
            // Some setups end with a command that fails, as they mean to.
            scratch.shell(setup, &scratch.root().join("proj"));
        }
        scratch
    }

    fn root(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    fn shell(&self, script: &str, folder: &Path) -> Output {
        let mut bash = self.program(Path::new("bash"), folder, &path());
        bash.args(["-c", script]).env("ROOT", self.root()).env("GIT_CONFIG_NOSYSTEM", "1");
        bash.output().expect("bash starts")
    }

    fn program(&self, program: &Path, folder: &Path, path: &str) -> Command {
        #[expect(clippy::disallowed_methods, reason = "a suite starts the binary it tests")]
        let mut command = Command::new(program);
        command.current_dir(folder).env_clear().env("HOME", self.root().join("home")).env("PATH", path);
        command.stdin(Stdio::null());
        command
    }

    /// What the binary decides about a call, or where programs are on its PATH what came of it, and its answer.
    fn call(&self, started: &Started<'_>, input: &Value) -> (Decided, String) {
        self.calls(started, std::slice::from_ref(input)).pop().expect("an answer")
    }

    /// The same of many, by one process.
    fn calls(&self, started: &Started<'_>, inputs: &[Value]) -> Vec<(Decided, String)> {
        let nowhere = self.root().join("no-programs").to_string_lossy().into_owned();
        let path = if started.runs { path() } else { nowhere };
        let mut command = self.program(&stock(), &self.root().join(started.cwd), &path);
        command.args(["call", "--stdin", "--permission-mode", started.mode]);
        command.envs(started.environment.iter().map(|(name, value)| (name, value)));
        if let Some(file) = started.settings {
            command.arg("--settings").arg(file);
        }
        if let Some(folder) = started.add_dir {
            command.args(["--add-dir", folder]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let lines: String = inputs.iter().map(line).collect();
        let mut stdin = child.stdin.take().expect("a pipe");
        let writer = std::thread::spawn(move || drop(stdin.write_all(lines.as_bytes())));
        let output = child.wait_with_output().expect("the binary ends");
        writer.join().expect("its input is written");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut answers: Vec<_> = stdout.lines().map(decided).collect();
        answers.resize(inputs.len(), (Decided::Fails, stderr));
        answers
    }

    fn write_json(&self, path: &str, value: &Value) {
        match value {
            Value::Null => {}
            Value::String(text) => self.folder.write(path, text),
            settings => self.folder.write(path, settings.to_string()),
        }
    }
}

/// A line for `call --stdin`, of an input that holds the tool's name.
fn line(input: &Value) -> String {
    let mut input = input.clone();
    let tool = input.as_object_mut().and_then(|fields| fields.remove("tool")).expect("a tool");
    format!("{}\n", json!({"tool": tool, "input": input}))
}

fn decided(answer: &str) -> (Decided, String) {
    let json: Value = serde_json::from_str(answer).unwrap_or_default();
    let texts: Vec<_> = json["content"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|content| content["text"].as_str())
        .collect();
    let text = texts.join("\n");
    let decided = if json.is_null() {
        Decided::Fails
    } else if text.contains("nobody can be asked") {
        Decided::Ask
    } else if text.contains(" was not run: ") || text.contains("There is no tool `") {
        Decided::Deny
    } else {
        Decided::Allow
    };
    (decided, text)
}

#[expect(clippy::disallowed_methods, reason = "programs are where the suite's own environment finds them")]
fn path() -> String {
    std::env::var("PATH").unwrap_or_default()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decided {
    Allow,
    Ask,
    Deny,
    Fails,
}

impl Decided {
    const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
            Self::Fails => "fails",
        }
    }
}

/// Fails where something is wrong, and says what. `judged`: how many were judged.
fn none_wrong(judged: usize, wrong: &[String]) {
    println!("{judged} judged, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
