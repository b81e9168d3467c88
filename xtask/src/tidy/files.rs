//! The text files of the repository, read once. What is built, hidden or not text is left out.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

/// Text by path relative to the root, with `/` between folders.
pub(crate) type Files = BTreeMap<String, String>;

pub(super) fn read(root: &Path) -> Result<Files> {
    let mut files = Files::new();
    walk(root, root, &mut files)?;
    Ok(files)
}

fn walk(root: &Path, folder: &Path, files: &mut Files) -> Result<()> {
    let listing =
        std::fs::read_dir(folder).with_context(|| format!("{} cannot be listed", folder.display()))?;
    for entry in listing {
        let entry = entry.with_context(|| format!("{} cannot be listed", folder.display()))?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        // `target-*` is where several builds side by side go.
        if name == ".git" || name == "target" || name.starts_with("target-") {
            continue;
        }
        let kind = entry.file_type().with_context(|| format!("{} cannot be read", path.display()))?;
        if kind.is_dir() {
            walk(root, &path, files)?;
        } else if kind.is_file()
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            let relative = path.strip_prefix(root).unwrap_or(&path);
            files.insert(relative.to_string_lossy().replace('\\', "/"), text);
        }
    }
    Ok(())
}

/// A source without its unit tests: the part before a `#[cfg(test)]` module that ends the file.
pub(super) fn without_tests(text: &str) -> &str {
    text.find("\n#[cfg(test)]\nmod tests {").map_or(text, |end| &text[..end])
}
