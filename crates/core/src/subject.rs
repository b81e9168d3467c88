//! What a call touches, in the forms permission rules match. Knows no rule and no shell syntax.

use std::path::PathBuf;

/// One thing a call touches.
///
/// A *deny* or *ask* rule applies to a call if it matches **any** of its subjects; *allow* rules let it run only if **every**
/// subject that needs cover is covered. Paths are absolute and as spelled: the host resolves links before permissions are decided.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// One simple command of a shell text.
    Command(CommandPart),
    /// The whole text of a call that runs commands, as written. It asks for no cover of its own; an allow rule that is exactly
    /// this text covers every command part of the call, which then runs as written.
    Text(String),
    /// A file or folder.
    Path {
        /// Absolute, as the call spelled it; links not resolved.
        path: PathBuf,
        /// What happens to it.
        access: PathAccess,
        /// What may let it through.
        cover: Cover,
    },
    /// A network host name, without port.
    Domain(String),
    /// A name a rule may give in brackets: a subagent type, a remote tool.
    Name(String),
    /// Something in the input could not be understood; says what. Asks, whatever allows.
    Unreadable(String),
    /// The call as a whole: only a rule for the whole tool speaks of it.
    Whole,
}

impl Subject {
    /// A path that an allow rule must cover itself.
    #[must_use]
    pub fn path(path: impl Into<PathBuf>, access: PathAccess) -> Self {
        Self::Path { path: path.into(), access, cover: Cover::Own }
    }
}

/// One simple command of a shell text, in the forms rules are matched against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandPart {
    /// The text a person is shown.
    pub shown: String,
    /// The program's name after quote removal, wrappers stripped.
    pub program: String,
    /// The one form an allow rule's pattern is matched against.
    pub for_allow: String,
    /// The forms any of which a deny or ask rule may match (with and without wrappers and assignments).
    pub for_deny: Vec<String>,
    /// What may let this part through.
    pub reach: Reach,
    /// It runs code that rules on commands cannot see into: code in another language among its arguments (`python3 -c`, `perl -e`,
    /// `awk` with `system`), a script from standard input or a file descriptor, commands of an editor. Where a deny or ask rule
    /// on commands exists, such a part asks. A script in a file of the project (`python3 x.py`, `make`, `npm run`) is not meant.
    pub runs_code: bool,
}

/// What may let a command part through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Nothing is needed: it only reads.
    ReadOnly,
    /// An allow rule whose pattern matches.
    Pattern,
    /// Only an allow rule that gives its exact text.
    ExactText,
}

/// What happens to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathAccess {
    /// Its content or listing is read.
    Read,
    /// Its content is read, and where it is a folder that of every file below it, without following the links below it
    /// (`grep -r`, `git diff`, `tar`). A deny or ask rule for a path below it concerns the call.
    ReadBelow,
    /// It is given to a program of which nobody knows whether it changes it. A rule for changing the path asks.
    MayWrite,
    /// It is created or changed.
    Write,
    /// It is created or changed, or whatever lies below it: which, only the program knows (`tar -x`, `git merge`). A deny or ask
    /// rule for changing a path below it concerns the call.
    WriteBelow,
    /// It is removed or moved away.
    Remove,
}

impl PathAccess {
    /// Whether it leaves the path as it is.
    #[must_use]
    pub const fn is_read(self) -> bool {
        matches!(self, Self::Read | Self::ReadBelow)
    }
}

/// What must cover a path before a call is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cover {
    /// An allow rule of its own (a redirect target, `file_path`).
    Own,
    /// The allow for command part `n` (counted in the call's own subjects of kind [`Subject::Command`], from 0) covers it;
    /// deny rules, ask rules and protected places still see it.
    With(usize),
    /// None, for reading it: a file that is public on every machine (`/etc/os-release`). Deny and ask rules still see it.
    Unneeded,
    /// None, and it counts only where something is there: a word of a command that may name a file, of which nobody knows whether
    /// it does. Deny and ask rules see it.
    IfPresent,
}

/// A tool's opinion of one call: one voice among several, and never one that loosens a rule.
///
/// Ordered from the mildest to the strictest, so that the strictest of several is their `max`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// No opinion.
    #[default]
    Defer,
    /// Harmless. Heard at step 9 of the order of decision, and only for a read-only call.
    Allow,
    /// It would only read, but where it runs it may do more; says why. Its parts then need allow rules like those of any other
    /// call, and where one lacks them the question says why. The mode `plan` asks.
    NotReadOnly(String),
    /// A person should see it; says why. Heard at step 7.
    Ask(String),
    /// A person must see it, even where the mode bypasses questions; says why. Heard at step 5.
    AskPerson(String),
    /// It must not run; says why. Heard at step 3.
    Deny(String),
}
