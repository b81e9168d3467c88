//! The order of decision: which step speaks first. What a rule means is `rule`, what covers a subject is `coverage`.

pub(crate) mod asked;
mod coverage;
mod places;
mod suggest;
mod unreadable;

use std::path::PathBuf;

use toolwright_core::{Authority, CommandPart, PathAccess, Subject, Verdict};

pub use places::{is_history_or_settings, protected_place};

use crate::subject::{PreparedSubject, what_it_does, what_lacks, words};
use crate::{AskedPart, Decision, HookVerdict, Mode, Request, Rule, RuleKind, RuleSet, Ruling, Step};
use asked::{Asked, Found, text_of};
use coverage::{Coverage, Search};
use suggest::Suggested;

/// Parts of a call above which a question does not name them all.
const MOST_PARTS: usize = 32;

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
    let subjects: Vec<PreparedSubject<'_>> =
        request.subjects.iter().map(|subject| PreparedSubject::new(subject, beside_commands)).collect();
    let [deny, ask, allow] =
        [RuleKind::Deny, RuleKind::Ask, RuleKind::Allow].map(|kind| Asked::new(rules, kind, request));
    let call = Call { request, subjects, deny, ask, allow };
    call.refused()
        .or_else(|| call.unreadable())
        .or_else(|| call.asked_by_rule())
        .or_else(|| call.needs_person())
        .or_else(|| call.decided_by_mode())
        .or_else(|| call.protected())
        .unwrap_or_else(|| call.covered())
}

struct Call<'a> {
    request: &'a Request<'a>,
    subjects: Vec<PreparedSubject<'a>>,
    deny: Asked<'a>,
    ask: Asked<'a>,
    allow: Asked<'a>,
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
        if let Some((rule, on)) = self.first_match(&self.deny) {
            let reason = format!("the {} matches {}", rule.reference(), words(on.unwrap_or(&Subject::Whole)));
            return Some(self.decision(Ruling::Deny, Step::DenyRule, reason).by(rule).on(on));
        }
        match self.request.verdict {
            Verdict::Deny(why) => Some(self.decision(Ruling::Deny, Step::DenyRule, why.clone())),
            _ => None,
        }
    }

    fn unreadable(&self) -> Option<Decision> {
        let odd = || {
            let why = |prepared: &PreparedSubject<'_>| {
                Some((prepared.subject.clone(), unreadable::why(prepared.subject)?))
            };
            self.subjects.iter().filter_map(why)
        };
        let (subject, why) = odd().next()?;
        // Where no rule could be about what stands there, whoever asks for nothing is asked nothing.
        let lists = [&self.deny, &self.ask];
        if self.request.mode == Mode::BypassPermissions
            && !lists.iter().any(|list| list.speaks_of_what_runs())
        {
            return None;
        }
        let part = |(subject, why): (Subject, String)| match subject {
            Subject::Unreadable(why) => AskedPart { shown: why, needs: "cannot be analysed".into() },
            subject => AskedPart { shown: words(&subject).into_owned(), needs: why },
        };
        let parts = odd().take(MOST_PARTS).map(part).collect();
        Some(Decision { parts, ..self.question(Step::Unreadable, why).on(Some(&subject)) })
    }

    fn asked_by_rule(&self) -> Option<Decision> {
        let question =
            self.matched_by_ask().or_else(|| self.possible_match()).or_else(|| self.hidden_code())?;
        let part = |prepared: &PreparedSubject<'_>| {
            let needs = match (self.ask.on(prepared), self.perhaps_on(prepared), self.hides_code(prepared)) {
                (Some((_, rule)), _, _) => format!("the {} matches it", rule.reference()),
                (None, Some(rule), _) => format!("the {} may be about it", rule.reference()),
                (None, None, Some(rule)) => {
                    format!("it runs code that the {} cannot see into", rule.reference())
                }
                (None, None, None) => return None,
            };
            Some(AskedPart { shown: words(prepared.subject).into_owned(), needs })
        };
        let parts = self.subjects.iter().filter_map(part).take(MOST_PARTS).collect();
        Some(Decision { parts, ..question })
    }

    fn matched_by_ask(&self) -> Option<Decision> {
        let (rule, on) = self.first_match(&self.ask)?;
        let reason = format!("the {} matches {}", rule.reference(), words(on.unwrap_or(&Subject::Whole)));
        Some(self.question(Step::AskRule, reason).by(rule).on(on))
    }

    /// A word such as `*/key` that a shell may expand into what a deny or ask rule is about, or a folder that is read, removed or
    /// moved with all that is below it.
    fn possible_match(&self) -> Option<Decision> {
        let mut subjects = self.subjects.iter();
        let (rule, prepared) = subjects.find_map(|prepared| Some((self.perhaps_on(prepared)?, prepared)))?;
        let (reference, subject) = (rule.reference(), prepared.subject);
        let does = match subject {
            Subject::Path { access: PathAccess::ReadBelow, .. } => Some("reads"),
            Subject::Path { access: PathAccess::WriteBelow, .. } => Some("may change"),
            Subject::Path { access: PathAccess::Remove, .. } if !prepared.is_expanded() => Some("removes"),
            _ => None,
        };
        let what = words(subject);
        let reason = match (does, prepared.denied_below().first()) {
            (Some(does), Some(path)) => {
                let path: PathBuf = path.components().collect();
                let path = path.display();
                format!("it {does} everything below {what}, and the {reference} is about {path} there")
            }
            (Some(does), None) => {
                format!("it {does} everything below {what}, where the {reference} may be about something")
            }
            (None, Some(path)) => {
                let path: PathBuf = path.components().collect();
                format!("{what} stands for {} among others, which the {reference} is about", path.display())
            }
            (None, None) if !prepared.is_expanded() => {
                format!(
                    "the {reference} is about {what}, and nothing is known of what the program does with it"
                )
            }
            (None, None) => format!("{what} may become what the {reference} is about"),
        };
        Some(self.question(Step::AskRule, reason).by(rule).on(Some(subject)))
    }

    fn perhaps_on(&self, prepared: &PreparedSubject<'_>) -> Option<&Rule> {
        self.deny.perhaps_on(prepared).or_else(|| self.ask.perhaps_on(prepared)).map(|(_, rule)| rule)
    }

    /// Code of which no rule on commands can say what it does, where there are such rules. Whoever allows exactly this text has
    /// seen it.
    fn hidden_code(&self) -> Option<Decision> {
        let mut subjects = self.subjects.iter();
        let (rule, subject) =
            subjects.find_map(|prepared| Some((self.hides_code(prepared)?, prepared.subject)))?;
        let reason = format!("{} runs code that the {} cannot see into", words(subject), rule.reference());
        let question = self.question(Step::AskRule, reason).by(rule).on(Some(subject));
        if self.needs_person().is_some() || self.protected().is_some() {
            return Some(question);
        }
        let Suggested { suggestions, together, of_kind } = self.suggestions();
        Some(Decision { suggestions, together, of_kind, ..question })
    }

    /// The rule that cannot see into the code that a command runs, if one would have to and none allows exactly that.
    fn hides_code(&self, prepared: &PreparedSubject<'_>) -> Option<&Rule> {
        self.hides_code_beside(prepared, &[])
    }

    fn hides_code_beside(&self, prepared: &PreparedSubject<'_>, tried: &[Rule]) -> Option<&Rule> {
        let Subject::Command(part @ CommandPart { runs_code: true, .. }) = prepared.subject else {
            return None;
        };
        let rule = self.deny.of_commands().or_else(|| self.ask.of_commands())?;
        let text = text_of(&self.subjects);
        let seen = |rule: &Rule| {
            rule.is_exactly(part, self.request)
                || text.is_some_and(|text| rule.is_whole_text(text, self.request))
        };
        let known = self.allow.exactly(part).or_else(|| text.and_then(|text| self.allow.for_text(text)));
        (known.is_none() && !tried.iter().any(seen)).then_some(rule)
    }

    fn suggestions(&self) -> Suggested {
        let allows = |tried: &[Rule]| {
            let covered = Search::new(&self.allow, tried, self.request, &self.subjects).whole();
            let code =
                || self.subjects.iter().any(|prepared| self.hides_code_beside(prepared, tried).is_some());
            !matches!(covered, Coverage::Lacking(_)) && !code()
        };
        let lacking = |tried: &[Rule]| {
            let search = Search::new(&self.allow, tried, self.request, &self.subjects);
            let code = |prepared: &&PreparedSubject<'_>| self.hides_code_beside(prepared, tried).is_some();
            let subject = search.lacking().next().or_else(|| self.subjects.iter().find(code));
            match (subject, search.whole()) {
                (Some(prepared), _) => Some(prepared.subject.clone()),
                (None, Coverage::Lacking(subject)) => Some(subject.clone()),
                (None, _) => None,
            }
        };
        // Whoever wrote a rule for some uses of a tool does not mean all of them.
        let whole_tool = || !self.allow.speaks_of_some_uses();
        suggest::rules(self.request, &self.subjects, whole_tool, lacking, allows)
    }

    fn needs_person(&self) -> Option<Decision> {
        if let Verdict::AskPerson(why) = self.request.verdict {
            return Some(self.question(Step::NeedsPerson, why.clone()));
        }
        if let HookVerdict::Ask(why) = self.request.hook {
            return Some(self.question(Step::NeedsPerson, format!("a hook wants a person to see it: {why}")));
        }
        // What a pattern in the root may stand for is named in its place.
        let any_path = self.changed_paths(PathAccess::Remove).any(PreparedSubject::may_be_any_path);
        let removed = self.changed_paths(PathAccess::Remove);
        let critical = removed.filter_map(|prepared| {
            let why = places::critical(prepared, self.request.roots)?;
            let reason = if any_path {
                "which names it removes is known only when it runs, and they may be any".to_owned()
            } else {
                format!("it removes {}, and {why}", words(prepared.subject))
            };
            Some((prepared.subject, reason))
        });
        self.places(Step::NeedsPerson, critical.collect())
    }

    fn decided_by_mode(&self) -> Option<Decision> {
        match self.request.mode {
            Mode::BypassPermissions => {
                let reason = "the mode bypassPermissions asks for nothing".to_owned();
                let decision = self.decision(Ruling::Allow, Step::Mode, reason);
                Some(Decision { authority: Authority::Bypass, ..decision })
            }
            Mode::Plan if let Verdict::NotReadOnly(why) = self.request.verdict => {
                Some(self.question(Step::Mode, format!("the mode plan only reads, and {why}")))
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
        let protected = changed.filter_map(|prepared| {
            let why = places::protected(prepared)?;
            Some((prepared.subject, format!("it changes {}: {why}", words(prepared.subject))))
        });
        let question = self.places(Step::ProtectedPlace, protected.collect());
        match (question, self.request.verdict) {
            (None, Verdict::Ask(why)) => Some(self.question(Step::ProtectedPlace, why.clone())),
            (question, _) => question,
        }
    }

    fn places<'s>(&'s self, step: Step, found: Vec<(&'s Subject, String)>) -> Option<Decision> {
        let (subject, reason) = found.first()?;
        let part = |(subject, why): &(&Subject, String)| AskedPart {
            shown: words(subject).into_owned(),
            needs: why.clone(),
        };
        let parts = found.iter().take(MOST_PARTS).map(part).collect();
        Some(Decision { parts, ..self.question(step, reason.clone()).on(Some(subject)) })
    }

    fn covered(&self) -> Decision {
        if *self.request.hook == HookVerdict::Allow {
            return self.decision(Ruling::Allow, Step::AllowRule, "a hook allowed it".into());
        }
        let search = Search::new(&self.allow, &[], self.request, &self.subjects);
        match search.whole() {
            Coverage::ByText(rule) => {
                let reason = format!("the {} is the whole of it", rule.reference());
                let decision = self.decision(Ruling::Allow, Step::AllowRule, reason).by(rule);
                Decision { authority: Authority::ExactRule, ..decision }
            }
            Coverage::ByRule(rule) => {
                let reason = format!("the {} covers it", rule.reference());
                self.decision(Ruling::Allow, Step::AllowRule, reason).by(rule)
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
                let Suggested { suggestions, together, of_kind } = self.suggestions();
                match (suggestions.first(), together.is_empty()) {
                    (Some(rule), _) if self.request.mode == Mode::DontAsk => {
                        reason.push_str(&format!(" (`{rule}` would)"));
                    }
                    (None, false) => {
                        reason.push_str(&format!(" (`{}` together would)", together.join("`, `")))
                    }
                    _ => {}
                }
                if let Verdict::NotReadOnly(why) = self.request.verdict {
                    reason.push_str(&format!("; it may do more than read: {why}"));
                }
                let part = |prepared: &PreparedSubject<'_>| AskedPart {
                    shown: words(prepared.subject).into_owned(),
                    needs: what_lacks(prepared.subject).into(),
                };
                let parts = search.lacking().take(MOST_PARTS).map(part).collect();
                let question = self.question(Step::Nothing, reason).on(Some(subject));
                Decision { suggestions, together, of_kind, parts, ..question }
            }
        }
    }

    /// The first rule of a list that matches, and the subject it matches.
    fn first_match<'a>(&'a self, list: &Asked<'a>) -> Option<(&'a Rule, Option<&'a Subject>)> {
        let mut first: Option<(Found<'a>, Option<&Subject>)> = list.on_call().map(|found| (found, None));
        for prepared in &self.subjects {
            let Some((number, rule)) = list.on(prepared) else { continue };
            let earlier = |((other, _), on): &(Found<'_>, Option<&Subject>)| {
                number < *other || (number == *other && on.is_none())
            };
            if first.as_ref().is_none_or(earlier) {
                first = Some(((number, rule), Some(prepared.subject)));
            }
        }
        first.map(|((_, rule), on)| (rule, on))
    }

    fn changed_paths(&self, wanted: PathAccess) -> impl Iterator<Item = &PreparedSubject<'_>> {
        self.subjects.iter().filter(
            move |prepared| matches!(prepared.subject, Subject::Path { access, .. } if *access == wanted),
        )
    }

    /// Whether it is known to change something.
    fn changes(&self) -> bool {
        let reads = self.request.effects.is_read_only();
        let may_only_read = matches!(self.request.verdict, Verdict::NotReadOnly(_));
        !reads && !may_only_read && !self.request.effects.delegates()
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
            of_kind: Vec::new(),
            parts: Vec::new(),
        }
    }
}

impl Decision {
    fn on(self, subject: Option<&Subject>) -> Self {
        Self { subject: subject.cloned(), ..self }
    }

    fn by(self, rule: &Rule) -> Self {
        Self { rule: Some(rule.reference()), ..self }
    }
}
