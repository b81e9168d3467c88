//! What the command line says about settings, as data.

use std::path::PathBuf;

use toolwright_permissions::Mode;

/// Settings from the command line. They come after managed settings and before all files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--settings`: a file, or JSON that begins with `{`; the first one is the strongest.
    pub settings: Vec<String>,
    /// `--allowedTools`: rules, one each.
    pub allow: Vec<String>,
    /// Rules that ask, one each.
    pub ask: Vec<String>,
    /// `--disallowedTools`: rules, one each.
    pub deny: Vec<String>,
    /// `--add-dir`.
    pub additional_directories: Vec<PathBuf>,
    /// `--permission-mode`.
    pub mode: Option<Mode>,
    /// `--model`.
    pub model: Option<String>,
}

/// The rules in one value of `--allowedTools`: `Bash(git log *),Edit Read` are three. Commas and blanks separate, except
/// within brackets.
#[must_use]
pub fn rules_of_flag(value: &str) -> Vec<String> {
    let mut rules = vec![String::new()];
    let mut depth = 0_u32;
    for character in value.chars() {
        match character {
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (character == ',' || character.is_whitespace()) {
            rules.push(String::new());
        } else if let Some(rule) = rules.last_mut() {
            rule.push(character);
        }
    }
    rules.retain(|rule| !rule.is_empty());
    rules
}
