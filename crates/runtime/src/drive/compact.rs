//! Shortens the conversation of a turn: asks the model for a summary and puts it in the place of what it summarises. When that
//! is due and what stays is `engine`'s to say.

use toolwright_core::{Block, StopReason, Usage};
use toolwright_engine::event::EventBody;
use toolwright_engine::{
    CompactionLimits, CompactionReason, Delivery, Input, NoSummary, Reduction, ask_for_summary,
};
use toolwright_model::{ModelError, ModelErrorKind, ModelEvent, ModelStream};

use super::Drive;
use crate::RuntimeError;

/// A summary on its way.
pub(super) struct Summarising {
    pub(super) stream: ModelStream,
    reason: CompactionReason,
    reduction: Reduction,
    /// Whether the answer is asked for at once: a stream of it was lost.
    whole: bool,
    /// What was wrong with the answer before, where it is asked for again.
    before: Option<NoSummary>,
    /// Whether a tool use is part of the answer, whatever reason is given for its end.
    calls: bool,
    text: String,
}

impl Drive<'_> {
    fn compaction_limits(&self) -> CompactionLimits {
        CompactionLimits::of(self.agent.model.limits().context_tokens.into())
    }

    /// Whether the conversation nears what the model takes, by the usage of its newest request.
    pub(super) fn is_crowded(&self, usage: &Usage) -> bool {
        self.compaction_limits().is_crowded(usage)
    }

    /// Begins to shorten; what is known at once comes back as the next input.
    pub(super) fn compact(&mut self, reason: CompactionReason) -> Result<Option<Input>, RuntimeError> {
        if self.agent.state().messages.len() < 2 {
            // A prompt that does not fit by itself is not made smaller by a summary of it.
            return Ok(Some(Input::CompactionFailed));
        }
        let limits = self.agent.model.limits();
        let used = self.agent.state().last_usage.context_tokens();
        let text = match reason {
            CompactionReason::Full => "The conversation no longer fits the model; summarising it".to_owned(),
            _ => format!(
                "The conversation nears what the model takes ({used} of {} tokens); summarising it",
                limits.context_tokens
            ),
        };
        self.agent.record(EventBody::Notice { text }, None)?;
        // What was too large a moment ago need not be tried.
        let reduction = match reason {
            CompactionReason::Full => Reduction::LongTexts,
            _ => Reduction::Nothing,
        };
        self.ask_for_summary(reason, reduction, Delivery::Stream, None);
        Ok(None)
    }

    fn ask_for_summary(
        &mut self,
        reason: CompactionReason,
        reduction: Reduction,
        delivery: Delivery,
        before: Option<NoSummary>,
    ) {
        let state = self.agent.state();
        let messages = ask_for_summary(&state.messages, reduction, before);
        let stream = self.agent.request_for(&state, &messages, delivery, self.cancel.child());
        let whole = delivery == Delivery::Whole;
        drop(state);
        self.summary =
            Some(Summarising { stream, reason, reduction, whole, before, calls: false, text: String::new() });
    }

    /// News of the summary's stream; none: it ended too early.
    pub(super) fn summary_event(
        &mut self,
        event: Option<Result<ModelEvent, ModelError>>,
    ) -> Result<(), RuntimeError> {
        let Some(summary) = &mut self.summary else { return Ok(()) };
        match event {
            Some(Ok(ModelEvent::TextDelta { text, .. })) => {
                summary.text.push_str(&text);
                Ok(())
            }
            Some(Ok(ModelEvent::BlockFinished { block: Block::ToolUse { .. }, .. })) => {
                summary.calls = true;
                Ok(())
            }
            Some(Ok(ModelEvent::Finished { usage, stop })) => {
                let stop = if summary.calls { StopReason::ToolUse } else { stop };
                let wrong = NoSummary::of(stop, &summary.text);
                self.usage.add(&usage);
                match wrong {
                    None => self.take_summary(usage),
                    Some(wrong) => self.no_summary(wrong),
                }
            }
            Some(Ok(event @ ModelEvent::Retrying { .. })) => self.model_said(event),
            // Thoughts are not part of it, and a tool it calls all the same is not run.
            Some(Ok(_)) => Ok(()),
            Some(Err(error)) => self.summary_failed(error),
            None => self.summary_failed(ModelError::new(
                ModelErrorKind::Lost,
                "the summary ended before it was whole",
            )),
        }
    }

    fn summary_failed(&mut self, error: ModelError) -> Result<(), RuntimeError> {
        let Some(Summarising { reason, reduction, whole, before, .. }) = self.summary.take() else {
            return Ok(());
        };
        match error.kind {
            ModelErrorKind::Cancelled => return self.interrupt(),
            ModelErrorKind::Lost if !whole => {
                self.ask_for_summary(reason, reduction, Delivery::Whole, before);
                return Ok(());
            }
            ModelErrorKind::ContextFull | ModelErrorKind::MediaRefused => {
                if let Some(further) = reduction.further() {
                    self.ask_for_summary(reason, further, Delivery::Stream, before);
                    return Ok(());
                }
            }
            _ => {}
        }
        self.give_up_the_summary(&error.message)
    }

    /// Asks once more after an answer that is no summary, of less where the context was full.
    fn no_summary(&mut self, wrong: NoSummary) -> Result<(), RuntimeError> {
        let Some(Summarising { reason, reduction, before, .. }) = self.summary.take() else { return Ok(()) };
        let reduction = match wrong {
            NoSummary::ContextFull => reduction.further(),
            _ => before.is_none().then_some(reduction),
        };
        match reduction {
            Some(reduction) => {
                self.ask_for_summary(reason, reduction, Delivery::Stream, Some(wrong));
                Ok(())
            }
            None => self.give_up_the_summary(&wrong.to_string()),
        }
    }

    fn give_up_the_summary(&mut self, why: &str) -> Result<(), RuntimeError> {
        self.summary = None;
        let text = format!("The conversation could not be summarised: {why}");
        self.agent.record(EventBody::Notice { text }, None)?;
        self.feed(Input::CompactionFailed)
    }

    fn take_summary(&mut self, usage: Usage) -> Result<(), RuntimeError> {
        let Some(Summarising { reason, text, .. }) = self.summary.take() else { return Ok(()) };
        let id = self.agent.next_message_id("summary");
        let event = {
            let state = self.agent.state();
            let limits = self.compaction_limits();
            let kept = limits.kept(&state.messages);
            let (_, stays) = state.messages.split_at(state.messages.len().saturating_sub(kept));
            EventBody::Compacted {
                reason,
                summary: limits.summary_message(id, &text, state.prompt.as_ref(), stays),
                kept,
                tokens_before: state.last_usage.context_tokens(),
                usage,
            }
        };
        self.agent.record(event, None)?;
        self.agent.settle_revealed();
        // What the model said before is not this turn's last word any more.
        self.begun = self.agent.state().messages.len();
        self.feed(Input::Compacted)
    }
}
