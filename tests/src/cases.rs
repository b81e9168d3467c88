//! Cases as data: one JSON object a line says what is in a folder, which calls are made, and what must be true then. Whatever
//! takes a line `{"tool", "input"}` and gives a line `{"is_error", "content"}` can be driven: a tool called directly, or the
//! binary's `call --stdin`. Knows no tool.

mod expect;

use std::fmt;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json};

pub use expect::Expect;

/// Answers one line.
pub type Drive<'a> = &'a mut dyn FnMut(&Value) -> Value;

/// One case.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name, once in a suite.
    pub id: String,
    /// The tool it is about.
    pub tool: String,
    /// `must` or `should`.
    pub grade: String,
    /// What the machine must be: `root`, `nonroot`, `env:NAME=value`.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Why it is left out, where what it is about is not built.
    #[serde(default)]
    pub skip: Option<String>,
    /// A script for `bash -e` in the empty folder.
    #[serde(default)]
    pub setup: String,
    /// Calls and commands before the one that counts.
    #[serde(default)]
    pub prior: Vec<Step>,
    /// The call that counts. `{D}` in it stands for the folder.
    pub input: Value,
    /// What must be true.
    pub expect: Expect,
    /// Why.
    pub why: String,
}

/// Something done before the call that counts.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Step {
    /// A command for `bash -e` in the folder.
    Shell {
        /// The command.
        shell: String,
    },
    /// A call of a tool.
    Call(Value),
}

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// All is as it must be.
    Passed,
    /// Not run; says why.
    Skipped(String),
    /// Says what is not as it must be.
    Failed(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed => formatter.write_str("ok"),
            Self::Skipped(why) => write!(formatter, "skipped: {why}"),
            Self::Failed(what) => write!(formatter, "FAILED: {what}"),
        }
    }
}

/// The cases of a file of JSON lines.
///
/// # Errors
/// With the number of the line that is none.
pub fn parse(lines: &str) -> Result<Vec<Case>, String> {
    let numbered = (1..).zip(lines.split('\n')).filter(|(_, line)| !line.trim().is_empty());
    let case = |(number, line)| serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"));
    numbered.map(case).collect()
}

/// Runs one case in an empty folder.
pub fn run(case: &Case, folder: &Path, drive: Drive<'_>) -> Verdict {
    if let Some(why) = case.skip.clone().or_else(|| lacks(&case.needs)) {
        return Verdict::Skipped(why);
    }
    match attempt(case, folder, drive) {
        Ok(()) => Verdict::Passed,
        Err(what) => Verdict::Failed(what),
    }
}

fn attempt(case: &Case, folder: &Path, drive: Drive<'_>) -> Result<(), String> {
    shell(&case.setup, folder).map_err(|error| format!("setup: {error}"))?;
    for step in &case.prior {
        match step {
            Step::Shell { shell: command } => {
                shell(command, folder).map_err(|error| format!("before: {error}"))?;
            }
            Step::Call(call) => {
                drive(&placed(call, folder));
            }
        }
    }
    let begun = Instant::now();
    let answer = drive(&placed(&case.input, folder));
    let taken = begun.elapsed();
    let seen = expect::Seen::of(&answer, taken, folder)?;
    case.expect.check(&seen)
}

/// The call with the folder's path in its strings.
fn placed(call: &Value, folder: &Path) -> Value {
    match call {
        Value::String(text) => json!(text.replace("{D}", &folder.to_string_lossy())),
        Value::Array(items) => items.iter().map(|item| placed(item, folder)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), placed(field, folder))).collect())
        }
        other => other.clone(),
    }
}

/// Runs a script with `bash -e` in a folder.
///
/// # Errors
/// What it said, when it ends with another code than 0.
pub fn shell(script: &str, folder: &Path) -> Result<(), String> {
    let output = bash(&["-e", "-c", script], folder)?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("`{script}` ended with {}: {}", output.status, said.trim_end()))
}

#[expect(
    clippy::disallowed_methods,
    reason = "a suite prepares and inspects folders with short scripts of its own data"
)]
fn bash(arguments: &[&str], folder: &Path) -> Result<Output, String> {
    Command::new("bash")
        .args(arguments)
        .current_dir(folder)
        .output()
        .map_err(|error| format!("bash: {error}"))
}

/// What of `needs` is not given here.
fn lacks(needs: &[String]) -> Option<String> {
    let holds = |need: &str| match need {
        "root" => user_is_root(),
        "nonroot" => !user_is_root(),
        other => match other.strip_prefix("env:").and_then(|pair| pair.split_once('=')) {
            Some((name, value)) => shell(&format!("test \"${name}\" = '{value}'"), Path::new("/")).is_ok(),
            None => false,
        },
    };
    needs.iter().find(|need| !holds(need)).map(|need| format!("needs {need}"))
}

/// Whether this process may do everything.
#[must_use]
pub fn user_is_root() -> bool {
    shell("test $(id -u) = 0", Path::new("/")).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expect: &str, verdict: &str) {
        let case = format!(
            r#"{{"id":"x","tool":"X","grade":"must","setup":"printf a > f","input":{{"at":"{{D}}/f"}},"expect":{expect},"why":""}}"#
        );
        let case = parse(&case).unwrap().remove(0);
        let folder = std::env::temp_dir().join(format!("toolwright-cases-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let found = run(&case, &folder, &mut |line| {
            let at = line["at"].as_str().unwrap();
            assert!(at.ends_with("/f") && !at.contains('{'));
            json!({"is_error": false, "content": [{"type": "text", "text": "one two"}], "peak_mib": 9})
        });
        let found = match found {
            Verdict::Failed(_) => "failed".to_owned(),
            other => other.to_string(),
        };
        assert_eq!(found, verdict, "{expect}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_not_as_it_must_be_fails() {
        check(
            r#"{"is_error":false,"contains_re":["on."],"order":["one","two"],"file":"f","file_bytes_after_hex":"61"}"#,
            "ok",
        );
        check(r#"{"is_error":true}"#, "failed");
        check(r#"{"contains_re":["three"]}"#, "failed");
        check(r#"{"not_contains_re":["two"]}"#, "failed");
        check(r#"{"order":["two","one"]}"#, "failed");
        check(r#"{"file":"f","file_bytes_after_hex":"62"}"#, "failed");
        check(r#"{"file":"f","file_sha256":"62"}"#, "failed");
        check(r#"{"file":"none"}"#, "failed");
        check(r#"{"checks":["test -f none"]}"#, "failed");
        check(r#"{"max_result_bytes":3}"#, "failed");
        check(r#"{"max_rss_mb":8}"#, "failed");
        check(r#"{"block":"image"}"#, "failed");
        check(r#"{"not_block":"text"}"#, "failed");
        check(r#"{"any_of":[{"is_error":true},{"contains_re":["x"]}]}"#, "failed");
        check(r#"{"any_of":[{"is_error":true},{"contains_re":["one"]}]}"#, "ok");
        assert!(parse(r#"{"id":"x"}"#).is_err_and(|error| error.starts_with("line 1")));
    }
}
