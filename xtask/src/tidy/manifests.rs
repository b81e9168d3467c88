//! What every manifest must say, and that nothing is said in vain: reasons, licences, lints, dependencies nobody uses.

use std::collections::BTreeSet;

use super::Files;
use crate::metadata::{Package, Workspace};

pub(super) fn check(workspace: &Workspace, files: &Files) -> Vec<String> {
    let mut wrong = Vec::new();
    let root = files.get("Cargo.toml").map_or("", String::as_str);
    let used: BTreeSet<&str> = workspace
        .members
        .values()
        .flat_map(|package| &package.dependencies)
        .map(|dependency| dependency.name.as_str())
        .collect();
    shared(root, &used, &mut wrong);
    for package in workspace.members.values() {
        let path = manifest_path(package);
        let manifest = files.get(&path).map_or("", String::as_str);
        says(package, &path, manifest, &mut wrong);
        uses(workspace, package, &path, files, &mut wrong);
    }
    wrong
}

fn manifest_path(package: &Package) -> String {
    format!("{}/Cargo.toml", package.folder)
}

/// The lines under `[workspace.dependencies]`: each with a reason, each used.
fn shared(root: &str, used: &BTreeSet<&str>, wrong: &mut Vec<String>) {
    let mut inside = false;
    let mut before = "";
    for (index, line) in root.lines().enumerate() {
        if line.starts_with('[') {
            inside = line == "[workspace.dependencies]";
        } else if let (true, Some((name, entry))) = (inside && !line.starts_with('#'), line.split_once(" = "))
        {
            let at = format!("Cargo.toml:{}", index + 1);
            let own = entry.contains("path = ");
            if !own && !has_reason(entry) && !before.starts_with('#') {
                wrong.push(format!("{at}: {name} needs a reason: `# what for; kept by whom, licence, size`"));
            }
            if !used.contains(name) {
                wrong.push(format!("{at}: no package depends on {name}; remove the line"));
            }
        }
        before = line;
    }
    if !root.contains("resolver = \"3\"") {
        wrong.push("Cargo.toml: `resolver = \"3\"` keeps dependencies within the stated rust-version".into());
    }
}

fn has_reason(entry: &str) -> bool {
    entry.rsplit_once(" # ").is_some_and(|(_, reason)| reason.trim().len() >= 8)
}

fn says(package: &Package, path: &str, manifest: &str, wrong: &mut Vec<String>) {
    if package.license.is_none() {
        wrong.push(format!("{path}: `license.workspace = true` is missing"));
    }
    if package.rust_version.is_none() {
        wrong.push(format!("{path}: `rust-version.workspace = true` is missing"));
    }
    if package.description.is_empty() {
        wrong.push(format!("{path}: `description` is missing: one sentence, what it is"));
    }
    if !manifest.contains("[lints]\nworkspace = true") {
        wrong.push(format!("{path}: `[lints]` with `workspace = true` is missing"));
    }
    let prefix = "toolwright-";
    if let Some(folder) = package.folder.strip_prefix("crates/") {
        let expected = match folder.strip_prefix("tools/") {
            Some(tool) => format!("{prefix}tool-{tool}"),
            None if folder == "toolwright" => folder.to_owned(),
            None => format!("{prefix}{folder}"),
        };
        if package.name != expected {
            wrong.push(format!(
                "{path}: the package in this folder is called {expected}, not {}",
                package.name
            ));
        }
    }
}

/// A dependency whose name no source of the package has is left over.
fn uses(workspace: &Workspace, package: &Package, path: &str, files: &Files, wrong: &mut Vec<String>) {
    let folder = format!("{}/", package.folder);
    let sources = || files.iter().filter(|(path, _)| path.starts_with(&folder) && path.ends_with(".rs"));
    for dependency in &package.dependencies {
        let resolved = workspace.resolved.values().find(|resolved| resolved.name == dependency.name);
        let library = resolved.and_then(|resolved| resolved.library.as_ref());
        let identifier = library.unwrap_or(&dependency.name).replace('-', "_");
        if !sources().any(|(_, text)| names(text, &identifier)) {
            wrong.push(format!(
                "{path}: no source of {} names {identifier}; remove the dependency",
                package.name
            ));
        }
    }
}

fn names(text: &str, identifier: &str) -> bool {
    text.match_indices(identifier).any(|(start, _)| {
        let word = |character: char| character.is_alphanumeric() || character == '_';
        let before = text[..start].chars().next_back();
        let after = text[start + identifier.len()..].chars().next();
        !before.is_some_and(word) && !after.is_some_and(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::{Dependency, Kind};

    fn check_shared(lines: &str, expected: &[&str]) {
        let root =
            format!("resolver = \"3\"\n[workspace.dependencies]\n{lines}\n[profile.dev]\ndebug = false\n");
        let mut wrong = Vec::new();
        shared(&root, &BTreeSet::from(["serde", "toolwright-core"]), &mut wrong);
        assert_eq!(wrong.len(), expected.len(), "{lines} gave {wrong:#?}");
        for (wrong, expected) in wrong.iter().zip(expected) {
            assert!(wrong.contains(expected), "{wrong} does not say {expected}");
        }
    }

    #[test]
    fn a_shared_dependency_has_a_reason_and_a_user() {
        check_shared("serde = \"1\" # dtolnay, MIT OR Apache-2.0", &[]);
        check_shared("# Pinned, because.\nserde = \"1\"", &[]);
        check_shared("serde = \"1\"", &["serde needs a reason"]);
        check_shared("serde = \"1\" # hm", &["serde needs a reason"]);
        check_shared("toolwright-core = { path = \"crates/core\" }", &[]);
        check_shared("rand = \"0.9\" # numbers by chance", &["no package depends on rand"]);
    }

    fn package() -> Package {
        Package {
            name: "toolwright-engine".into(),
            folder: "crates/engine".into(),
            description: "Decisions.".into(),
            license: Some("MIT OR Apache-2.0".into()),
            rust_version: Some("1.92".into()),
            ..Package::default()
        }
    }

    fn check_package(package: Package, manifest: &str, source: &str) -> Vec<String> {
        let mut workspace = Workspace::default();
        workspace.members.insert(package.name.clone(), package);
        let files = Files::from([
            ("Cargo.toml".into(), "resolver = \"3\"".into()),
            ("crates/engine/Cargo.toml".into(), manifest.into()),
            ("crates/engine/src/lib.rs".into(), source.into()),
        ]);
        check(&workspace, &files)
    }

    #[test]
    fn a_package_says_what_it_must() {
        let lints = "[lints]\nworkspace = true\n";
        assert_eq!(check_package(package(), lints, ""), Vec::<String>::new());
        assert_eq!(check_package(package(), "", "").len(), 1);
        assert_eq!(check_package(Package { license: None, ..package() }, lints, "").len(), 1);
        assert_eq!(check_package(Package { rust_version: None, ..package() }, lints, "").len(), 1);
        assert_eq!(check_package(Package { name: "engine".into(), ..package() }, lints, "").len(), 1);
    }

    #[test]
    fn a_dependency_nobody_names_is_left_over() {
        let dependency = Dependency { name: "serde-json".into(), kind: Kind::Normal, optional: false };
        let package = Package { dependencies: vec![dependency], ..package() };
        let lints = "[lints]\nworkspace = true\n";
        assert_eq!(check_package(package.clone(), lints, "use serde_json::Value;"), Vec::<String>::new());
        assert_eq!(check_package(package, lints, "use serde_json_path::Value;").len(), 1);
    }
}
