//! The calls of a turn: deciding, running, letting go, and their one result.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::time::Instant;
use toolwright_core::{Authority, Content, ErrorKind, Progress, Subject};
use toolwright_engine::event::{EventBody, ToolFinish};
use toolwright_engine::{CallKey, Decided, Ending, Input, NOT_RUN, Timing};

use super::live::Live;
use super::{Drive, Refusal, TaskEnd};
use crate::RuntimeError;
use crate::call::{Parsed, given_up, panicked, run, text_that_runs};
use crate::decide::{DecideEnd, Deciding};
use crate::hooks::{AfterCall, HookCall, Occasion};
use crate::reach::Reached;

type DecideFuture = Pin<Box<dyn Future<Output = DecideEnd> + Send>>;

impl Drive<'_> {
    /// Decides a call: at once where nothing has to be waited for, otherwise as a task.
    pub(super) fn decide(&mut self, key: CallKey, timing: Timing) -> Result<Option<Input>, RuntimeError> {
        let Some(live) = self.calls.get_mut(&key) else { return Ok(None) };
        let (tool, call) = match &live.parsed {
            Parsed::Call { tool, call } => (Arc::clone(tool), Arc::clone(call)),
            Parsed::Answered(result) => {
                let result = result.clone();
                let repeated = self.repeats.is_repeated(live.asked);
                self.record_result(key, result)?;
                let decided =
                    if repeated { Decided::RefusedAndEnd(Ending::Repeating) } else { Decided::Refused };
                return Ok(Some(Input::Decided(key, decided)));
            }
        };
        let repeated = self.repeats.is_repeated(live.asked);
        live.cancel = self.cancel.child();
        let cx = self.agent.context(&live.id, live.cancel.clone(), self.progress.clone());
        let session = Arc::clone(&self.agent.session);
        let (mode, may_ask) = (self.agent.mode.get(), self.agent.may_ask);
        let judged = Reached::default();
        let far_agreed = false;
        let deciding =
            Deciding { session, tool, call, cx, mode, may_ask, timing, repeated, far_agreed, judged };
        let mut future: DecideFuture = Box::pin(deciding.run());
        // Most decisions wait for nothing: no task is made for them.
        let polled =
            catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut Context::from_waker(Waker::noop()))));
        match polled {
            Ok(Poll::Ready(end)) => self.settle(key, end).map(Some),
            Ok(Poll::Pending) => {
                let task = self.tasks.spawn(async move { (key, TaskEnd::Decided(Box::new(future.await))) });
                if let Some(live) = self.calls.get_mut(&key) {
                    live.task = Some(task);
                }
                Ok(None)
            }
            Err(_) => {
                self.record_panic(key)?;
                Ok(Some(Input::Decided(key, Decided::Refused)))
            }
        }
    }

    pub(super) fn decided(&mut self, key: CallKey, end: DecideEnd) -> Result<(), RuntimeError> {
        // Ignore the decision of a call that was cancelled.
        if self.calls.get(&key).is_none_or(|live| live.task.is_none()) {
            return Ok(());
        }
        let input = self.settle(key, end)?;
        self.feed(input)
    }

    fn settle(&mut self, key: CallKey, end: DecideEnd) -> Result<Input, RuntimeError> {
        for event in end.events {
            self.agent.record(event, Some(&end.call))?;
        }
        let Some(live) = self.calls.get_mut(&key) else { return Ok(Input::Decided(key, end.decided)) };
        live.task = None;
        live.authority = end.authority;
        if end.authority == Authority::Person {
            self.repeats.reset();
        }
        live.paths = end.paths;
        live.context = end.context;
        if let Parsed::Call { call, .. } = &mut live.parsed {
            *call = end.call;
        }
        if let Some(result) = end.result {
            if result.error == Some(ErrorKind::Denied) {
                self.refusals.push(Refusal {
                    tool_use_id: live.id.clone(),
                    tool: live.name.clone(),
                    input: result.input.clone(),
                });
            }
            self.record_result(key, result)?;
        }
        Ok(Input::Decided(key, end.decided))
    }

    pub(super) fn start(&mut self, key: CallKey) -> Result<(), RuntimeError> {
        let Some(live) = self.calls.get_mut(&key) else { return Ok(()) };
        let Some((_, call)) = live.parts() else { return Ok(()) };
        live.begin();
        let (tool_use_id, tool) = (live.id.clone(), live.name.clone());
        let cx = self.agent.context(&live.id, live.cancel.clone(), self.progress.clone());
        let cx = cx.with_authority(live.authority).with_decided(live.paths.clone());
        let name = tool.clone();
        let ran = text_that_runs(&*call, &cx);
        let started = EventBody::ToolStarted { tool_use_id, tool, input: call.input().clone(), ran };
        self.agent.record(started, Some(&call))?;
        self.agent.call_begins(&cx.call_id);
        self.agent.tell_spawner(&*call);
        let task = self.tasks.spawn(async move { (key, TaskEnd::Ran(run(&name, &*call, &cx).await)) });
        if let Some(live) = self.calls.get_mut(&key) {
            live.task = Some(task);
        }
        Ok(())
    }

    /// A call ran: its answer is brought within its limits, and hooks are told.
    pub(super) fn ran(&mut self, key: CallKey, mut result: ToolFinish) -> Result<(), RuntimeError> {
        let Some(live) = self.calls.get_mut(&key).filter(|live| live.is_running()) else { return Ok(()) };
        let limit = match &live.parsed {
            Parsed::Call { tool, .. } => tool.definition().answer_limit,
            Parsed::Answered(_) => usize::MAX,
        };
        let room = self.agent.session.journal().room().load(Ordering::Relaxed);
        let budgeted = self.budget.apply(std::mem::take(&mut result.answer), limit, room);
        result.answer = budgeted.content;
        result.shortened = budgeted.shortened;
        if let Some(store) = budgeted.store {
            self.agent.session.journal().keep_result(&store.name, &store.text)?;
        }
        if result.shortened
            && let Some((_, call)) = live.parts()
        {
            let cx = self.agent.context(&live.id, live.cancel.clone(), self.progress.clone());
            let runs_commands =
                call.subjects(&cx).iter().any(|subject| matches!(subject, Subject::Command(_)));
            if !runs_commands {
                self.agent.forget_files(&live.paths)?;
            }
        }
        result.answer.extend(live.context.take().map(Content::text));
        let hooks = Arc::clone(&self.agent.session.options.hooks);
        if !hooks.cares_about(&live.name) {
            return self.finished(key, result);
        }
        live.ran = Some(result.clone());
        let (id, agent_id) = (live.id.clone(), Arc::clone(&self.agent.id));
        let (session, cwd) = (Arc::clone(&self.agent.session), Arc::clone(&self.agent.cwd));
        let mode = self.agent.mode.get();
        let task = self.tasks.spawn(async move {
            let at = Occasion { session: &session, agent_id: &agent_id, cwd: &cwd, mode };
            let asked = HookCall { at, tool_use_id: &id, tool: &result.tool, input: &result.input };
            let mut said = hooks.after(asked, &result).await;
            result.answer.extend(said.context.take().map(Content::text));
            (key, TaskEnd::Whole(result, said))
        });
        live.task = Some(task);
        Ok(())
    }

    /// Hooks have spoken.
    pub(super) fn whole(
        &mut self,
        key: CallKey,
        result: ToolFinish,
        said: AfterCall,
    ) -> Result<(), RuntimeError> {
        for text in said.notices {
            self.agent.record(EventBody::Notice { text }, None)?;
        }
        if let Some(why) = said.stop {
            // Before the call has ended: after it the next request would be made.
            self.feed(Input::HookStopped(why))?;
        }
        self.finished(key, result)
    }

    pub(super) fn finished(&mut self, key: CallKey, result: ToolFinish) -> Result<(), RuntimeError> {
        let Some(live) = self.calls.get_mut(&key).filter(|live| live.is_running()) else { return Ok(()) };
        let forgotten = live.is_forgotten();
        live.end();
        self.agent.record_files()?;
        // Also of a message that was lost: whoever saw it begin sees its end.
        self.record_result(key, result)?;
        if forgotten {
            self.calls.remove(&key);
        }
        self.feed(Input::Finished(key))
    }

    /// How far a call is; of one that has its result nothing more is shown.
    pub(super) fn progress(&self, tool_use_id: String, progress: Progress) -> Result<(), RuntimeError> {
        let live = self.calls.values().find(|live| live.id == tool_use_id && live.is_running());
        let Some((_, call)) = live.and_then(Live::parts) else { return Ok(()) };
        self.agent.record(EventBody::ToolProgress { tool_use_id, progress }, Some(&call))
    }

    /// Nothing more can be recorded: what is under way is told to end, and has its grace time for it.
    pub(super) async fn abandon(&mut self) {
        self.stream = None;
        for live in self.calls.values_mut() {
            live.let_go(Duration::ZERO);
        }
        let grace = self.agent.session.options.grace;
        let all = async { while self.tasks.join_next().await.is_some() {} };
        // What is not done by then is dropped with the set.
        let _ = tokio::time::timeout(grace, all).await;
    }

    pub(super) fn not_run(&mut self, key: CallKey) -> Result<(), RuntimeError> {
        let Some(live) = self.calls.get(&key) else { return Ok(()) };
        // What could not have run in any case says why.
        let result = match &live.parsed {
            Parsed::Answered(result) => result.clone(),
            Parsed::Call { .. } => ToolFinish::error(&live.name, live.input(), ErrorKind::Cancelled, NOT_RUN),
        };
        self.record_result(key, result)
    }

    pub(super) fn let_go(&mut self, key: CallKey) {
        let grace = self.agent.session.options.grace;
        if let Some(live) = self.calls.get_mut(&key) {
            live.let_go(grace);
        }
    }

    pub(super) fn give_up_the_late(&mut self) -> Result<(), RuntimeError> {
        let now = Instant::now();
        let is_late = |live: &Live| live.deadline().is_some_and(|deadline| deadline <= now);
        let late: Vec<_> = self.calls.iter().filter(|(_, live)| is_late(live)).map(|(key, _)| *key).collect();
        for key in late {
            let Some(live) = self.calls.get_mut(&key) else { continue };
            live.abort();
            let kept = live.ran.take();
            let result = kept.unwrap_or_else(|| given_up(&live.name, live.input()));
            self.finished(key, result)?;
        }
        Ok(())
    }

    /// A task ended without a word: it was aborted, and that is accounted for, or what it asked of the tool panicked.
    pub(super) fn task_failed(&mut self, error: &tokio::task::JoinError) -> Result<(), RuntimeError> {
        let of_task = |live: &Live| live.task.as_ref().is_some_and(|task| task.id() == error.id());
        let Some((key, live)) = self.calls.iter_mut().find(|(_, live)| of_task(live)) else { return Ok(()) };
        let key = *key;
        if live.is_running() {
            let result = live.ran.take().unwrap_or_else(|| {
                ToolFinish::error(&live.name, live.input(), ErrorKind::Panicked, panicked(&live.name))
            });
            return self.finished(key, result);
        }
        self.record_panic(key)?;
        self.feed(Input::Decided(key, Decided::Refused))
    }

    fn record_panic(&mut self, key: CallKey) -> Result<(), RuntimeError> {
        let Some(live) = self.calls.get_mut(&key) else { return Ok(()) };
        live.task = None;
        let result = ToolFinish::error(&live.name, live.input(), ErrorKind::Panicked, panicked(&live.name));
        self.record_result(key, result)
    }

    fn record_result(&mut self, key: CallKey, mut result: ToolFinish) -> Result<(), RuntimeError> {
        let Some(live) = self.calls.get_mut(&key) else { return Ok(()) };
        self.agent.keep_what_counts(&mut result.changes, live.authority == Authority::Person);
        live.changes.clone_from(&result.changes);
        let (tool_use_id, call) = (live.id.clone(), live.parts().map(|(_, call)| call));
        self.repeats.finished(live.asked, &result);
        self.agent.record(EventBody::ToolFinished { tool_use_id, result }, call.as_ref())
    }

    /// What calls changed takes effect for the calls after them.
    pub(super) fn apply(&mut self, keys: &[CallKey]) {
        for key in keys {
            let Some(live) = self.calls.get_mut(key) else { continue };
            for change in std::mem::take(&mut live.changes) {
                self.agent.take_effect(change);
            }
        }
    }
}
