//! One connection serves one request after the other, at the address that the settings give.

use std::sync::{Arc, mpsc};

use futures_util::StreamExt;
use serde_json::json;
use toolwright_core::Cancel;
use toolwright_model::{Model, ModelEvent, select};

use crate::raw::{Part, serve};
use crate::support::{Ask, KEY, WIRES, Wire, environment};

fn at(wire: Wire, base: &str) -> Arc<dyn Model> {
    let (name, url, key) = match wire {
        Wire::Messages => ("anthropic:claude-sonnet-5", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
        Wire::Chat => ("openai:x", "OPENAI_BASE_URL", "OPENAI_API_KEY"),
    };
    select(Some(name), &environment(&[(url, base), (key, KEY)], json!({}))).unwrap()
}

/// A whole answer, of whose body the end is still missing.
fn answer(wire: Wire) -> String {
    let event = |value: serde_json::Value| format!("data: {value}\n\n");
    let body = match wire {
        Wire::Messages => [
            event(json!({"type": "message_start", "message": {"model": "m"}})),
            event(json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "ok"}})),
            event(json!({"type": "content_block_stop", "index": 0})),
            event(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}})),
            event(json!({"type": "message_stop"})),
        ]
        .concat(),
        Wire::Chat => event(json!({"choices": [{"delta": {"content": "ok"}, "finish_reason": "stop"}]})) + "data: [DONE]\n\n",
    };
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    format!("{head}{:x}\r\n{body}\r\n", body.len())
}

#[tokio::test]
async fn a_body_that_ends_a_moment_later_keeps_the_connection() {
    for wire in WIRES {
        let (ends, replies): (Vec<_>, Vec<_>) = (0..5)
            .map(|_| {
                let (end, wait) = mpsc::channel();
                (end, vec![Part::Bytes(answer(wire)), Part::Wait(wait), Part::Bytes("0\r\n\r\n".into())])
            })
            .unzip();
        let (address, seen) = serve(replies);
        let model = at(wire, &format!("http://{address}"));
        for end in ends {
            let mut stream = Ask::text("go").stream(&*model, Cancel::default());
            let mut last = None;
            while let Some(event) = stream.next().await {
                last = Some(event.unwrap());
            }
            assert!(matches!(last, Some(ModelEvent::Finished { .. })));
            end.send(()).unwrap();
        }
        let seen = seen.lock().unwrap();
        assert_eq!((seen.requests.len(), seen.connections), (5, 1), "{wire:?}");
    }
}

#[test]
fn a_query_of_the_address_goes_behind_the_path() {
    let check = |wire, base: &str, expect: &str| {
        let (address, seen) = serve(vec![vec![Part::Bytes(answer(wire) + "0\r\n\r\n")]]);
        let model = at(wire, &format!("http://{address}{base}"));
        assert_eq!(Ask::text("go").answer(&*model).words(), "text:ok");
        assert_eq!(seen.lock().unwrap().requests, [format!("post {expect} http/1.1")]);
    };
    check(Wire::Messages, "?x=1", "/v1/messages?x=1");
    check(Wire::Messages, "/v1/?x=1", "/v1/messages?x=1");
    check(Wire::Messages, "/proxy", "/proxy/v1/messages");
    check(Wire::Chat, "?x=1", "/v1/chat/completions?x=1");
    check(Wire::Chat, "/openai?version=2", "/openai/chat/completions?version=2");
    check(Wire::Chat, "/", "/v1/chat/completions");
}
