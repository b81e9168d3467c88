//! Every fault over each wire: what is repeated, what is lost, what ends.

use serde_json::json;
use toolwright_model::ModelErrorKind::{self, *};
use toolwright_testkit::ModelServer;

use crate::support::{Ask, WIRES, Wire, model};

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
    for status in [408, 409, 425] {
        check(&format!(r#"{{"http": {{"status": {status}}}}}"#), false, ServerError, 3);
    }
}

#[test]
fn refusals_that_will_not_pass_are_not() {
    check(r#"{"http": {"status": 400}}"#, false, BadRequest, 1);
    check(r#"{"http": {"status": 401}}"#, false, Unauthorised, 1);
    check(r#"{"http": {"status": 403}}"#, true, Unauthorised, 1);
    check(r#"{"http": {"status": 404}}"#, false, NotFound, 1);
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
    for fault in ["cut", "garbled"] {
        check(&format!(r#"{{"{fault}": {{"bytes": 5}}}}"#), true, Lost, 1);
    }
}

#[test]
fn an_error_that_passes_is_one_with_status_200_too() {
    for (wire, kind) in [(Wire::Messages, Overloaded), (Wire::Chat, ServerError)] {
        let turn = r#"{"reply": [], "fail": {"error_event": {"bytes": 0}}}"#.to_owned() + "\n";
        let server = ModelServer::with_script(&turn.repeat(3));
        let answer = Ask::text("go").whole().answer(&*model(wire, &server, json!({"maxRetries": 2})));
        assert_eq!((answer.error().kind, server.requests().len()), (kind, 3));
    }
}

/// Sent once, and named for what it is.
#[test]
fn what_is_no_answer_is_named() {
    let check = |http: &serde_json::Value, kind: ModelErrorKind, parts: &[&str]| {
        for (wire, whole) in WIRES.into_iter().flat_map(|wire| [(wire, false), (wire, true)]) {
            let server = ModelServer::with_script(&json!({"fail": {"http": http}}).to_string());
            let ask = if whole { Ask::text("go").whole() } else { Ask::text("go") };
            let answer = ask.answer(&*model(wire, &server, json!({})));
            let error = answer.error();
            let text = error.to_string();
            assert_eq!((error.kind, server.requests().len()), (kind, 1), "{wire:?} {whole} {http}: {text}");
            let address = server.url().replace("http://", "");
            for part in parts.iter().copied().chain([address.as_str()]) {
                assert!(text.contains(part), "{wire:?} {whole} {http}: `{part}` is not in {text}");
            }
        }
    };
    let reply = |status: u16, kind: &str, body: &str| json!({"status": status, "headers": {"content-type": kind}, "body": body});
    let page = "<!DOCTYPE html>\n<html><head><title>\n Sign  in </title></head><body>..</body></html>";
    let html = ["HTTP 200", "a page of HTML (\"Sign in\")", "_BASE_URL"];
    check(&reply(200, "text/html; charset=utf-8", page), NotFound, &html);
    check(&reply(200, "text/plain", page), NotFound, &html);
    check(&reply(200, "application/json", page), NotFound, &html);
    check(&reply(200, "text/html", "<h1>hi</h1>"), NotFound, &["HTTP 200", "a page of HTML,"]);
    check(&reply(200, "application/xml", "<?xml version='1.0'?><x/>"), NotFound, &["HTTP 200", "XML"]);
    check(&reply(200, "text/plain", "<?xml version='1.0'?><x/>"), NotFound, &["HTTP 200", "XML"]);
    for kind in ["application/json", "text/plain", "text/event-stream"] {
        check(&reply(200, kind, ""), NotFound, &["HTTP 200", "an empty body"]);
        let words = "model not loaded";
        check(&reply(200, kind, &format!(r#"{{"detail":"{words}"}}"#)), BadRequest, &["HTTP 200", words]);
        let error = format!(r#"{{"error":{{"message":"{words}","code":401}}}}"#);
        check(&reply(200, kind, &error), Unauthorised, &["HTTP 200", words]);
    }
    check(&reply(200, "application/json", r#"{"ok":true}"#), NotFound, &["HTTP 200", r#"{"ok":true}"#]);
    check(&reply(200, "text/plain", "hello"), NotFound, &["HTTP 200", "the text \"hello\""]);
    check(&reply(204, "text/plain", ""), NotFound, &["HTTP 204", "an empty body"]);
    check(&reply(202, "text/html", page), NotFound, &["HTTP 202", "a page of HTML"]);
    let mut gzip = reply(200, "text/event-stream", "any bytes");
    gzip["headers"]["content-encoding"] = json!("gzip");
    check(&gzip, NotFound, &["HTTP 200", "compressed (gzip)"]);
}

/// A server that does not stream, or streams though it was not asked to, is read as it answers.
#[test]
fn an_answer_in_the_other_form_is_an_answer() {
    let whole = |wire| match wire {
        Wire::Messages => r#"{"content": [{"type": "text", "text": "ok"}], "stop_reason": "end_turn"}"#,
        Wire::Chat => r#"{"choices": [{"message": {"content": "ok"}}]}"#,
    };
    for wire in WIRES {
        let http =
            json!({"status": 200, "headers": {"content-type": "application/json"}, "body": whole(wire)});
        let server = ModelServer::with_script(&json!({"fail": {"http": http}}).to_string());
        let answer = Ask::text("go").answer(&*model(wire, &server, json!({})));
        assert_eq!(answer.words(), "text:ok", "{:?}", answer.end);
    }
}

#[test]
fn waits_in_any_form_are_kept() {
    let check = |name: &str, value: &str, seconds: u64| {
        let headers = json!({"date": "Mon, 30 Nov 2026 19:29:00 GMT", name: value});
        let script = json!({"fail": {"http": {"status": 429, "headers": headers}}}).to_string();
        for wire in WIRES {
            let server = ModelServer::with_script(&script);
            let answer = Ask::text("go").answer(&*model(wire, &server, json!({})));
            let asked = answer.error().to_string();
            assert!(asked.contains(&format!("It asks to wait {seconds} s.")), "{asked}");
        }
    };
    check("retry-after", "4000", 4000);
    check("retry-after", "Mon, 30 Nov 2026 20:29:00 GMT", 3600);
    check("anthropic-ratelimit-tokens-reset", "2026-11-30T19:39:00Z", 600);
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
fn a_connection_that_breaks_is_tried_again_until_the_outage_is_too_long() {
    for wire in WIRES {
        let turns = r#"{"fail": "drop"}"#.to_owned() + "\n";
        let server = ModelServer::with_script(&turns.repeat(200));
        let answer = Ask::text("go").answer(&*model(wire, &server, json!({"outageMs": 50, "maxRetries": 0})));
        assert_eq!(answer.error().kind, Unreachable, "{}", answer.error());
        assert_eq!((server.requests().len(), answer.retries > 1), (answer.retries + 1, true));
    }
}

#[test]
fn a_server_that_is_not_there_is_named() {
    for wire in WIRES {
        let server = ModelServer::with_script("[]");
        let gone = model(wire, &server, json!({"outageMs": 20}));
        let address = server.url().replace("http://", "");
        drop(server);
        let answer = Ask::text("go").answer(&*gone);
        assert_eq!(answer.error().kind, Unreachable);
        let text = answer.error().to_string();
        assert!(text.contains(&address) && text.contains(" times in 0 s.) Check that it runs"), "{text}");
    }
}
