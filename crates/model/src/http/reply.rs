//! What a server sends with status 200. Often that is no answer of a model: the page of a portal, of a proxy or of a web
//! interface, or an error in JSON. Such a reply is named for what it is, and not taken for a broken answer.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE};
use serde_json::Value;

use super::{Events, Http, refusal};
use crate::{Delivery, ModelError, ModelErrorKind};

/// Of what is no answer no more is read.
const PAGE: usize = 64 * 1024;
/// No answer in one piece is longer.
const LONGEST_ANSWER: usize = 64 * 1024 * 1024;

/// A reply as the server chose to give it, whatever was asked for.
pub(crate) enum Reply<'a> {
    /// A stream of events.
    Events(Events<'a>),
    /// An answer in one piece: an object of JSON with the field that the wire's answers have.
    Whole(Value),
}

/// What a content type says that the body is.
#[derive(PartialEq)]
enum Kind {
    Html,
    Xml,
    Json,
    Other,
}

/// Takes a response of status 200.
pub(super) async fn read(
    http: &Http,
    response: Response,
    delivery: Delivery,
) -> Result<Reply<'_>, ModelError> {
    let header = |name| {
        let value = response.headers().get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_ascii_lowercase()
    };
    let encoding = header(CONTENT_ENCODING);
    if !["", "identity"].contains(&encoding.trim()) {
        let what = format!("a body that is compressed ({}), which was not asked for", encoding.trim());
        return Err(refused(http, 200, &what));
    }
    let content_type = header(CONTENT_TYPE);
    let kind = kind(&content_type);
    let is_stream = content_type.starts_with("text/event-stream");
    if is_stream || (delivery == Delivery::Stream && kind == Kind::Other) {
        return Ok(Reply::Events(Events::new(http, response, content_type)));
    }
    let limit = if matches!(kind, Kind::Html | Kind::Xml) { PAGE } else { LONGEST_ANSWER };
    let bytes = collect(http, response, limit).await?;
    if matches!(kind, Kind::Html | Kind::Xml) {
        return Err(no_answer(http, 200, &content_type, &bytes));
    }
    match serde_json::from_slice(&bytes) {
        Ok(json) => answer(http, json),
        // It begins as an answer, and is cut or garbled.
        Err(error) if bytes.trim_ascii_start().first().is_some_and(|first| b"{[".contains(first)) => {
            Err(ModelError::lost(format!("it is no JSON: {error}")))
        }
        Err(_) => Err(no_answer(http, 200, &content_type, &bytes)),
    }
}

fn answer(http: &Http, json: Value) -> Result<Reply<'_>, ModelError> {
    match json.get(http.answer_field) {
        Some(Value::Null) | None => Err(error_in_json(http, &json)),
        Some(_) if json.get("type").and_then(Value::as_str) == Some("error") => {
            Err(error_in_json(http, &json))
        }
        Some(_) => Ok(Reply::Whole(json)),
    }
}

/// JSON without an answer, which usually says why there is none.
fn error_in_json(http: &Http, json: &Value) -> ModelError {
    let text = json.to_string();
    let words = refusal::words(&text);
    if words.is_empty() {
        let begin: String = text.chars().take(200).collect();
        return refused(http, 200, &format!("JSON that is no answer: {begin}"));
    }
    let kind = refusal::kind_in_json(json, &text, &words);
    let next = refusal::next_step(kind, http.key_variable);
    let mut error = http.error(kind, format!("HTTP 200, with an error in its body: {words}{next}"));
    error.status = Some(200);
    error
}

/// The error for a body that is no answer. `body` may be its beginning alone.
pub(super) fn no_answer(http: &Http, status: u16, content_type: &str, body: &[u8]) -> ModelError {
    let text = String::from_utf8_lossy(body);
    let text = text.trim_start_matches('\u{feff}').trim();
    if let Ok(json) = serde_json::from_str::<Value>(text)
        && json.is_object()
    {
        return error_in_json(http, &json);
    }
    let lower = text.get(..text.len().min(256)).unwrap_or(text).to_ascii_lowercase();
    let is_html = lower.starts_with("<!doctype html") || lower.contains("<html");
    let what = match kind(content_type) {
        _ if text.is_empty() => "an empty body".to_owned(),
        Kind::Html => page(text),
        _ if is_html => page(text),
        Kind::Xml => "XML".to_owned(),
        _ if text.starts_with("<?xml") => "XML".to_owned(),
        _ => format!("the text \"{}\"", text.chars().take(200).collect::<String>()),
    };
    refused(http, status, &what)
}

/// The page and its title, which often says whose it is.
fn page(text: &str) -> String {
    // Letters outside ASCII keep their length, so that places in one text are places in the other.
    let lower = text.to_ascii_lowercase();
    let title = lower.find("<title").and_then(|start| {
        let start = start + lower.get(start..)?.find('>')? + 1;
        let end = start + lower.get(start..)?.find("</title")?;
        text.get(start..end)
    });
    let title = title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
    match title.filter(|title| !title.is_empty()) {
        Some(title) => format!("a page of HTML (\"{}\")", title.chars().take(100).collect::<String>()),
        None => "a page of HTML".to_owned(),
    }
}

fn refused(http: &Http, status: u16, what: &str) -> ModelError {
    let path = http.url.path();
    let text = format!(
        "{path} answers with HTTP {status} and {what}, not with an answer of a model. Check {}, and what stands between.",
        http.base_variable
    );
    let mut error = http.error(ModelErrorKind::NotFound, text);
    error.status = Some(status);
    error
}

fn kind(content_type: &str) -> Kind {
    let name = content_type.split(';').next().unwrap_or_default().trim();
    match name {
        "text/html" | "application/xhtml+xml" => Kind::Html,
        "text/xml" | "application/xml" => Kind::Xml,
        "application/json" | "text/json" => Kind::Json,
        _ if name.ends_with("+json") => Kind::Json,
        _ if name.ends_with("+xml") => Kind::Xml,
        _ => Kind::Other,
    }
}

async fn collect(http: &Http, mut response: Response, most: usize) -> Result<Vec<u8>, ModelError> {
    let limit = Duration::from_millis(http.options.answer_timeout_ms);
    let mut bytes = Vec::new();
    let all = async {
        while let Some(chunk) = response.chunk().await? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > most {
                break;
            }
        }
        Ok::<_, reqwest::Error>(())
    };
    match tokio::time::timeout(limit, all).await {
        Ok(Ok(())) => Ok(bytes),
        Ok(Err(error)) => Err(ModelError::lost(http.words(&error))),
        Err(_) => Err(http.silent(limit)),
    }
}
