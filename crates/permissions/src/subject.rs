//! A call's subjects, prepared for matching: paths normalised once, in both forms.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use toolwright_core::{CommandPart, PathAccess, Reach, Subject};

use crate::pattern::{Extent, has_wildcard, normalised};
use crate::{Folder, ResolvedSubject, Roots};

/// One subject.
#[derive(Debug, Clone)]
pub(crate) struct PreparedSubject<'a> {
    pub(crate) subject: &'a Subject,
    /// For a path, by its spelling.
    spelled: Option<PathBuf>,
    /// For a path with links on its way, where it leads.
    resolved: Option<PathBuf>,
    /// What of interest there is below it, or among what a shell makes of it, where the host looked.
    below: Option<&'a [PathBuf]>,
    /// Whether the call has commands among its subjects.
    pub(crate) beside_commands: bool,
}

impl<'a> PreparedSubject<'a> {
    pub(crate) fn new(subject: &'a ResolvedSubject, beside_commands: bool) -> Self {
        let spelled = match &subject.subject {
            Subject::Path { path, .. } => Some(normalised(path)),
            _ => None,
        };
        let resolved = subject.resolved.as_deref().map(normalised);
        let below = subject.below.as_deref();
        Self { subject: &subject.subject, spelled, resolved, below, beside_commands }
    }

    pub(crate) fn whole(subject: &'a Subject) -> Self {
        Self { subject, spelled: None, resolved: None, below: None, beside_commands: false }
    }

    /// How far a rule, `edits` for one on changing, must be asked about this path beyond its being named, if at all.
    pub(crate) fn open_extent(&self, edits: bool) -> Option<Extent> {
        match self.subject {
            Subject::Path { access: PathAccess::MayWrite, .. } if edits => Some(Extent::Itself),
            Subject::Path { access: PathAccess::WriteBelow, .. } => edits.then_some(Extent::Below),
            Subject::Path { access: PathAccess::ReadBelow, .. } if self.below.is_none() => {
                Some(Extent::Below)
            }
            // What is moved is the same under another name.
            Subject::Path { access: PathAccess::Remove, .. } => Some(Extent::BelowByPlace),
            // The host looks for what may not be read.
            Subject::Path { access, .. } if edits && !access.is_read() => {
                self.is_expanded().then_some(Extent::Itself)
            }
            _ => (self.is_expanded() && self.below.is_none()).then_some(Extent::Itself),
        }
    }

    /// The paths below it, or among what a shell makes of it, that the host found rules to be about.
    pub(crate) fn denied_below(&self) -> &'a [PathBuf] {
        self.below.unwrap_or_default()
    }

    /// Whether a shell would expand this path: only it knows into what.
    pub(crate) fn is_expanded(&self) -> bool {
        let wild = |path: &PathBuf| path.to_str().is_some_and(has_wildcard);
        self.beside_commands && self.spelled.as_ref().is_some_and(wild)
    }

    /// Whether nothing is known of this path: `/**` stands for a word that is made while the command runs.
    pub(crate) fn may_be_any_path(&self) -> bool {
        self.spelled.as_deref() == Some(Path::new("/**"))
    }

    /// Whether a shell would expand a folder of this path: any of them may be a link that leads anywhere.
    pub(crate) fn expands_folders(&self) -> bool {
        let folder = self.spelled.as_deref().and_then(Path::parent).and_then(Path::to_str);
        self.beside_commands && folder.is_some_and(has_wildcard)
    }

    /// Both forms of a path.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.spelled.iter().chain(&self.resolved).map(PathBuf::as_path)
    }
}

impl Roots {
    fn working(&self) -> impl Iterator<Item = &Folder> {
        std::iter::once(&self.start).chain(&self.additional)
    }

    /// Whether a path is inside the working roots in both its forms.
    pub(crate) fn hold(&self, prepared: &PreparedSubject<'_>) -> bool {
        inside(prepared, || self.working())
    }

    /// Whether a path may be read for where it is, in both its forms.
    pub(crate) fn hold_for_reading(&self, prepared: &PreparedSubject<'_>) -> bool {
        inside(prepared, || self.working().chain(&self.readable))
    }

    /// Whether a path is a working root itself.
    pub(crate) fn are(&self, prepared: &PreparedSubject<'_>) -> bool {
        prepared.paths().any(|path| self.working().any(|root| path == root.spelled || path == root.resolved))
    }

    /// The folders whose loss a person must agree to, themselves and all above them.
    pub(crate) fn protected_folders(&self) -> impl Iterator<Item = &Path> {
        self.working()
            .chain([&self.cwd, &self.project])
            .chain(&self.home)
            .flat_map(|folder| [folder.spelled.as_path(), folder.resolved.as_path()])
    }
}

/// A subject in a few words, for a reason.
pub(crate) fn words(subject: &Subject) -> Cow<'_, str> {
    match subject {
        Subject::Command(part) => format!("`{}`", part.shown).into(),
        Subject::Text(text) => format!("`{text}`").into(),
        // Without `.`, which says nothing.
        Subject::Path { path, .. } => path.components().collect::<PathBuf>().display().to_string().into(),
        Subject::Domain(host) => host.as_str().into(),
        Subject::Name(name) => format!("`{name}`").into(),
        Subject::Unreadable(why) => why.as_str().into(),
        _ => "the call as a whole".into(),
    }
}

/// What a subject without cover lacks.
pub(crate) fn what_lacks(subject: &Subject) -> &'static str {
    match subject {
        Subject::Command(CommandPart { reach: Reach::ExactText, .. }) => {
            "only a rule with its exact text allows it"
        }
        _ => "no rule allows it",
    }
}

/// What a tool does to a subject, behind "allows" or a word like it.
pub(crate) fn what_it_does(tool: &str, subject: &Subject) -> String {
    let does = match subject {
        Subject::Command(_) => "run",
        Subject::Path { access: PathAccess::Read | PathAccess::ReadBelow, .. } => "read",
        Subject::Path { access: PathAccess::Write | PathAccess::WriteBelow, .. } => "change",
        Subject::Path { access: PathAccess::MayWrite, .. } => "use",
        Subject::Path { access: PathAccess::Remove, .. } => "remove",
        Subject::Domain(_) => "reach",
        Subject::Name(_) => "use",
        _ => return format!("this call of {tool}"),
    };
    format!("{tool} to {does} {}", words(subject))
}

fn inside<'r, F: Iterator<Item = &'r Folder>>(prepared: &PreparedSubject<'_>, roots: impl Fn() -> F) -> bool {
    let held =
        |path: &Path| roots().any(|root| path.starts_with(&root.spelled) || path.starts_with(&root.resolved));
    prepared.spelled.is_some() && !prepared.expands_folders() && prepared.paths().all(held)
}
