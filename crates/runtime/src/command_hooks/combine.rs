//! Several answers to one question: the strictest wins.

use serde_json::Value;
use toolwright_permissions::HookVerdict;

use super::answer::{Answer, strictness};
use crate::hooks::{AfterCall, BeforeCall, OnPrompt};

pub(super) fn before(answers: Vec<Answer>) -> BeforeCall {
    let mut all = BeforeCall::default();
    // The first that rewrites is followed: the others did not see what it makes of the call.
    let chosen: Option<Value> = answers.iter().find_map(|answer| answer.input.clone());
    let mut contexts = Vec::new();
    for answer in answers {
        if answer.input.is_some() && answer.input != chosen {
            all.notices.push("two hooks rewrote one call differently; the first of them counts".into());
        }
        // An `allow` counts only if no other hook rewrote the input.
        let knows = answer.input == chosen;
        if strictness(&answer.verdict) > strictness(&all.verdict)
            && (answer.verdict != HookVerdict::Allow || knows)
        {
            all.verdict = answer.verdict;
        }
        all.stop = all.stop.or(answer.stop);
        all.notices.extend(answer.notices);
        contexts.extend(answer.context.map(|text| format!("A hook before this call says: {text}")));
    }
    all.input = chosen;
    all.context = joined(contexts);
    all
}

pub(super) fn after(answers: Vec<Answer>) -> AfterCall {
    let mut all = AfterCall::default();
    let mut contexts = Vec::new();
    for answer in answers {
        let objection = blocked(answer.verdict).map(|why| format!("A hook after this call objects: {why}"));
        contexts.extend(objection);
        contexts.extend(answer.context.map(|text| format!("A hook after this call says: {text}")));
        all.stop = all.stop.or(answer.stop);
        all.notices.extend(answer.notices);
    }
    all.context = joined(contexts);
    all
}

pub(super) fn prompted(answers: Vec<Answer>) -> OnPrompt {
    let mut all = OnPrompt::default();
    let mut contexts = Vec::new();
    for answer in answers {
        all.block = all.block.or(blocked(answer.verdict)).or(answer.stop);
        contexts.extend(answer.context.map(|text| format!("A hook adds to this prompt: {text}")));
        all.notices.extend(answer.notices);
    }
    all.context = joined(contexts);
    all
}

fn blocked(verdict: HookVerdict) -> Option<String> {
    match verdict {
        HookVerdict::Deny(why) | HookVerdict::Ask(why) => Some(why),
        HookVerdict::None | HookVerdict::Allow => None,
    }
}

fn joined(texts: Vec<String>) -> Option<String> {
    (!texts.is_empty()).then(|| texts.join("\n"))
}
