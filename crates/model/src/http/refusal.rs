//! What an HTTP reply other than 200 means. Vendors and servers word errors in half a dozen shapes; what tells a full context
//! or a bad image from any other refusal is often in the words alone, and this is the one place that reads them.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;
use serde_json::Value;

use super::waits;
use crate::ModelErrorKind;

pub(super) struct Refusal {
    pub(super) kind: ModelErrorKind,
    pub(super) words: String,
    pub(super) retry_after: Option<Duration>,
}

pub(super) fn read(status: u16, headers: &HeaderMap, body: &str, now: SystemTime) -> Refusal {
    let words = words(body);
    let retry_after = waits::asked(status, headers, now);
    Refusal { kind: kind(status, body, &words), words, retry_after }
}

/// What an error in the body of a reply with status 200 means: by the status it names, else by its type.
pub(super) fn kind_in_json(json: &Value, body: &str, words: &str) -> ModelErrorKind {
    let places = ["/error/code", "/error/status", "/error/status_code", "/code", "/status", "/status_code"];
    let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
    let statuses = places.iter().filter_map(|place| json.pointer(place).and_then(number));
    let named =
        statuses.filter_map(|status| u16::try_from(status).ok()).find(|status| (400..600).contains(status));
    let status = named.unwrap_or_else(|| {
        let types = ["/error/type", "/error/code", "/type", "/code"];
        let types = types.iter().filter_map(|place| json.pointer(place).and_then(Value::as_str));
        let status = types.filter_map(|name| match name {
            "overloaded_error" | "overloaded" => Some(529),
            "rate_limit_error" | "rate_limit_exceeded" => Some(429),
            "api_error" | "server_error" | "internal_server_error" | "timeout_error" => Some(500),
            "authentication_error" | "permission_error" | "invalid_api_key" => Some(401),
            "not_found_error" | "model_not_found" => Some(404),
            _ => None,
        });
        status.into_iter().next().unwrap_or(400)
    });
    kind(status, body, words)
}

fn kind(status: u16, body: &str, words: &str) -> ModelErrorKind {
    match status {
        401 | 403 => ModelErrorKind::Unauthorised,
        404 | 300..=399 => ModelErrorKind::NotFound,
        413 => ModelErrorKind::ContextFull,
        // Too slow, in conflict with another request, too early: each passes.
        408 | 409 | 425 => ModelErrorKind::ServerError,
        429 => ModelErrorKind::RateLimited,
        529 => ModelErrorKind::Overloaded,
        400 if is_context_full(body, words) => ModelErrorKind::ContextFull,
        // llama.cpp takes an image that its model cannot read for a fault of its own.
        400 | 500 if is_media(words) => ModelErrorKind::MediaRefused,
        500..=599 => ModelErrorKind::ServerError,
        _ => ModelErrorKind::BadRequest,
    }
}

fn is_context_full(body: &str, words: &str) -> bool {
    let codes = ["context_length_exceeded", "exceed_context_size_error"];
    let phrases = [
        "prompt is too long",
        "maximum context length",
        "context length exceeded",
        "exceed context limit",
        "exceeds the available context",
    ];
    let words = words.to_ascii_lowercase();
    codes.iter().any(|code| body.contains(code)) || phrases.iter().any(|phrase| words.contains(phrase))
}

fn is_media(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    let about = ["image", "pdf", "document", "audio"].iter().any(|kind| words.contains(kind));
    let faults =
        ["could not process", "exceed", "unsupported", "not support", "invalid", "corrupt", "too large"];
    about && faults.iter().any(|fault| words.contains(fault))
}

/// The vendor's own words in `body`, shortened.
pub(super) fn words(body: &str) -> String {
    let json: Value = serde_json::from_str(body).unwrap_or_default();
    let places = ["/error/message", "/error", "/message", "/detail", "/detail/0/msg"];
    let found = places.iter().find_map(|place| json.pointer(place).and_then(Value::as_str));
    // A page of HTML says nothing to a person.
    let plain = Some(body.trim()).filter(|text| json.is_null() && !text.starts_with('<'));
    let kind = json.pointer("/error/type").and_then(Value::as_str);
    let text = found.or(plain).or(kind).unwrap_or_default();
    match text.char_indices().nth(500) {
        Some((end, _)) => format!("{}..", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// What a person can do about it.
pub(super) fn next_step(kind: ModelErrorKind, key_variable: &str) -> String {
    match kind {
        ModelErrorKind::Unauthorised => format!(". Check {key_variable}."),
        ModelErrorKind::NotFound => ". Check the model's name and the base URL.".to_owned(),
        ModelErrorKind::ContextFull => ". Compact the conversation, or begin a new one.".to_owned(),
        ModelErrorKind::RateLimited => ". Wait, or ask for less at once.".to_owned(),
        ModelErrorKind::Overloaded | ModelErrorKind::ServerError => ". Try again later.".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_errors() {
        let check = |status, body: &str, expect: ModelErrorKind, words: &str| {
            let refusal = read(status, &HeaderMap::new(), body, SystemTime::UNIX_EPOCH);
            assert_eq!((refusal.kind, refusal.words.as_str()), (expect, words), "{body}");
        };
        let long =
            "request (4007 tokens) exceeds the available context size (2048 tokens), try increasing it";
        let llama =
            format!(r#"{{"error":{{"code":400,"message":"{long}","type":"exceed_context_size_error"}}}}"#);
        check(400, &llama, ModelErrorKind::ContextFull, long);
        let image =
            r#"{"error":{"code":500,"message":"image input is not supported","type":"server_error"}}"#;
        check(500, image, ModelErrorKind::MediaRefused, "image input is not supported");
        let openai = r#"{"error":{"message":"too much","type":"invalid_request_error","code":"context_length_exceeded"}}"#;
        check(400, openai, ModelErrorKind::ContextFull, "too much");
        check(
            404,
            r#"{"error":"model not found, pull it"}"#,
            ModelErrorKind::NotFound,
            "model not found, pull it",
        );
        check(400, r#"{"object":"error","message":"bad"}"#, ModelErrorKind::BadRequest, "bad");
        check(422, r#"{"detail":[{"msg":"field required"}]}"#, ModelErrorKind::BadRequest, "field required");
        check(502, "<html>Bad gateway</html>", ModelErrorKind::ServerError, "");
        check(503, "try later\n", ModelErrorKind::ServerError, "try later");
        check(
            529,
            r#"{"error":{"type":"overloaded_error"}}"#,
            ModelErrorKind::Overloaded,
            "overloaded_error",
        );
    }

    #[test]
    fn errors_with_status_200() {
        let check = |body: &str, expect: ModelErrorKind| {
            let json = serde_json::from_str(body).unwrap();
            assert_eq!(kind_in_json(&json, body, &words(body)), expect, "{body}");
        };
        check(r#"{"error":{"message":"x","code":429}}"#, ModelErrorKind::RateLimited);
        check(r#"{"error":{"message":"x","code":"503"}}"#, ModelErrorKind::ServerError);
        check(r#"{"status":401,"message":"x"}"#, ModelErrorKind::Unauthorised);
        check(r#"{"error":{"message":"x","type":"overloaded_error"}}"#, ModelErrorKind::Overloaded);
        check(r#"{"detail":"model not loaded"}"#, ModelErrorKind::BadRequest);
        check(r#"{"error":{"message":"maximum context length is 10"}}"#, ModelErrorKind::ContextFull);
    }
}
