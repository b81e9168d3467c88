//! One call as permissions see it: plain data, gathered by the host. Knows no tool and reads no file.

use std::path::PathBuf;

use serde_json::Value;
use toolwright_core::{Effects, Origin, Subject, Verdict};

use crate::{Folder, Mode};

/// One call, with all that its decision depends on.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// Who is called.
    pub tool: ToolIdentity<'a>,
    /// The input as it was understood; rules for a parameter look at its top-level scalars.
    pub input: &'a Value,
    /// What it may do.
    pub effects: Effects,
    /// What it touches.
    pub subjects: &'a [ResolvedSubject],
    /// The tool's own opinion. What only a person may allow is `Verdict::AskPerson`.
    pub verdict: &'a Verdict,
    /// What hooks said.
    pub hook: &'a HookVerdict,
    /// The agent's mode.
    pub mode: Mode,
    /// The folders that matter.
    pub roots: &'a Roots,
    /// Whether the project is trusted; until then allow rules that it brought do not count.
    pub trusted: bool,
}

/// A tool's names and origin: from its `Definition`.
#[derive(Debug, Clone, Copy)]
pub struct ToolIdentity<'a> {
    /// The name the model calls.
    pub name: &'a str,
    /// Other names rules may use.
    pub aliases: &'a [String],
    /// Built-in, host or remote. A remote tool's server is taken from here and never from its name.
    pub origin: &'a Origin,
}

impl<'a> From<&'a toolwright_core::Definition> for ToolIdentity<'a> {
    fn from(definition: &'a toolwright_core::Definition) -> Self {
        Self { name: &definition.name, aliases: &definition.aliases, origin: &definition.origin }
    }
}

impl ToolIdentity<'_> {
    /// Whether `name` is its name or one of its aliases.
    #[must_use]
    pub fn answers_to(&self, name: &str) -> bool {
        self.name == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// Whether another program offers it, so that what it says of itself is not believed.
    #[must_use]
    pub const fn is_remote(&self) -> bool {
        matches!(self.origin, Origin::Remote { .. })
    }
}

/// A subject, with the host's answer to where a path really leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedSubject {
    /// As the tool named it.
    pub subject: Subject,
    /// For a path: absolute with every link resolved; for what does not exist yet, its nearest existing ancestor resolved
    /// and the rest appended. `None`: no link on the way, the spelled form is the real one.
    pub resolved: Option<PathBuf>,
    /// For a path with [`PathAccess::ReadBelow`](toolwright_core::PathAccess), and for one that a shell expands: the existing files
    /// and folders below it, and among those it stands for, that a deny or ask rule is about, where the host looked through all of
    /// it. `None`: it did not, and whatever a rule may be about counts.
    pub below: Option<Vec<PathBuf>>,
}

impl From<Subject> for ResolvedSubject {
    fn from(subject: Subject) -> Self {
        Self { subject, resolved: None, below: None }
    }
}

/// What hooks said before the call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum HookVerdict {
    /// Nothing, or a hook failed: the rules decide.
    #[default]
    None,
    /// It may run, as far as no deny rule, ask rule, critical removal or protected place says otherwise.
    Allow,
    /// A person should see it; says why.
    Ask(String),
    /// It must not run; says why.
    Deny(String),
}

/// The folders decisions depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roots {
    /// The agent's working directory now. Deny and ask patterns without anchor are matched from here too.
    pub cwd: Folder,
    /// Where the session started: the first working root, and what relative allow patterns are matched from, so that a
    /// changed directory loosens nothing.
    pub start: Folder,
    /// Further working roots.
    pub additional: Vec<Folder>,
    /// Folders that may be read without a question and in which nothing else follows from being inside: the session's own.
    pub readable: Vec<Folder>,
    /// The project's root.
    pub project: Folder,
    /// The person's home: the anchor of `~/`.
    pub home: Option<Folder>,
}

impl Roots {
    /// Everything at one folder.
    #[must_use]
    pub fn at(folder: impl Into<Folder>, home: Option<Folder>) -> Self {
        let folder = folder.into();
        Self {
            cwd: folder.clone(),
            start: folder.clone(),
            additional: Vec::new(),
            readable: Vec::new(),
            project: folder,
            home,
        }
    }
}
