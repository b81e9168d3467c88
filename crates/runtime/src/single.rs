//! A call without a model: another program says what is called. The same way through hooks, permissions and recording.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, PoisonError};

use futures_util::FutureExt as _;
use serde_json::Value;
use tokio::sync::mpsc;
use toolwright_core::{Authority, Cancel, Content, DynCall, ErrorKind, ToolInput};
use toolwright_engine::event::{EventBody, ToolFinish};
use toolwright_engine::{Decided, Timing};

use crate::call::{Parsed, given_up, panicked, run, text_that_runs};
use crate::decide::Deciding;
use crate::hooks::{AfterCall, HookCall, Occasion};
use crate::reach::Reached;
use crate::{Agent, RuntimeError};

/// A call's result, with the parsed call to ask for views where the input could be read.
pub struct CallResult {
    /// What became of it.
    pub result: ToolFinish,
    /// The call as it ran.
    pub call: Option<Arc<dyn DynCall>>,
}

impl Agent {
    /// Makes one call. What it changes (the working directory, revealed tools) holds for the calls after it.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn call(
        &mut self,
        name: &str,
        input: Value,
        cancel: &Cancel,
    ) -> Result<CallResult, RuntimeError> {
        let id = self.next_call_id();
        let taken = self.take_in(id.clone(), name, &ToolInput::Json(input));
        let (tool, call) = match taken.parsed {
            Parsed::Call { tool, call } => (tool, call),
            Parsed::Answered(result) => return self.close(&id, result, None, false),
        };
        let asked = Arc::clone(&call);
        // Progress of a single call has the same listener as its other events.
        let (progress, mut reports) = mpsc::unbounded_channel();
        let cx = self.context(&id, cancel.child(), progress);
        let deciding = Deciding {
            session: Arc::clone(&self.session),
            tool,
            call,
            cx: cx.clone(),
            mode: self.mode.get(),
            may_ask: self.may_ask,
            timing: Timing::Settled,
            repeated: false,
            far_agreed: false,
            judged: Reached::default(),
        };
        let end = tokio::select! {
            biased;
            () = cancel.cancelled() => return self.close(&id, interrupted(&taken.name), None, false),
            end = AssertUnwindSafe(deciding.run()).catch_unwind() => end,
        };
        let Ok(end) = end else {
            let kind = ErrorKind::Panicked;
            let result = ToolFinish::error(&taken.name, asked.input().clone(), kind, panicked(&taken.name));
            return self.close(&id, result, Some(asked), false);
        };
        for event in end.events {
            self.record(event, Some(&end.call))?;
        }
        let agreed = end.authority == Authority::Person;
        if let Some(result) = end.result.filter(|_| !matches!(end.decided, Decided::Run(_))) {
            return self.close(&id, result, Some(end.call), agreed);
        }
        let cx = cx.with_authority(end.authority).with_decided(end.paths);
        let started = EventBody::ToolStarted {
            tool_use_id: id.clone(),
            tool: taken.name.clone(),
            input: end.call.input().clone(),
            ran: text_that_runs(&*end.call, &cx),
        };
        self.record(started, Some(&end.call))?;
        self.call_begins(&id);
        let running = Arc::clone(&end.call);
        let name = taken.name.clone();
        let grace = self.session.options.grace;
        let mut task = tokio::spawn(async move { run(&name, &*running, &cx).await });
        let late = async {
            cancel.cancelled().await;
            tokio::time::sleep(grace).await;
        };
        tokio::pin!(late);
        let mut result = loop {
            tokio::select! {
                biased;
                ended = &mut task => break ended.unwrap_or_else(|_| given_up(&taken.name, end.call.input().clone())),
                () = &mut late => {
                    task.abort();
                    break given_up(&taken.name, end.call.input().clone());
                }
                Some((tool_use_id, progress)) = reports.recv() => {
                    self.record(EventBody::ToolProgress { tool_use_id, progress }, Some(&end.call))?;
                }
            }
        };
        self.record_files()?;
        result.answer.extend(end.context.map(Content::text));
        let result = self.told(&id, result, cancel).await?;
        self.close(&id, result, Some(end.call), agreed)
    }

    /// Hooks after the call have their say, unless it is interrupted.
    async fn told(
        &self,
        id: &str,
        mut result: ToolFinish,
        cancel: &Cancel,
    ) -> Result<ToolFinish, RuntimeError> {
        let hooks = &self.session.options.hooks;
        if !hooks.cares_about(&result.tool) {
            return Ok(result);
        }
        let mode = self.mode.get();
        let at = Occasion { session: &self.session, agent_id: &self.id, cwd: &self.cwd, mode };
        let call = HookCall { at, tool_use_id: id, tool: &result.tool, input: &result.input };
        let said = tokio::select! {
            biased;
            () = cancel.cancelled() => AfterCall::default(),
            said = hooks.after(call, &result) => said,
        };
        for text in said.notices {
            self.record(EventBody::Notice { text }, None)?;
        }
        // There is no turn here that could end: its caller reads why.
        let stop = said.stop.map(|why| format!("A hook wants no more calls: {why}"));
        result.answer.extend(said.context.into_iter().chain(stop).map(Content::text));
        Ok(result)
    }

    fn close(
        &mut self,
        id: &str,
        mut result: ToolFinish,
        call: Option<Arc<dyn DynCall>>,
        agreed: bool,
    ) -> Result<CallResult, RuntimeError> {
        self.keep_what_counts(&mut result.changes, agreed);
        let event = EventBody::ToolFinished { tool_use_id: id.into(), result: result.clone() };
        self.record(event, call.as_ref())?;
        // No message of a model will ask for it.
        self.state.write().unwrap_or_else(PoisonError::into_inner).let_go(id);
        for change in result.changes.clone() {
            self.take_effect(change);
        }
        Ok(CallResult { result, call })
    }
}

fn interrupted(name: &str) -> ToolFinish {
    ToolFinish::error(name, Value::Null, ErrorKind::Cancelled, toolwright_engine::NOT_RUN)
}

impl std::fmt::Debug for CallResult {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("CallResult").field("result", &self.result).finish_non_exhaustive()
    }
}
