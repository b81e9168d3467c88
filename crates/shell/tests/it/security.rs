//! Cases from the field (`tests/data/security.jsonl`, and those handed later): texts that harm must not pass for reading, texts
//! that read should.

use std::path::Path;

use serde_json::Value;
use toolwright_core::Subject;
use toolwright_shell::{Analysis, Place, analyse};

const CASES: &str = include_str!("../data/security.jsonl");
const LATER: &str = include_str!("../../../../tests/cases/security/handed-2.jsonl");
const ROOT: &str = "/scratch";

struct Case {
    json: Value,
    command: String,
    analysis: Analysis,
}

fn cases() -> Vec<Case> {
    wrapped("{}")
}

/// The cases with each text in the place of `{}`.
fn wrapped(around: &str) -> Vec<Case> {
    let read = |line: &str| {
        let json: Value = serde_json::from_str(&line.replace("@ROOT@", ROOT)).unwrap();
        let text = json["command"].as_str().or(json["input"]["command"].as_str()).unwrap();
        let command = around.replace("{}", text);
        let cwd = Path::new(ROOT).join(json["cwd"].as_str().unwrap_or("proj"));
        let place = Place::new(&cwd, Some(&Path::new(ROOT).join("home")));
        let analysis = analyse(&command, &place);
        Case { json, command, analysis }
    };
    CASES.lines().chain(LATER.lines().filter(|line| line.contains("\"kind\": \"bash\""))).map(read).collect()
}

impl Case {
    fn is(&self, field: &str, value: &str) -> bool {
        self.json[field] == value
    }

    fn rules(&self, kind: &str) -> Vec<&str> {
        self.json["rules"][kind].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// What would run with no rule and no question: it reads, in the project alone.
    fn passes_as_reading(&self) -> bool {
        let project = Path::new(ROOT).join("proj");
        let inside = |path: &Path| {
            let mut plain = std::path::PathBuf::new();
            for part in path.components() {
                match part {
                    std::path::Component::ParentDir => _ = plain.pop(),
                    other => plain.push(other),
                }
            }
            plain.starts_with(&project)
        };
        let fine = |subject: &Subject| match subject {
            Subject::Path { path, access, .. } => access.is_read() && inside(path),
            _ => true,
        };
        self.analysis.effects.is_read_only() && self.analysis.subjects.iter().all(fine)
    }

    /// A repository whose own settings start programs: the host looks into the folders named.
    fn is_for_the_host(&self) -> bool {
        let setup = self.json["setup"].as_str().unwrap_or_default();
        let rigged =
            setup.contains(" config ") || setup.contains(".gitattributes") || setup.contains(".git/");
        let git = rigged && !self.analysis.git_folders.is_empty();
        // Where a link leads that is named.
        let link = |subject: &Subject| match subject {
            Subject::Path { path, .. } => path.file_name().is_some_and(|name| {
                setup.split(';').any(|line| {
                    line.trim().starts_with("ln -s") && line.trim().ends_with(&*name.to_string_lossy())
                })
            }),
            _ => false,
        };
        if self.analysis.subjects.iter().any(link) {
            return true;
        }
        // Names that begin with a dash, and folders where files are taken for granted.
        let flag = (setup.contains("./-") || setup.contains("-- -")) && !self.analysis.globs.is_empty();
        let made =
            |name: &str| ["proj", "src"].contains(&name) || setup.contains("mkdir ") && setup.contains(name);
        let folder = self.analysis.files.iter().any(|file| {
            file.components().next_back().is_some_and(|name| made(&name.as_os_str().to_string_lossy()))
        });
        if flag || folder {
            return true;
        }
        // What the name of a program stands for, and the person's environment: the host looks.
        git || ENVIRONMENT.iter().any(|id| self.is("id", id))
    }
}

/// Cases about variables of the host: PATH and settings of a program.
const ENVIRONMENT: [&str; 2] = ["bash-env-n62a", "bash-env-n63a"];

#[test]
fn harm_never_passes_for_reading() {
    let mut wrong = Vec::new();
    for case in cases() {
        let secret = |subject: &Subject| match subject {
            Subject::Path { path, .. } => {
                let path = path.to_string_lossy();
                let denied = case.rules("deny");
                let named = denied.iter().filter_map(|rule| rule.strip_prefix("Read(")?.strip_suffix(')'));
                ["secrets", ".env", ".ssh", "linkdir", "*"]
                    .into_iter()
                    .chain(named)
                    .any(|part| path.contains(part))
            }
            _ => false,
        };
        let allowed_too = case.json["expected"].as_array().is_some_and(|list| list.contains(&"allow".into()));
        // What a deny rule for paths names, the rule sees.
        let seen = case.is("family", "denyread") && case.analysis.subjects.iter().any(secret);
        let bad = case.json["harmful"] == true && case.passes_as_reading();
        if bad && !allowed_too && !seen && !case.is_for_the_host() {
            wrong.push(format!("{} {:?}", case.json["id"], case.command));
        }
    }
    assert!(wrong.is_empty(), "{} pass for reading:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_wrapping_makes_harm_pass() {
    let ways = [
        "( {}\n)",
        "{ {}\n}",
        "! { {}\n}",
        "if true; then {}\nfi",
        "for i in 1 2; do {}\ndone",
        "while true; do {}\ndone",
        "echo \"$( {}\n)\"",
        "true && { {}\n}",
        "{ {}\n} | cat",
        "cat <( {}\n)",
        "LANG=C; {}",
        "case a in a) {}\n;; esac",
        "ls; {}\nls",
        "cat <<X\n$( {}\n)\nX",
    ];
    for way in ways {
        let passing = wrapped(way).into_iter().filter(|case| {
            let plain = case.json["rules"].as_object().is_some_and(serde_json::Map::is_empty);
            // Bash joins lines of a here-document before it looks for comments, so what follows the comment is a part of it:
            // seen by running `cat <<X⏎$( echo $( # \\⏎touch f⏎)⏎)⏎X`, which touches nothing.
            let joined = way.contains("<<")
                && ["# comment \\\n", "# \\\n"].iter().any(|comment| case.command.contains(comment));
            // One that any answer is right for is about how long the answer takes: a variable that doubles itself is allowed
            // alone as well as wrapped.
            let may_run = case.json["expected"].as_array().is_some_and(|list| list.contains(&"allow".into()));
            case.json["harmful"] == true
                && plain
                && !joined
                && !may_run
                && case.passes_as_reading()
                && !case.is_for_the_host()
        });
        let passing: Vec<String> = passing.map(|case| case.command).collect();
        assert!(passing.is_empty(), "{way}:\n{}", passing.join("\n---\n"));
    }
}

#[test]
fn deny_rules_for_commands_see_every_part() {
    let mut wrong = Vec::new();
    for case in cases().iter().filter(|case| case.is("expected", "deny")) {
        for rule in
            case.rules("deny").iter().filter_map(|rule| rule.strip_prefix("Bash(")?.strip_suffix(" *)"))
        {
            let matches = |form: &String| form == rule || form.starts_with(&format!("{rule} "));
            let seen = case.analysis.subjects.iter().any(|subject| match subject {
                Subject::Command(part) => part.for_deny.iter().any(matches),
                _ => false,
            });
            if !seen {
                wrong.push(format!("{} {:?}", case.json["id"], case.command));
            }
        }
    }
    assert!(wrong.is_empty(), "{} not seen:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_reads_is_recognised() {
    /// Of the benign reading cases that must need no rule; raised as the table grows.
    const AT_LEAST: usize = 186;
    let cases = cases();
    let reading: Vec<&Case> =
        cases.iter().filter(|case| case.is("class", "readonly") && case.is("expected", "allow")).collect();
    let (known, asked): (Vec<&Case>, Vec<&Case>) =
        reading.into_iter().partition(|case| case.passes_as_reading());
    for case in &asked {
        println!("asks: {:?}: {:?}", case.command, case.analysis.subjects);
    }
    println!("{} recognised, {} ask", known.len(), asked.len());
    assert!(known.len() >= AT_LEAST, "only {} are recognised", known.len());
}

#[test]
fn removals_no_rule_may_wave_through() {
    let critical =
        ["rm -rf \"$UNSET\"/*", "rm -rf /", "rm -rf .", "echo \"$(rm -rf ~)\"", "rm -r -f -- \"$HOME\""];
    let cases = cases();
    for command in critical {
        let case = cases.iter().find(|case| case.command == command).unwrap();
        assert!(case.analysis.critical.is_some(), "{command}");
    }
    assert!(
        cases.iter().filter(|case| case.json["harmful"] != true).all(|case| case.analysis.critical.is_none())
    );
}
