//! Proof that features choose tools: the stock binary is built with sets of them, and asked what it has. What is off must be
//! absent from the dependency tree and from the binary's symbols; what is on must be in both, so that the check can fail.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::metadata::{Package, Workspace};
use crate::process::{cargo, command, output, run as start};

/// Whether every pair of tools is built too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pairs {
    All,
    None,
}

const STOCK: &str = "toolwright-cli";

/// How much is asked of a set. Absence is proven for none, each and all; a pair cannot bring a third crate in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Listed,
    Absent,
}

/// Features of the stock binary, and the tools they should bring.
struct Set<'a> {
    features: String,
    tools: Vec<&'a Package>,
    depth: Depth,
}

impl<'a> Set<'a> {
    fn of(tools: Vec<&'a Package>, depth: Depth) -> Self {
        let features = tools.iter().map(|tool| tool.feature()).collect::<Vec<_>>().join(",");
        Self { features, tools, depth }
    }

    /// What is no tool and no list of tools: the model clients. Each must build alone, and brings no tool.
    fn capability(name: &str) -> Self {
        Self { features: name.into(), tools: Vec::new(), depth: Depth::Listed }
    }

    /// A feature that is a list of others, as the stock binary's manifest hands them to the facade's.
    fn profile(name: &str, facade: &Package, tools: &[&'a Package]) -> Self {
        let entries = facade.features.get(name).map_or(&[][..], Vec::as_slice);
        let listed = |tool: &&&Package| entries.iter().any(|entry| entry == tool.feature());
        Self {
            features: name.into(),
            tools: tools.iter().filter(listed).copied().collect(),
            depth: Depth::Absent,
        }
    }
}

pub(crate) fn run(pairs: Pairs) -> Result<()> {
    let workspace = Workspace::read()?;
    let tools: Vec<&Package> = workspace.tools().collect();
    let facade =
        workspace.members.get("toolwright").context("crates/toolwright is no member of the workspace")?;
    let mut sets = vec![Set::of(Vec::new(), Depth::Absent)];
    sets.extend(tools.iter().map(|tool| Set::of(vec![*tool], Depth::Absent)));
    if pairs == Pairs::All {
        for (index, first) in tools.iter().enumerate() {
            let seconds = tools.iter().skip(index + 1);
            sets.extend(seconds.map(|second| Set::of(vec![*first, *second], Depth::Listed)));
        }
    }
    sets.push(Set::of(tools.clone(), Depth::Absent));
    for (name, enables) in &facade.features {
        let tool = tools.iter().any(|tool| tool.feature() == name);
        let list = enables.iter().all(|entry| facade.features.contains_key(entry));
        match name.as_str() {
            "default" => {} // what every other build of the workspace has
            _ if tool => {}
            _ if list => sets.push(Set::profile(name, facade, &tools)),
            _ => sets.push(Set::capability(name)),
        }
    }
    let house = House::new(&workspace)?;
    for set in &sets {
        house.prove(set, &tools)?;
    }
    house.minimal()?;
    println!("features: {} sets of {} tools are what they say", sets.len(), tools.len());
    Ok(())
}

/// A target folder of its own: other features must not displace the binaries that people and tests use.
struct House<'a> {
    workspace: &'a Workspace,
    target: PathBuf,
    home: PathBuf,
}

impl<'a> House<'a> {
    fn new(workspace: &'a Workspace) -> Result<Self> {
        let target = workspace.target.join("features");
        let home = target.join("home");
        std::fs::create_dir_all(&home).with_context(|| format!("{} cannot be made", home.display()))?;
        Ok(Self { workspace, target, home })
    }

    fn prove(&self, set: &Set<'_>, tools: &[&Package]) -> Result<()> {
        let begun = Instant::now();
        let shown = if set.features.is_empty() { "no tool" } else { &set.features };
        self.build(STOCK, &["--no-default-features", "--features", &set.features])
            .with_context(|| format!("with {shown}, {STOCK} does not build"))?;
        let binary = self.target.join("debug").join("toolwright");
        let expected: BTreeSet<String> = set.tools.iter().map(|tool| tool.name.clone()).collect();
        same(&expected, &self.listed(&binary)?, &format!("with {shown}, `toolwright tools --json` lists"))?;
        if set.depth == Depth::Absent {
            same(&expected, &self.in_tree(&set.features)?, &format!("with {shown}, `cargo tree` has"))?;
            same(
                &expected,
                &self.in_symbols(&binary, tools)?,
                &format!("with {shown}, `nm` finds symbols of"),
            )?;
        }
        println!("features: {shown}: as it should be ({:.1} s)", begun.elapsed().as_secs_f64());
        Ok(())
    }

    fn build(&self, package: &str, more: &[&str]) -> Result<()> {
        let target = self.target.to_string_lossy();
        let mut arguments = vec!["build", "--quiet", "--package", package, "--target-dir", &target];
        arguments.extend(more);
        // Symbols are what is looked at; debug information and what speeds up a second build would only cost time.
        let mut build = cargo(&self.workspace.root, &arguments);
        start(build.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0"))
    }

    /// The packages of the tools that the binary says it has.
    fn listed(&self, binary: &Path) -> Result<BTreeSet<String>> {
        let json = output(
            // Nobody's settings but the built-in ones.
            command(&self.home, binary, &["tools", "--json"])
                .env("HOME", &self.home)
                .env("TOOLWRIGHT_HOME", &self.home),
        )?;
        let json: Value = serde_json::from_str(&json)
            .with_context(|| format!("`toolwright tools --json` wrote no JSON, but: {json}"))?;
        let tools = json.as_array().context("`toolwright tools --json` wrote no list")?;
        let package = |tool: &Value| tool["package"].as_str().map(Into::into);
        tools
            .iter()
            .map(|tool| package(tool).with_context(|| format!("a tool names no package: {tool}")))
            .collect()
    }

    fn in_tree(&self, features: &str) -> Result<BTreeSet<String>> {
        let arguments = [
            &["tree", "--package", STOCK, "--edges", "normal", "--prefix", "none", "--format", "{p}"][..],
            &["--no-default-features", "--features", features],
        ];
        let tree = output(&mut cargo(&self.workspace.root, &arguments.concat()))?;
        let names = tree.lines().filter_map(|line| line.split(' ').next());
        Ok(names.filter(|name| name.starts_with("toolwright-tool-")).map(Into::into).collect())
    }

    fn in_symbols(&self, binary: &Path, tools: &[&Package]) -> Result<BTreeSet<String>> {
        let path = binary.to_string_lossy();
        let symbols = output(&mut command(&self.workspace.root, "nm", &["-C", &path]))
            .context("`nm` belongs to binutils, which a C compiler brings")?;
        let found = tools.iter().filter(|tool| symbols.contains(&format!("{}::", tool.identifier())));
        Ok(found.map(|tool| tool.name.clone()).collect())
    }

    /// The smallest agent has its two tools and does a job with them: built alone, because a workspace build lends it
    /// everybody's features.
    fn minimal(&self) -> Result<()> {
        self.build("agent-minimal", &[])?;
        let binary = self.target.join("debug").join("agent-minimal");
        let tools = output(command(&self.home, &binary, &["tools"]).env("HOME", &self.home))?;
        if tools != "Glob\nRead\n" {
            bail!("tests/agents/minimal should list Glob and Read, and lists: {tools}");
        }
        let script = self.home.join("script.json");
        let settings = serde_json::json!({"model": format!("scripted:{}", script.display())});
        write(&script, SCRIPT)?;
        write(&self.home.join("note.txt"), "the tide turns at six\n")?;
        write(&self.home.join(".toolwright/settings.json"), &settings.to_string())?;
        let mut prompt = command(&self.home, &binary, &["When does the tide turn?"]);
        // Nobody's settings and sessions but its own.
        let answer = output(prompt.env("HOME", &self.home).env_remove("TOOLWRIGHT_HOME"))?;
        if answer != "At six.\n" {
            bail!("tests/agents/minimal should read a file and answer `At six.`, and answers: {answer}");
        }
        println!("features: agent-minimal: its two tools, and a job done with them");
        Ok(())
    }
}

/// What the model says to the smallest agent: it goes on only if the tool really read the file.
const SCRIPT: &str = r#"{"turns": [
  {"reply": [{"tool": "Read", "input": {"file_path": "{cwd}/note.txt"}}]},
  {"expect": {"tool_result": "the tide turns at six"}, "reply": [{"text": "At six."}]}
]}"#;

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).with_context(|| format!("{} cannot be made", parent.display()))?;
    }
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

fn same(expected: &BTreeSet<String>, found: &BTreeSet<String>, what: &str) -> Result<()> {
    if expected != found {
        let words = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(", ");
        bail!("{what} [{}], and should [{}]", words(found), words(expected));
    }
    Ok(())
}
