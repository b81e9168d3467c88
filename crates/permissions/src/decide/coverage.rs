//! Whether every subject of a call has cover, and from what: steps 8 to 10.

use toolwright_core::{CommandPart, Cover, PathAccess, Reach, Subject, Verdict};

use crate::subject::Touched;
use crate::{Mode, Request, Rule, RuleKind, RuleSet};

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

pub(super) fn of<'a>(rules: &'a RuleSet, request: &Request<'_>, subjects: &'a [Touched<'_>]) -> Coverage<'a> {
    let commands: Vec<&CommandPart> = subjects
        .iter()
        .filter_map(|touched| match touched.subject {
            Subject::Command(part) => Some(part),
            _ => None,
        })
        .collect();
    let exact = exact_rule(rules, request, subjects);
    let search = Search { rules, request, subjects, commands, exact };
    let mut whole = Coverage::ReadOnly;
    for touched in subjects {
        match (search.cover(touched), whole) {
            (lacking @ Coverage::Lacking(_), _) => return lacking,
            (Coverage::ReadOnly | Coverage::ByText(_), _)
            | (_, Coverage::AcceptEdits)
            | (Coverage::ByRule(_), Coverage::ByRule(_)) => {}
            (found, _) => whole = found,
        }
    }
    if let Some(rule) = exact {
        return Coverage::ByText(rule);
    }
    match whole {
        // Nothing it names changes, and yet it changes something: then only a rule for the whole speaks of what it does.
        Coverage::ReadOnly if !search.may_go_uncovered() => search.rule_for(&Touched::whole(&WHOLE)),
        covered => covered,
    }
}

/// The allow rule that is the whole text of the call.
fn exact_rule<'a>(rules: &'a RuleSet, request: &Request<'_>, subjects: &[Touched<'_>]) -> Option<&'a Rule> {
    let mut texts = subjects.iter().filter_map(|touched| match touched.subject {
        Subject::Text(text) => Some(text),
        _ => None,
    });
    let (text, None) = (texts.next()?, texts.next()) else { return None };
    rules.rules(RuleKind::Allow).iter().find(|rule| rule.is_whole_text(text, request))
}

static WHOLE: Subject = Subject::Whole;

struct Search<'a, 'r> {
    rules: &'a RuleSet,
    request: &'r Request<'r>,
    subjects: &'a [Touched<'a>],
    commands: Vec<&'a CommandPart>,
    /// The rule that is the whole text, where there is one.
    exact: Option<&'a Rule>,
}

impl<'a> Search<'a, '_> {
    fn cover(&self, touched: &'a Touched<'a>) -> Coverage<'a> {
        match (touched.subject, self.exact) {
            (Subject::Text(_), _) if !self.request.tool.is_remote() => return Coverage::ReadOnly,
            (Subject::Command(_), Some(rule)) => return Coverage::ByText(rule),
            _ => {}
        }
        let by_rule = self.rule_for(touched);
        if !matches!(by_rule, Coverage::Lacking(_)) || self.request.tool.is_remote() {
            return by_rule;
        }
        match touched.subject {
            Subject::Command(part) if part.reach == Reach::ReadOnly => Coverage::ReadOnly,
            Subject::Command(part) if self.is_file_command(part) => Coverage::AcceptEdits,
            // What stands in it has subjects of its own.
            Subject::Text(_) => Coverage::ReadOnly,
            Subject::Path { access, cover, .. } => self.cover_of_path(touched, *access, *cover),
            Subject::Whole | Subject::Name(_) | Subject::Domain(_) if self.is_harmless() => {
                Coverage::ReadOnly
            }
            _ => by_rule,
        }
    }

    fn cover_of_path(&self, touched: &'a Touched<'a>, access: PathAccess, cover: Cover) -> Coverage<'a> {
        let inside = self.request.roots.hold(touched);
        if access.is_read() && (cover == Cover::Unneeded || self.request.roots.hold_for_reading(touched)) {
            return Coverage::ReadOnly;
        }
        if let Cover::With(index) = cover
            && let Some(command) = self.commands.get(index)
            && let covered @ (Coverage::ByRule(_) | Coverage::ByText(_)) = self.rule_for_command(command)
        {
            return covered;
        }
        if self.request.mode == Mode::AcceptEdits && inside && !self.request.roots.are(touched) {
            return Coverage::AcceptEdits;
        }
        Coverage::Lacking(touched.subject)
    }

    fn rule_for(&self, touched: &Touched<'a>) -> Coverage<'a> {
        let covers = |rule: &&Rule| rule.covers(touched, self.request);
        let rule = self.rules.rules(RuleKind::Allow).iter().find(covers);
        rule.map_or(Coverage::Lacking(touched.subject), Coverage::ByRule)
    }

    fn rule_for_command(&self, command: &CommandPart) -> Coverage<'a> {
        if let Some(rule) = self.exact {
            return Coverage::ByText(rule);
        }
        let touched = self.subjects.iter().find(|touched| match touched.subject {
            Subject::Command(part) => std::ptr::eq(part, command),
            _ => false,
        });
        touched.map_or(Coverage::Lacking(&WHOLE), |touched| self.rule_for(touched))
    }

    /// A plain file command, all of whose paths are named and inside the working roots.
    fn is_file_command(&self, part: &CommandPart) -> bool {
        let plain = part.reach == Reach::Pattern
            && FILE_COMMANDS.contains(&part.program.as_str())
            && part.for_allow.strip_prefix(&part.program).is_some_and(|rest| rest.starts_with(' '));
        let own = self.commands.iter().position(|command| std::ptr::eq(*command, part));
        let mut paths = self
            .subjects
            .iter()
            .filter(|touched| match touched.subject {
                Subject::Path { cover: Cover::With(index), .. } => Some(*index) == own,
                _ => false,
            })
            .peekable();
        self.request.mode == Mode::AcceptEdits
            && plain
            && paths.peek().is_some()
            && paths.all(|touched| self.request.roots.hold(touched))
    }

    /// A local call that says it changes nothing, and whose tool holds it harmless.
    fn is_harmless(&self) -> bool {
        let effects = self.request.effects;
        effects.delegates() || (effects.is_read_only() && *self.request.verdict == Verdict::Allow)
    }

    fn may_go_uncovered(&self) -> bool {
        let effects = self.request.effects;
        !self.request.tool.is_remote() && (effects.is_read_only() || effects.delegates())
    }
}
