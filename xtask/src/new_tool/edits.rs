//! The lines that link a new tool: one in the root manifest, three in the facade's, two in its source, one in the stock
//! binary's. Each goes where its neighbours stand, in their order.

use std::path::Path;

use anyhow::{Context, Result};

use super::Name;

/// The changed files, path and whole text.
pub(super) fn all(root: &Path, name: &Name) -> Result<Vec<(&'static str, String)>> {
    let read = |path: &str| {
        std::fs::read_to_string(root.join(path)).with_context(|| format!("{path} cannot be read"))
    };
    let (workspace, facade, source, stock) = (
        "Cargo.toml",
        "crates/toolwright/Cargo.toml",
        "crates/toolwright/src/lib.rs",
        "crates/cli/Cargo.toml",
    );
    Ok(vec![
        (workspace, workspace_manifest(&read(workspace)?, name).context(workspace)?),
        (facade, facade_manifest(&read(facade)?, name).context(facade)?),
        (source, facade_source(&read(source)?, name).context(source)?),
        (stock, stock_manifest(&read(stock)?, name).context(stock)?),
    ])
}

fn workspace_manifest(text: &str, name: &Name) -> Result<String> {
    let line = format!("{} = {{ path = \"{}\" }}", name.package(), name.folder());
    among(text, &line, |line| line.starts_with("toolwright-tool-"))
}

fn facade_manifest(text: &str, name: &Name) -> Result<String> {
    let feature = format!("{} = [\"dep:{}\"]", name.feature(), name.package());
    let text = among(text, &feature, |line| line.contains("= [\"dep:toolwright-tool-"))?;
    let dependency = format!("{} = {{ workspace = true, optional = true }}", name.package());
    let text = among(&text, &dependency, |line| line.starts_with("toolwright-tool-"))?;
    let start = text.find("\nfull = [").context("there is no line `full = [..]`")? + "\nfull = [".len();
    let end = start + text[start..].find(']').context("the list `full` does not end")?;
    let quoted = format!("\"{}\"", name.feature());
    let mut entries: Vec<&str> =
        text[start..end].split(',').map(str::trim).filter(|entry| !entry.is_empty()).collect();
    entries.push(&quoted);
    entries.sort_unstable();
    Ok(format!("{}{}{}", &text[..start], entries.join(", "), &text[end..]))
}

fn facade_source(text: &str, name: &Name) -> Result<String> {
    let gate = format!("#[cfg(feature = \"{}\")]", name.feature());
    let link = format!("extern crate {} as _;", name.identifier());
    let text = pair_among(text, &gate, &link, |line| line.starts_with("extern crate toolwright_tool_"))?;
    let expected = format!("    \"{}\",", name.tool());
    let (before, list) = text.split_once("pub const EXPECTED").context("there is no `pub const EXPECTED`")?;
    let list = pair_among(list, &format!("    {gate}"), &expected, |line| {
        line.starts_with("    \"") && line.ends_with("\",")
    })?;
    Ok(format!("{before}pub const EXPECTED{list}"))
}

fn stock_manifest(text: &str, name: &Name) -> Result<String> {
    let line = format!("{0} = [\"toolwright/{0}\"]", name.feature());
    let (before, tools) =
        text.split_once("\n# Tools.\n").context("there is no line `# Tools.` under [features]")?;
    let tools = among(tools, &line, |line| line.contains(" = [\"toolwright/"))?;
    Ok(format!("{before}\n# Tools.\n{tools}"))
}

/// Puts `line` before the first of its neighbours that is greater, or after the last.
fn among(text: &str, line: &str, neighbour: impl Fn(&str) -> bool) -> Result<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let neighbours: Vec<usize> = (0..lines.len()).filter(|index| neighbour(lines[*index])).collect();
    let last =
        neighbours.last().with_context(|| format!("there is no line like `{line}` to put it beside"))?;
    let place = neighbours.iter().find(|index| lines[**index] > line).copied().unwrap_or(last + 1);
    lines.insert(place, line);
    Ok(lines.join("\n") + "\n")
}

/// The same for a line under a `#[cfg]` line: the two stay together.
fn pair_among(text: &str, gate: &str, line: &str, neighbour: impl Fn(&str) -> bool) -> Result<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let neighbours: Vec<usize> = (0..lines.len()).filter(|index| neighbour(lines[*index])).collect();
    let last =
        neighbours.last().with_context(|| format!("there is no line like `{line}` to put it beside"))?;
    let sorts_after =
        |index: &&usize| index.checked_sub(1).is_some_and(|above| lines[above].trim() > gate.trim());
    let place = neighbours.iter().find(sorts_after).map_or(last + 1, |index| index - 1);
    lines.splice(place..place, [gate, line]);
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Workspace;

    fn name(name: &str) -> Name {
        Name::new(name, &Workspace::default()).unwrap()
    }

    #[test]
    fn lines_go_where_their_neighbours_stand() {
        let text = "[a]\ntoolwright-tool-bash = 1\ntoolwright-tool-glob = 1\n\nanyhow = 1\n";
        let between = "[a]\ntoolwright-tool-bash = 1\ntoolwright-tool-echo = { path = \"crates/tools/echo\" }\n\
                       toolwright-tool-glob = 1\n\nanyhow = 1\n";
        assert_eq!(workspace_manifest(text, &name("echo")).unwrap(), between);
        let after = "[a]\ntoolwright-tool-bash = 1\ntoolwright-tool-glob = 1\n\
                     toolwright-tool-hello = { path = \"crates/tools/hello\" }\n\nanyhow = 1\n";
        assert_eq!(workspace_manifest(text, &name("hello")).unwrap(), after);
        assert!(workspace_manifest("[a]\n", &name("hello")).is_err());
    }

    #[test]
    fn the_facade_gets_a_feature_a_dependency_and_a_place_in_full() {
        let text = "[features]\nfull = [\"bash\", \"scripted\"]\nbash = [\"dep:toolwright-tool-bash\"]\n\n[dependencies]\n\
                    toolwright-tool-bash = { workspace = true, optional = true }\n";
        let expected = "[features]\nfull = [\"bash\", \"echo\", \"scripted\"]\nbash = [\"dep:toolwright-tool-bash\"]\n\
                        echo = [\"dep:toolwright-tool-echo\"]\n\n[dependencies]\n\
                        toolwright-tool-bash = { workspace = true, optional = true }\n\
                        toolwright-tool-echo = { workspace = true, optional = true }\n";
        assert_eq!(facade_manifest(text, &name("echo")).unwrap(), expected);
    }

    #[test]
    fn the_facade_links_it_and_expects_it() {
        let text = "#[cfg(feature = \"glob\")]\nextern crate toolwright_tool_glob as _;\n\npub const EXPECTED: &[&str] = &[\n    \
                    #[cfg(feature = \"glob\")]\n    \"Glob\",\n];\n";
        let echo = facade_source(text, &name("echo")).unwrap();
        assert!(
            echo.starts_with("#[cfg(feature = \"echo\")]\nextern crate toolwright_tool_echo as _;\n#[cfg"),
            "{echo}"
        );
        assert!(echo.contains("&[\n    #[cfg(feature = \"echo\")]\n    \"Echo\",\n    #[cfg"), "{echo}");
        let hello = facade_source(text, &name("hello")).unwrap();
        assert!(
            hello.ends_with("\"Glob\",\n    #[cfg(feature = \"hello\")]\n    \"Hello\",\n];\n"),
            "{hello}"
        );
    }

    #[test]
    fn the_stock_binary_forwards_the_feature() {
        let text = "full = [\"toolwright/full\"]\nscripted = [\"toolwright/scripted\"]\n# Tools.\nbash = [\"toolwright/bash\"]\n";
        let stock = stock_manifest(text, &name("alpha")).unwrap();
        let expected = "# Tools.\nalpha = [\"toolwright/alpha\"]\nbash = [\"toolwright/bash\"]\n";
        assert!(stock.ends_with(expected), "{stock}");
    }
}
