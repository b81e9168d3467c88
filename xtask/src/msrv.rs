//! Whether the stated minimum Rust version is true. Building with that very toolchain proves it; where only one toolchain is
//! installed, what the dependencies state is checked, and clippy (`incompatible_msrv`) checks the standard library we name.

use anyhow::{Context, Result, bail};

use crate::metadata::{Resolved, Workspace};

pub(crate) fn run() -> Result<()> {
    let workspace = Workspace::read()?;
    let stated = stated(&workspace)?;
    let mut newest: Option<(Version, &Resolved)> = None;
    let mut wrong = Vec::new();
    let foreign =
        workspace.resolved.iter().filter(|(_, package)| !workspace.members.contains_key(&package.name));
    for (_, package) in foreign {
        let Some(text) = &package.rust_version else { continue };
        let version =
            Version::parse(text).with_context(|| format!("{} states rust-version {text}", package.name))?;
        if version > stated {
            wrong.push(format!("{} {} needs Rust {text}", package.name, package.version));
        }
        if newest.is_none_or(|(known, _)| version > known) {
            newest = Some((version, package));
        }
    }
    if !wrong.is_empty() {
        bail!(
            "the stated rust-version is {stated}, but\n  {}\nTake an older version (`cargo update -p NAME --precise VERSION`), or \
             raise `rust-version` in Cargo.toml",
            wrong.join("\n  ")
        );
    }
    if let Some((version, package)) = newest {
        println!(
            "msrv: {stated} stated; the dependencies need {version} ({} {})",
            package.name, package.version
        );
    }
    Ok(())
}

fn stated(workspace: &Workspace) -> Result<Version> {
    let mut stated = None;
    for package in workspace.members.values() {
        let text = package.rust_version.as_deref().unwrap_or_default();
        let version = Version::parse(text).with_context(|| {
            format!("{}/Cargo.toml: `rust-version.workspace = true` is missing", package.folder)
        })?;
        if stated.is_some_and(|known| known != version) {
            bail!("{}/Cargo.toml states another rust-version than the others", package.folder);
        }
        stated = Some(version);
    }
    stated.context("there is no package")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Version([u32; 3]);

impl Version {
    fn parse(text: &str) -> Result<Self> {
        let mut parts = [0; 3];
        let mut words = text.split('.');
        for (index, part) in parts.iter_mut().enumerate() {
            let Some(word) = words.next() else {
                if index == 0 {
                    bail!("no version");
                }
                break;
            };
            *part = word.parse().with_context(|| format!("`{text}` is no version such as 1.92"))?;
        }
        Ok(Self(parts))
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [major, minor, patch] = self.0;
        write!(formatter, "{major}.{minor}")?;
        if patch > 0 { write!(formatter, ".{patch}") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let version = |text| Version::parse(text).unwrap();
        assert!(version("1.9") < version("1.10"));
        assert!(version("1.92") == version("1.92.0"));
        assert!(version("1.92.1") > version("1.92"));
        assert!(Version::parse("").is_err());
        assert!(Version::parse("stable").is_err());
        assert_eq!(version("1.92.0").to_string(), "1.92");
    }
}
