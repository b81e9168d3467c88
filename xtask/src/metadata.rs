//! What `cargo metadata` says, as far as tasks ask: our packages, their dependencies, the resolved graph.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

/// The workspace and everything it depends on.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// The folder of the root manifest.
    pub(crate) root: PathBuf,
    /// Where cargo builds.
    pub(crate) target: PathBuf,
    /// Our packages, by name.
    pub(crate) members: BTreeMap<String, Package>,
    /// Every package of the resolved graph, by id.
    pub(crate) resolved: BTreeMap<String, Resolved>,
}

/// One of our packages, as its manifest says.
#[derive(Debug, Default, Clone)]
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    /// Relative to the root: `crates/tools/glob`.
    pub(crate) folder: String,
    pub(crate) description: String,
    pub(crate) license: Option<String>,
    pub(crate) rust_version: Option<String>,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) features: BTreeMap<String, Vec<String>>,
    pub(crate) targets: Vec<Target>,
}

/// A line under `[dependencies]` and its kin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) optional: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Normal,
    Development,
    Build,
}

/// A binary, test or library of a package.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) name: String,
    /// `bin`, `test`, `lib`, ..
    pub(crate) kind: String,
}

/// A package of the resolved graph.
#[derive(Debug, Clone, Default)]
pub(crate) struct Resolved {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) rust_version: Option<String>,
    /// The name of its library, which may be another than that of the package.
    pub(crate) library: Option<String>,
    /// Ids of what it depends on when built (not for its tests).
    pub(crate) normal: Vec<String>,
}

impl Workspace {
    /// Reads the workspace that the current folder is in.
    pub(crate) fn read() -> Result<Self> {
        let metadata = crate::process::output(&mut crate::process::cargo(
            Path::new("."),
            &["metadata", "--format-version", "1", "--all-features"],
        ))
        .context("the manifests cannot be read; `cargo metadata` tells more")?;
        let json = serde_json::from_str(&metadata).context("`cargo metadata` wrote no JSON")?;
        Ok(Self::of(&json))
    }

    fn of(json: &Value) -> Self {
        let root = PathBuf::from(text(&json["workspace_root"]));
        let ids: BTreeSet<&str> = items(&json["workspace_members"]).filter_map(Value::as_str).collect();
        let ours = items(&json["packages"]).filter(|package| ids.contains(text(&package["id"])));
        let members =
            ours.map(|json| Package::of(json, &root)).map(|package| (package.name.clone(), package));
        let edges: BTreeMap<&str, Vec<String>> =
            items(&json["resolve"]["nodes"]).map(|node| (text(&node["id"]), normal_edges(node))).collect();
        let resolved = items(&json["packages"]).map(|package| {
            let id = text(&package["id"]);
            let resolved = Resolved {
                name: text(&package["name"]).into(),
                version: text(&package["version"]).into(),
                rust_version: package["rust_version"].as_str().map(Into::into),
                library: library(package),
                normal: edges.get(id).cloned().unwrap_or_default(),
            };
            (id.to_owned(), resolved)
        });
        let target = PathBuf::from(text(&json["target_directory"]));
        Self { target, members: members.collect(), resolved: resolved.collect(), root }
    }

    /// The names of all packages below the one with this id, when it is built.
    pub(crate) fn below(&self, id: &str) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut left = vec![id];
        while let Some(next) = left.pop() {
            let Some(package) = self.resolved.get(next) else { continue };
            for below in &package.normal {
                if seen.insert(below) {
                    names.extend(self.resolved.get(below).map(|package| package.name.as_str()));
                    left.push(below);
                }
            }
        }
        names
    }

    /// The tool crates, sorted by feature name.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &Package> {
        self.members.values().filter(|package| package.folder.starts_with("crates/tools/"))
    }
}

impl Package {
    fn of(json: &Value, root: &Path) -> Self {
        let manifest = Path::new(text(&json["manifest_path"]));
        let folder = manifest.parent().and_then(|folder| folder.strip_prefix(root).ok()).unwrap_or(manifest);
        let dependencies = items(&json["dependencies"]).map(|dependency| Dependency {
            name: text(&dependency["name"]).into(),
            kind: match dependency["kind"].as_str() {
                None => Kind::Normal,
                Some("build") => Kind::Build,
                Some(_) => Kind::Development,
            },
            optional: dependency["optional"] == true,
        });
        let features = json["features"].as_object().into_iter().flatten().map(|(name, enables)| {
            (name.clone(), items(enables).map(|entry| text(entry).to_owned()).collect())
        });
        let targets = items(&json["targets"]).map(|target| Target {
            name: text(&target["name"]).into(),
            kind: items(&target["kind"]).next().map_or("", text).into(),
        });
        Self {
            id: text(&json["id"]).into(),
            name: text(&json["name"]).into(),
            folder: folder.to_string_lossy().into_owned(),
            description: text(&json["description"]).into(),
            license: json["license"].as_str().map(Into::into),
            rust_version: json["rust_version"].as_str().map(Into::into),
            dependencies: dependencies.collect(),
            features: features.collect(),
            targets: targets.collect(),
        }
    }

    /// The feature that links a tool crate: the last part of its folder.
    pub(crate) fn feature(&self) -> &str {
        self.folder.rsplit('/').next().unwrap_or(&self.folder)
    }

    /// The name its code is known by in Rust.
    pub(crate) fn identifier(&self) -> String {
        self.name.replace('-', "_")
    }
}

fn library(package: &Value) -> Option<String> {
    let is_library = |target: &&Value| {
        items(&target["kind"])
            .any(|kind| !matches!(text(kind), "bin" | "test" | "bench" | "example" | "custom-build"))
    };
    items(&package["targets"]).find(is_library).map(|target| text(&target["name"]).to_owned())
}

fn normal_edges(node: &Value) -> Vec<String> {
    let normal = |edge: &&Value| items(&edge["dep_kinds"]).any(|kind| kind["kind"].is_null());
    items(&node["deps"]).filter(normal).map(|edge| text(&edge["pkg"]).to_owned()).collect()
}

fn items(json: &Value) -> impl Iterator<Item = &Value> {
    json.as_array().into_iter().flatten()
}

fn text(json: &Value) -> &str {
    json.as_str().unwrap_or_default()
}
