//! A tool's name in its spellings: `word-count` the crate, `WordCount` the tool, `word_count` the Rust name.

use anyhow::{Result, bail};

use crate::metadata::Workspace;
use crate::tidy;

/// What a type cannot be called, or what the templates' macros would then take for something else.
const RUST_NAMES: &[&str] = &[
    "AsMut", "AsRef", "Box", "Clone", "Copy", "Default", "Drop", "Eq", "Err", "Fn", "FnMut", "FnOnce",
    "From", "Into", "Iterator", "None", "Ok", "Option", "Ord", "Result", "Self", "Send", "Sized", "Some",
    "String", "Sync", "ToOwned", "ToString", "TryFrom", "TryInto", "Unpin", "Vec",
];

/// A name that a new tool may have.
#[derive(Debug)]
pub(super) struct Name {
    kebab: String,
}

impl Name {
    pub(super) fn new(name: &str, workspace: &Workspace) -> Result<Self> {
        let part = |part: &str| {
            part.starts_with(|first: char| first.is_ascii_lowercase())
                && part.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        };
        if name.len() > 40 || !name.split('-').all(part) {
            bail!(
                "`{name}` is no name for a tool crate: lower-case words of letters and digits joined by `-`, none of which \
                 begins with a digit, at most 40 characters, such as `word-count`"
            );
        }
        let taken = workspace.tools().any(|tool| tool.feature() == name);
        let facade = workspace.members.get("toolwright");
        if taken || facade.is_some_and(|facade| facade.features.contains_key(name)) {
            bail!(
                "`{name}` is taken: the facade has a feature of that name; taken are: {}",
                facade
                    .map(|facade| facade.features.keys().cloned().collect::<Vec<_>>().join(", "))
                    .unwrap_or_default()
            );
        }
        let new = Self { kebab: name.into() };
        let tool = new.tool();
        let same = |other: &(String, String)| other.0.eq_ignore_ascii_case(&tool);
        if let Some((other, package)) = tidy::tool_names(workspace)?.into_iter().find(same) {
            bail!(
                "`{name}` is taken: a tool `{tool}` would be the second of that name beside `{other}` of {package}"
            );
        }
        if RUST_NAMES.contains(&tool.as_str()) || super::names_of_templates().contains(tool.as_str()) {
            bail!(
                "`{name}` cannot be: a type `{tool}` is in every tool crate already; say what the tool does with it"
            );
        }
        Ok(new)
    }

    /// `word-count`: the folder and the feature.
    pub(super) fn feature(&self) -> &str {
        &self.kebab
    }

    /// `crates/tools/word-count`
    pub(super) fn folder(&self) -> String {
        format!("crates/tools/{}", self.kebab)
    }

    /// `toolwright-tool-word-count`
    pub(super) fn package(&self) -> String {
        format!("toolwright-tool-{}", self.kebab)
    }

    /// `toolwright_tool_word_count`
    pub(super) fn identifier(&self) -> String {
        self.package().replace('-', "_")
    }

    /// `WordCount`: what the model calls.
    pub(super) fn tool(&self) -> String {
        let part = |part: &str| part[..1].to_ascii_uppercase() + &part[1..];
        self.kebab.split('-').map(part).collect()
    }

    /// A template with the name in it.
    pub(super) fn fill(&self, template: &str) -> String {
        template
            .replace("{{package}}", &self.package())
            .replace("{{identifier}}", &self.identifier())
            .replace("{{tool}}", &self.tool())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Package;

    fn workspace() -> Workspace {
        let package = |name: &str, folder: &str| {
            let features = [("full".to_owned(), Vec::new())].into_iter().collect();
            (
                name.to_owned(),
                Package { name: name.into(), folder: folder.into(), features, ..Package::default() },
            )
        };
        let members = [
            package("toolwright", "crates/toolwright"),
            package("toolwright-tool-glob", "crates/tools/glob"),
            package("toolwright-tool-file-read", "crates/tools/file-read"),
        ];
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..").into();
        Workspace { root, members: members.into_iter().collect(), ..Workspace::default() }
    }

    #[test]
    fn spellings() {
        let name = Name::new("word-count2", &workspace()).unwrap();
        assert_eq!(
            name.fill("{{package}} {{identifier}} {{tool}}"),
            "toolwright-tool-word-count2 toolwright_tool_word_count2 WordCount2"
        );
    }

    #[test]
    fn a_bad_or_taken_name_says_what_is_right() {
        let long = "a".repeat(41);
        for bad in ["", "Word", "word_count", "-a", "a-", "a--b", "2a", "a/b", "..", "é", &long] {
            let error = Name::new(bad, &workspace()).unwrap_err().to_string();
            assert!(error.contains("such as `word-count`"), "{bad}: {error}");
        }
        let digit = Name::new("word-2", &workspace()).unwrap_err().to_string();
        assert!(digit.contains("none of which begins with a digit"), "{digit}");
        let second = Name::new("read", &workspace()).unwrap_err().to_string();
        assert!(
            second.contains("the second of that name beside `Read` of toolwright-tool-file-read"),
            "{second}"
        );
        for bad in [
            "self",
            "string",
            "input",
            "output",
            "tool",
            "content",
            "cow",
            "tool-context",
            "reply",
            "serialize",
        ] {
            let error = Name::new(bad, &workspace()).unwrap_err().to_string();
            assert!(error.contains("is in every tool crate already"), "{bad}: {error}");
        }
        for taken in ["glob", "full", "file-read"] {
            let error = Name::new(taken, &workspace()).unwrap_err().to_string();
            assert!(error.contains("is taken"), "{taken}: {error}");
        }
    }
}
