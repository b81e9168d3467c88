//! Asking for permission. Async, because the answer may come from another program or another day.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use toolwright_core::BoxFuture;
use toolwright_permissions::{Approval, PermissionAsk};

/// Answers what the rules left open.
pub trait Approver: Send + Sync {
    /// Asks once about one call.
    fn approve<'a>(&'a self, ask: &'a PermissionAsk) -> BoxFuture<'a, Approval>;

    /// Whether anybody can be asked. Where nobody can, a run that does not get on is ended. Default: yes.
    fn can_ask(&self) -> bool {
        true
    }
}

/// Nobody is there: everything is refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct DenyAll;

impl Approver for DenyAll {
    fn approve<'a>(&'a self, ask: &'a PermissionAsk) -> BoxFuture<'a, Approval> {
        Box::pin(async move { Approval::refuse(ask.nobody_to_ask()) })
    }

    fn can_ask(&self) -> bool {
        false
    }
}

/// For tests: answers from a list, then refuses; keeps what it was asked.
#[derive(Debug, Default)]
pub struct ScriptedApprover {
    answers: Mutex<VecDeque<Approval>>,
    asked: Mutex<Vec<PermissionAsk>>,
}

impl ScriptedApprover {
    /// Will answer these, in order.
    #[must_use]
    pub fn new(answers: impl IntoIterator<Item = Approval>) -> Self {
        Self { answers: Mutex::new(answers.into_iter().collect()), asked: Mutex::default() }
    }

    /// What it was asked so far.
    #[must_use]
    pub fn asked(&self) -> Vec<PermissionAsk> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Approver for ScriptedApprover {
    fn approve<'a>(&'a self, ask: &'a PermissionAsk) -> BoxFuture<'a, Approval> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(ask.clone());
        let answer = self.answers.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        Box::pin(async move { answer.unwrap_or_else(|| Approval::refuse(ask.nobody_to_ask())) })
    }
}
