//! The facade's four lists of tools must agree with the tool crates: features, `extern crate`s, `EXPECTED`, and the stock
//! binary's features. A tool missing from one of them would be dropped by the linker without a word.

use std::collections::BTreeSet;

use super::Files;
use crate::metadata::{Package, Workspace};

const FACADE: &str = "toolwright";
const FACADE_SOURCE: &str = "crates/toolwright/src/lib.rs";
const STOCK: &str = "toolwright-cli";

pub(super) fn check(workspace: &Workspace, files: &Files) -> Vec<String> {
    let mut wrong = Vec::new();
    let (Some(facade), Some(stock)) = (workspace.members.get(FACADE), workspace.members.get(STOCK)) else {
        return vec!["crates/toolwright and crates/cli are not both members of the workspace".into()];
    };
    let source = files.get(FACADE_SOURCE).map_or("", String::as_str);
    for tool in workspace.tools() {
        wired(tool, facade, source, tool_names(tool, files), &mut wrong);
    }
    forwarded(facade, stock, &mut wrong);
    let features: BTreeSet<&str> = workspace.tools().map(Package::feature).collect();
    for line in source.lines().filter_map(gate) {
        if !features.contains(line) && !facade.features.contains_key(line) {
            wrong.push(format!("{FACADE_SOURCE}: the feature `{line}` is not in its manifest"));
        }
    }
    wrong
}

/// The names a tool crate registers: `const NAME: &'static str = "Read";` in its own sources.
pub(super) fn tool_names<'a>(tool: &Package, files: &'a Files) -> Vec<&'a str> {
    let folder = format!("{}/src/", tool.folder);
    let sources = files.iter().filter(|(path, _)| path.starts_with(&folder));
    let lines = sources.flat_map(|(_, text)| super::files::without_tests(text).lines());
    let names = lines
        .filter_map(|line| line.trim().strip_prefix("const NAME: &'static str = \"")?.strip_suffix("\";"));
    names.collect()
}

fn wired(tool: &Package, facade: &Package, source: &str, names: Vec<&str>, wrong: &mut Vec<String>) {
    let (feature, package) = (tool.feature(), &tool.name);
    let manifest = "crates/toolwright/Cargo.toml";
    let optional = |name: &str| facade.dependencies.iter().any(|found| found.name == name && found.optional);
    if !optional(package) {
        wrong.push(format!("{manifest}: `{package} = {{ workspace = true, optional = true }}` is missing"));
    }
    let enables = format!("dep:{package}");
    if facade.features.get(feature).is_none_or(|found| !found.contains(&enables)) {
        wrong.push(format!("{manifest}: `{feature} = [\"{enables}\"]` is missing under [features]"));
    }
    if facade.features.get("full").is_none_or(|found| !found.iter().any(|found| found == feature)) {
        wrong.push(format!("{manifest}: the profile `full` lacks \"{feature}\""));
    }
    let link = format!("#[cfg(feature = \"{feature}\")]\nextern crate {} as _;", tool.identifier());
    if !source.contains(&link) {
        wrong.push(format!("{FACADE_SOURCE}: the tool is not linked; add\n{link}"));
    }
    if names.is_empty() {
        wrong.push(format!("{}/src/lib.rs: no `const NAME: &'static str = \"..\";` line", tool.folder));
    }
    for name in names {
        let expected = format!("#[cfg(feature = \"{feature}\")]\n    \"{name}\",");
        if !source.contains(&expected) {
            wrong.push(format!("{FACADE_SOURCE}: EXPECTED lacks a name; add\n    {expected}"));
        }
    }
}

/// The stock binary has the facade's features under the same names, and the same default.
fn forwarded(facade: &Package, stock: &Package, wrong: &mut Vec<String>) {
    let manifest = "crates/cli/Cargo.toml";
    for (name, enables) in &facade.features {
        let expected = if name == "default" { enables.clone() } else { vec![format!("{FACADE}/{name}")] };
        match stock.features.get(name) {
            None => wrong.push(format!("{manifest}: `{name} = {expected:?}` is missing under [features]")),
            Some(found) if expected.iter().any(|entry| !found.contains(entry)) => {
                wrong.push(format!(
                    "{manifest}: the feature `{name}` must hold {expected:?}, and has {found:?}"
                ));
            }
            Some(_) => {}
        }
    }
}

/// The feature a `#[cfg(feature = "..")]` line names.
fn gate(line: &str) -> Option<&str> {
    line.trim().strip_prefix("#[cfg(feature = \"")?.strip_suffix("\")]")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::metadata::{Dependency, Kind};

    const SOURCE: &str = "\
#[cfg(feature = \"glob\")]
extern crate toolwright_tool_glob as _;
pub const EXPECTED: &[&str] = &[
    #[cfg(feature = \"glob\")]
    \"Glob\",
];
";

    fn features(list: &[(&str, &[&str])]) -> BTreeMap<String, Vec<String>> {
        let entry = |(name, enables): &(&str, &[&str])| {
            ((*name).to_owned(), enables.iter().map(|entry| (*entry).to_owned()).collect())
        };
        list.iter().map(entry).collect()
    }

    fn sample() -> (Workspace, Files) {
        let package = |name: &str, folder: &str, list: &[(&str, &[&str])]| {
            let package = Package {
                name: name.into(),
                folder: folder.into(),
                features: features(list),
                ..Package::default()
            };
            (name.to_owned(), package)
        };
        let glob = Dependency { name: "toolwright-tool-glob".into(), kind: Kind::Normal, optional: true };
        let mut facade = package(
            "toolwright",
            "crates/toolwright",
            &[("default", &["full"]), ("full", &["glob"]), ("glob", &["dep:toolwright-tool-glob"])],
        );
        facade.1.dependencies.push(glob);
        let stock = package(
            "toolwright-cli",
            "crates/cli",
            &[("default", &["full"]), ("full", &["toolwright/full"]), ("glob", &["toolwright/glob"])],
        );
        let tool = package("toolwright-tool-glob", "crates/tools/glob", &[]);
        let workspace = Workspace { members: BTreeMap::from([facade, stock, tool]), ..Workspace::default() };
        let files = Files::from([
            (FACADE_SOURCE.into(), SOURCE.into()),
            ("crates/tools/glob/src/lib.rs".into(), "    const NAME: &'static str = \"Glob\";".into()),
        ]);
        (workspace, files)
    }

    #[test]
    fn lists_that_agree_pass() {
        let (workspace, files) = sample();
        assert_eq!(check(&workspace, &files), Vec::<String>::new());
    }

    #[test]
    fn each_list_that_lacks_the_tool_is_named() {
        let broken = |change: fn(&mut Workspace, &mut Files)| {
            let (mut workspace, mut files) = sample();
            change(&mut workspace, &mut files);
            check(&workspace, &files)
        };
        let unlinked = broken(|_, files| {
            let text = files.get_mut(FACADE_SOURCE).unwrap();
            *text = text.replace("extern crate", "// extern crate");
        });
        assert!(unlinked.len() == 1 && unlinked[0].contains("not linked"), "{unlinked:?}");
        let unexpected = broken(|_, files| {
            let text = files.get_mut(FACADE_SOURCE).unwrap();
            *text = text.replace("\"Glob\"", "\"Blob\"");
        });
        assert!(unexpected.len() == 1 && unexpected[0].contains("EXPECTED"), "{unexpected:?}");
        let not_full = broken(|workspace, _| {
            workspace.members.get_mut("toolwright").unwrap().features.insert("full".into(), vec![]);
        });
        assert!(not_full.len() == 1 && not_full[0].contains("profile `full`"), "{not_full:?}");
        let not_forwarded = broken(|workspace, _| {
            workspace.members.get_mut("toolwright-cli").unwrap().features.remove("glob");
        });
        assert!(not_forwarded.len() == 1 && not_forwarded[0].contains("crates/cli"), "{not_forwarded:?}");
        let other_default = broken(|workspace, _| {
            workspace.members.get_mut("toolwright-cli").unwrap().features.insert("default".into(), vec![]);
        });
        assert!(other_default.len() == 1 && other_default[0].contains("`default`"), "{other_default:?}");
    }
}
