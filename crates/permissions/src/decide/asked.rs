//! One list of rules, as one call asks it: which rule is the first to speak.

use std::cell::OnceCell;

use toolwright_core::{CommandPart, Subject};

use crate::rule::Sights;
use crate::rule_set::List;
use crate::subject::PreparedSubject;
use crate::{Request, Rule, RuleKind, RuleSet};

/// A rule and its place in the list.
pub(crate) type Found<'a> = (u32, &'a Rule);

pub(crate) struct Asked<'a> {
    list: &'a List,
    request: &'a Request<'a>,
    sights: OnceCell<Sights>,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(rules: &'a RuleSet, kind: RuleKind, request: &'a Request<'a>) -> Self {
        Self { list: rules.list(kind), request, sights: OnceCell::new() }
    }

    /// For deny and ask: the first rule that matches the call as a whole.
    pub(crate) fn on_call(&self) -> Option<Found<'a>> {
        if self.is_empty() {
            return None;
        }
        let numbers = self.list.index().of_call(self.request);
        self.list.first(&numbers, |rule| rule.matches_call(self.request))
    }

    /// For deny and ask: the first rule that matches a subject.
    pub(crate) fn on(&self, prepared: &PreparedSubject<'_>) -> Option<Found<'a>> {
        if self.is_empty() {
            return None;
        }
        let numbers = self.list.index().of_subject(prepared, self.sights());
        self.list.first(&numbers, |rule| rule.matches(prepared, self.request))
    }

    /// For deny and ask: the first rule that may match what a path stands for.
    pub(crate) fn perhaps_on(&self, prepared: &PreparedSubject<'_>) -> Option<Found<'a>> {
        let open = [false, true].iter().any(|edits| prepared.open_extent(*edits).is_some());
        let open = open || !prepared.denied_below().is_empty();
        if self.is_empty() || !open {
            return None;
        }
        let numbers = self.list.index().perhaps_of_path(prepared, self.sights());
        self.list.first(&numbers, |rule| rule.may_match(prepared, self.request))
    }

    /// For allow: the first rule that covers a subject.
    pub(crate) fn covering(&self, prepared: &PreparedSubject<'_>) -> Option<&'a Rule> {
        if self.is_empty() {
            return None;
        }
        let index = self.list.index();
        let covers = |rule: &Rule| rule.covers(prepared, self.request);
        let by_tool = self.list.first(&index.of_tools(self.request.tool), covers);
        let by_subject = self.list.first(&index.of_subject(prepared, self.sights()), covers);
        [by_tool, by_subject].into_iter().flatten().min_by_key(|(number, _)| *number).map(|(_, rule)| rule)
    }

    /// For allow: the rule that gives exactly this command.
    pub(crate) fn exactly(&self, part: &CommandPart) -> Option<&'a Rule> {
        if self.is_empty() {
            return None;
        }
        let numbers = self.list.index().of_command(part);
        self.list.first(&numbers, |rule| rule.is_exactly(part, self.request)).map(|(_, rule)| rule)
    }

    /// For allow: the rule that is the whole text of the call.
    pub(crate) fn for_text(&self, text: &str) -> Option<&'a Rule> {
        if self.is_empty() {
            return None;
        }
        let numbers = self.list.index().of_text(text);
        self.list.first(numbers, |rule| rule.is_whole_text(text, self.request)).map(|(_, rule)| rule)
    }

    /// For allow: whether a rule speaks of some uses of the tool alone.
    pub(crate) fn speaks_of_some_uses(&self) -> bool {
        self.list.rules().iter().any(|rule| rule.speaks_of_some_uses(self.request.tool))
    }

    /// For deny and ask: the first rule on commands, if there is one.
    pub(crate) fn of_commands(&self) -> Option<&'a Rule> {
        if self.is_empty() {
            return None;
        }
        self.list.index().first_of_commands(self.list.rules())
    }

    /// For deny and ask: whether a rule speaks of commands or paths.
    pub(crate) fn speaks_of_what_runs(&self) -> bool {
        self.of_commands().is_some() || (!self.is_empty() && self.list.index().speaks_of_paths())
    }

    fn is_empty(&self) -> bool {
        self.list.rules().is_empty()
    }

    fn sights(&self) -> &Sights {
        self.sights.get_or_init(|| self.list.index().sights(self.request.roots))
    }
}

/// The whole text of a call, where it has one.
pub(crate) fn text_of<'s>(subjects: &[PreparedSubject<'s>]) -> Option<&'s str> {
    let mut texts = subjects.iter().filter_map(|prepared| match prepared.subject {
        Subject::Text(text) => Some(text.as_str()),
        _ => None,
    });
    match (texts.next(), texts.next()) {
        (Some(text), None) => Some(text),
        _ => None,
    }
}
