//! The order of decision: which step speaks first. What a rule means is `rule`, what covers a subject is `coverage`.

mod coverage;
mod places;
mod suggest;

use std::path::Path;

use toolwright_core::{Authority, PathAccess, Subject, Verdict};

use crate::pattern::is_host_character;
use crate::subject::{Touched, what_it_does, words};
use crate::{Decision, HookVerdict, Mode, Request, Roots, Rule, RuleKind, RuleSet, Ruling, Step};
use coverage::Coverage;

/// Characters of a single command above which it counts as unreadable.
const LONGEST_COMMAND: usize = 10_000;

/// Decides one call. Pure: the same request and rules give the same decision; adding a deny or ask rule never makes it
/// milder, and removing an allow rule never does.
///
/// The order: a blocking hook (2) and deny rules (3) refuse first, on whatever could be read; then unreadable input (1),
/// ask rules (4), what only a person may allow (5), the mode (6), protected places (7), allow rules (8), plain reading
/// (9), `acceptEdits` (10), and in the end a question (11). In the mode `dontAsk`, and in `plan` for what changes
/// anything, each question is a refusal.
#[must_use]
pub fn decide(rules: &RuleSet, request: &Request<'_>) -> Decision {
    let beside_commands =
        request.subjects.iter().any(|subject| matches!(subject.subject, Subject::Command(_)));
    let subjects: Vec<Touched<'_>> =
        request.subjects.iter().map(|subject| Touched::new(subject, beside_commands)).collect();
    let call = Call { rules, request, subjects };
    call.refused()
        .or_else(|| call.unreadable())
        .or_else(|| call.asked_by_rule())
        .or_else(|| call.needs_person())
        .or_else(|| call.decided_by_mode())
        .or_else(|| call.protected())
        .unwrap_or_else(|| call.covered())
}

/// The text of the deny rule that hides `path` from reading, if one does: for `PathPolicy`. Where links are on the way,
/// ask for the spelled and for the resolved form: either may be hidden.
#[must_use]
pub fn denies_read(rules: &RuleSet, roots: &Roots, path: &Path) -> Option<String> {
    let rules = rules.rules(RuleKind::Deny);
    // A walk asks this of each of its paths.
    if rules.is_empty() {
        return None;
    }
    let touched = Touched::path(path, &Subject::Whole);
    let hides = |rule: &&Rule| rule.hides(&touched, roots);
    rules.iter().find(hides).map(|rule| rule.text().to_owned())
}

struct Call<'a> {
    rules: &'a RuleSet,
    request: &'a Request<'a>,
    subjects: Vec<Touched<'a>>,
}

impl Call<'_> {
    fn refused(&self) -> Option<Decision> {
        if let HookVerdict::Deny(why) = self.request.hook {
            return Some(self.decision(
                Ruling::Deny,
                Step::BlockingHook,
                format!("a hook blocked it: {why}"),
            ));
        }
        if let Some(decision) = self.bitten(RuleKind::Deny, Step::DenyRule) {
            return Some(decision);
        }
        match self.request.verdict {
            Verdict::Deny(why) => Some(self.decision(Ruling::Deny, Step::DenyRule, why.clone())),
            _ => None,
        }
    }

    fn unreadable(&self) -> Option<Decision> {
        self.subjects.iter().find_map(|touched| {
            let why = unreadable(touched.subject)?;
            Some(self.question(Step::Unreadable, why).about(touched.subject))
        })
    }

    fn asked_by_rule(&self) -> Option<Decision> {
        self.bitten(RuleKind::Ask, Step::AskRule).or_else(|| self.perhaps_bitten())
    }

    /// A word such as `*/key` that a shell may expand into what a deny or ask rule is about.
    fn perhaps_bitten(&self) -> Option<Decision> {
        let rules = [RuleKind::Deny, RuleKind::Ask].map(|kind| self.rules.rules(kind));
        rules.into_iter().flatten().find_map(|rule| {
            let touched = self.subjects.iter().find(|touched| rule.may_bite_on(touched, self.request))?;
            let reference = rule.reference();
            let reason = format!("{} may become what the {reference} is about", words(touched.subject));
            let question = self.question(Step::AskRule, reason).about(touched.subject);
            Some(Decision { rule: Some(reference), ..question })
        })
    }

    fn needs_person(&self) -> Option<Decision> {
        if let Verdict::AskPerson(why) = self.request.verdict {
            return Some(self.question(Step::NeedsPerson, why.clone()));
        }
        if let HookVerdict::Ask(why) = self.request.hook {
            return Some(self.question(Step::NeedsPerson, format!("a hook wants a person to see it: {why}")));
        }
        self.changed_paths(PathAccess::Remove).find_map(|touched| {
            let why = places::critical(touched, self.request.roots)?;
            let reason = format!("it removes {}, and {why}", words(touched.subject));
            Some(self.question(Step::NeedsPerson, reason).about(touched.subject))
        })
    }

    fn decided_by_mode(&self) -> Option<Decision> {
        match self.request.mode {
            Mode::BypassPermissions => {
                let reason = "the mode bypassPermissions asks for nothing".to_owned();
                let decision = self.decision(Ruling::Allow, Step::Mode, reason);
                Some(Decision { authority: Authority::Bypass, ..decision })
            }
            Mode::Plan if self.changes() => {
                let reason = "the mode plan only reads; leave it before you change anything".to_owned();
                Some(self.decision(Ruling::Deny, Step::Mode, reason))
            }
            Mode::Plan | Mode::DontAsk | Mode::Default | Mode::AcceptEdits => None,
        }
    }

    fn protected(&self) -> Option<Decision> {
        let changed = self.changed_paths(PathAccess::Write).chain(self.changed_paths(PathAccess::Remove));
        for touched in changed {
            if let Some(why) = places::protected(touched) {
                let reason = format!("it changes {}: {why}", words(touched.subject));
                return Some(self.question(Step::ProtectedPlace, reason).about(touched.subject));
            }
        }
        match self.request.verdict {
            Verdict::Ask(why) => Some(self.question(Step::ProtectedPlace, why.clone())),
            _ => None,
        }
    }

    fn covered(&self) -> Decision {
        if *self.request.hook == HookVerdict::Allow {
            return self.decision(Ruling::Allow, Step::AllowRule, "a hook allowed it".into());
        }
        match coverage::of(self.rules, self.request, &self.subjects) {
            Coverage::ByText(rule) => {
                let rule = rule.reference();
                let reason = format!("the {rule} is the whole of it");
                let decision = self.decision(Ruling::Allow, Step::AllowRule, reason);
                Decision { rule: Some(rule), authority: Authority::ExactRule, ..decision }
            }
            Coverage::ByRule(rule) => {
                let rule = rule.reference();
                let reason = format!("the {rule} covers it");
                Decision { rule: Some(rule), ..self.decision(Ruling::Allow, Step::AllowRule, reason) }
            }
            Coverage::ReadOnly => {
                let reason = "it only reads, inside the working directories".to_owned();
                self.decision(Ruling::Allow, Step::ReadOnly, reason)
            }
            Coverage::AcceptEdits => {
                let reason = "the mode acceptEdits covers it".to_owned();
                self.decision(Ruling::Allow, Step::AcceptEdits, reason)
            }
            Coverage::Lacking(subject) => {
                let mut reason = format!("no rule allows {}", what_it_does(self.request.tool.name, subject));
                let (suggestions, together) = suggest::rules(self.rules, self.request, &self.subjects);
                match (suggestions.first(), together.is_empty()) {
                    (Some(rule), _) if self.request.mode == Mode::DontAsk => {
                        reason.push_str(&format!(" (`{rule}` would)"));
                    }
                    (None, false) => {
                        reason.push_str(&format!(" (`{}` together would)", together.join("`, `")))
                    }
                    _ => {}
                }
                let question = self.question(Step::Nothing, reason).about(subject);
                Decision { suggestions, together, ..question }
            }
        }
    }

    /// The first rule of a list that bites.
    fn bitten(&self, kind: RuleKind, step: Step) -> Option<Decision> {
        self.rules.rules(kind).iter().find_map(|rule| {
            let subject = self.subjects.iter().find(|touched| rule.bites_on(touched, self.request));
            if subject.is_none() && !rule.bites_on_call(self.request) {
                return None;
            }
            let reference = rule.reference();
            let subject = subject.map(|touched| touched.subject);
            let on = words(subject.unwrap_or(&Subject::Whole)).into_owned();
            let decision = match kind {
                RuleKind::Ask => self.question(step, format!("the {reference} matches {on}")),
                RuleKind::Deny | RuleKind::Allow => {
                    self.decision(Ruling::Deny, step, format!("the {reference} matches {on}"))
                }
            };
            Some(Decision { rule: Some(reference), subject: subject.cloned(), ..decision })
        })
    }

    fn changed_paths(&self, wanted: PathAccess) -> impl Iterator<Item = &Touched<'_>> {
        self.subjects.iter().filter(
            move |touched| matches!(touched.subject, Subject::Path { access, .. } if *access == wanted),
        )
    }

    fn changes(&self) -> bool {
        !self.request.effects.is_read_only() && !self.request.effects.delegates()
    }

    /// A question, or in a mode that has none a refusal.
    fn question(&self, step: Step, reason: String) -> Decision {
        match self.request.mode {
            Mode::DontAsk => {
                let reason = format!("{reason}; the mode dontAsk denies what is not allowed beforehand");
                self.decision(Ruling::Deny, step, reason)
            }
            Mode::Plan if self.changes() => {
                let reason = format!("{reason}; and the mode plan only reads");
                self.decision(Ruling::Deny, step, reason)
            }
            _ => self.decision(Ruling::Ask, step, reason),
        }
    }

    fn decision(&self, outcome: Ruling, step: Step, reason: String) -> Decision {
        Decision {
            outcome,
            step,
            rule: None,
            subject: None,
            authority: Authority::Analysis,
            reason,
            suggestions: Vec::new(),
            together: Vec::new(),
        }
    }
}

impl Decision {
    fn about(self, subject: &Subject) -> Self {
        Self { subject: Some(subject.clone()), ..self }
    }
}

/// Why a subject cannot be judged, if so.
fn unreadable(subject: &Subject) -> Option<String> {
    let control = |text: &str| text.chars().any(|character| character.is_control());
    match subject {
        Subject::Unreadable(why) => Some(why.clone()),
        Subject::Command(part) => {
            let texts = [&part.shown, &part.for_allow];
            let odd = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
            if texts.iter().any(|text| text.contains(odd)) {
                return Some("a command has a control character in it".into());
            }
            texts
                .iter()
                .any(|text| text.chars().count() > LONGEST_COMMAND)
                .then(|| format!("a command is longer than {LONGEST_COMMAND} characters"))
        }
        Subject::Path { path, .. } => match path.to_str() {
            None => Some(format!("the path {} is no text", path.display())),
            Some(text) if control(text) => Some(format!("the path {text:?} has a control character in it")),
            // ` ..` is a name like any other, and hardly ever meant as one.
            Some(text) => text
                .split('/')
                .any(|name| matches!(name.trim(), "." | "..") && name.trim() != name)
                .then(|| format!("the path {text:?} has a name of dots and blanks in it")),
        },
        Subject::Domain(host) => (host.is_empty()
            || host.contains(|character| !is_host_character(character)))
        .then(|| format!("{host:?} is no plain host name")),
        Subject::Name(name) => {
            control(name).then(|| format!("the name {name:?} has a control character in it"))
        }
        _ => None,
    }
}
