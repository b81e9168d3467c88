//! The model's key is for the agent alone: no command it runs gets at it, in its environment or another process's.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;

use serde_json::json;
use toolwright_tests::{KEY, stock};

use crate::{Scratch, path};

/// Somebody who may look into no other user's processes.
const NOBODY: u32 = 65_534;

/// Looks for a key in every process from itself up.
const LOOK: &str = "at=$$; while [ \"$at\" -gt 1 ]; do cat /proc/$at/environ 2>/dev/null | tr '\\0' '\\n' | grep -a _KEY=; \
    at=$(sed -n 's/^PPid:[[:space:]]*//p' /proc/$at/status); done; echo looked";

#[test]
fn no_command_sees_the_key() {
    let scratch = Scratch::new("");
    let root = scratch.root();
    // Root sees everything; as another user the binary must lie where that user gets at it.
    let binary = root.join("toolwright");
    std::fs::copy(stock(), &binary).expect("a copy of the binary");
    let proj = root.join("proj");
    let given = scratch.shell(&format!("chown -R {NOBODY}:{NOBODY} ."), &root).status.success();
    let mut command = scratch.program(&binary, &proj, &path());
    command.args(["call", "Bash", &json!({"command": LOOK}).to_string()]);
    command.args(["--permission-mode", "bypassPermissions"]).env("ANTHROPIC_API_KEY", KEY);
    let is_root = chown(&binary, Some(0), Some(0)).is_ok();
    if is_root && given {
        command.uid(NOBODY).gid(NOBODY);
    } else if is_root {
        println!("skipped: files cannot be given to another user here, and root sees everything");
        return;
    }
    let output = command.output().expect("the binary starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("looked"), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(!said.contains(KEY), "a command saw the key: {said}");
}
