//! A [`ModelStream`] out of an async function that emits events, raced against cancellation in one place for all clients.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_core::Stream;
use toolwright_core::{BoxFuture, Cancel};

use crate::{ModelError, ModelEvent, ModelStream};

/// Where the work puts its events; they are taken out before the work goes on waiting.
#[derive(Clone, Default)]
pub(crate) struct Emitter(Arc<Mutex<VecDeque<ModelEvent>>>);

impl Emitter {
    pub(crate) fn emit(&self, event: ModelEvent) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(event);
    }

    pub(crate) fn take(&self) -> Option<ModelEvent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

/// Runs `work` as the stream is polled, and not before. The work emits `Finished` or fails; when `cancel` is cancelled, or
/// the stream dropped, it is dropped where it waits, and its connection with it.
pub(crate) fn generate<F>(cancel: Cancel, work: impl FnOnce(Emitter) -> F) -> ModelStream
where
    F: Future<Output = Result<(), ModelError>> + Send + 'static,
{
    let emitter = Emitter::default();
    let state = State::Working(Box::pin(work(emitter.clone())));
    let cancelled = Box::pin(async move { cancel.cancelled().await });
    Box::pin(Generated { emitter, state, cancelled })
}

struct Generated {
    emitter: Emitter,
    state: State,
    cancelled: BoxFuture<'static, ()>,
}

enum State {
    Working(BoxFuture<'static, Result<(), ModelError>>),
    Failed(ModelError),
    Ended,
}

impl Stream for Generated {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if matches!(this.state, State::Ended) {
            return Poll::Ready(None);
        }
        if this.cancelled.as_mut().poll(context).is_ready() {
            this.state = State::Ended;
            return Poll::Ready(Some(Err(ModelError::cancelled())));
        }
        if let Some(event) = this.next_event() {
            return Poll::Ready(Some(Ok(event)));
        }
        if let State::Working(work) = &mut this.state {
            match work.as_mut().poll(context) {
                Poll::Ready(Ok(())) => this.state = State::Failed(ModelError::lost("it had no end")),
                Poll::Ready(Err(error)) => this.state = State::Failed(error),
                Poll::Pending => {}
            }
        }
        if let Some(event) = this.next_event() {
            return Poll::Ready(Some(Ok(event)));
        }
        match std::mem::replace(&mut this.state, State::Ended) {
            State::Failed(error) => Poll::Ready(Some(Err(error))),
            State::Ended => Poll::Ready(None),
            working @ State::Working(_) => {
                this.state = working;
                Poll::Pending
            }
        }
    }
}

impl Generated {
    fn next_event(&mut self) -> Option<ModelEvent> {
        let event = self.emitter.take()?;
        if matches!(event, ModelEvent::Finished { .. }) {
            self.state = State::Ended;
        }
        Some(event)
    }
}
