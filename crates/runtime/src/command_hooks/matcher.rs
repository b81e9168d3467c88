//! For which tools a hook runs. Case counts.

use regex::Regex;

/// A matcher of the settings, read.
#[derive(Debug)]
pub(super) enum Matcher {
    All,
    /// Letters, digits, `_` and `|` alone: names.
    Names(Vec<String>),
    /// Anything else is looked for in the name: a pattern that says too little matches too much, and forbids too much.
    Pattern(Regex),
}

impl Matcher {
    pub(super) fn new(text: Option<&str>) -> Result<Self, regex::Error> {
        let text = text.unwrap_or_default().trim();
        if text.is_empty() || text == "*" {
            return Ok(Self::All);
        }
        let plain = |character: char| character.is_ascii_alphanumeric() || "_| ".contains(character);
        if text.chars().all(plain) {
            return Ok(Self::Names(text.split('|').map(|name| name.trim().to_owned()).collect()));
        }
        Regex::new(text).map(Self::Pattern)
    }

    pub(super) fn fits(&self, tool: &str) -> bool {
        match self {
            Self::All => true,
            Self::Names(names) => names.iter().any(|name| name == tool),
            Self::Pattern(pattern) => pattern.is_match(tool),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Matcher;

    #[test]
    fn names_lists_and_patterns() {
        let check = |matcher: &str, fits: &[&str], not: &[&str]| {
            let read = Matcher::new(Some(matcher)).unwrap();
            fits.iter().for_each(|tool| assert!(read.fits(tool), "{matcher:?} {tool}"));
            not.iter().for_each(|tool| assert!(!read.fits(tool), "{matcher:?} {tool}"));
        };
        check("", &["Bash", "mcp__a__b"], &[]);
        check("*", &["Bash"], &[]);
        check("Bash", &["Bash"], &["bash", "BashOutput", "MyBash"]);
        check("Edit|Write", &["Edit", "Write"], &["MultiEdit", "Read"]);
        check("Edit | Write", &["Edit", "Write"], &["Read"]);
        check("Notebook.*", &["NotebookEdit"], &["notebookedit"]);
        check("mcp__memory__.*", &["mcp__memory__get"], &["mcp__other__get"]);
        check("mcp__my-server", &["mcp__my-server__get"], &["mcp__other__get"]);
        check("^(Edit|Write)$", &["Edit", "Write"], &["MultiEdit"]);
        check(".*", &["Anything"], &[]);
        assert!(Matcher::new(None).unwrap().fits("Bash"));
        assert!(Matcher::new(Some("(")).is_err());
        assert!(Matcher::new(Some("^(?!Bash)")).is_err());
    }
}
