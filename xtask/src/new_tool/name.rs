//! A tool's name in its spellings: `word-count` the crate, `WordCount` the tool, `word_count` the Rust name.

use anyhow::{Result, bail};

use crate::metadata::Workspace;

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
                "`{name}` is no name for a tool crate: lower-case words of letters and digits joined by `-`, at most 40 \
                 characters, such as `word-count`"
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
        Ok(Self { kebab: name.into() })
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
        ];
        Workspace { members: members.into_iter().collect(), ..Workspace::default() }
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
        for taken in ["glob", "full"] {
            let error = Name::new(taken, &workspace()).unwrap_err().to_string();
            assert!(error.contains("is taken"), "{taken}: {error}");
        }
    }
}
