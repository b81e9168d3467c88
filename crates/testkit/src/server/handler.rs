//! One request: recorded, answered by a turn of the script, and broken where the turn says so.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::stream;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::HeaderName;
use hyper::{Method, Request, Response};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolwright_model::ModelErrorKind;
use toolwright_model::scripted::{Fault, Http, Turn};

use super::parts::{Ending, parts};
use super::{Recorded, Shared, asked, chat, locked, messages};

type Reply = Response<BoxBody<Bytes, io::Error>>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wire {
    Messages,
    Chat,
}

pub(super) async fn answer(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Reply, io::Error> {
    let (head, body) = request.into_parts();
    let bytes = body.collect().await.map_err(io::Error::other)?.to_bytes();
    let received = Instant::now();
    let path = head.uri.path().to_owned();
    let wire = match (&head.method, path.trim_end_matches('/')) {
        (&Method::GET, models) if models.ends_with("/models") => {
            return json_reply(200, None, &json!({"object": "list", "data": [{"id": "scripted"}]}));
        }
        (&Method::POST, path) if path.ends_with("/messages/count_tokens") => {
            return json_reply(200, None, &json!({"input_tokens": bytes.len() / 4}));
        }
        (&Method::POST, path) if path.ends_with("/v1/messages") => Wire::Messages,
        (&Method::POST, path) if path.ends_with("/chat/completions") => Wire::Chat,
        _ => return json_reply(404, None, &messages::error("not_found_error", "no such path")),
    };
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let keys = ["authorization", "x-api-key"];
    let headers = head.headers.iter().map(|(name, value)| {
        let shown = if keys.contains(&name.as_str()) { "[key]" } else { value.to_str().unwrap_or_default() };
        (name.as_str().to_owned(), shown.to_owned())
    });
    let recorded = Recorded {
        path,
        headers: headers.collect(),
        body: body.clone(),
        bytes: bytes.to_vec(),
        received,
        answered: None,
        abandoned: false,
    };
    let place = {
        let mut requests = locked(&shared.requests);
        requests.push(recorded);
        requests.len() - 1
    };
    let asked = asked::asked(&body);
    let taken = locked(&shared.turns).take(&asked);
    let (number, turn) = match taken {
        Ok((number, turn)) => (number, turn.filled(&shared.cwd, &asked)),
        Err(mismatch) => return refusal(wire, 400, None, "invalid_request_error", &mismatch.to_string()),
    };
    match &turn.fail {
        Some(Fault::Drop) => return Err(io::Error::other("dropped as ordered")),
        Some(Fault::Http(http)) => return ordered(wire, http),
        Some(Fault::Error(kind)) => {
            let status = status(*kind);
            let (headers, body) = Default::default();
            return ordered(wire, &Http { status, retry_after: None, message: None, headers, body });
        }
        Some(Fault::Cut(_) | Fault::Stall(_) | Fault::Garbled(_) | Fault::ErrorEvent(_)) | None => {}
    }
    let (chunks, ending) = if asked.delivery == "stream" {
        streamed(wire, number, &body["model"], &turn)
    } else {
        whole(wire, number, &body["model"], &turn)
    };
    let kind = if asked.delivery == "stream" { "text/event-stream" } else { "application/json" };
    let pace = turn.pace_ms.map(Duration::from_millis);
    let (sender, receiver) = mpsc::channel(16);
    tokio::spawn(send(shared, place, chunks, ending, pace, sender));
    let frames = stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
    let body = BodyExt::boxed(StreamBody::new(frames));
    Response::builder().status(200).header("content-type", kind).body(body).map_err(io::Error::other)
}

/// Hands the chunks to the connection, and notices when the client goes away.
async fn send(
    shared: Arc<Shared>,
    place: usize,
    chunks: Vec<String>,
    ending: Ending,
    pace: Option<Duration>,
    sender: mpsc::Sender<Result<Frame<Bytes>, io::Error>>,
) {
    let note = |change: &dyn Fn(&mut Recorded)| {
        if let Some(recorded) = locked(&shared.requests).get_mut(place) {
            change(recorded);
        }
    };
    for chunk in chunks {
        if sender.send(Ok(Frame::data(chunk.into()))).await.is_err() {
            return note(&|recorded| recorded.abandoned = true);
        }
        if let Some(pace) = pace {
            tokio::time::sleep(pace).await;
        }
    }
    match ending {
        Ending::Stall => {
            sender.closed().await;
            note(&|recorded| recorded.abandoned = true);
        }
        Ending::Cut => drop(sender.send(Err(io::Error::other("cut as ordered"))).await),
        Ending::Whole | Ending::Garbled | Ending::ErrorEvent => {
            note(&|recorded| recorded.answered = Some(Instant::now()));
        }
    }
}

fn streamed(wire: Wire, number: usize, model: &Value, turn: &Turn) -> (Vec<String>, Ending) {
    let (parts, ending) = parts(number, turn);
    let mut chunks = Vec::new();
    let (overloaded, garbled) = match wire {
        Wire::Messages => {
            chunks.push(messages::event(&messages::head(model, turn)));
            chunks.push(messages::event(&json!({"type": "ping"})));
            chunks.extend(parts.iter().filter_map(messages::part).map(|value| messages::event(&value)));
            let error = messages::error("overloaded_error", "Overloaded");
            (messages::event(&error), messages::GARBLED)
        }
        Wire::Chat => {
            chunks.push(chat::event(&chat::head(model)));
            let said = parts.iter().filter_map(|part| chat::part(model, turn, part));
            chunks.extend(said.map(|value| chat::event(&value)));
            (chat::event(&chat::error("server_error", "Overloaded")), chat::GARBLED)
        }
    };
    match (ending, wire) {
        (Ending::Garbled, _) => chunks.push(garbled.to_owned()),
        (Ending::ErrorEvent, _) => chunks.push(overloaded),
        (Ending::Cut | Ending::Stall, _) => {}
        (Ending::Whole, Wire::Messages) => {
            chunks.push(messages::event(&messages::tail(turn)));
            chunks.push(messages::event(&json!({"type": "message_stop"})));
        }
        (Ending::Whole, Wire::Chat) => {
            chunks.push(chat::event(&chat::tail(model, turn)));
            chunks.push(chat::event(&chat::usage(model, turn)));
            chunks.push(chat::DONE.to_owned());
        }
    }
    (chunks, ending)
}

fn whole(wire: Wire, number: usize, model: &Value, turn: &Turn) -> (Vec<String>, Ending) {
    let (_, ending) = parts(number, turn);
    let text = match wire {
        Wire::Messages => messages::whole(number, model, turn),
        Wire::Chat => chat::whole(number, model, turn),
    }
    .to_string();
    let half = text.chars().take(text.chars().count() / 2).collect();
    let text = match (ending, wire) {
        (Ending::Whole, _) => text,
        (Ending::Cut | Ending::Stall | Ending::Garbled, _) => half,
        (Ending::ErrorEvent, Wire::Messages) => messages::error("overloaded_error", "Overloaded").to_string(),
        (Ending::ErrorEvent, Wire::Chat) => chat::error("server_error", "Overloaded").to_string(),
    };
    (vec![text], ending)
}

fn ordered(wire: Wire, http: &Http) -> Result<Reply, io::Error> {
    let kind = match http.status {
        401 => "authentication_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        400..=499 => "invalid_request_error",
        _ => "api_error",
    };
    let message = http.message.as_deref().unwrap_or("as ordered by the script");
    let mut reply = refusal(wire, http.status, http.retry_after, kind, message)?;
    if let Some(body) = &http.body {
        let full = Full::new(Bytes::from(body.clone())).map_err(|never: Infallible| match never {});
        *reply.body_mut() = full.boxed();
    }
    for (name, value) in &http.headers {
        let name = HeaderName::try_from(name).map_err(io::Error::other)?;
        reply.headers_mut().insert(name, value.parse().map_err(io::Error::other)?);
    }
    Ok(reply)
}

fn refusal(
    wire: Wire,
    status: u16,
    wait: Option<u64>,
    kind: &str,
    message: &str,
) -> Result<Reply, io::Error> {
    let body = match wire {
        Wire::Messages => messages::error(kind, message),
        Wire::Chat => chat::error(kind, message),
    };
    json_reply(status, wait, &body)
}

fn json_reply(status: u16, retry_after: Option<u64>, body: &Value) -> Result<Reply, io::Error> {
    let mut reply = Response::builder().status(status).header("content-type", "application/json");
    if let Some(seconds) = retry_after {
        reply = reply.header("retry-after", seconds);
    }
    let full = Full::new(Bytes::from(body.to_string())).map_err(|never: Infallible| match never {});
    reply.body(full.boxed()).map_err(io::Error::other)
}

fn status(kind: ModelErrorKind) -> u16 {
    match kind {
        ModelErrorKind::Unauthorised => 401,
        ModelErrorKind::NotFound => 404,
        ModelErrorKind::ContextFull => 413,
        ModelErrorKind::RateLimited => 429,
        ModelErrorKind::Overloaded => 529,
        ModelErrorKind::ServerError => 500,
        _ => 400,
    }
}
