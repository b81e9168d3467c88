//! A session's journal as it lies on disk: lines of JSON, and what matters of each in a few words.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A journal.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Journal {
    /// Where it lies.
    pub path: PathBuf,
    /// All of it.
    pub bytes: Vec<u8>,
}

impl Journal {
    /// Reads one; one that is not there is empty.
    #[must_use]
    pub fn read(path: &Path) -> Self {
        Self { path: path.into(), bytes: std::fs::read(path).unwrap_or_default() }
    }

    /// The session's id.
    #[must_use]
    pub fn id(&self) -> String {
        let folder = self.path.parent().and_then(Path::file_name);
        folder.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Its whole lines that are JSON.
    #[must_use]
    pub fn lines(&self) -> Vec<Value> {
        let lines = self.bytes.split(|byte| *byte == b'\n');
        lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }

    /// The lines of a type.
    #[must_use]
    pub fn of_type(&self, kind: &str) -> Vec<Value> {
        self.lines().into_iter().filter(|line| line["type"] == kind).collect()
    }

    /// Each line in a few words. Subagents' lines begin with `>`.
    #[must_use]
    pub fn short(&self) -> Vec<String> {
        self.lines().iter().map(short).collect()
    }
}

fn short(line: &Value) -> String {
    let word = |field: &str| line[field].as_str().unwrap_or_default().to_owned();
    let words = match word("type").as_str() {
        "started" => vec![word("mode")],
        "pool" => {
            let tools = line["tools"].as_array().into_iter().flatten();
            vec![tools.map(|tool| tool["name"].as_str().unwrap_or_default()).collect::<Vec<_>>().join(",")]
        }
        "prompt" | "message" => {
            line["message"]["content"].as_array().into_iter().flatten().map(block).collect()
        }
        "decision" => vec![word("outcome"), word("step")],
        "approval" => vec![line["allowed"].to_string()],
        "tool_started" => vec![word("tool")],
        "tool_finished" => vec![word("tool"), word("outcome"), word("error")],
        "finished" => vec![word("reason")],
        _ => Vec::new(),
    };
    let agent = if line["agent"] == "main" { "" } else { "> " };
    let words: Vec<_> = std::iter::once(word("type")).chain(words).filter(|word| !word.is_empty()).collect();
    format!("{agent}{}", words.join(" "))
}

fn block(block: &Value) -> String {
    match block["type"].as_str() {
        Some("text") => block["text"].as_str().unwrap_or_default().to_owned(),
        Some("tool_use") => format!("+{}", block["name"].as_str().unwrap_or_default()),
        other => format!("[{}]", other.unwrap_or("?")),
    }
}
