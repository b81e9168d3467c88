//! What can be wrong with a file: closed kinds, each with a text that says what to do next. Knows no tool's name.

use std::io;
use std::path::{Path, PathBuf};

use toolwright_core::{ErrorKind, ToolError};
use toolwright_text::look_alike;

/// Why a file could not be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilesError {
    /// There is no such file.
    #[error("there is no file {}{}", path.display(), hint(path, .near, .nearest_folder.as_ref()))]
    NotFound {
        /// What was asked for.
        path: PathBuf,
        /// Files whose names are near, the nearest first.
        near: Vec<PathBuf>,
        /// The innermost folder of `path` that exists, where its own folder does not.
        nearest_folder: Option<PathBuf>,
    },
    /// It is a folder.
    #[error(
        "{} is a folder, not a file; to list what is in it, search it for the pattern `*` (Glob), then give a file's path",
        path.display()
    )]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// It is neither a file nor a folder.
    #[error("{} is {what}, not a regular file; it is not opened, because that could hang or have effects", path.display())]
    Special {
        /// What was asked for.
        path: PathBuf,
        /// `a named pipe`, `a device`, `a socket`.
        what: &'static str,
    },
    /// The path itself cannot be.
    #[error("{path:?} cannot be a path: {reason}")]
    BadPath {
        /// What was asked for.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The operating system refuses.
    #[error("permission denied: {} cannot be {doing} by this user", path.display())]
    PermissionDenied {
        /// The file.
        path: PathBuf,
        /// `read`, `written`.
        doing: &'static str,
    },
    /// It holds no text.
    #[error("{} is binary ({what}), not text, and was left alone; a command that knows this kind of file can look into it", path.display())]
    Binary {
        /// The file.
        path: PathBuf,
        /// What it seems to be.
        what: String,
    },
    /// Its text cannot be decoded, or not so that it could be written back exactly.
    #[error("the text encoding of {} is not usable: {reason}; convert it first (`iconv -f OLD -t UTF-8`), or use a command that works on bytes", path.display())]
    Encoding {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The file's encoding has no way to write a character.
    #[error(
        "{} is stored as {encoding}, which cannot hold {character:?} (U+{:04X}); nothing was written; use other characters, or convert the file to UTF-8 first",
        path.display(), u32::from(*character)
    )]
    Unrepresentable {
        /// The file.
        path: PathBuf,
        /// Its encoding.
        encoding: &'static str,
        /// The first character it lacks.
        character: char,
    },
    /// It is too large for what was asked.
    #[error(
        "{} has {size} bytes, more than the {limit} that can be taken at once{}; use a command that streams (sed, awk, split)",
        path.display(), setting.map(|setting| format!(" (the setting `{setting}`)")).unwrap_or_default()
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its bytes.
        size: u64,
        /// How many are allowed.
        limit: u64,
        /// The setting that says so, where one does.
        setting: Option<&'static str>,
    },
    /// This agent has not read it.
    #[error("{} was not read yet; read it first, so that nothing unseen is changed", path.display())]
    NotRead {
        /// The file.
        path: PathBuf,
    },
    /// Only a part of it was read, and the whole would be replaced.
    #[error(
        "only a part of {} was read, and writing would replace all of it; read the rest first, or edit the part in place",
        path.display()
    )]
    PartlyRead {
        /// The file.
        path: PathBuf,
    },
    /// It is no longer what this agent read.
    #[error("{} changed on disk since it was read; read it again, then decide whether the change still fits", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A link or another folder was put in its way since the call was decided.
    #[error("{} leads elsewhere now than when this call was decided; nothing was opened; try again", path.display())]
    LeadsElsewhere {
        /// What was asked for.
        path: PathBuf,
    },
    /// A rule hides it.
    #[error("{} must not be read: the rule `{rule}` denies it", path.display())]
    Denied {
        /// What was asked for.
        path: PathBuf,
        /// The rule.
        rule: String,
    },
    /// What it holds could not be kept for taking the change back, so that it was not changed.
    #[error("{} was left alone, because what it holds cannot be kept: {source}", path.display())]
    NotKept {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// Pieces to be replaced overlap, lie outside the text or cut a character.
    #[error("the pieces to replace in {} overlap or lie outside its text", path.display())]
    BadSplice {
        /// The file.
        path: PathBuf,
    },
    /// The call was interrupted.
    #[error("interrupted; {} was left alone", path.display())]
    Cancelled {
        /// The file.
        path: PathBuf,
    },
    /// Anything else the operating system says.
    #[error("{} cannot be {doing}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// `read`, `written`.
        doing: &'static str,
        /// What it says.
        source: io::Error,
    },
    /// The host gives no files.
    #[error("this host gives no access to files")]
    NoFiles,
}

impl From<FilesError> for ToolError {
    fn from(error: FilesError) -> Self {
        let kind = match &error {
            FilesError::NotFound { .. } => ErrorKind::NotFound,
            FilesError::BadPath { .. } => ErrorKind::InvalidInput,
            FilesError::Cancelled { .. } => ErrorKind::Cancelled,
            FilesError::Denied { .. } => ErrorKind::Denied,
            FilesError::Folder { .. }
            | FilesError::LeadsElsewhere { .. }
            | FilesError::Special { .. }
            | FilesError::PermissionDenied { .. }
            | FilesError::Binary { .. }
            | FilesError::Encoding { .. }
            | FilesError::Unrepresentable { .. }
            | FilesError::TooLarge { .. }
            | FilesError::NotRead { .. }
            | FilesError::PartlyRead { .. }
            | FilesError::Changed { .. }
            | FilesError::NotKept { .. }
            | FilesError::BadSplice { .. }
            | FilesError::Io { .. }
            | FilesError::NoFiles => ErrorKind::Failed,
        };
        Self::new(kind, error.to_string()).caused_by(error)
    }
}

fn hint(path: &Path, near: &[PathBuf], nearest_folder: Option<&PathBuf>) -> String {
    let folder = nearest_folder.map(|folder| {
        format!("; its folder does not exist either, the nearest that does is {}", folder.display())
    });
    let names: Vec<_> =
        near.iter().map(|near| look_alike::guess(&path.to_string_lossy(), &near.to_string_lossy())).collect();
    let near = match names.as_slice() {
        [] => None,
        [only] => Some(format!("; did you mean {only}?")),
        several => Some(format!("; did you mean one of {}?", several.join(", "))),
    };
    folder.into_iter().chain(near).collect()
}
