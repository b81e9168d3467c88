//! Which crate may not know which. The table says it once; ARCHITECTURE.md says why.

use super::Files;
use super::files::without_tests;
use crate::metadata::{Kind, Package, Workspace};

const PREFIX: &str = "toolwright-";
const TOOL: &str = "toolwright-tool-";

/// A crate (or all tools), and those of ours it may not reach when built, however far down.
const NEVER: &[(&str, &[&str])] = &[
    ("core", &["*"]),
    ("bash-syntax", &["*"]),
    ("text", &["*"]),
    (
        "services",
        &["tool-*", "workspace", "process", "shell", "engine", "model", "config", "runtime", "render", "mcp"],
    ),
    ("tool-*", &["tool-*", "engine", "model", "config", "runtime", "render", "mcp", "testkit"]),
    ("shell", &["permissions", "process", "tool-*", "services", "engine", "runtime"]),
    ("workspace", &["tool-*", "engine", "runtime", "render", "model", "config"]),
    ("process", &["tool-*", "permissions", "engine", "runtime", "render", "model", "config"]),
    ("sandbox", &["tool-*", "permissions", "engine", "runtime", "render", "model", "config"]),
    ("permissions", &["tool-*", "shell", "process", "workspace", "engine", "runtime", "render", "config"]),
    (
        "engine",
        &["tool-*", "model", "services", "workspace", "process", "shell", "runtime", "render", "config"],
    ),
    ("model", &["tool-*", "engine", "runtime", "render", "config"]),
    ("mcp", &["model", "render", "runtime"]),
    ("config", &["tool-*", "runtime", "render"]),
    ("runtime", &["tool-*", "render", "testkit"]),
    ("render", &["tool-*", "runtime", "model", "config", "services", "workspace", "process"]),
    ("testkit", &["tool-*"]),
];

/// Crates that perform nothing, what must not be below them, and what their own code may not name.
const PURE: &[&str] = &["core", "bash-syntax", "text", "shell", "permissions", "engine"];
const IMPURE_CRATES: &[&str] = &[
    "tokio",
    "tokio-util",
    "async-std",
    "smol",
    "mio",
    "nix",
    "process-wrap",
    "tempfile",
    "reqwest",
    "hyper",
    "crossterm",
];
const IMPURE_WORDS: &[&str] = &[
    "std::fs",
    "std::process",
    "std::env",
    "std::net",
    "std::io::stdin",
    "std::io::stdout",
    "SystemTime",
    "Instant::now",
    "std::time::Instant",
    "std::thread",
];

pub(super) fn check(workspace: &Workspace) -> Vec<String> {
    let mut wrong = Vec::new();
    for package in workspace.members.values() {
        forbidden(workspace, package, &mut wrong);
        impure(workspace, package, &mut wrong);
        in_tests(package, &mut wrong);
    }
    wrong
}

fn forbidden(workspace: &Workspace, package: &Package, wrong: &mut Vec<String>) {
    let below = workspace.below(&package.id);
    for own in below.iter().filter(|name| workspace.members.contains_key(**name)) {
        if let Some(why) = refused(&package.name, own) {
            wrong.push(format!(
                "{}/Cargo.toml: {} must not depend on {own}: {why}",
                package.folder, package.name
            ));
        }
    }
}

fn refused(from: &str, to: &str) -> Option<&'static str> {
    if from == "xtask" {
        return Some("xtask depends on nothing of ours");
    }
    if matches!(to, "toolwright-cli" | "toolwright-tests" | "xtask") {
        return Some("it is a binary, nobody's library");
    }
    if to == "toolwright"
        && !matches!(from, "toolwright-cli" | "toolwright-tests")
        && !from.starts_with("agent-")
    {
        return Some("the facade is for binaries");
    }
    let (from, to) = (from.strip_prefix(PREFIX)?, to.strip_prefix(PREFIX)?);
    let (_, never) = NEVER.iter().find(|(name, _)| matches(name, from))?;
    let both_tools = from.starts_with("tool-") && to.starts_with("tool-");
    never.iter().any(|name| matches(name, to)).then_some(if both_tools {
        "tools never depend on tools; what they share belongs to a plain crate below both, or is a capability in services"
    } else {
        "the boundaries in ARCHITECTURE.md forbid it"
    })
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

fn impure(workspace: &Workspace, package: &Package, wrong: &mut Vec<String>) {
    if !package.name.strip_prefix(PREFIX).is_some_and(|name| PURE.contains(&name)) {
        return;
    }
    let below = workspace.below(&package.id);
    for impure in IMPURE_CRATES.iter().filter(|impure| below.contains(**impure)) {
        wrong.push(format!(
            "{}/Cargo.toml: {} performs nothing, but {impure} is below it; see `cargo tree -p {} -e normal -i {impure}`",
            package.folder, package.name, package.name
        ));
    }
}

/// For its tests too, a tool needs no other tool.
fn in_tests(package: &Package, wrong: &mut Vec<String>) {
    if !package.name.starts_with(TOOL) {
        return;
    }
    let tests = package.dependencies.iter().filter(|dependency| dependency.kind == Kind::Development);
    for other in tests.filter(|dependency| dependency.name.starts_with(TOOL)) {
        wrong.push(format!(
            "{}/Cargo.toml: its tests depend on {}: tests over several tools belong to tests/",
            package.folder, other.name
        ));
    }
}

/// What the code of pure crates may not name; their tests and comments may.
pub(super) fn check_words(files: &Files) -> Vec<String> {
    let mut wrong = Vec::new();
    for (path, text) in files {
        let pure = PURE.iter().any(|name| path.starts_with(&format!("crates/{name}/src/")));
        if !pure || !path.ends_with(".rs") {
            continue;
        }
        for (number, line) in without_tests(text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or(line);
            for word in IMPURE_WORDS.iter().filter(|word| code.contains(**word)) {
                wrong.push(format!(
                    "{path}:{}: `{word}`: this crate performs nothing; take the value from the caller",
                    number + 1
                ));
            }
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::{Dependency, Resolved};

    /// A workspace of ours and foreign packages with these edges.
    fn workspace(edges: &[(&str, &str)]) -> Workspace {
        let mut workspace = Workspace::default();
        for name in edges.iter().flat_map(|(from, to)| [from, to]) {
            let resolved = Resolved { name: (*name).into(), ..Resolved::default() };
            workspace.resolved.entry((*name).into()).or_insert(resolved);
            if name.starts_with("toolwright") || *name == "xtask" {
                let package = Package { id: (*name).into(), name: (*name).into(), ..Package::default() };
                workspace.members.insert((*name).into(), package);
            }
        }
        for (from, to) in edges {
            workspace.resolved.get_mut(*from).unwrap().normal.push((*to).into());
        }
        workspace
    }

    fn check_edges(edges: &[(&str, &str)], expected: &[&str]) {
        let wrong = check(&workspace(edges));
        assert_eq!(wrong.len(), expected.len(), "{edges:?} gave {wrong:#?}");
        for (wrong, expected) in wrong.iter().zip(expected) {
            assert!(wrong.contains(expected), "{wrong} does not say {expected}");
        }
    }

    #[test]
    fn forbidden_edges_are_found_however_far_down() {
        check_edges(&[("toolwright-tool-bash", "toolwright-shell")], &[]);
        check_edges(&[("toolwright-tool-bash", "toolwright-tool-glob")], &["tools never depend on tools"]);
        check_edges(&[("toolwright-core", "toolwright-services")], &["ARCHITECTURE.md"]);
        check_edges(
            &[("toolwright-render", "toolwright-engine"), ("toolwright-engine", "toolwright-runtime")],
            &["toolwright-engine must not depend on toolwright-runtime", "toolwright-render must not"],
        );
        check_edges(&[("toolwright-testkit", "toolwright-tool-bash")], &["toolwright-testkit"]);
        check_edges(&[("xtask", "toolwright-core")], &["nothing of ours"]);
        check_edges(&[("toolwright-runtime", "toolwright")], &["for binaries"]);
        check_edges(&[("toolwright-cli", "toolwright")], &[]);
    }

    #[test]
    fn pure_crates_have_no_runtime_below_them() {
        check_edges(
            &[("toolwright-engine", "a"), ("a", "tokio")],
            &["toolwright-engine performs nothing, but tokio"],
        );
        check_edges(&[("toolwright-runtime", "tokio")], &[]);
        check_edges(
            &[("toolwright-shell", "tempfile")],
            &["toolwright-shell performs nothing, but tempfile"],
        );
    }

    #[test]
    fn a_tool_needs_no_other_tool_for_its_tests() {
        let mut workspace = workspace(&[("toolwright-tool-bash", "toolwright-core")]);
        let tests = |name: &str| Dependency { name: name.into(), kind: Kind::Development, optional: false };
        let bash = workspace.members.get_mut("toolwright-tool-bash").unwrap();
        bash.dependencies = vec![tests("toolwright-testkit"), tests("toolwright-tool-glob")];
        assert_eq!(check(&workspace).len(), 1);
    }

    #[test]
    fn pure_code_names_no_door_outside() {
        let found = |path: &str, text: &str| check_words(&Files::from([(path.into(), text.into())])).len();
        assert_eq!(found("crates/engine/src/turn.rs", "let now = SystemTime::now();"), 1);
        assert_eq!(found("crates/engine/src/turn.rs", "/// Not `SystemTime`.\n#[cfg(test)]"), 0);
        assert_eq!(
            found("crates/engine/src/turn.rs", "//! a\n#[cfg(test)]\nmod tests {\n use std::fs;\n}"),
            0
        );
        assert_eq!(found("crates/process/src/lib.rs", "use std::process;"), 0);
    }
}
