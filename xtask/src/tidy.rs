//! The rules of the house. Every check is a function from what the repository says to what is wrong with it, so that each
//! has a test in which a broken sample fails. A rule that nothing checks is not a rule.

mod edges;
mod facade;
mod files;
mod fuzz;
mod manifests;
mod sources;
mod table;

use anyhow::{Result, bail};

use crate::metadata::{Package, Workspace};
pub(crate) use files::Files;

/// What happens to lists that are made from the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Generated {
    /// They must be right.
    Compare,
    /// They are made right.
    Write,
}

pub(crate) fn run(generated: Generated) -> Result<()> {
    if generated == Generated::Write {
        write_generated()?;
    }
    let workspace = Workspace::read()?;
    let files = files::read(&workspace.root)?;
    let checks = [
        edges::check(&workspace),
        edges::check_words(&files),
        manifests::check(&workspace, &files),
        sources::check(&workspace.root, &files),
        facade::check(&workspace, &files),
        fuzz::check(&files),
        table::check(&workspace, &files),
    ];
    let wrong = checks.concat();
    for finding in &wrong {
        println!("{finding}");
    }
    if !wrong.is_empty() {
        bail!("tidy: {} to put right", count(wrong.len(), "thing"));
    }
    println!(
        "tidy: {} and {} in order",
        count(workspace.members.len(), "package"),
        count(files.len(), "file")
    );
    Ok(())
}

/// Makes the lists that are made from the code.
pub(crate) fn write_generated() -> Result<()> {
    let workspace = Workspace::read()?;
    table::write(&workspace, &mut files::read(&workspace.root)?)
}

/// The file of which a part is generated.
pub(crate) const GENERATED: &str = table::FILE;

/// The names by which models call the tools there are, each with its package.
pub(crate) fn tool_names(workspace: &Workspace) -> Result<Vec<(String, String)>> {
    let files = match workspace.tools().next() {
        Some(_) => files::read(&workspace.root)?,
        None => Files::default(),
    };
    let names = |tool: &Package| {
        let package = tool.name.clone();
        facade::tool_names(tool, &files).into_iter().map(move |name| (name.to_string(), package.clone()))
    };
    Ok(workspace.tools().flat_map(names).collect())
}

fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
