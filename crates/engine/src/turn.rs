//! One turn as a state machine: from the person's prompt, through requests and tool calls, to the end. It performs nothing,
//! holds no content and knows no tool: a driver feeds it [`Input`]s and carries out the [`Action`]s it answers with, in
//! order. Parsing, hooks, validation and the decision happen in the driver, between `Decide` and `Decided`.
//!
//! What it holds to, whatever comes in:
//! - every tool use of a committed message gets exactly one answer: the driver's `Finished`/`Refused`, or an
//!   [`Action::Answer`] of its own;
//! - consecutive concurrency-safe calls run together, bounded; every other call runs alone, and what it changed is applied
//!   before the next one is decided;
//! - before the model's message is whole, only calls that may start early run, and only if all before them are such; a lost
//!   stream cancels and forgets them;
//! - the conversation is shortened only between a message's last result and the next request, and not again before that
//!   helped;
//! - nothing is decided or run after an interrupt.

mod call;
mod protocol;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use toolwright_core::StopReason;

use call::{Call, State};
pub use protocol::{
    Action, BlockKind, CallKey, CompactionReason, Decided, Delivery, Ending, Input, Limits, Timing,
};

/// A turn on its way.
#[derive(Debug)]
pub struct Turn {
    limits: Limits,
    phase: Phase,
    calls: Vec<Call>,
    /// Calls before this one have had their changes applied.
    applied: usize,
    /// Early calls of a lost message that still run: nothing unsafe may start beside them.
    forgotten: BTreeSet<CallKey>,
    next_key: u64,
    blocks: usize,
    requests: u64,
    lost_streams: u32,
    pauses: u32,
    /// The next request waits for the conversation to be shortened.
    crowded: bool,
    /// Messages that became whole since that was last tried; none: it was not.
    since_compaction: Option<u32>,
    ending: Option<Ending>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Idle,
    /// The model speaks.
    Streaming,
    /// The conversation is being shortened.
    Compacting(CompactionReason),
    /// The message is whole; its calls are worked off.
    Working,
    /// Running calls are waited for, then it ends.
    Stopping,
    Over,
}

impl Turn {
    /// A turn that has not begun.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            phase: Phase::Idle,
            calls: Vec::new(),
            applied: 0,
            forgotten: BTreeSet::new(),
            next_key: 0,
            blocks: 0,
            requests: 0,
            lost_streams: 0,
            pauses: 0,
            crowded: false,
            since_compaction: None,
            ending: None,
        }
    }

    /// Requests made so far.
    #[must_use]
    pub const fn requests(&self) -> u64 {
        self.requests
    }

    /// Whether it has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Takes one input in. What no longer matters (news of a forgotten call, anything after the end) changes nothing.
    pub fn handle(&mut self, input: Input) -> Vec<Action> {
        let mut actions = Vec::new();
        match input {
            Input::Begin if self.phase == Phase::Idle => self.call_model(Delivery::Stream, &mut actions),
            Input::Block(kind) if self.phase == Phase::Streaming => self.take_block(kind, &mut actions),
            Input::MessageEnded(stop) if self.phase == Phase::Streaming => {
                self.end_message(stop, &mut actions)
            }
            Input::StreamLost(how) if self.phase == Phase::Streaming => self.lose_stream(how, &mut actions),
            Input::ModelFailed(ending) if self.phase == Phase::Streaming => {
                self.discard(&mut actions);
                if ending == Ending::ContextFull && self.may_compact(1) {
                    // The same request once more, not a further one.
                    self.requests = self.requests.saturating_sub(1);
                    self.compact(CompactionReason::Full, &mut actions);
                } else {
                    self.stop(ending, &mut actions);
                }
            }
            Input::Crowded => self.crowded = true,
            Input::Compacted if matches!(self.phase, Phase::Compacting(_)) => {
                self.since_compaction = Some(0);
                self.call_model(Delivery::Stream, &mut actions);
            }
            Input::CompactionFailed => match self.phase {
                // It may still fit.
                Phase::Compacting(CompactionReason::Crowded) => {
                    self.since_compaction = Some(0);
                    self.call_model(Delivery::Stream, &mut actions);
                }
                Phase::Compacting(CompactionReason::Full) => self.stop(Ending::ContextFull, &mut actions),
                _ => {}
            },
            Input::Decided(key, decided) => self.take_decision(key, decided, &mut actions),
            Input::Finished(key) => {
                if !self.forgotten.remove(&key)
                    && let Some(call) = self.call(key)
                    && call.state == State::Running
                {
                    call.state = State::Done;
                }
            }
            Input::Interrupted if !matches!(self.phase, Phase::Over | Phase::Stopping) => {
                self.interrupt(Ending::Interrupted, &mut actions);
            }
            Input::HookStopped(why) if !matches!(self.phase, Phase::Over | Phase::Stopping) => {
                self.interrupt(Ending::HookStopped(why), &mut actions);
            }
            Input::Begin
            | Input::Block(_)
            | Input::MessageEnded(_)
            | Input::StreamLost(_)
            | Input::ModelFailed(_)
            | Input::Compacted
            | Input::Interrupted
            | Input::HookStopped(_) => {}
        }
        self.advance(&mut actions);
        actions
    }

    fn call_model(&mut self, delivery: Delivery, actions: &mut Vec<Action>) {
        if self.limits.requests.is_some_and(|most| self.requests >= most) {
            self.stop(Ending::MaxRequests, actions);
            return;
        }
        if std::mem::take(&mut self.crowded) && delivery == Delivery::Stream && self.may_compact(2) {
            self.compact(CompactionReason::Crowded, actions);
            return;
        }
        self.requests += 1;
        self.blocks = 0;
        self.calls.clear();
        self.applied = 0;
        self.phase = Phase::Streaming;
        actions.push(Action::CallModel(delivery));
    }

    /// Whether shortening may help: it was not done yet, or so many messages became whole since.
    fn may_compact(&self, since: u32) -> bool {
        self.limits.compaction && self.since_compaction.is_none_or(|messages| messages >= since)
    }

    fn compact(&mut self, reason: CompactionReason, actions: &mut Vec<Action>) {
        self.calls.clear();
        self.applied = 0;
        self.phase = Phase::Compacting(reason);
        actions.push(Action::Compact(reason));
    }

    fn take_block(&mut self, kind: BlockKind, actions: &mut Vec<Action>) {
        self.blocks += 1;
        if let BlockKind::ToolUse(effects) = kind {
            let key = CallKey(self.next_key);
            self.next_key += 1;
            self.calls.push(Call { key, effects, state: State::Waiting });
            actions.push(Action::Took(key));
        }
    }

    fn end_message(&mut self, stop: StopReason, actions: &mut Vec<Action>) {
        actions.push(Action::Commit);
        self.lost_streams = 0;
        self.since_compaction = self.since_compaction.map(|messages| messages.saturating_add(1));
        // What a model declines to go on with is not done by half.
        if stop == StopReason::Refusal {
            self.stop(Ending::Refused, actions);
            return;
        }
        if !self.calls.is_empty() {
            self.phase = Phase::Working;
            for call in &mut self.calls {
                if call.state == State::NotEarly {
                    call.state = State::Waiting;
                }
            }
            return;
        }
        let ending = match stop {
            StopReason::PauseTurn if self.pauses < self.limits.pauses => {
                self.pauses += 1;
                self.call_model(Delivery::Stream, actions);
                return;
            }
            StopReason::PauseTurn => Ending::Failed(format!(
                "the provider paused the answer more than {} times; send the prompt again to go on",
                self.limits.pauses
            )),
            StopReason::MaxTokens => Ending::OutputLimit,
            StopReason::ContextFull => Ending::ContextFull,
            _ => Ending::Done,
        };
        self.stop(ending, actions);
    }

    fn lose_stream(&mut self, how: String, actions: &mut Vec<Action>) {
        self.discard(actions);
        if self.lost_streams >= self.limits.retries_of_lost_streams {
            self.stop(Ending::Failed(how), actions);
            return;
        }
        self.lost_streams += 1;
        // The same request once more, not a further one.
        self.requests = self.requests.saturating_sub(1);
        self.call_model(Delivery::Whole, actions);
    }

    /// Cancels and forgets the early calls of a message that never became whole.
    fn discard(&mut self, actions: &mut Vec<Action>) {
        for call in &self.calls {
            if call.state == State::Running {
                self.forgotten.insert(call.key);
            }
            if call.is_under_way() {
                actions.push(Action::Cancel(call.key));
            }
        }
        self.calls.clear();
        actions.push(Action::Discard);
    }

    fn take_decision(&mut self, key: CallKey, decided: Decided, actions: &mut Vec<Action>) {
        let streaming = self.phase == Phase::Streaming;
        let Some(call) = self.call(key).filter(|call| call.state == State::Deciding) else { return };
        match decided {
            Decided::Run(effects) => {
                call.effects = effects;
                // What a rewrite made unfit for an early start waits; it is not decided twice.
                call.state = State::Ready;
            }
            Decided::NotEarly => call.state = if streaming { State::NotEarly } else { State::Waiting },
            Decided::Refused => call.state = State::Done,
            Decided::RefusedAndEnd(ending) => {
                call.state = State::Done;
                self.interrupt(ending, actions);
            }
        }
    }

    fn interrupt(&mut self, ending: Ending, actions: &mut Vec<Action>) {
        match self.phase {
            // What was said so far stands, and its calls are owed an answer.
            Phase::Streaming if self.blocks > 0 => actions.push(Action::Commit),
            Phase::Streaming => actions.push(Action::Discard),
            Phase::Idle | Phase::Compacting(_) | Phase::Working | Phase::Stopping | Phase::Over => {}
        }
        self.stop(ending, actions);
    }

    /// Ends once nothing runs any more.
    fn stop(&mut self, ending: Ending, actions: &mut Vec<Action>) {
        for call in &mut self.calls {
            if call.is_under_way() {
                actions.push(Action::Cancel(call.key));
            }
            if !matches!(call.state, State::Running | State::Done) {
                actions.push(Action::Answer(call.key));
                call.state = State::Done;
            }
        }
        self.ending = Some(ending);
        self.phase = Phase::Stopping;
    }

    /// Starts every call that is ready, and ends the turn where nothing runs any more.
    fn advance(&mut self, actions: &mut Vec<Action>) {
        match self.phase {
            Phase::Streaming | Phase::Working => self.schedule(actions),
            Phase::Stopping => {
                let running = self.calls.iter().any(|call| call.state == State::Running);
                if !running && self.forgotten.is_empty() {
                    self.apply_until(self.calls.len(), actions);
                    self.phase = Phase::Over;
                    let ending = self.ending.take().unwrap_or(Ending::Done);
                    actions.push(Action::Finish(ending));
                }
            }
            Phase::Idle | Phase::Compacting(_) | Phase::Over => {}
        }
    }

    fn schedule(&mut self, actions: &mut Vec<Action>) {
        let settled = self.phase == Phase::Working;
        let mut running = self.calls.iter().filter(|call| call.state == State::Running).count();
        let mut all_before_early = true;
        let mut before_done = true;
        for index in 0..self.calls.len() {
            let Some(call) = self.calls.get(index) else { return };
            let (key, effects, state) = (call.key, call.effects, call.state);
            let alone = !effects.is_concurrency_safe();
            if state == State::Done {
                all_before_early &= effects.may_start_early();
                continue;
            }
            let nothing_runs = running == 0 && self.forgotten.is_empty();
            if alone && !(settled && before_done && (nothing_runs || state == State::Running)) {
                // Runs alone, and is not decided before what came before it has taken effect.
                return;
            }
            before_done = false;
            let may_go_on = settled || (effects.may_start_early() && all_before_early);
            if !may_go_on {
                return;
            }
            let after_alone = index.checked_sub(1).and_then(|before| self.calls.get(before));
            if alone || after_alone.is_some_and(|before| !before.effects.is_concurrency_safe()) {
                // A batch begins: what the one before it changed is in effect.
                self.apply_until(index, actions);
            }
            match state {
                State::Waiting => {
                    let timing = if settled { Timing::Settled } else { Timing::Early };
                    self.set(index, State::Deciding);
                    actions.push(Action::Decide(key, timing));
                }
                State::Ready if running < self.limits.concurrency.max(1) => {
                    self.set(index, State::Running);
                    running += 1;
                    actions.push(Action::Run(key));
                }
                State::Ready | State::Deciding | State::Running | State::NotEarly | State::Done => {}
            }
            if alone || state == State::NotEarly {
                return;
            }
            // A batch ends where a call follows that runs alone: the check above sees to it.
        }
        if settled && self.calls.iter().all(|call| call.state == State::Done) {
            self.apply_until(self.calls.len(), actions);
            self.call_model(Delivery::Stream, actions);
            if self.phase == Phase::Stopping {
                self.advance(actions);
            }
        }
    }

    fn apply_until(&mut self, end: usize, actions: &mut Vec<Action>) {
        let keys: Vec<_> = self.calls.iter().take(end).skip(self.applied).map(|call| call.key).collect();
        if !keys.is_empty() {
            actions.push(Action::Apply(keys));
        }
        self.applied = self.applied.max(end);
    }

    fn call(&mut self, key: CallKey) -> Option<&mut Call> {
        self.calls.iter_mut().find(|call| call.key == key)
    }

    fn set(&mut self, index: usize, state: State) {
        if let Some(call) = self.calls.get_mut(index) {
            call.state = state;
        }
    }
}
