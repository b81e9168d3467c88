//! Which folders a person trusts, kept as lines that are only ever added. Asks nobody: the host does.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{ConfigError, Places};

/// The list of trusted folders.
///
/// A folder is trusted if it, or a folder above it, was; except that trust does not enter another repository: a clone
/// inside a trusted folder is somebody else's work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    store: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Line {
    folder: PathBuf,
    trusted: bool,
}

impl Trust {
    /// The list in the person's `toolwright_home`.
    ///
    /// # Errors
    /// When there is neither `HOME` nor `TOOLWRIGHT_HOME`.
    pub fn of(places: &Places) -> Result<Self, ConfigError> {
        let home = places.toolwright_home.as_ref().ok_or(ConfigError::NoHome)?;
        Ok(Self { store: home.join("trust.jsonl") })
    }

    /// Remembers that a person trusts this folder.
    ///
    /// # Errors
    /// When the list cannot be written.
    pub fn trust(&self, folder: &Path) -> Result<(), ConfigError> {
        self.append(folder, true)
    }

    /// Takes trust back.
    ///
    /// # Errors
    /// When the list cannot be written.
    pub fn distrust(&self, folder: &Path) -> Result<(), ConfigError> {
        self.append(folder, false)
    }

    /// Whether this folder is trusted. A folder that does not exist is not.
    ///
    /// # Errors
    /// When the list is there and cannot be read.
    pub fn is_trusted(&self, folder: &Path) -> Result<bool, ConfigError> {
        let text = match fs::read(&self.store) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(source) => return Err(self.failed(source)),
        };
        let Ok(folder) = folder.canonicalize() else { return Ok(false) };
        // A torn line says nothing; the last line about a folder counts.
        let lines: Vec<Line> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        for at in folder.ancestors() {
            if let Some(line) = lines.iter().rev().find(|line| line.folder == at) {
                return Ok(line.trusted);
            }
            if at.join(".git").symlink_metadata().is_ok() {
                return Ok(false);
            }
        }
        Ok(false)
    }

    fn append(&self, folder: &Path, trusted: bool) -> Result<(), ConfigError> {
        let failed = |source| self.failed(source);
        let folder = folder.canonicalize().map_err(failed)?;
        let line = serde_json::to_string(&Line { folder, trusted })
            .map_err(|error| self.failed(std::io::Error::other(error)))?;
        if let Some(home) = self.store.parent() {
            fs::create_dir_all(home).map_err(failed)?;
        }
        let mut file = fs::OpenOptions::new().create(true).append(true).open(&self.store).map_err(failed)?;
        // The line break before it ends whatever a killed process left; empty lines say nothing.
        file.write_all(format!("\n{line}\n").as_bytes()).map_err(failed)
    }

    fn failed(&self, source: std::io::Error) -> ConfigError {
        ConfigError::TrustStore { file: self.store.clone(), source }
    }
}
