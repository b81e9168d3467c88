//! What the model gives. The doc comments are the schema's words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the model gives.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The regular expression (Rust syntax). Escape `( ) [ ] { } . * + ? | ^ $ \` to match them.
    #[schemars(extend("x-aliases" = ["regex", "query"]))]
    pub pattern: String,
    /// A file or folder. Default: the working directory.
    #[serde(default)]
    pub path: Option<String>,
    /// Only files that match: `*.rs`, `src/**/*.{ts,tsx}`, `!*.min.js`; several with commas.
    #[serde(default)]
    #[schemars(extend("x-aliases" = ["include"]))]
    pub glob: Option<String>,
    /// Only files of this kind: `rust`, `py`, `js`, `ts`, `go`, ...
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// Default `files_with_matches`, or `content` where -A, -B or -C is given.
    #[serde(default)]
    pub output_mode: Option<OutputMode>,
    /// Lines shown after each match.
    #[serde(default, rename = "-A")]
    pub after: Option<u32>,
    /// Lines shown before each match.
    #[serde(default, rename = "-B")]
    pub before: Option<u32>,
    /// Lines shown before and after each match.
    #[serde(default, rename = "-C")]
    #[schemars(extend("x-aliases" = ["context"]))]
    pub context: Option<u32>,
    /// Line numbers in content. Default true.
    #[serde(default, rename = "-n")]
    pub line_numbers: Option<bool>,
    /// Ignore case.
    #[serde(default, rename = "-i")]
    pub ignore_case: Option<bool>,
    /// At most so many lines or files. Default 250; 0: as many as fit.
    #[serde(default)]
    #[schemars(extend("x-aliases" = ["limit"]))]
    pub head_limit: Option<u32>,
    /// Skip so many lines or files first.
    #[serde(default)]
    pub offset: Option<u32>,
    /// A match may span lines, and `.` matches a line break.
    #[serde(default)]
    pub multiline: Option<bool>,
}

/// What is answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutputMode {
    /// matching lines
    Content,
    /// paths, last changed first
    #[default]
    FilesWithMatches,
    /// matching lines a file
    Count,
}
