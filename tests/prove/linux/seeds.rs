//! Texts that were found once, kept as tests: each run begins with them.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;

use serde::Deserialize;
use serde_json::json;

use crate::linux::generate::Case;
use crate::linux::verdict::Found;

const SEEDS: &str = include_str!("../seeds.jsonl");

#[derive(Debug, Deserialize)]
struct Seed {
    text: String,
    #[serde(default)]
    folder: String,
}

pub(crate) fn read() -> Vec<Case> {
    let seeds = SEEDS.lines().filter_map(|line| serde_json::from_str::<Seed>(line).ok());
    seeds
        .map(|seed| Case {
            text: seed.text,
            folder: crate::linux::generate::folder(&seed.folder),
            ..Case::default()
        })
        .collect()
}

/// Adds one to the file.
pub(crate) fn keep(file: &Path, case: &Case, found: &Found) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(file)?;
    let what = format!("{} {}", found.kind.name(), found.what);
    writeln!(file, "{}", json!({"text": case.text, "folder": case.folder, "found": what}))
}
