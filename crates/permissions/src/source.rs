//! Where a rule comes from. Knows no file: the host says where it read what.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The layer a setting or rule belongs to, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// Set by whoever manages the machine.
    Managed,
    /// Command line flags, inline settings included.
    Flags,
    /// The person's own settings of one project.
    Local,
    /// Settings that come with the project.
    Project,
    /// The person's settings for all projects.
    User,
    /// Agreed to while the session runs.
    Session,
}

impl Scope {
    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Flags => "flags",
            Self::Local => "local",
            Self::Project => "project",
            Self::User => "user",
            Self::Session => "session",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A folder as it is spelled and with its links resolved. Both are absolute; they are equal where there is no link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// As the person or the host spelled it.
    pub spelled: PathBuf,
    /// With links resolved.
    pub resolved: PathBuf,
}

impl<P: Into<PathBuf>> From<P> for Folder {
    fn from(path: P) -> Self {
        let spelled = path.into();
        Self { resolved: spelled.clone(), spelled }
    }
}

/// Where a rule was read, and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The layer.
    pub scope: Scope,
    /// The file, where there is one.
    pub file: Option<PathBuf>,
    /// The folder that a path pattern beginning with one `/` is anchored to: the project root, the folder of the user's
    /// settings, the folder of a file given by flag; the start folder for everything else.
    pub base: Folder,
    /// Whether the project brought it: its allow rules then wait for trust.
    pub from_project: bool,
}

impl Source {
    /// A source without a file: flags, session. Rules of [`Scope::Project`] count as brought by the project.
    #[must_use]
    pub fn new(scope: Scope, base: impl Into<Folder>) -> Self {
        Self { scope, file: None, base: base.into(), from_project: scope == Scope::Project }
    }

    /// The same, read from `file`.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.file = Some(file.into());
        self
    }
}
