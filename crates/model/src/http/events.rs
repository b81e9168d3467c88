//! Server-sent events with a limit on silence. Every way in which they can end early is one error: lost.

use std::error::Error;
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::{Body, Response};
use sse_stream::SseStream;

use super::Options;
use crate::ModelError;

pub(crate) struct Events {
    stream: SseStream<Body>,
    /// The first event may take as long as an answer: a local server reads the whole prompt before it.
    limit: Duration,
    idle: Duration,
}

impl Events {
    pub(super) fn new(response: Response, options: &Options) -> Self {
        let limit = Duration::from_millis(options.answer_timeout_ms);
        let idle = Duration::from_millis(options.idle_timeout_ms);
        Self { stream: SseStream::new(Body::from(response)), limit, idle }
    }

    /// The data of the next event that has any; none at the end of the connection, which only the wire's own end mark makes a
    /// good one.
    pub(crate) async fn next(&mut self) -> Result<Option<String>, ModelError> {
        loop {
            let limit = std::mem::replace(&mut self.limit, self.idle);
            match tokio::time::timeout(limit, self.stream.next()).await {
                Ok(None) => return Ok(None),
                Ok(Some(Ok(event))) => {
                    if let Some(data) = event.data.filter(|data| !data.trim().is_empty()) {
                        return Ok(Some(data));
                    }
                }
                Ok(Some(Err(error))) => return Err(ModelError::lost(innermost(&error))),
                Err(_) => {
                    return Err(ModelError::lost(format!(
                        "nothing came for {} s (setting modelOptions.idleTimeoutMs)",
                        limit.as_secs_f32()
                    )));
                }
            }
        }
    }
}

/// The innermost cause, which names no address.
pub(super) fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut inner = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}
