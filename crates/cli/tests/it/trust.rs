//! Hooks of the settings, and what waits until a project is trusted.

use std::fs;

use serde_json::{Value, json};

use crate::place::Place;

const DENY: &str = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"policy"}}'"#;

/// Settings with one hook before every call of Bash.
fn hooked(command: &str) -> Value {
    hooked_at("PreToolUse", command)
}

fn hooked_at(event: &str, command: &str) -> Value {
    json!({"hooks": {event: [{"matcher": "Bash", "hooks": [
        {"type": "command", "command": command, "timeout": 0.5},
    ]}]}})
}

#[test]
fn a_hook_stands_before_a_call() {
    let check = |command: &str, exit: i32, said: &str| {
        let place = Place::new();
        let settings = hooked(command).to_string();
        let ran = place.run(&[
            "call",
            "Bash",
            r#"{"command": "echo ran > ran"}"#,
            "--settings",
            &settings,
            "--allowedTools",
            "Bash",
            "--permission-mode",
            "acceptEdits",
        ]);
        assert_eq!(ran.exit, exit, "{command}: {ran:?}");
        assert_eq!(place.work().join("ran").exists(), exit == 0, "{command}");
        assert!(ran.err.contains(said), "{command}: {ran:?}");
    };
    check("true", 0, "");
    check(DENY, 1, "policy");
    check(&format!("{DENY}; echo e >&2; exit 2"), 1, "a hook blocked it");
    check("echo warn >&2; exit 1", 0, "exit code 1: warn");
    check("sleep 1000", 1, "took longer than 0.5 s");
}

#[test]
fn a_hook_that_cannot_run_is_said() {
    let place = Place::new();
    let ran = place.run(&["tools", "--settings", &hooked_at("Stop", "true").to_string()]);
    assert_eq!(ran.exit, 0);
    assert!(ran.err.contains("hooks of the event Stop do not run"), "{}", ran.err);
    let mut settings = hooked("exit 2");
    settings["hooks"]["PreToolUse"][0]["matcher"] = json!("(");
    let ran = place.run(&["tools", "--settings", &settings.to_string()]);
    assert_eq!(ran.exit, 1);
    assert!(ran.err.contains("the hook's matcher `(` is no pattern"), "{}", ran.err);
}

#[test]
fn a_project_waits_for_trust_and_says_so() {
    let place = Place::new();
    let folder = place.work().join(".toolwright");
    fs::create_dir_all(place.work().join("deep")).unwrap();
    fs::create_dir(&folder).unwrap();
    let settings = folder.join("settings.json");
    fs::write(&settings, hooked(DENY).to_string()).unwrap();
    let call = || {
        let ran = place.run(&["call", "Bash", r#"{"command": "echo hi"}"#]);
        (ran.exit, ran.err)
    };
    let waits = |(exit, said): (i32, String)| {
        assert_eq!(exit, 0, "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains("hooks in ") && said.contains("`toolwright trust`"), "{said}");
    };
    waits(call());

    let trusted = place.run(&["trust", "deep"]);
    assert_eq!((trusted.exit, trusted.err.as_str()), (0, ""));
    assert!(trusted.out.contains("is trusted") && trusted.out.contains("hooks in "), "{}", trusted.out);
    let (exit, said) = call();
    assert!(exit == 1 && said.contains("policy") && !said.contains("toolwright trust"), "{said}");

    assert_eq!(place.run(&["trust", "--remove"]).exit, 0);
    waits(call());

    let lost = place.run(&["trust", "nowhere"]);
    assert_eq!(lost.exit, 2, "{}", lost.err);
    assert!(lost.err.contains("nowhere is no folder"), "{}", lost.err);
    fs::write(&settings, "{").unwrap();
    assert_eq!(place.run(&["trust"]).exit, 1);
}
