//! Blocks the vendor sends come back to it as they were, whatever is in them.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolwright_core::{Block, Content, Message, Outcome, Speaker};
use toolwright_testkit::ModelServer;

use crate::support::{Ask, Wire, model};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(("[a-z]{1,5}", inner), 0..3)
                .prop_map(|fields| Value::Object(Map::from_iter(fields))),
        ]
    })
}

fn any_block() -> impl Strategy<Value = Value> {
    let known = prop_oneof![
        "[a-z ]{0,9}x".prop_map(|text| json!({"type": "text", "text": text})),
        "\\PC{0,9}".prop_map(|text| json!({"type": "thinking", "thinking": text, "signature": "SIG"})),
        any_json().prop_map(
            |input| json!({"type": "tool_use", "id": "t", "name": "Read", "input": {"with": input}})
        ),
        "\\PC{0,9}".prop_map(|data| json!({"type": "redacted_thinking", "data": data})),
        any_json().prop_map(|any| json!({"type": "from_the_future", "any": any})),
    ];
    (known, prop::collection::vec(("z_[a-z]{1,5}", any_json()), 0..3)).prop_map(|(mut block, more)| {
        block.as_object_mut().unwrap().extend(more);
        block
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn blocks_come_back_as_they_were(sent in prop::collection::vec(any_block(), 1..5), whole: bool) {
        let pieces: Vec<_> = sent.iter().map(|value| json!({"vendor": "anthropic", "value": value})).collect();
        let script = json!({"turns": [{"reply": pieces}, {"reply": []}]});
        let server = ModelServer::with_script(&script.to_string());
        let model = model(Wire::Messages, &server, json!({}));
        let mut ask = Ask::text("go");
        if whole {
            ask = ask.whole();
        }
        let answer = ask.answer(&*model);
        prop_assert!(matches!(answer.end, Some(Ok(_))), "{:?}", answer.end);
        // As a session keeps them.
        let kept = serde_json::to_string(&answer.blocks).unwrap();
        let content: Vec<Block> = serde_json::from_str(&kept).unwrap();
        prop_assert_eq!(&content, &answer.blocks);
        ask.messages.push(Message { id: "a".into(), role: Speaker::Assistant, content, source_tool_use: None });
        let result = Block::ToolResult {
            tool_use_id: "t".into(), content: vec![Content::text("x")], outcome: Outcome::Success,
        };
        ask.messages.push(Message { id: "b".into(), role: Speaker::User, content: vec![result], source_tool_use: None });
        ask.answer(&*model);
        let requests = server.requests();
        prop_assert_eq!(&requests[1].body["messages"][1]["content"], &Value::Array(sent));
    }
}
