//! What was found: stored, and the source of the answer and of every view.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OutputMode;

/// What was found. Rows are lines in `content` mode and files in the others.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    /// The working directory the answer's paths are relative to.
    pub cwd: PathBuf,
    /// The file or folder that was searched, absolute.
    pub root: PathBuf,
    /// How it is answered.
    pub mode: OutputMode,
    /// Whether lines are numbered.
    pub numbered: bool,
    /// Whether lines around matches were wanted.
    pub with_context: bool,
    /// The rows shown, by file.
    pub files: Vec<FileHits>,
    /// Rows skipped before them.
    pub offset: u64,
    /// Rows shown.
    pub shown: u64,
    /// All rows there are; none where the search ended once it had enough.
    pub total: Option<u64>,
    /// Matching lines in all files, in `count` mode.
    pub matching_lines: u64,
    /// Files whose content was looked at.
    pub searched: u64,
    /// Where nothing was found: files that ignore rules hid from the search.
    #[serde(default)]
    pub hidden: u64,
    /// The pattern has `\|`, which is a bar as itself and no alternative.
    #[serde(default)]
    pub escaped_bar: bool,
    /// Files left out because they are binary.
    #[serde(default)]
    pub binary: u64,
    /// Files and folders that could not be read.
    #[serde(default)]
    pub unreadable: u64,
    /// The first of the files that were not searched to their end, by path.
    #[serde(default)]
    pub unfinished: Vec<Unfinished>,
    /// How many those are in all.
    #[serde(default)]
    pub unfinished_total: u64,
    /// The search was interrupted: there may be more.
    #[serde(default)]
    pub interrupted: bool,
    /// It was the time limit that interrupted it.
    #[serde(default)]
    pub timed_out: bool,
}

impl Output {
    /// Whether there are rows after those shown.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.total.is_none_or(|total| total > self.offset + self.shown)
    }
}

/// A file that was not searched to its end, though it could be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Unfinished {
    /// Absolute.
    pub path: PathBuf,
    /// Why.
    pub why: Why,
}

/// Why a file was not searched to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The pattern took too long on a line.
    GaveUp,
    /// A line, or where matches may span lines the file, is too long to be held.
    TooLong,
}

/// The hits in one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileHits {
    /// Absolute.
    pub path: PathBuf,
    /// Matching lines counted.
    #[serde(default)]
    pub count: u64,
    /// Lines shown, in `content` mode.
    #[serde(default)]
    pub lines: Vec<Line>,
    /// It matches, and its lines are not shown because it is binary.
    #[serde(default)]
    pub binary: bool,
    /// The search of it ended at a NUL byte after the lines shown.
    #[serde(default)]
    pub ended_at_nul: bool,
}

/// One line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// From 1.
    pub number: u64,
    /// The text without its line break; of a very long line the part around the match.
    pub text: String,
    /// Byte ranges of matches in `text`; none in a line of context.
    #[serde(default)]
    pub marks: Vec<(usize, usize)>,
    /// Whether it matches or stands beside a match.
    pub matches: bool,
}
