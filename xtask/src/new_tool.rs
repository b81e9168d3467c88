//! A new tool crate, and every line that links it. What it makes compiles, passes the contract suite and is listed.

mod edits;
mod name;

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::metadata::Workspace;
use crate::process::{cargo, run as start};
use crate::tidy;
use name::Name;

/// The files of a crate, with `{{..}}` where the name goes.
const TEMPLATES: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("../templates/Cargo.toml.template")),
    ("src/lib.rs", include_str!("../templates/lib.rs.template")),
    ("src/logic.rs", include_str!("../templates/logic.rs.template")),
    ("src/prompt.md", include_str!("../templates/prompt.md.template")),
    ("src/prompt.rs", include_str!("../templates/prompt.rs.template")),
    ("src/ui.rs", include_str!("../templates/ui.rs.template")),
    ("tests/it.rs", include_str!("../templates/it.rs.template")),
];

pub(crate) fn run(name: &str) -> Result<()> {
    let workspace = Workspace::read()?;
    let name = Name::new(name, &workspace)?;
    let folder = workspace.root.join(name.folder());
    if folder.exists() {
        bail!("{} is there already; choose another name, or remove it first", name.folder());
    }
    // All edits are worked out before the first file is written, so that a refusal changes nothing.
    let edits = edits::all(&workspace.root, &name)?;
    let before = Before::read(&workspace, &name, &edits)?;
    write(&workspace, &name, &edits).inspect_err(|_| match before.restore() {
        Ok(()) => eprintln!("xtask: nothing was kept: all files are as they were"),
        Err(error) => eprintln!("xtask: not all files are as they were: {error:#}; see `git status`"),
    })?;
    println!(
        "\nIt is linked and passes its tests. Next: what it does (logic.rs), its words (prompt.md), then"
    );
    println!("  cargo test --package {}", name.package());
    println!("  cargo run -- tools");
    Ok(())
}

/// The names that the templates' own code uses, as far as they may be those of a type.
fn names_of_templates() -> BTreeSet<&'static str> {
    let code = TEMPLATES.iter().filter(|(path, _)| path.ends_with(".rs")).flat_map(|(_, text)| text.lines());
    let code = code.filter(|line| !line.trim_start().starts_with("//"));
    let words = code.flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
    words.filter(|word| word.starts_with(|first: char| first.is_ascii_uppercase())).collect()
}

/// The files that are changed, as they were.
struct Before {
    new: PathBuf,
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Before {
    fn read(workspace: &Workspace, name: &Name, edits: &[(&'static str, String)]) -> Result<Self> {
        let changed = edits.iter().map(|(path, _)| *path).chain(["Cargo.lock", tidy::GENERATED]);
        let read = |path: &str| {
            let path = workspace.root.join(path);
            let bytes = std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
            Ok((path, bytes))
        };
        Ok(Self { new: workspace.root.join(name.folder()), files: changed.map(read).collect::<Result<_>>()? })
    }

    fn restore(&self) -> Result<()> {
        for (path, bytes) in &self.files {
            std::fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        if self.new.exists() {
            std::fs::remove_dir_all(&self.new)
                .with_context(|| format!("{} cannot be removed", self.new.display()))?;
        }
        Ok(())
    }
}

fn write(workspace: &Workspace, name: &Name, edits: &[(&'static str, String)]) -> Result<()> {
    let folder = workspace.root.join(name.folder());
    for (path, template) in TEMPLATES {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)
                .with_context(|| format!("{} cannot be made", parent.display()))?;
        }
        std::fs::write(&path, name.fill(template))
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    for (path, text) in edits {
        std::fs::write(workspace.root.join(path), text)
            .with_context(|| format!("{path} cannot be written"))?;
        println!("changed  {path}");
    }
    for (path, _) in TEMPLATES {
        println!("new      {}/{path}", name.folder());
    }
    // The order of imports and the breaks of lines depend on the name.
    start(&mut cargo(&workspace.root, &["fmt", "--package", &name.package()]))?;
    snapshots(workspace, name)?;
    tidy::write_generated()
}

/// The first views are taken as they are; from then on a changed view fails a test.
fn snapshots(workspace: &Workspace, name: &Name) -> Result<()> {
    let test = ["test", "--quiet", "--package", &name.package()];
    start(cargo(&workspace.root, &test).env("INSTA_UPDATE", "always"))
}
