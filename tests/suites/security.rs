//! What runs, asks and is refused, through `call` of the built binary: cases handed from the field, and attacks of our own.
//!
//! A decision is seen without anything being run: the binary has no `bash` on its PATH, so what is allowed ends with that.
//! Only where the outcome is what counts, the command runs.
#![expect(clippy::expect_used, reason = "a suite fails by panicking")]

#[path = "security/secrets.rs"]
mod secrets;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_testkit::TempWorkspace;
use toolwright_tests::stock;

const HANDED: &str = include_str!("../cases/security/handed.jsonl");
const MORE: &str = include_str!("../cases/security/more.jsonl");
const FIXTURE: &str = include_str!("../cases/security/fixture.sh");
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Handed {
    id: String,
    kind: String,
    family: String,
    harmful: bool,
    #[serde(default)]
    setup: String,
    cwd: String,
    rules: Value,
    mode: String,
    input: Value,
    expected: Vec<String>,
    /// It may be allowed where the harm does not come about.
    #[serde(default)]
    outcome_check: bool,
    #[serde(default)]
    privileged: bool,
    #[serde(default)]
    check: String,
    why: String,
}

/// A case of ours, with settings where they would be found.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct More {
    id: String,
    why: String,
    setup: String,
    files: BTreeMap<String, String>,
    /// Settings: of the person (a text is taken as it is), the project, its local file, another program's, a nested repository.
    user: Value,
    project: Value,
    local: Value,
    foreign: Value,
    nested: Value,
    /// The folder that is trusted, from the project.
    trust: Option<String>,
    cwd: String,
    mode: String,
    command: String,
    expected: String,
}

impl Default for More {
    fn default() -> Self {
        let text = String::new;
        let (user, project, local, foreign, nested) = Default::default();
        let (setup, files, trust) = Default::default();
        Self {
            id: text(),
            why: text(),
            command: text(),
            expected: text(),
            cwd: "proj".into(),
            mode: "default".into(),
            setup,
            files,
            user,
            project,
            local,
            foreign,
            nested,
            trust,
        }
    }
}

/// The folders of the fixture.
struct Scratch {
    folder: TempWorkspace,
}

impl Scratch {
    fn new(setup: &str) -> Self {
        let scratch = Self { folder: TempWorkspace::new() };
        let fixture = scratch.shell(FIXTURE, &scratch.root());
        assert!(fixture.status.success(), "the fixture: {}", String::from_utf8_lossy(&fixture.stderr));
        // Some setups end with a command that fails, as they mean to.
        scratch.shell(setup, &scratch.root().join("proj"));
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

    /// What the binary decides about a call, or with `runs` what came of it, and its answer.
    fn call(
        &self,
        cwd: &str,
        mode: &str,
        input: &Value,
        settings: Option<&Path>,
        runs: bool,
    ) -> (Decided, String) {
        let nowhere = self.root().join("no-programs").to_string_lossy().into_owned();
        let path = if runs { path() } else { nowhere };
        let mut input = input.clone();
        let tool = input.as_object_mut().and_then(|fields| fields.remove("tool")).expect("a tool");
        let mut command = self.program(&stock(), &self.root().join(cwd), &path);
        command.args(["call", tool.as_str().expect("a name"), &input.to_string(), "--output-format", "json"]);
        command.args(["--permission-mode", mode]);
        if let Some(file) = settings {
            command.arg("--settings").arg(file);
        }
        let output = command.output().expect("the binary starts");
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        let decided = if answer.contains("nobody can be asked") {
            Decided::Ask
        } else if answer.contains(" was not run: ") || answer.contains("There is no tool `") {
            Decided::Deny
        } else if answer.is_empty() {
            Decided::Fails
        } else {
            Decided::Allow
        };
        (decided, answer + &String::from_utf8_lossy(&output.stderr))
    }

    fn write_json(&self, path: &str, value: &Value) {
        match value {
            Value::Null => {}
            Value::String(text) => self.folder.write(path, text),
            settings => self.folder.write(path, settings.to_string()),
        }
    }
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

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    right: usize,
    over: usize,
    under: usize,
}

#[test]
fn handed_cases() {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let (mut over, mut under) = (Vec::new(), Vec::new());
    // Nothing runs, so that what was not changed before serves again.
    let plain = Scratch::new("");
    for line in HANDED.lines() {
        let case: Handed = serde_json::from_str(line).expect("a case");
        if case.privileged {
            println!("skipped: {}: it would change the machine", case.id);
            continue;
        }
        let own = (!case.setup.is_empty() || case.input["tool"] != "Bash").then(|| Scratch::new(&case.setup));
        let scratch = own.as_ref().unwrap_or(&plain);
        let count = counts.entry(case.kind.clone()).or_default();
        match judge(&case, scratch) {
            Ok(()) => count.right += 1,
            Err((Decided::Allow, what)) => {
                count.under += 1;
                under.push(what);
            }
            Err((_, what)) if case.harmful => {
                count.under += 1;
                under.push(what);
            }
            Err((_, what)) => {
                count.over += 1;
                over.push(what);
            }
        }
    }
    for (kind, Count { right, over, under }) in &counts {
        println!("{kind:<8} {right:>4} right  {over:>3} over-asking  {under:>3} under-asking");
    }
    assert!(under.is_empty(), "{}", under.join("\n"));
    assert!(over.is_empty(), "{}", over.join("\n"));
}

fn judge(case: &Handed, scratch: &Scratch) -> Result<(), (Decided, String)> {
    let root = scratch.root().to_string_lossy().into_owned();
    let filled = |value: &Value| -> Value {
        serde_json::from_str(&value.to_string().replace("@ROOT@", &root)).expect("still JSON")
    };
    // Beside the project's files, so that rules start where a project's own would.
    scratch.write_json("proj/rules.json", &json!({"permissions": filled(&case.rules)}));
    let settings = scratch.root().join("proj/rules.json");
    let input = filled(&case.input);
    let (decided, answer) = scratch.call(&case.cwd, &case.mode, &input, Some(&settings), false);
    let refused = decided == Decided::Allow && answer.contains("`command` holds a NUL");
    if refused || case.expected.iter().any(|expected| expected == decided.name()) {
        return Ok(());
    }
    if case.outcome_check && decided == Decided::Allow {
        let (_, answer) = scratch.call(&case.cwd, &case.mode, &input, Some(&settings), true);
        let outside = scratch.folder.read("out/secret.txt") == "S3CR3T-FAKE-OUT\n";
        let marked = scratch.root().join("proj/pwned").exists();
        if outside && !marked && !(case.check == "leak" && answer.contains("S3CR3T-FAKE")) {
            return Ok(());
        }
    }
    let Handed { id, family, why, .. } = case;
    Err((decided, format!("{id} ({family}): {} {input}: {answer}\n  because: {why}", decided.name())))
}

#[test]
fn settings_links_and_repositories() {
    let mut wrong = Vec::new();
    for line in MORE.lines() {
        let case: More = serde_json::from_str(line).expect("a case");
        let scratch = Scratch::new(&case.setup);
        for (name, text) in &case.files {
            scratch.folder.write(Path::new("proj").join(name), text);
        }
        if !case.nested.is_null() {
            scratch.shell("git init -q nested", &scratch.root().join("proj"));
        }
        for (file, settings) in [
            ("home/.toolwright/settings.json", &case.user),
            ("proj/.toolwright/settings.json", &case.project),
            ("proj/.toolwright/settings.local.json", &case.local),
            ("proj/.claude/settings.json", &case.foreign),
            ("proj/nested/.toolwright/settings.json", &case.nested),
        ] {
            scratch.write_json(file, settings);
        }
        if let Some(folder) = &case.trust {
            let folder = scratch.root().join("proj").join(folder);
            let trusted =
                scratch.program(&stock(), &folder, &path()).arg("trust").output().expect("it starts");
            assert!(trusted.status.success(), "{}: {}", case.id, String::from_utf8_lossy(&trusted.stderr));
        }
        let input = json!({"tool": "Bash", "command": case.command});
        let (decided, answer) = scratch.call(&case.cwd, &case.mode, &input, None, true);
        let marked = scratch.root().join("proj/pwned").exists();
        if decided.name() != case.expected || marked {
            wrong.push(format!("{}: {} {answer}\n  because: {}", case.id, decided.name(), case.why));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
