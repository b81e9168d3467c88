//! The system prompt: made once when an agent starts, the same bytes for the whole session. Knows no file and no clock: texts
//! come from the caller, and whatever changes with time goes into a message instead.
//!
//! Blocks stand from what most sessions share to what only one has, because a provider caches a prefix: the base text, the
//! tools' guidance, memory files, the place of work, text that the host appends.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::pool::{Pool, hexadecimal};

#[cfg(test)]
mod tests;

/// Ours: what an agent is, how it works, what it must not do.
const BASE: &str = include_str!("system_prompt.md");

/// A system prompt. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemPrompt {
    blocks: Arc<[Cow<'static, str>]>,
    hash: Arc<str>,
}

/// What a system prompt is made of. The default is the base text alone.
#[derive(Debug, Clone, Copy, Default)]
pub struct PromptParts<'a> {
    /// The host's text in the place of ours.
    pub base: Option<&'a str>,
    /// Whose tools' guidance to take, in its order. Tools that are deferred bring none: their words would be paid for unseen.
    pub pool: Option<&'a Pool>,
    /// Memory files, the most general first.
    pub memory: &'a [MemoryFile],
    /// The place of work.
    pub workplace: Option<&'a Workplace>,
    /// Texts at the end (`--append-system-prompt`).
    pub appended: &'a [String],
}

/// A file of standing instructions (`AGENTS.md`, `CLAUDE.md`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryFile {
    /// Where it is.
    pub path: PathBuf,
    /// Whom it speaks for.
    pub scope: MemoryScope,
    /// What it says.
    pub text: String,
}

/// Whom a memory file speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryScope {
    /// The organisation that manages this computer.
    Managed,
    /// The person, everywhere.
    User,
    /// The project.
    Project,
    /// The person, in this project.
    Local,
    /// A folder within the project.
    Nested,
}

impl MemoryScope {
    const fn words(self) -> &'static str {
        match self {
            Self::Managed => "for everybody on this computer",
            Self::User => "the person's, for all projects",
            Self::Project => "the project's",
            Self::Local => "the person's, for this project",
            Self::Nested => "for the folder it is in",
        }
    }
}

/// Where an agent works, as it was when it started: taken once and kept, so that the bytes do not move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Workplace {
    /// The working directory, absolute.
    pub cwd: String,
    /// The system and its architecture, as a person would say it.
    pub platform: String,
    /// Whether the working directory lies in a git repository.
    pub is_git_repository: bool,
    /// More the caller wants known, as name and value (a shell, further roots).
    pub more: Vec<(String, String)>,
}

impl SystemPrompt {
    /// Makes one. Parts that say nothing make no block.
    #[must_use]
    pub fn assemble(parts: &PromptParts<'_>) -> Self {
        let base =
            parts.base.map_or(Cow::Borrowed(BASE.trim_ascii()), |base| Cow::Owned(base.trim().to_owned()));
        let mut blocks = vec![base];
        blocks.extend(parts.pool.map(guidance).map(Cow::Owned));
        blocks.push(Cow::Owned(memory(parts.memory)));
        blocks.extend(parts.workplace.map(workplace).map(Cow::Owned));
        blocks.extend(parts.appended.iter().map(|text| Cow::Owned(text.trim().to_owned())));
        blocks.retain(|block| !block.is_empty());
        Self::of(blocks)
    }

    /// One that was made before, as the journal kept it.
    #[must_use]
    pub fn from_blocks(blocks: Vec<String>) -> Self {
        Self::of(blocks.into_iter().map(Cow::Owned).collect())
    }

    /// Its blocks, in order; none is empty.
    #[must_use]
    pub fn blocks(&self) -> &[Cow<'static, str>] {
        &self.blocks
    }

    /// SHA-256 in hexadecimal over the blocks and where they end.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    fn of(blocks: Vec<Cow<'static, str>>) -> Self {
        let mut hasher = Sha256::new();
        for block in &blocks {
            // No UTF-8 text holds this byte, so no two lists of blocks are one.
            hasher.update(block.as_bytes());
            hasher.update([0xff]);
        }
        Self { blocks: blocks.into(), hash: hexadecimal(&hasher.finalize()).into() }
    }
}

fn guidance(pool: &Pool) -> String {
    let mut text = String::new();
    for entry in pool.entries().iter().filter(|entry| !entry.is_deferred()) {
        let definition = entry.definition();
        let words = definition.guidance.as_deref().unwrap_or_default().trim();
        if !words.is_empty() {
            let before = if text.is_empty() { "# Single tools" } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(text, "{before}\n\n## {}\n\n{words}", definition.name);
        }
    }
    text
}

fn memory(files: &[MemoryFile]) -> String {
    let mut text = String::new();
    for file in files {
        let words = file.text.trim();
        if words.is_empty() {
            continue;
        }
        if text.is_empty() {
            text.push_str(
                "# Standing instructions\n\nThese files were written for you. Follow them where they apply; what the person says \
                 in the conversation goes before them, and of two that disagree the later one counts.",
            );
        }
        let path = file.path.to_string_lossy();
        let _ = write!(text, "\n\n## {} ({})\n\n{words}", one_line(&path), file.scope.words());
    }
    text
}

fn workplace(place: &Workplace) -> String {
    let repository = if place.is_git_repository { "yes" } else { "no" };
    let mut text = format!(
        "# Where you work\n\n- Working directory: {}\n- In a git repository: {repository}\n- Platform: {}",
        one_line(&place.cwd),
        one_line(&place.platform),
    );
    for (name, value) in &place.more {
        let _ = write!(text, "\n- {}: {}", one_line(name), one_line(value));
    }
    text
}

/// Names of folders may hold line feeds; here they would pass for lines of their own.
fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        let shown = text.chars().map(|letter| match letter.is_control() {
            true => letter.escape_default().to_string(),
            false => letter.to_string(),
        });
        return Cow::Owned(shown.collect());
    }
    Cow::Borrowed(text)
}
