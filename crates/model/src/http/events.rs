//! Server-sent events with a limit on silence. Every way in which they can end early is one error: lost. Knows no wire.

use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt, try_unfold};
use reqwest::Response;
use sse_stream::SseByteStream;

use super::{Http, reply};
use crate::ModelError;

/// What is kept of a body of which it is not known whether it is a stream of events.
const HEAD: usize = 4096;
/// Once an answer is whole the end of its body is at hand, or does not come.
const TAIL: Duration = Duration::from_millis(500);
const TAIL_EVENTS: usize = 64;

/// The events of an answer.
pub(crate) struct Events<'a> {
    http: &'a Http,
    stream: SseByteStream<BoxStream<'static, Result<Bytes, Fault>>>,
    content_type: String,
    state: Arc<State>,
}

/// What the bytes tell the events, and the events the bytes.
#[derive(Default)]
struct State {
    has_begun: AtomicBool,
    head: Mutex<Vec<u8>>,
}

#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("nothing came for {} s (setting modelOptions.idleTimeoutMs)", .0.as_secs_f32())]
    Silent(Duration),
    #[error(transparent)]
    Broken(#[from] reqwest::Error),
}

impl<'a> Events<'a> {
    pub(super) fn new(http: &'a Http, response: Response, content_type: String) -> Self {
        // The first event may take as long as an answer: a local server reads the whole prompt before it.
        let first = Duration::from_millis(http.options.answer_timeout_ms);
        let idle = Duration::from_millis(http.options.idle_timeout_ms);
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        // Comments are no events, and a sign of life all the same: silence is of bytes.
        let bytes = try_unfold(response, move |mut response| {
            let shared = Arc::clone(&shared);
            async move {
                let has_begun = shared.has_begun.load(Ordering::Relaxed);
                let limit = if has_begun { idle } else { first };
                let chunk = tokio::time::timeout(limit, response.chunk()).await;
                let chunk = chunk.map_err(|_| Fault::Silent(limit))??;
                if let Some(chunk) = chunk.as_ref().filter(|_| !has_begun) {
                    let mut head = shared.head.lock().unwrap_or_else(PoisonError::into_inner);
                    let room = HEAD.saturating_sub(head.len());
                    head.extend(chunk.iter().take(room));
                }
                Ok::<_, Fault>(chunk.map(|chunk| (chunk, response)))
            }
        });
        Self { http, stream: SseByteStream::new(bytes.boxed()), content_type, state }
    }

    /// The data of the next event that has any; none at the end of the connection, which only the wire's own end mark makes a
    /// good one.
    pub(crate) async fn next(&mut self) -> Result<Option<String>, ModelError> {
        while let Some(event) = self.stream.next().await {
            let event =
                event.map_err(|error| ModelError::lost(self.http.without_secret(&innermost(&error))))?;
            if let Some(data) = event.data.filter(|data| !data.trim().is_empty()) {
                self.state.has_begun.store(true, Ordering::Relaxed);
                return Ok(Some(data));
            }
        }
        if self.state.has_begun.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let head = std::mem::take(&mut *self.state.head.lock().unwrap_or_else(PoisonError::into_inner));
        Err(reply::no_answer(self.http, 200, &self.content_type, &head))
    }

    /// The answer is whole: reads on to the end of the body beside what follows, so that the connection can be used again.
    pub(crate) fn end(self) {
        let Self { http, stream, .. } = self;
        http.read_on(async move {
            let rest = stream.take(TAIL_EVENTS).for_each(|_| std::future::ready(()));
            tokio::time::timeout(TAIL, rest).await.is_ok()
        });
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

#[cfg(test)]
mod tests {
    use futures_util::stream::unfold;
    use http_body_util::StreamBody;
    use hyper::body::Frame;
    use reqwest::Body;
    use toolwright_core::Environment;

    use super::*;
    use crate::http::{Secret, Way};

    fn http() -> Http {
        let way = Way {
            vendor: "test",
            key_variable: "KEY",
            base_variable: "BASE_URL",
            base: "http://h",
            path: |path| path.to_owned(),
            answer_field: "content",
            secret: Secret::default(),
            headers: reqwest::header::HeaderMap::new(),
        };
        Http::new(way, &Environment::default()).unwrap()
    }

    /// What comes of pieces, each after so many seconds on a clock that the test moves.
    async fn read(pieces: &'static [(u64, &'static str)]) -> Vec<String> {
        let frames = unfold(pieces.iter(), async |mut pieces| {
            let (wait, piece) = pieces.next()?;
            tokio::time::sleep(Duration::from_secs(*wait)).await;
            Some((Ok::<_, std::io::Error>(Frame::data(Bytes::from_static(piece.as_bytes()))), pieces))
        });
        let response = Response::from(hyper::Response::new(Body::wrap(StreamBody::new(Box::pin(frames)))));
        let http = http();
        let mut events = Events::new(&http, response, String::new());
        let mut found = Vec::new();
        loop {
            match events.next().await {
                Ok(Some(data)) => found.push(data),
                Ok(None) => return found,
                Err(error) => {
                    found.push(error.message);
                    return found;
                }
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn comments_are_a_sign_of_life() {
        let idle = "the model's answer was lost: nothing came for 120 s (setting modelOptions.idleTimeoutMs)";
        assert_eq!(
            read(&[(1, "data: a\n\n"), (110, ": ping\n\n"), (110, ":\n"), (110, "data: b\n\n")]).await,
            ["a", "b"]
        );
        assert_eq!(read(&[(1, "data: a\n\n"), (110, ": ping\n\n"), (130, "data: b\n\n")]).await, ["a", idle]);
        // Before the first event more patience is due.
        assert_eq!(read(&[(1, ": hello\n\n"), (500, ": ping\n\n"), (500, "data: a\n\n")]).await, ["a"]);
    }

    #[tokio::test(start_paused = true)]
    async fn events_without_data_are_passed_over() {
        let pieces =
            &[(0, "data: a\n\n"), (0, "event: x\n\ndata:\n\ndata: \n\nid: 1\n\n"), (0, "data: b\n\n")];
        assert_eq!(read(pieces).await, ["a", "b"]);
    }
}
