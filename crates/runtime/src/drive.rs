//! Drives one turn: carries out what the state machine of `engine` says, on tokio.
//!
//! Everything is recorded here, in one order, before it is acted on. Decisions and runs go on beside each other as tasks;
//! what a task finds comes back as an input of the turn.

mod calls;
mod compact;
mod live;

use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;
use toolwright_core::{Block, Cancel, Message, Progress, Speaker, StopReason, ToolInput, Usage};
use toolwright_engine::event::{EventBody, ToolFinish};
use toolwright_engine::{
    Action, BlockKind, Budget, BudgetLimits, CallKey, Delivery, Ending, Input, NESTING_LIMIT, Repeats, Turn,
    is_too_deep,
};
use toolwright_model::{ModelError, ModelErrorKind, ModelEvent, ModelStream};

use crate::decide::DecideEnd;
use crate::hooks::{AfterCall, Occasion, OnPrompt};
use crate::journal::RESULTS;
use crate::{Agent, RuntimeError};
use compact::Summarising;
use live::Live;

/// How a turn went.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TurnReport {
    /// How it ended.
    pub ending: Ending,
    /// The text of the model's last message; empty where it said nothing in this turn.
    pub text: String,
    /// All its requests together.
    pub usage: Usage,
    /// How many requests it made.
    pub requests: u64,
    /// Calls that rules, hooks or a person refused.
    pub refusals: Vec<Refusal>,
}

/// A call that was refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The tool use.
    pub tool_use_id: String,
    /// The tool.
    pub tool: String,
    /// Its input.
    pub input: Value,
}

impl Agent {
    /// Runs one turn: from what the person says to the model's last word. Cancelling `cancel` ends it cleanly: running calls
    /// get their grace time, every tool use its result.
    ///
    /// # Errors
    /// When the journal cannot be written: nothing that is not recorded is done. When a hook blocks the prompt.
    pub async fn prompt(&mut self, content: Vec<Block>, cancel: &Cancel) -> Result<TurnReport, RuntimeError> {
        let id = self.next_message_id("prompt");
        let mut message = Message { id, role: Speaker::User, content, source_tool_use: None };
        if !self.is_subagent() {
            self.hear_hooks(&mut message, cancel).await?;
        }
        self.record(EventBody::Prompt { message }, None)?;
        let begun = self.state().messages.len();
        let turn = Turn::new(self.session.options.limits);
        let (progress, reports) = mpsc::unbounded_channel();
        let budget = {
            let journal = self.session.journal();
            let folder = journal.folder().map(|folder| folder.join(RESULTS));
            Budget::new(BudgetLimits::default(), folder.as_deref())
        };
        let drive = Drive {
            agent: self,
            begun,
            turn,
            cancel: cancel.clone(),
            stream: None,
            summary: None,
            message: Streaming::default(),
            lost: String::new(),
            calls: HashMap::new(),
            tasks: JoinSet::new(),
            progress,
            reports,
            usage: Usage::default(),
            budget,
            refusals: Vec::new(),
            repeats: Repeats::default(),
            ending: None,
        };
        drive.run().await
    }

    /// Hooks have their say on a prompt, unless the turn is interrupted before it begins.
    async fn hear_hooks(&self, message: &mut Message, cancel: &Cancel) -> Result<(), RuntimeError> {
        let text = message.text();
        let mode = self.mode.get();
        let at = Occasion { session: &self.session, agent_id: &self.id, cwd: &self.cwd, mode };
        let OnPrompt { block, context, notices } = tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(()),
            said = self.session.options.hooks.prompted(at, &text) => said,
        };
        for text in notices {
            self.record(EventBody::Notice { text }, None)?;
        }
        message.content.extend(context.map(Block::text));
        block.map_or(Ok(()), |why| Err(RuntimeError::PromptBlocked { why }))
    }
}

type ProgressReport = (String, Progress);

struct Drive<'a> {
    agent: &'a mut Agent,
    /// How many messages there were when the turn began.
    begun: usize,
    turn: Turn,
    cancel: Cancel,
    stream: Option<ModelStream>,
    /// The conversation is being shortened.
    summary: Option<Summarising>,
    message: Streaming,
    /// How the stream before this one was lost.
    lost: String,
    calls: HashMap<CallKey, Live>,
    tasks: JoinSet<(CallKey, TaskEnd)>,
    progress: mpsc::UnboundedSender<ProgressReport>,
    reports: mpsc::UnboundedReceiver<ProgressReport>,
    usage: Usage,
    budget: Budget,
    refusals: Vec<Refusal>,
    repeats: Repeats,
    ending: Option<Ending>,
}

/// The message that the model is writing.
#[derive(Default)]
struct Streaming {
    blocks: Vec<Block>,
    /// The text of the block that is not whole yet.
    partial: String,
    /// The tool use that the next `Took` belongs to.
    taken: Option<Live>,
    stop: Option<StopReason>,
    usage: Option<Usage>,
}

enum TaskEnd {
    Decided(Box<DecideEnd>),
    Ran(ToolFinish),
    /// Hooks after the call have spoken; what is left is recording it.
    Whole(ToolFinish, AfterCall),
}

enum News {
    Model(Option<Result<ModelEvent, ModelError>>),
    Summary(Option<Result<ModelEvent, ModelError>>),
    Task(Option<Result<(CallKey, TaskEnd), tokio::task::JoinError>>),
    Progress(Option<ProgressReport>),
    Interrupt,
    Deadline,
}

impl Drive<'_> {
    async fn run(mut self) -> Result<TurnReport, RuntimeError> {
        let report = self.work().await;
        if report.is_err() {
            self.abandon().await;
        }
        report
    }

    async fn work(&mut self) -> Result<TurnReport, RuntimeError> {
        let mut interrupted = false;
        if self.is_crowded(&self.agent.state().last_usage) {
            self.feed(Input::Crowded)?;
        }
        self.feed(Input::Begin)?;
        while self.ending.is_none() {
            let news = self.next(interrupted).await;
            match news {
                News::Interrupt => {
                    interrupted = true;
                    self.interrupt()?;
                }
                News::Model(event) => self.model_event(event)?,
                News::Summary(event) => self.summary_event(event)?,
                News::Task(Some(Ok((key, TaskEnd::Decided(end))))) => self.decided(key, *end)?,
                News::Task(Some(Ok((key, TaskEnd::Ran(result))))) => self.ran(key, result)?,
                News::Task(Some(Ok((key, TaskEnd::Whole(result, said))))) => self.whole(key, result, said)?,
                // A task that was let go, or one whose tool panicked outside the guarded part.
                News::Task(Some(Err(error))) => self.task_failed(&error)?,
                News::Task(None) | News::Progress(None) => {}
                News::Progress(Some((tool_use_id, progress))) => self.progress(tool_use_id, progress)?,
                News::Deadline => self.give_up_the_late()?,
            }
        }
        let ending = self.ending.take().unwrap_or(Ending::Done);
        let message = ending.message();
        let requests = self.turn.requests();
        let reason = ending.word().into();
        self.agent.record(EventBody::Finished { reason, message, usage: self.usage, requests }, None)?;
        let text = self.agent.last_text(self.begun);
        Ok(TurnReport {
            ending,
            text,
            usage: self.usage,
            requests,
            refusals: std::mem::take(&mut self.refusals),
        })
    }

    async fn next(&mut self, interrupted: bool) -> News {
        let deadline = self.calls.values().filter_map(Live::deadline).min();
        let (stream, tasks, reports) = (&mut self.stream, &mut self.tasks, &mut self.reports);
        let summary = self.summary.as_mut().map(|summary| &mut summary.stream);
        tokio::select! {
            biased;
            () = self.cancel.cancelled(), if !interrupted => News::Interrupt,
            // Before the end of the call it belongs to. It is thinned where it comes from, and holds nothing up.
            Some(report) = reports.recv() => News::Progress(Some(report)),
            ended = tasks.join_next(), if !tasks.is_empty() => News::Task(ended),
            event = next_event(stream.as_mut()), if stream.is_some() => News::Model(event),
            event = next_event(summary), if summary.is_some() => News::Summary(event),
            () = sleep_until(deadline), if deadline.is_some() => News::Deadline,
        }
    }

    fn feed(&mut self, input: Input) -> Result<(), RuntimeError> {
        let mut actions: VecDeque<_> = self.turn.handle(input).into();
        while let Some(action) = actions.pop_front() {
            if let Some(input) = self.act(action)? {
                actions.extend(self.turn.handle(input));
            }
        }
        Ok(())
    }

    /// Carries one action out. What is known at once comes back as the next input.
    fn act(&mut self, action: Action) -> Result<Option<Input>, RuntimeError> {
        match action {
            Action::CallModel(delivery) => self.call_model(delivery)?,
            Action::Took(key) => {
                if let Some(call) = self.message.taken.take() {
                    self.calls.insert(key, call);
                }
            }
            Action::Compact(reason) => return self.compact(reason),
            Action::Commit => self.commit()?,
            Action::Discard => {
                self.stream = None;
                self.message = Streaming::default();
                self.calls.values_mut().for_each(Live::forget);
            }
            Action::Decide(key, timing) => return self.decide(key, timing),
            Action::Run(key) => self.start(key)?,
            Action::Cancel(key) => self.let_go(key),
            Action::Answer(key) => self.not_run(key)?,
            Action::Apply(keys) => self.apply(&keys),
            Action::Finish(ending) => {
                self.stream = None;
                self.ending = Some(ending);
            }
        }
        Ok(None)
    }

    // ---- the model --------------------------------------------------------------------------------------------------

    fn call_model(&mut self, delivery: Delivery) -> Result<(), RuntimeError> {
        if delivery == Delivery::Whole {
            // What was shown of the lost message is shown again.
            let text = format!("{}; asking for the answer again", std::mem::take(&mut self.lost));
            self.agent.record(EventBody::Notice { text }, None)?;
        }
        self.message = Streaming::default();
        self.budget.begin_message();
        self.calls.retain(|_, call| call.is_running());
        self.stream = Some(self.agent.request(delivery, self.cancel.child()));
        Ok(())
    }

    fn model_event(&mut self, event: Option<Result<ModelEvent, ModelError>>) -> Result<(), RuntimeError> {
        match event {
            Some(Ok(event)) => self.model_said(event),
            Some(Err(error)) => {
                self.stream = None;
                match error.kind {
                    ModelErrorKind::Lost => self.lose_stream(error.message),
                    ModelErrorKind::Cancelled => self.interrupt(),
                    ModelErrorKind::MediaRefused if !self.agent.media_refused.load(Ordering::Relaxed) => {
                        // One bad image never poisons a session: the same request again, with words in its place.
                        self.agent.media_refused.store(true, Ordering::Relaxed);
                        self.lose_stream(error.message)
                    }
                    ModelErrorKind::ContextFull => self.feed(Input::ModelFailed(Ending::ContextFull)),
                    _ => self.feed(Input::ModelFailed(Ending::Failed(error.message))),
                }
            }
            None => {
                self.stream = None;
                self.lose_stream("the model's answer ended before it was whole".into())
            }
        }
    }

    fn lose_stream(&mut self, how: String) -> Result<(), RuntimeError> {
        self.lost.clone_from(&how);
        self.feed(Input::StreamLost(how))
    }

    fn model_said(&mut self, event: ModelEvent) -> Result<(), RuntimeError> {
        match event {
            ModelEvent::TextDelta { index, text } => {
                self.message.partial.push_str(&text);
                self.agent.record(EventBody::TextDelta { index, text }, None)
            }
            ModelEvent::ThinkingDelta { index, text } => {
                self.agent.record(EventBody::ThinkingDelta { index, text }, None)
            }
            ModelEvent::BlockFinished { block, .. } => self.block(block),
            ModelEvent::Retrying { attempt, wait, left, reason, message } => {
                let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
                // Which server is waited for is worth saying; how a refusal is worded is not.
                let text = match reason {
                    ModelErrorKind::Unreachable => message,
                    reason => reason.words().to_owned(),
                };
                let (wait_ms, left_ms) = (milliseconds(wait), left.map(milliseconds));
                self.agent.record(EventBody::Retrying { attempt, wait_ms, left_ms, text }, None)
            }
            ModelEvent::Finished { stop, usage } => {
                self.stream = None;
                self.usage.add(&usage);
                self.message.stop = Some(stop);
                self.message.usage = Some(usage);
                if self.is_crowded(&usage) {
                    self.feed(Input::Crowded)?;
                }
                self.feed(Input::MessageEnded(stop))
            }
            // What only a person would see of a half tool use is not shown.
            _ => Ok(()),
        }
    }

    fn block(&mut self, mut block: Block) -> Result<(), RuntimeError> {
        self.message.partial.clear();
        let mut kind = BlockKind::Passive;
        if matches!(&block, Block::Vendor { value, .. } if is_too_deep(value)) {
            self.stream = None;
            return self.lose_stream(format!(
                "a block of the model's answer is nested more than {NESTING_LIMIT} levels deep"
            ));
        }
        if let Block::ToolUse { id, name, input } = &mut block {
            *id = self.unique(std::mem::take(id));
            if let ToolInput::Json(value) = input
                && is_too_deep(value)
            {
                *input = ToolInput::Malformed(value.to_string());
            }
            let taken = self.agent.take_in(id.clone(), name, input);
            kind = BlockKind::ToolUse(taken.effects);
            self.message.taken = Some(Live::new(taken));
        }
        self.message.blocks.push(block);
        self.feed(Input::Block(kind))
    }

    /// Results are matched by id: one that was used before, or is empty, gets a new one, in the conversation as well.
    fn unique(&self, id: String) -> String {
        let taken = |id: &str| {
            let here = self
                .message
                .blocks
                .iter()
                .any(|block| matches!(block, Block::ToolUse { id: other, .. } if other == id));
            here || self.agent.state().has_tool_use(id)
        };
        if !id.is_empty() && !taken(&id) {
            return id;
        }
        let stem = if id.is_empty() { "call" } else { id.as_str() };
        (2_u64..).map(|number| format!("{stem}-{number}")).find(|id| !taken(id)).unwrap_or_default()
    }

    fn commit(&mut self) -> Result<(), RuntimeError> {
        let Streaming { blocks, stop, usage, .. } = std::mem::take(&mut self.message);
        if blocks.is_empty() && usage.is_none() {
            return Ok(());
        }
        let id = self.agent.next_message_id("message");
        let message = Message { id, role: Speaker::Assistant, content: blocks, source_tool_use: None };
        self.agent.record(EventBody::Message { message, stop, usage }, None)
    }

    fn interrupt(&mut self) -> Result<(), RuntimeError> {
        self.stream = None;
        self.summary = None;
        let partial = std::mem::take(&mut self.message.partial);
        if !partial.trim().is_empty() {
            // What the person has seen is part of the conversation.
            self.message.blocks.push(Block::text(partial));
            self.feed(Input::Block(BlockKind::Passive))?;
        }
        self.feed(Input::Interrupted)
    }
}

async fn next_event(stream: Option<&mut ModelStream>) -> Option<Result<ModelEvent, ModelError>> {
    let stream = stream?;
    poll_fn(|cx| stream.as_mut().poll_next(cx)).await
}

async fn sleep_until(deadline: Option<Instant>) {
    if let Some(deadline) = deadline {
        tokio::time::sleep_until(deadline).await;
    }
}
