//! What is sent, byte for byte.

use serde_json::{Value, json};
use toolwright_core::{Block, Content, Definition, Message, Outcome, Speaker, ToolInput};
use toolwright_model::Delivery;
use toolwright_testkit::ModelServer;

use crate::support::{Ask, Wire, model};

fn message(role: Speaker, content: Vec<Block>) -> Message {
    Message { id: "m".into(), role, content, source_tool_use: None }
}

fn tool(name: &str) -> Definition {
    let mut definition = Definition::new(name, format!("Does {name}."));
    definition.input_schema = json!({"type": "object", "properties": {"file_path": {"type": "string",
        "description": "The file."}, "offset": {"type": "integer", "minimum": 1}}, "required": ["file_path"],
        "additionalProperties": false});
    definition
}

fn result(id: &str, content: Vec<Content>, outcome: Outcome) -> Block {
    Block::ToolResult { tool_use_id: id.into(), content, outcome }
}

/// A conversation with one of everything.
fn conversation() -> Ask {
    let call = |id: &str, input| Block::ToolUse { id: id.into(), name: "Read".into(), input };
    let media = |kind: &str| Content::Media { media_type: kind.into(), data: "AAAA".into() };
    let mut ask = Ask::text("Look at this.");
    ask.messages[0].content.push(Block::Content(media("image/png")));
    let carrier = json!({"type": "toolwright_fields", "of": "tool_use", "fields": {"caller": {"type": "x"}}});
    ask.messages.push(message(
        Speaker::Assistant,
        vec![
            Block::Thinking { text: "signed".into(), signature: Some("SIG".into()) },
            Block::Thinking { text: "unsigned".into(), signature: None },
            Block::Vendor {
                vendor: "anthropic".into(),
                value: json!({"type": "redacted_thinking", "data": "x"}),
            },
            Block::Vendor { vendor: "other".into(), value: json!({"type": "other"}) },
            Block::text("I read."),
            call("t1", ToolInput::Json(json!({"file_path": "/a"}))),
            Block::Vendor { vendor: "anthropic".into(), value: carrier },
            call("t2", ToolInput::Malformed("{\"file_pa".into())),
            call("t3", ToolInput::Json(json!({"query": "mail"}))),
        ],
    ));
    ask.messages.push(message(
        Speaker::User,
        vec![
            Block::text("By the way, hurry."),
            result(
                "t1",
                vec![Content::text("text of a"), media("image/png"), media("audio/wav")],
                Outcome::Success,
            ),
            result("t2", vec![Content::text("that was no JSON")], Outcome::Failure),
            result("t3", vec![Content::ToolReference { tool_name: "Mail".into() }], Outcome::Success),
        ],
    ));
    ask.messages.push(message(Speaker::System, vec![Block::text("The server github is there now.")]));
    ask.tools = vec![(tool("Bash"), false), (tool("Read"), false), (tool("Web"), true), (tool("Mail"), true)];
    ask.built_in_tools = 3;
    ask
}

fn sent(wire: Wire, ask: &Ask, options: Value) -> (Value, Vec<u8>) {
    let server = ModelServer::with_script(r#"{"reply": [{"text": "ok"}]}"#);
    assert_eq!(ask.answer(&*model(wire, &server, options)).words(), "text:ok");
    let recorded = server.requests().remove(0);
    (recorded.body, recorded.bytes)
}

fn pretty(body: &Value) -> String {
    serde_json::to_string_pretty(body).unwrap()
}

#[test]
fn messages_body() {
    let (body, _) = sent(Wire::Messages, &conversation(), json!({"toolReferences": true}));
    insta::assert_snapshot!(pretty(&body));
}

#[test]
fn messages_body_for_a_server_without_references() {
    let (body, _) = sent(Wire::Messages, &conversation().whole(), json!({}));
    let names: Vec<_> = body["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["Bash", "Read"]);
    assert_eq!(body["stream"], false);
    assert_eq!(
        body["messages"][2]["content"][2]["content"],
        json!([{"type": "text", "text": "The tool Mail is available now."}])
    );
}

#[test]
fn chat_body() {
    let (body, _) = sent(Wire::Chat, &conversation(), json!({"maxOutputTokens": 4096}));
    insta::assert_snapshot!(pretty(&body));
}

#[test]
fn chat_tools_rewritten_for_strict_mode() {
    let mut ask = Ask::text("go");
    let mut free = tool("Free");
    free.input_schema = json!({"type": "object", "properties": {"headers": {"type": "object"}}});
    ask.tools = vec![(tool("Read"), false), (free, false)];
    let (body, _) = sent(Wire::Chat, &ask, json!({"strictTools": true}));
    insta::assert_snapshot!(pretty(&body["tools"]));
}

#[test]
fn a_request_repeats_the_one_before_it_byte_for_byte() {
    for wire in [Wire::Messages, Wire::Chat] {
        let mut ask = conversation();
        let (first, first_bytes) = sent(wire, &ask, json!({"toolReferences": true}));
        ask.messages.push(message(Speaker::Assistant, vec![Block::text("Done.")]));
        ask.messages.push(message(Speaker::User, vec![Block::text("Thanks.")]));
        let (second, second_bytes) = sent(wire, &ask, json!({"toolReferences": true}));
        for part in ["tools", "system"] {
            assert_eq!(first[part].to_string(), second[part].to_string());
        }
        let earlier = first["messages"].as_array().unwrap();
        for (before, after) in earlier.iter().zip(second["messages"].as_array().unwrap()) {
            assert_eq!(unmarked(before).to_string(), unmarked(after).to_string());
        }
        let mark = b",\"cache_control\":{\"type\":\"ephemeral\"}";
        let same = first_bytes.iter().zip(&second_bytes).take_while(|(one, other)| one == other).count();
        let last = first_bytes.windows(mark.len()).rposition(|bytes| bytes == mark);
        let messages_end = first_bytes.windows(2).rposition(|bytes| bytes == b"}]").unwrap();
        // All that differs before the new messages is the mark that moved on.
        assert_eq!(same, last.unwrap_or(messages_end + 1), "{wire:?}");
    }
}

fn unmarked(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| *name != "cache_control");
            Value::Object(kept.map(|(name, value)| (name.clone(), unmarked(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(unmarked).collect()),
        other => other.clone(),
    }
}

#[test]
fn a_turn_of_many_blocks_keeps_the_earlier_mark() {
    let many = |count: usize| {
        let mut ask = Ask::text("go");
        let input = || ToolInput::Json(json!({}));
        let calls =
            (0..count).map(|n| Block::ToolUse { id: format!("t{n}"), name: "Read".into(), input: input() });
        ask.messages.push(message(Speaker::Assistant, calls.collect()));
        let results =
            (0..count).map(|n| result(&format!("t{n}"), vec![Content::text("x")], Outcome::Success));
        ask.messages.push(message(Speaker::User, results.collect()));
        let (body, bytes) = sent(Wire::Messages, &ask, json!({}));
        let marks = String::from_utf8(bytes).unwrap().matches("cache_control").count();
        (marks, body["messages"][0]["content"][0].get("cache_control").is_some())
    };
    // The system prompt has one of them.
    assert_eq!(many(3), (2, false));
    assert_eq!(many(12), (3, true));
}

#[test]
fn what_a_vendor_would_refuse_is_not_sent() {
    let mut ask = Ask::text("go");
    ask.messages[0].content.push(Block::text("  "));
    ask.messages
        .push(message(Speaker::Assistant, vec![Block::Thinking { text: "x".into(), signature: None }]));
    ask.messages.push(message(Speaker::User, vec![Block::text("on")]));
    assert_eq!(ask.delivery, Delivery::Stream);
    let (body, _) = sent(Wire::Messages, &ask, json!({}));
    let mark = json!({"type": "ephemeral"});
    let content =
        json!([{"type": "text", "text": "go"}, {"type": "text", "text": "on", "cache_control": mark}]);
    assert_eq!(body["messages"], json!([{"role": "user", "content": content}]));
}

#[test]
fn thoughts_go_back_where_they_came_from() {
    let thinking = |text: &str, signature: Option<&str>| Block::Thinking {
        text: text.into(),
        signature: signature.map(Into::into),
    };
    let check = |thought: Option<Block>, chat: Value, messages: usize| {
        let mut ask = Ask::text("go");
        let call = Block::ToolUse { id: "t".into(), name: "Read".into(), input: ToolInput::Json(json!({})) };
        ask.messages.push(message(Speaker::Assistant, thought.into_iter().chain([call]).collect()));
        ask.messages
            .push(message(Speaker::User, vec![result("t", vec![Content::text("x")], Outcome::Success)]));
        let (body, _) = sent(Wire::Chat, &ask, json!({}));
        let field = body["messages"][2].get("reasoning_content").cloned();
        assert_eq!(field.unwrap_or_else(|| json!("(absent)")), chat);
        let (body, _) = sent(Wire::Messages, &ask, json!({}));
        assert_eq!(body["messages"][1]["content"].as_array().unwrap().len(), messages);
    };
    check(None, json!("(absent)"), 1);
    check(Some(thinking("hm", None)), json!("hm"), 1);
    check(Some(thinking("", None)), json!(""), 1);
    check(Some(thinking("hm", Some(""))), json!("hm"), 1);
    check(Some(thinking("hm", Some("SIG"))), json!("(absent)"), 2);
}

#[test]
fn an_id_that_the_vendor_refuses_is_changed_where_it_stands() {
    let mut ask = Ask::text("go");
    let ids = ["functions.Bash:0", "functions_Bash_0", "functions:Bash:0", "ok-1"];
    let call =
        |id: &str| Block::ToolUse { id: id.into(), name: "Read".into(), input: ToolInput::Json(json!({})) };
    ask.messages.push(message(Speaker::Assistant, ids.map(call).into()));
    let answer = |id: &str| result(id, vec![Content::text("x")], Outcome::Success);
    ask.messages.push(message(Speaker::User, ids.map(answer).into()));
    let (body, _) = sent(Wire::Messages, &ask, json!({}));
    let named = |message: usize, field: &str| -> Vec<String> {
        let blocks = body["messages"][message]["content"].as_array().unwrap();
        blocks.iter().map(|block| block[field].as_str().unwrap().to_owned()).collect()
    };
    let uses = named(1, "id");
    assert_eq!(uses, named(2, "tool_use_id"));
    assert!(
        uses.iter().all(|id| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)))
    );
    assert_eq!((&uses[1], &uses[3]), (&ids[1].to_owned(), &ids[3].to_owned()));
    let distinct: std::collections::BTreeSet<_> = uses.iter().collect();
    assert_eq!(distinct.len(), 4);
    // A server of the other wire gets its own ids back.
    let (body, _) = sent(Wire::Chat, &ask, json!({}));
    assert_eq!(body["messages"][2]["tool_calls"][0]["id"], ids[0]);
}
