//! Between `Decide` and `Decided`: hooks, parsing what they rewrote, validation, the order of decision, and the question to
//! a person. Every way out that is not "run" has the call's one result.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{
    Authority, Content, Cover, DecidedPaths, Detail, DynCall, DynTool, ErrorKind, Outcome, Stage, Subject,
    ToolContext, ToolError, Verdict,
};
use toolwright_engine::event::{EventBody, ToolFinish};
use toolwright_engine::{Decided, Ending, MOST_REPEATS, Timing, is_too_deep};
use toolwright_permissions::{
    Approval, Decision, HookVerdict, Mode, PermissionAsk, Request, RuleKind, Ruling, Step, ToolIdentity,
    decide,
};
use toolwright_services::{Approver, DenyAll};
use toolwright_workspace::hard_links::other_names;
use toolwright_workspace::links;

use crate::Session;
use crate::below;
use crate::call::too_deep;
use crate::hooks::{HookCall, Occasion};
use crate::reach::{Look, Reached, folders_in, links_in};

/// How often an approver may rewrite one call.
const MOST_REWRITES: u32 = 3;

/// Everything one decision needs, owned, so that it can wait for a person beside the turn.
pub(crate) struct Deciding {
    pub(crate) session: Arc<Session>,
    pub(crate) tool: Arc<dyn DynTool>,
    pub(crate) call: Arc<dyn DynCall>,
    pub(crate) cx: ToolContext,
    pub(crate) mode: Mode,
    pub(crate) may_ask: bool,
    pub(crate) timing: Timing,
    /// The same call was made again and again, each time with the same result: somebody has to look at it.
    pub(crate) repeated: bool,
    /// A person agreed to this very input, which names another machine: that may be looked at now.
    pub(crate) far_agreed: bool,
    /// Where the call's paths led when it was last judged.
    pub(crate) judged: Reached,
}

/// What came of a decision.
pub(crate) struct DecideEnd {
    pub(crate) decided: Decided,
    /// The call as it will run.
    pub(crate) call: Arc<dyn DynCall>,
    /// The result, where it does not run.
    pub(crate) result: Option<ToolFinish>,
    /// To be recorded before anything is done.
    pub(crate) events: Vec<EventBody>,
    /// On whose authority it runs: [`Authority::Person`] where a person, or a program in their place, agreed to it.
    pub(crate) authority: Authority,
    /// Where its paths led: what it opens lies there.
    pub(crate) paths: DecidedPaths,
    /// What hooks want the model to read beside the call's answer; already in `result` where there is one.
    pub(crate) context: Option<String>,
}

impl Deciding {
    pub(crate) async fn run(self) -> DecideEnd {
        let mut context = None;
        let repeated = self.repeated;
        let mut end = self.decide(&mut context).await;
        // What rules, hooks or the tool itself refuse each time is put to nobody.
        let asked = end.events.iter().any(|event| matches!(event, EventBody::Approval { .. }));
        if repeated && !asked && matches!(end.decided, Decided::Refused) {
            end.decided = Decided::RefusedAndEnd(Ending::Repeating);
        }
        match &mut end.result {
            Some(result) => result.answer.extend(context.map(Content::text)),
            None => end.context = context,
        }
        end
    }

    async fn decide(mut self, context: &mut Option<String>) -> DecideEnd {
        let mut events = Vec::new();
        let name = self.tool.definition().name.clone();
        if self.repeated {
            if self.timing == Timing::Early {
                return self.not_early();
            }
            if !self.approver().can_ask() {
                let refused = self.refused(&format!("{name} was not run: {}", repeated_call()));
                return self.end(Decided::RefusedAndEnd(Ending::Repeating), refused, events);
            }
        }
        let hooks = Arc::clone(&self.session.options.hooks);
        let mut hook = HookVerdict::None;
        if hooks.cares_about(&name) {
            if self.timing == Timing::Early {
                return self.not_early();
            }
            let before = hooks.before(self.hook_call(&name)).await;
            hook = before.verdict;
            *context = before.context;
            events.extend(before.notices.into_iter().map(|text| EventBody::Notice { text }));
            if let Some(why) = before.stop {
                let refused = self.refused(&format!("{name} was not run: a hook ended the turn: {why}"));
                return self.end(Decided::RefusedAndEnd(Ending::HookStopped(why)), refused, events);
            }
            // What is blocked is not read again, so that its reason is the hook's.
            if !matches!(hook, HookVerdict::Deny(_))
                && let Some(input) = before.input
                && let Err(refused) = self.rewrite(input)
            {
                return self.end(Decided::Refused, refused, events);
            }
        }
        let mut decision = match self.validated(&hook).await {
            Ok(decision) => decision,
            Err(refused) => return self.end(Decided::Refused, refused, events),
        };
        let mut agreed = false;
        let mut rounds = 0;
        while decision.outcome == Ruling::Ask {
            if self.timing == Timing::Early {
                return self.not_early();
            }
            // One question at a time in a session, whoever asks. What was allowed meanwhile may have answered this one.
            let session = Arc::clone(&self.session);
            let rules = session.rules();
            let _turn = session.asking.lock().await;
            if !Arc::ptr_eq(&rules, &session.rules()) {
                decision = match self.validated(&hook).await {
                    Ok(decision) => decision,
                    Err(refused) => return self.end(Decided::Refused, refused, events),
                };
                continue;
            }
            events.push(self.decision_event(&decision));
            let asked_about = self.reached();
            let approval = self.approver().approve(&self.ask(&name, &decision, &asked_about)).await;
            events.push(approval_event(&self.cx, &approval));
            let (input, remember) = match approval {
                Approval::Allow { input, remember } => (input, remember),
                Approval::Refuse { message, interrupt } => {
                    let refused = self.refused(&message);
                    let interrupted = Decided::RefusedAndEnd(Ending::Interrupted);
                    let decided = if interrupt { interrupted } else { Decided::Refused };
                    return self.end(decided, refused, events);
                }
                _ => {
                    let refused = self.refused("the answer to the permission question was not understood");
                    return self.end(Decided::Refused, refused, events);
                }
            };
            agreed = true;
            session.remember(&remember);
            let Some(input) = input.filter(|input| input != self.call.input()) else {
                // A question may stand for long: what was agreed to is where the paths led when it was asked.
                if self.reached() == asked_about {
                    if asked_about.far.is_none() {
                        break;
                    }
                    // Only now it may be told where that leads; a rule may be about it.
                    self.far_agreed = true;
                    decision = match self.validated(&hook).await {
                        Ok(decision) => decision,
                        Err(refused) => return self.end(Decided::Refused, refused, events),
                    };
                    if decision.outcome == Ruling::Ask && settled_by_person(decision.step) {
                        break;
                    }
                    continue;
                }
                let refused = self.refused(&format!(
                    "{name} was not run: a path leads elsewhere now than when it was asked about; ask again"
                ));
                return self.end(Decided::Refused, refused, events);
            };
            if let Err(refused) = self.rewrite(input) {
                return self.end(Decided::Refused, refused, events);
            }
            decision = match self.validated(&hook).await {
                Ok(decision) => decision,
                Err(refused) => return self.end(Decided::Refused, refused, events),
            };
            // Whoever rewrote it has seen it; what no allow rule could settle is asked again all the same.
            if decision.outcome == Ruling::Ask && settled_by_person(decision.step) {
                break;
            }
            rounds += 1;
            if rounds > MOST_REWRITES {
                let refused =
                    self.refused("it was rewritten again and again; make one call that can be approved");
                return self.end(Decided::Refused, refused, events);
            }
        }
        if decision.outcome != Ruling::Ask {
            events.push(self.decision_event(&decision));
        }
        if decision.outcome == Ruling::Deny {
            let refused = self.refused(&format!("{name} was not run: {}", decision.reason));
            return self.end(Decided::Refused, refused, events);
        }
        let decided = Decided::Run(self.call.effects());
        let authority = if agreed { Authority::Person } else { decision.authority };
        DecideEnd { authority, ..self.end(decided, None, events) }
    }

    fn approver(&self) -> &dyn Approver {
        if self.may_ask { &*self.session.options.approver } else { &DenyAll }
    }

    async fn validated(&mut self, hook: &HookVerdict) -> Result<Decision, Box<ToolFinish>> {
        self.call.validate(&self.cx).await.map_err(|error| Box::new(self.failed(&error)))?;
        self.judged = self.reached();
        let verdict = match &self.judged.far {
            // A tool may look at what it judges.
            Some(why) => Verdict::AskPerson(why.clone()),
            None => match self.call.check(&self.cx).await {
                Verdict::Deny(why) => Verdict::Deny(why),
                _ if self.repeated => Verdict::AskPerson(repeated_call()),
                verdict => verdict,
            },
        };
        let roots = self.session.options.roots.seen_from(&self.cx.cwd);
        let request = Request {
            tool: ToolIdentity::from(self.tool.definition()),
            input: self.call.input(),
            effects: self.call.effects(),
            subjects: &self.judged.subjects,
            verdict: &verdict,
            hook,
            mode: self.mode,
            roots: &roots,
            trusted: self.session.options.trusted,
        };
        let rules = self.session.rules();
        let decision = decide(&rules, &request);
        let reads = matches!(&decision.subject, Some(Subject::Path { access, .. }) if access.is_read());
        let only_reads = !matches!(verdict, Verdict::NotReadOnly(_));
        if decision.step == Step::AskRule && reads && only_reads && self.judged.far.is_none() {
            // A rule may be about something there: only where it is, that is asked.
            if let Some(subjects) = below::looked(&self.judged.subjects, &rules, &roots) {
                return Ok(decide(&rules, &Request { subjects: &subjects, ..request }));
            }
        }
        if decision.step == Step::AcceptEdits
            && let Some(why) = below::protected_within(&self.judged.subjects)
        {
            return Ok(decide(&rules, &Request { verdict: &Verdict::Ask(why), ..request }));
        }
        Ok(decision)
    }

    /// Where the call leads, as far as that may be looked at.
    fn reached(&self) -> Reached {
        let fixed = &self.session.options.roots;
        let folders =
            [&fixed.start, &fixed.project].into_iter().chain(&fixed.additional).chain(&fixed.readable);
        let mut near: Vec<&Path> = folders.flat_map(|folder| [&*folder.spelled, &*folder.resolved]).collect();
        // A person agreed to whatever led there.
        near.push(&self.cx.cwd);
        let (rules, roots) = (self.session.rules(), fixed.seen_from(&self.cx.cwd));
        // Most calls touch no file that has other names: only then it matters how rules call it.
        let literal: LazyCell<Vec<PathBuf>, _> = LazyCell::new(|| {
            let mut paths: Vec<PathBuf> = rules.literal_paths(&roots).collect();
            paths.sort_unstable();
            paths
        });
        let has_rules = [RuleKind::Deny, RuleKind::Ask].iter().any(|kind| !rules.rules(*kind).is_empty());
        let other_names = |real: &Path| {
            let names = if has_rules { other_names(real, || &literal) } else { Vec::new() };
            names.into_iter().cloned().collect()
        };
        let links_in = |folder: &Path| links_in(folder, has_rules);
        let look = Look {
            near: &near,
            far_too: self.far_agreed,
            link: &links::target,
            links_in: &links_in,
            folders_in: &folders_in,
            // Without a rule nobody asks whether a word names a file.
            present: &|real| has_rules && real.symlink_metadata().is_ok(),
            is_file: &|real| has_rules && real.symlink_metadata().is_ok_and(|found| found.is_file()),
            other_names: &other_names,
        };
        look.at(self.call.subjects(&self.cx))
    }

    fn rewrite(&mut self, input: Value) -> Result<(), Box<ToolFinish>> {
        if is_too_deep(&input) {
            let message = too_deep(&self.tool.definition().name);
            return Err(Box::new(self.failed(&ToolError::new(ErrorKind::InvalidInput, message))));
        }
        match Arc::clone(&self.tool).parse(input) {
            Ok(call) => {
                self.call = call;
                self.far_agreed = false;
                Ok(())
            }
            Err(error) => Err(Box::new(self.failed(&error))),
        }
    }

    fn ask(&self, name: &str, decision: &Decision, reached: &Reached) -> PermissionAsk {
        PermissionAsk {
            call_id: self.cx.call_id.to_string(),
            agent_id: self.cx.agent_id.to_string(),
            tool: name.into(),
            input: self.call.input().clone(),
            view: self.call.view(Stage::Call, Detail::Transcript),
            parts: parts(reached, &self.cx.cwd),
            reason: decision.reason.clone(),
            suggestions: decision.suggestions.clone(),
            together: decision.together.clone(),
            of_kind: decision.of_kind.clone(),
        }
    }

    fn hook_call<'a>(&'a self, name: &'a str) -> HookCall<'a> {
        HookCall {
            at: Occasion {
                session: &self.session,
                agent_id: &self.cx.agent_id,
                cwd: &self.cx.cwd,
                mode: self.mode,
            },
            tool_use_id: &self.cx.call_id,
            tool: name,
            input: self.call.input(),
        }
    }

    fn decision_event(&self, decision: &Decision) -> EventBody {
        EventBody::Decision {
            tool_use_id: self.cx.call_id.to_string(),
            outcome: decision.outcome,
            step: Some(decision.step),
            rule: decision.rule.as_ref().map(|rule| rule.text.clone()),
            reason: decision.reason.clone(),
        }
    }

    fn refused(&self, message: &str) -> Box<ToolFinish> {
        let definition = self.tool.definition();
        Box::new(ToolFinish::error(&definition.name, self.call.input().clone(), ErrorKind::Denied, message))
    }

    fn failed(&self, error: &ToolError) -> ToolFinish {
        let definition = self.tool.definition();
        ToolFinish::error(&definition.name, self.call.input().clone(), error.kind, error.message.clone())
    }

    fn not_early(self) -> DecideEnd {
        self.end(Decided::NotEarly, None, Vec::new())
    }

    fn end(
        self,
        decided: Decided,
        result: impl Into<Option<Box<ToolFinish>>>,
        events: Vec<EventBody>,
    ) -> DecideEnd {
        let result = result.into().map(|result| *result);
        debug_assert!(result.as_ref().is_none_or(|result| result.outcome == Outcome::Failure));
        let authority = Authority::default();
        let paths = self.judged.decided();
        DecideEnd { decided, call: self.call, result, events, authority, paths, context: None }
    }
}

/// The commands of a text as they were understood, each once, and the files it redirects to; none where that is the text, or the
/// text was not understood.
fn parts(reached: &Reached, cwd: &Path) -> Vec<String> {
    let subjects = || reached.subjects.iter().map(|reached| &reached.subject);
    if subjects().any(|subject| matches!(subject, Subject::Unreadable(_))) {
        return Vec::new();
    }
    let text = subjects().find_map(|subject| match subject {
        Subject::Text(text) => Some(text.trim()),
        _ => None,
    });
    let mut seen = HashSet::new();
    let commands = subjects().filter_map(|subject| match subject {
        Subject::Command(part) => Some(part.shown.clone()),
        _ => None,
    });
    let mut parts: Vec<String> = commands.filter(|part| seen.insert(part.clone())).collect();
    if !parts.is_empty() {
        let written = subjects().filter_map(|subject| match subject {
            Subject::Path { path, access, cover: Cover::Own } if !access.is_read() => {
                Some(format!("> {}", path.strip_prefix(cwd).unwrap_or(path).display()))
            }
            _ => None,
        });
        parts.extend(written.filter(|part| seen.insert(part.clone())));
    }
    let is_text = matches!(parts.as_slice(), [only] if text == Some(only.trim()));
    if is_text { Vec::new() } else { parts }
}

fn repeated_call() -> String {
    format!("the model made this call {MOST_REPEATS} times in a row, each time with the same result")
}

/// Whether whoever agreed to a call has settled what this step asks: an allow rule could have.
fn settled_by_person(step: Step) -> bool {
    match step {
        Step::Unreadable | Step::AskRule | Step::NeedsPerson | Step::ProtectedPlace => false,
        Step::BlockingHook
        | Step::DenyRule
        | Step::Mode
        | Step::AllowRule
        | Step::ReadOnly
        | Step::AcceptEdits
        | Step::Nothing => true,
    }
}

fn approval_event(cx: &ToolContext, approval: &Approval) -> EventBody {
    let (allowed, remember) = match approval {
        Approval::Allow { remember, .. } => (true, remember.clone()),
        _ => (false, Vec::new()),
    };
    EventBody::Approval { tool_use_id: cx.call_id.to_string(), allowed, remember }
}
