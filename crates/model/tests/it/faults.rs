//! Every fault over each wire: what is repeated, what is lost, what ends.

use serde_json::json;
use toolwright_model::ModelErrorKind::{self, *};
use toolwright_testkit::ModelServer;

use crate::support::{Ask, WIRES, model};

fn check(fail: &str, whole: bool, kind: ModelErrorKind, requests: usize) {
    for wire in WIRES {
        let turn = format!(
            r#"{{"reply": [{{"text": "some words"}}, {{"tool": "Write", "input": {{"path": "/half"}}}}], "fail": {fail}}}"#
        );
        let turns = vec![turn; 12].join("\n");
        let server = ModelServer::with_script(&turns);
        let options = json!({"maxRetries": 2, "idleTimeoutMs": 50, "answerTimeoutMs": 5000});
        let ask = if whole { Ask::text("go").whole() } else { Ask::text("go") };
        let answer = ask.answer(&*model(wire, &server, options));
        assert_eq!(answer.error().kind, kind, "{wire:?} {fail}: {}", answer.error());
        assert_eq!(server.requests().len(), requests, "{wire:?} {fail}");
        assert_eq!(answer.retries, requests - 1, "{wire:?} {fail}");
        let half = answer.words().contains("Write");
        assert!(!half, "{wire:?} {fail}: half a call came through: {}", answer.words());
    }
}

#[test]
fn refusals_that_may_pass_are_repeated() {
    check(r#"{"http": {"status": 429, "retry_after": 0}}"#, false, RateLimited, 3);
    check(r#"{"http": {"status": 500}}"#, false, ServerError, 3);
    check(r#"{"http": {"status": 503}}"#, true, ServerError, 3);
    check(r#"{"http": {"status": 529}}"#, false, Overloaded, 3);
    check(r#""drop""#, false, Unreachable, 3);
}

#[test]
fn refusals_that_will_not_pass_are_not() {
    check(r#"{"http": {"status": 400}}"#, false, BadRequest, 1);
    check(r#"{"http": {"status": 401}}"#, false, Unauthorised, 1);
    check(r#"{"http": {"status": 403}}"#, true, Unauthorised, 1);
    check(r#"{"http": {"status": 404}}"#, false, NotFound, 1);
    check(r#"{"http": {"status": 408}}"#, false, BadRequest, 1);
    check(r#"{"http": {"status": 302}}"#, false, NotFound, 1);
    let long =
        r#"{"http": {"status": 400, "message": "prompt is too long: 208380 tokens > 200000 maximum"}}"#;
    check(long, false, ContextFull, 1);
    check(r#"{"http": {"status": 413}}"#, false, ContextFull, 1);
    let image = r#"{"http": {"status": 400, "message": "Could not process image"}}"#;
    check(image, false, MediaRefused, 1);
    // Longer than anybody waits.
    check(r#"{"http": {"status": 429, "retry_after": 4000}}"#, false, RateLimited, 1);
}

#[test]
fn a_lost_stream_is_said_and_not_repeated() {
    for place in [r#"{"bytes": 0}"#, r#"{"bytes": 5}"#, r#"{"blocks": 1}"#, r#"{"bytes": 15}"#] {
        for fault in ["cut", "garbled", "error_event", "stall"] {
            check(&format!(r#"{{"{fault}": {place}}}"#), false, Lost, 1);
        }
    }
}

#[test]
fn a_lost_answer_in_one_piece_is_said_too() {
    for fault in ["cut", "garbled", "error_event"] {
        check(&format!(r#"{{"{fault}": {{"bytes": 5}}}}"#), true, Lost, 1);
    }
}

#[test]
fn an_error_event_is_quoted() {
    for wire in WIRES {
        let server = ModelServer::with_script(r#"{"reply": [], "fail": {"error_event": {"bytes": 0}}}"#);
        let answer = Ask::text("go").answer(&*model(wire, &server, json!({})));
        let text = answer.error().to_string();
        assert!(text.contains("Overloaded"), "{text}");
    }
}

#[test]
fn what_passes_after_refusals_is_whole() {
    let script = r#"{"turns": [
        {"fail": {"http": {"status": 429, "retry_after": 0}}}, {"fail": {"http": {"status": 529}}}, {"fail": "drop"},
        {"reply": [{"text": "ok"}]}]}"#;
    for wire in WIRES {
        let server = ModelServer::with_script(script);
        let answer = Ask::text("go").answer(&*model(wire, &server, json!({})));
        assert_eq!((answer.words().as_str(), answer.retries), ("text:ok", 3));
        let requests = server.requests();
        assert!(requests.windows(2).all(|pair| pair[0].bytes == pair[1].bytes));
    }
}

#[test]
fn a_server_that_is_not_there_is_named() {
    for wire in WIRES {
        let server = ModelServer::with_script("[]");
        let gone = model(wire, &server, json!({"maxRetries": 1}));
        let address = server.url().replace("http://", "");
        drop(server);
        let answer = Ask::text("go").answer(&*gone);
        assert_eq!(answer.error().kind, Unreachable);
        let text = answer.error().to_string();
        assert!(text.contains(&address) && text.contains("Tried 2 times"), "{text}");
    }
}
