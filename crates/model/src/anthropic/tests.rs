//! Streams as no well-behaved server sends them, without a server.

use proptest::prelude::*;
use serde_json::json;
use toolwright_core::{Block, StopReason};

use super::answer::{Answer, Next};
use crate::{ModelErrorKind, ModelEvent};

/// The blocks and the end of a stream of these events' data.
fn read(events: &[String]) -> (Vec<Block>, Result<StopReason, String>) {
    let mut blocks = Vec::new();
    let mut stop = None;
    let mut emit = |event| match event {
        ModelEvent::BlockFinished { block, .. } => blocks.push(block),
        ModelEvent::Finished { stop: reason, .. } => stop = Some(reason),
        _ => {}
    };
    let mut answer = Answer::default();
    for data in events {
        match answer.take(data, &mut emit) {
            Ok(Next::More) => {}
            Ok(Next::Done) => break,
            Ok(Next::Error) => return (blocks, Err("error event".to_owned())),
            Err(error) => {
                assert_eq!(error.kind, ModelErrorKind::Lost);
                return (blocks, Err(error.message));
            }
        }
    }
    let end = answer.end(&mut emit).map_err(|error| error.message);
    (blocks, end.map(|()| stop.unwrap()))
}

fn text_block(delta: &str) -> Vec<String> {
    vec![
        json!({"type": "message_start", "message": {"model": "m", "later": 1}}).to_string(),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
            .to_string(),
        delta.to_owned(),
        json!({"type": "content_block_stop", "index": 0}).to_string(),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}).to_string(),
    ]
}

#[test]
fn odd_streams() {
    let check = |delta: &str, expect: Result<StopReason, &str>| {
        let (_, end) = read(&text_block(delta));
        match (&end, expect) {
            (Ok(stop), Ok(expected)) => assert_eq!(*stop, expected),
            (Err(message), Err(part)) => assert!(message.contains(part), "{message}"),
            _ => panic!("{delta}: {end:?}, expected {expect:?}"),
        }
    };
    let good = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}"#;
    // The connection closed after the reason, before the last event: nothing is missing.
    check(good, Ok(StopReason::EndTurn));
    check(r#"{"type":"ping"}"#, Ok(StopReason::EndTurn));
    check(r#"{"type":"something_new","with":{"fields":1}}"#, Ok(StopReason::EndTurn));
    check(r#"{"type":"content_block_delta","index":0,"delta":{"type":"new_delta"}}"#, Err("unknown kind"));
    check(
        r#"{"type":"content_block_delta","index":4,"delta":{"type":"text_delta","text":"x"}}"#,
        Err("no open block"),
    );
    check(
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"text"}}"#,
        Err("within another"),
    );
    check(r#"{"type":"content_block_delta","index":0"#, Err("makes no sense"));
    check(r#"{"type":"message_stop"}"#, Err("had no end"));
    check(r#"{"type":"error","error":{"type":"overloaded_error"}}"#, Err("error event"));
}

#[test]
fn citations_stay_with_their_text() {
    let delta = json!({"type": "content_block_delta", "index": 0,
        "delta": {"type": "citations_delta", "citation": {"cited_text": "c"}}});
    let (blocks, _) = read(&text_block(&delta.to_string()));
    let fields =
        json!({"type": "toolwright_fields", "of": "text", "fields": {"citations": [{"cited_text": "c"}]}});
    assert_eq!(blocks, [Block::text(""), Block::Vendor { vendor: "anthropic".into(), value: fields }]);
}

#[test]
fn an_odd_field_costs_nothing() {
    let check = |event: usize, place: &str, value: &serde_json::Value| {
        let mut events = [
            json!({"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 5}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "so"}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "!"}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}),
            json!({"type": "message_stop"}),
        ];
        let (parent, field) = place.rsplit_once('/').unwrap();
        events[event].pointer_mut(parent).unwrap()[field] = value.clone();
        let (blocks, end) = read(&events.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(end, Ok(StopReason::EndTurn), "{event} {place} = {value}");
        let text = format!("{blocks:?}");
        assert!(blocks.len() == 1 && text.contains('!'), "{event} {place} = {value}: {text}");
    };
    for odd in [json!(null), json!(-1), json!(1.5), json!("0"), json!([]), json!({}), json!(true)] {
        check(0, "/message", &odd);
        check(0, "/message/model", &odd);
        check(0, "/message/usage", &odd);
        check(1, "/content_block/text", &odd);
        check(2, "/delta", &odd);
        check(2, "/delta/text", &odd);
        check(5, "/delta", &odd);
        check(5, "/delta/stop_reason", &odd);
        check(5, "/usage", &odd);
        for count in
            ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"]
        {
            check(0, &format!("/message/usage/{count}"), &odd);
            check(5, &format!("/usage/{count}"), &odd);
        }
    }
    for odd in [json!(null), json!("0"), json!(0.0), json!({})] {
        for event in [1, 2, 4] {
            check(event, "/index", &odd);
        }
    }
}

#[test]
fn an_odd_field_of_an_answer_in_one_piece_costs_nothing() {
    let check = |field: &str, value: serde_json::Value| {
        let mut message = json!({"model": "m", "content": [{"type": "text", "text": "so"}], "stop_reason": "end_turn",
            "usage": {"input_tokens": 5, "output_tokens": 2}});
        message[field] = value.clone();
        let mut words = String::new();
        let end = super::answer::whole(message, &mut |event| match event {
            ModelEvent::BlockFinished { block, .. } => words += &format!("{block:?}"),
            ModelEvent::Finished { stop, .. } => words += &format!("{stop:?}"),
            _ => {}
        });
        assert!(
            end.is_ok() && words.contains("so") && words.contains("EndTurn"),
            "{field} = {value}: {end:?} {words}"
        );
    };
    for odd in [json!(null), json!(-1), json!(1.5), json!([]), json!({})] {
        for field in ["model", "stop_reason", "usage"] {
            check(field, odd.clone());
        }
    }
    check("content", json!("so"));
    check("content", json!({"type": "text", "text": ["so"]}));
}

proptest! {
    /// A prefix of a good stream with any line changed ends in one way or the other, and never in a panic.
    #[test]
    fn any_damage_is_survived(line in 0usize..5, at in 0usize..80, with in "\\PC{0,6}", keep in 0usize..6) {
        let good = r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}}"#;
        let mut events = text_block(good);
        if let Some(event) = events.get_mut(line) {
            let at = at.min(event.len());
            event.replace_range(at..at, &with);
        }
        events.truncate(keep);
        let (_, end) = read(&events);
        prop_assert!(keep >= 5 || end.is_err());
    }
}
