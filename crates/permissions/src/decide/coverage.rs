//! Whether every subject of a call has cover, and from what: steps 8 to 10.

use toolwright_core::{CommandPart, Cover, PathAccess, Reach, Subject, Verdict};

use super::asked::{Asked, text_of};
use super::places;
use crate::subject::PreparedSubject;
use crate::{Mode, Request, Rule};

/// What covers a call.
#[derive(Debug, Clone, Copy)]
pub(super) enum Coverage<'a> {
    /// An allow rule that is the whole text of the call, and other rules for what that does not cover.
    ByText(&'a Rule),
    /// Allow rules; this is the first of them.
    ByRule(&'a Rule),
    /// It needs none: it only reads, inside the working roots.
    ReadOnly,
    /// The mode `acceptEdits`, for part of it at least.
    AcceptEdits,
    /// This subject has none.
    Lacking(&'a Subject),
}

/// Commands that `acceptEdits` covers where every path they name is inside the working roots.
const FILE_COMMANDS: [&str; 7] = ["mkdir", "touch", "rm", "rmdir", "mv", "cp", "sed"];

static WHOLE: Subject = Subject::Whole;

/// What the cover of one call is looked for in.
pub(super) struct Search<'a> {
    allow: &'a Asked<'a>,
    /// Rules that are tried beside those of the list.
    tried: &'a [Rule],
    request: &'a Request<'a>,
    subjects: &'a [PreparedSubject<'a>],
    commands: Vec<(&'a CommandPart, &'a PreparedSubject<'a>)>,
    /// The rule that is the whole text, where there is one.
    exact: Option<&'a Rule>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        allow: &'a Asked<'a>,
        tried: &'a [Rule],
        request: &'a Request<'a>,
        subjects: &'a [PreparedSubject<'a>],
    ) -> Self {
        let command = |prepared: &'a PreparedSubject<'a>| match prepared.subject {
            Subject::Command(part) => Some((part, prepared)),
            _ => None,
        };
        let exact = text_of(subjects).and_then(|text| {
            let tried = tried.iter().find(|rule| rule.is_whole_text(text, request));
            allow.for_text(text).or(tried)
        });
        let commands = subjects.iter().filter_map(command).collect();
        Self { allow, tried, request, subjects, commands, exact }
    }

    /// What covers the call.
    pub(super) fn whole(&self) -> Coverage<'a> {
        let mut whole = Coverage::ReadOnly;
        for prepared in self.subjects {
            match (self.cover(prepared), whole) {
                (lacking @ Coverage::Lacking(_), _) => return lacking,
                (Coverage::ReadOnly | Coverage::ByText(_), _)
                | (_, Coverage::AcceptEdits)
                | (Coverage::ByRule(_), Coverage::ByRule(_)) => {}
                (found, _) => whole = found,
            }
        }
        match (self.exact, whole) {
            (Some(rule), _) => Coverage::ByText(rule),
            // Nothing it names changes, and yet it changes something: then only a rule for the whole speaks of what it does.
            (None, Coverage::ReadOnly) if !self.may_go_uncovered() => {
                self.rule_for(&PreparedSubject::whole(&WHOLE))
            }
            (None, covered) => covered,
        }
    }

    /// The subjects that have no cover of their own.
    pub(super) fn lacking(&self) -> impl Iterator<Item = &'a PreparedSubject<'a>> {
        self.subjects.iter().filter(|prepared| matches!(self.cover(prepared), Coverage::Lacking(_)))
    }

    pub(super) fn cover(&self, prepared: &'a PreparedSubject<'a>) -> Coverage<'a> {
        if let (Subject::Command(_), Some(rule)) = (prepared.subject, self.exact) {
            return Coverage::ByText(rule);
        }
        let by_rule = self.rule_for(prepared);
        if !matches!(by_rule, Coverage::Lacking(_)) || self.request.tool.is_remote() {
            return by_rule;
        }
        match prepared.subject {
            Subject::Command(part) if part.reach == Reach::ReadOnly && !self.may_do_more() => {
                Coverage::ReadOnly
            }
            Subject::Command(part) if self.is_file_command(part) => Coverage::AcceptEdits,
            // What stands in it has subjects of its own.
            Subject::Text(_) => Coverage::ReadOnly,
            Subject::Path { access, cover, .. } => self.cover_of_path(prepared, *access, *cover),
            Subject::Whole | Subject::Name(_) | Subject::Domain(_) if self.is_harmless() => {
                Coverage::ReadOnly
            }
            _ => by_rule,
        }
    }

    fn cover_of_path(
        &self,
        prepared: &'a PreparedSubject<'a>,
        access: PathAccess,
        cover: Cover,
    ) -> Coverage<'a> {
        let inside = self.request.roots.hold(prepared);
        let unneeded = cover == Cover::Unneeded;
        if cover == Cover::IfPresent
            || (access.is_read() && (unneeded || self.request.roots.hold_for_reading(prepared)))
        {
            return Coverage::ReadOnly;
        }
        if let Cover::With(index) = cover
            && let Some((_, command)) = self.commands.get(index)
            && let covered @ (Coverage::ByRule(_) | Coverage::ByText(_)) =
                self.exact.map_or_else(|| self.rule_for(command), Coverage::ByText)
        {
            return covered;
        }
        if self.request.mode == Mode::AcceptEdits && inside && !self.request.roots.are(prepared) {
            return Coverage::AcceptEdits;
        }
        Coverage::Lacking(prepared.subject)
    }

    fn rule_for(&self, prepared: &PreparedSubject<'a>) -> Coverage<'a> {
        let tried = || self.tried.iter().find(|rule| rule.covers(prepared, self.request));
        let rule = self.allow.covering(prepared).or_else(tried);
        rule.map_or(Coverage::Lacking(prepared.subject), Coverage::ByRule)
    }

    /// A plain file command, all of whose paths are named and inside the working roots.
    fn is_file_command(&self, part: &CommandPart) -> bool {
        let plain = part.reach == Reach::Pattern
            && FILE_COMMANDS.contains(&part.program.as_str())
            && part.for_allow.strip_prefix(&part.program).is_some_and(|rest| rest.starts_with(' '))
            && !may_copy_folders(part);
        if self.request.mode != Mode::AcceptEdits || !plain {
            return false;
        }
        let own = self.commands.iter().position(|(command, _)| std::ptr::eq(*command, part));
        let mut paths = self
            .subjects
            .iter()
            .filter(|prepared| match prepared.subject {
                Subject::Path { cover: Cover::With(index), .. } => Some(*index) == own,
                _ => false,
            })
            .peekable();
        paths.peek().is_some() && paths.all(|prepared| self.is_plain(prepared))
    }

    /// Whether a path of a file command is inside the working roots, and is all that the command touches there.
    fn is_plain(&self, prepared: &PreparedSubject<'_>) -> bool {
        let plain = match prepared.subject {
            // In a folder that it is copied to, it has the same name.
            Subject::Path { access: PathAccess::Read, .. } => places::protected(prepared).is_none(),
            Subject::Path { access, .. } => matches!(access, PathAccess::Write | PathAccess::Remove),
            _ => false,
        };
        plain && self.request.roots.hold(prepared)
    }

    /// A local call that says it changes nothing, and whose tool holds it harmless.
    fn is_harmless(&self) -> bool {
        let effects = self.request.effects;
        effects.delegates() || (effects.is_read_only() && *self.request.verdict == Verdict::Allow)
    }

    /// Whether what would only read may do more where it runs.
    fn may_do_more(&self) -> bool {
        matches!(self.request.verdict, Verdict::NotReadOnly(_))
    }

    fn may_go_uncovered(&self) -> bool {
        let effects = self.request.effects;
        !self.request.tool.is_remote()
            && !self.may_do_more()
            && (effects.is_read_only() || effects.delegates())
    }
}

/// Whether it may make names that nobody sees: what a copied folder holds, a `.git` with hooks for one, stands in no argument.
fn may_copy_folders(part: &CommandPart) -> bool {
    let may = |word: &str| {
        // What a shell makes of it may be a flag.
        if word.starts_with(['*', '?', '[']) || word.contains(['$', '`', '{']) {
            return true;
        }
        let plain = word.replace(['\\', '\'', '"'], "");
        match plain.strip_prefix("--") {
            Some("") => false,
            Some(long) => ["recursive", "archive", "parents"].iter().any(|flag| flag.starts_with(long)),
            None => plain.starts_with('-') && plain.contains(['r', 'R', 'a']),
        }
    };
    part.program == "cp" && part.for_allow.split(' ').any(may)
}
