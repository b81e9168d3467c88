//! Settings where they would be found, links and nested repositories: what counts of them, and before whose word.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_tests::stock;

use crate::{Scratch, Started, path};

const MORE: &str = include_str!("../../cases/security/more.jsonl");

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
        let started = Started { cwd: &case.cwd, mode: &case.mode, runs: true, ..Started::default() };
        let (decided, answer) = scratch.call(&started, &input);
        let marked = scratch.root().join("proj/pwned").exists();
        if decided.name() != case.expected || marked {
            wrong.push(format!("{}: {} {answer}\n  because: {}", case.id, decided.name(), case.why));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
