//! What must be true of an answer and of the folder after it.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use regex::Regex;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Builds without optimisation, on a machine that does other things too, are given this many times longer.
const SLOW: u32 = if cfg!(debug_assertions) { 5 } else { 1 };

/// What must be true. What is not said does not matter.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// Whether the answer says that it failed; none: either.
    pub is_error: Option<bool>,
    /// Patterns the answer's text has.
    pub contains_re: Vec<String>,
    /// Patterns it has not.
    pub not_contains_re: Vec<String>,
    /// Patterns it has in this order.
    pub order: Vec<String>,
    /// A file in the folder..
    pub file: Option<String>,
    /// .. and its bytes in hexadecimal digits,
    pub file_bytes_after_hex: Option<String>,
    /// .. or their SHA-256.
    pub file_sha256: Option<String>,
    /// .. or what it holds as JSON.
    pub notebook_json_after: Option<Value>,
    /// Commands for `bash -e` in the folder that end with 0.
    pub checks: Vec<String>,
    /// The longest the call may take.
    pub max_ms: Option<u64>,
    /// The most memory the process may ever have had; checked where the driver says it.
    pub max_rss_mb: Option<u64>,
    /// The most bytes of the answer's text.
    pub max_result_bytes: Option<usize>,
    /// The type of a content block there is..
    pub block: Option<String>,
    /// .. and its media type.
    pub media_type: Option<String>,
    /// The type of a content block there is not.
    pub not_block: Option<String>,
    /// The type of a content block that holds something.
    pub block_nonempty: Option<String>,
    /// One of these holds.
    pub any_of: Vec<Expect>,
}

/// What was seen.
pub(super) struct Seen<'a> {
    is_error: bool,
    content: Vec<Value>,
    text: String,
    taken: Duration,
    peak_mib: Option<u64>,
    folder: &'a Path,
}

impl<'a> Seen<'a> {
    /// Reads a line `{"is_error", "content", "peak_mib"?}`.
    pub(super) fn of(answer: &Value, taken: Duration, folder: &'a Path) -> Result<Self, String> {
        let odd = || format!("the answer is no `is_error` and `content`: {answer}");
        let is_error = answer.get("is_error").and_then(Value::as_bool).ok_or_else(odd)?;
        let content = answer.get("content").and_then(Value::as_array).ok_or_else(odd)?.clone();
        let texts = content.iter().filter_map(|block| block.get("text")?.as_str());
        let text = texts.collect::<Vec<_>>().join("\n");
        let peak_mib = answer.get("peak_mib").and_then(Value::as_u64);
        Ok(Self { is_error, content, text, taken, peak_mib, folder })
    }

    fn has_block(&self, kind: &str) -> Option<&Value> {
        // Media are one kind here and several in a vendor's words: an image is told by its media type.
        self.content.iter().find(|block| {
            let media = block.get("media_type").and_then(Value::as_str).unwrap_or_default();
            block.get("type").and_then(Value::as_str) == Some(kind)
                || (kind == "image" && media.starts_with("image/"))
                || (kind == "document" && media == "application/pdf")
        })
    }
}

impl Expect {
    /// # Errors
    /// What is not as it must be.
    pub(super) fn check(&self, seen: &Seen<'_>) -> Result<(), String> {
        self.check_answer(seen)?;
        self.check_folder(seen)?;
        if self.any_of.is_empty() {
            return Ok(());
        }
        let mut wrong = String::from("none of the choices holds:");
        for choice in &self.any_of {
            match choice.check(seen) {
                Ok(()) => return Ok(()),
                Err(what) => {
                    let _ = write!(wrong, "\n  - {what}");
                }
            }
        }
        Err(wrong)
    }

    fn check_answer(&self, seen: &Seen<'_>) -> Result<(), String> {
        let text = &seen.text;
        if self.is_error.is_some_and(|wanted| wanted != seen.is_error) {
            return Err(format!("is_error is {}; the answer: {text}", seen.is_error));
        }
        for pattern in &self.contains_re {
            if !compiled(pattern)?.is_match(text) {
                return Err(format!("`{pattern}` is not in the answer: {text}"));
            }
        }
        for pattern in &self.not_contains_re {
            if compiled(pattern)?.is_match(text) {
                return Err(format!("`{pattern}` is in the answer: {text}"));
            }
        }
        let mut from = 0;
        for pattern in &self.order {
            match compiled(pattern)?.find_at(text, from) {
                Some(found) => from = found.end(),
                None => return Err(format!("`{pattern}` does not come in its order: {text}")),
            }
        }
        let limit = |most: u64| Duration::from_millis(most) * SLOW;
        if let Some(most) = self.max_ms.filter(|most| seen.taken > limit(*most)) {
            return Err(format!("it took {:?}, more than {most} ms", seen.taken));
        }
        if let (Some(most), Some(peak)) = (self.max_rss_mb, seen.peak_mib)
            && peak > most
        {
            return Err(format!("it needed {peak} MiB, more than {most}"));
        }
        if self.max_result_bytes.is_some_and(|most| text.len() > most) {
            return Err(format!("the answer has {} bytes", text.len()));
        }
        self.check_blocks(seen)
    }

    fn check_blocks(&self, seen: &Seen<'_>) -> Result<(), String> {
        let kinds =
            || seen.content.iter().map(|block| block["type"].to_string()).collect::<Vec<_>>().join(", ");
        if let Some(kind) = &self.block {
            let Some(block) = seen.has_block(kind) else {
                return Err(format!("no block `{kind}` among {}", kinds()));
            };
            if let Some(media) = &self.media_type
                && !block.to_string().contains(media.as_str())
            {
                return Err(format!("the block `{kind}` is no {media}"));
            }
        }
        if let Some(kind) = self.not_block.as_ref().filter(|kind| seen.has_block(kind).is_some()) {
            return Err(format!("there is a block `{kind}`"));
        }
        if let Some(kind) = &self.block_nonempty {
            let empty = |block: &Value| {
                [&block["text"], &block["data"], &block["source"]["data"]]
                    .iter()
                    .all(|held| held.as_str().unwrap_or("").is_empty())
            };
            if seen.has_block(kind).is_none_or(empty) {
                return Err(format!("no block `{kind}` that holds something"));
            }
        }
        Ok(())
    }

    fn check_folder(&self, seen: &Seen<'_>) -> Result<(), String> {
        if let Some(name) = &self.file {
            let bytes = std::fs::read(seen.folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
            let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            if let Some(wanted) = self.file_bytes_after_hex.as_ref().filter(|wanted| hex(&bytes) != **wanted)
            {
                return Err(format!("{name} holds {}, not {wanted}; the answer: {}", hex(&bytes), seen.text));
            }
            if self.file_sha256.as_ref().is_some_and(|wanted| hex(&Sha256::digest(&bytes)) != *wanted) {
                return Err(format!("{name} holds other bytes; the answer: {}", seen.text));
            }
            if let Some(wanted) = &self.notebook_json_after {
                let found: Value =
                    serde_json::from_slice(&bytes).map_err(|error| format!("{name}: {error}"))?;
                if found != *wanted {
                    return Err(format!("{name} holds {found}"));
                }
            }
        }
        self.checks.iter().try_for_each(|check| super::shell(check, seen.folder))
    }
}

fn compiled(pattern: &str) -> Result<Regex, String> {
    Regex::new(pattern).map_err(|error| format!("the case's own pattern: {error}"))
}
