//! The table of tools in README.md, made from the tool crates between two markers. No markers: no table is wanted.

use std::fmt::Write as _;

use anyhow::{Context, Result};

use super::Files;
use super::facade::tool_names;
use crate::metadata::Workspace;

pub(super) const FILE: &str = "README.md";
const START: &str = "<!-- tools: made by `cargo xtask tidy --fix` -->\n";
const END: &str = "<!-- end of tools -->";

pub(super) fn check(workspace: &Workspace, files: &Files) -> Vec<String> {
    match files.get(FILE).and_then(|text| between(text)) {
        Some(found) if found != table(workspace, files) => {
            vec![format!(
                "{FILE}: the table of tools is not what the crates say; run `cargo xtask tidy --fix`"
            )]
        }
        _ => Vec::new(),
    }
}

pub(super) fn write(workspace: &Workspace, files: &mut Files) -> Result<()> {
    let made = table(workspace, files);
    let Some(text) = files.get_mut(FILE) else { return Ok(()) };
    let Some(found) = between(text) else { return Ok(()) };
    if found == made {
        return Ok(());
    }
    *text = text.replacen(&format!("{START}{found}{END}"), &format!("{START}{made}{END}"), 1);
    std::fs::write(workspace.root.join(FILE), &*text).with_context(|| format!("{FILE} cannot be written"))
}

fn between(text: &str) -> Option<&str> {
    let (_, after) = text.split_once(START)?;
    Some(after.split_once(END)?.0)
}

fn table(workspace: &Workspace, files: &Files) -> String {
    let mut table = String::from("| tool | feature | what it does |\n|---|---|---|\n");
    for tool in workspace.tools() {
        let names = tool_names(tool, files).join("`, `");
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| `{names}` | `{}` | {} |", tool.feature(), tool.description);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Package;

    fn check_readme(readme: &str) -> usize {
        let glob = Package {
            name: "toolwright-tool-glob".into(),
            folder: "crates/tools/glob".into(),
            description: "Finds files.".into(),
            ..Package::default()
        };
        let workspace =
            Workspace { members: [(glob.name.clone(), glob)].into_iter().collect(), ..Workspace::default() };
        let source = "const NAME: &'static str = \"Glob\";".to_owned();
        let files = Files::from([
            (FILE.to_owned(), readme.to_owned()),
            ("crates/tools/glob/src/lib.rs".to_owned(), source),
        ]);
        check(&workspace, &files).len()
    }

    #[test]
    fn a_table_that_is_wanted_is_right() {
        let right = "| tool | feature | what it does |\n|---|---|---|\n| `Glob` | `glob` | Finds files. |\n";
        assert_eq!(check_readme("no table"), 0);
        assert_eq!(check_readme(&format!("a\n{START}{right}{END}\nb")), 0);
        assert_eq!(check_readme(&format!("a\n{START}{END}\nb")), 1);
        assert_eq!(check_readme(&format!("a\n{START}{}{END}", right.replace("Finds", "Loses"))), 1);
    }
}
