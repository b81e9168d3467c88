//! Answers over each wire, streamed and whole.

use serde_json::json;
use toolwright_core::{StopReason, Usage};
use toolwright_testkit::ModelServer;

use crate::support::{Ask, WIRES, Wire, model};

const LONG: &str = r#"{"reply": [
    {"text": "First I look – with an umlaut: ä, and enough words for several pieces."},
    {"tool": "Read", "input": {"file_path": "{cwd}/a.txt", "offset": 3}},
    {"tool": "Read", "input": {"file_path": "/b"}, "id": "own"},
    {"tool": "Now", "input": {}}],
  "usage": {"input_tokens": 7, "output_tokens": 9, "cache_read_input_tokens": 100}}"#;

#[test]
fn text_and_tool_calls_come_whole_and_in_order() {
    for wire in WIRES {
        for whole in [false, true] {
            let server = ModelServer::with_script(LONG);
            let ask = if whole { Ask::text("go").whole() } else { Ask::text("go") };
            let answer = ask.answer(&*model(wire, &server, json!({})));
            assert_eq!(
                answer.words(),
                "text:First I look – with an umlaut: ä, and enough words for several pieces.\n\
                 call_1_1:Read{\"file_path\":\"/work/a.txt\",\"offset\":3}\n\
                 own:Read{\"file_path\":\"/b\"}\n\
                 call_1_3:Now{}",
                "{wire:?} whole={whole}"
            );
            assert_eq!(answer.stop(), StopReason::ToolUse);
            let mut usage = Usage::new(7, 9);
            usage.cache_read_input_tokens = 100;
            assert_eq!(answer.usage(), usage, "{wire:?} whole={whole}");
            assert_eq!(answer.text, "First I look – with an umlaut: ä, and enough words for several pieces.");
        }
    }
}

#[test]
fn thoughts_keep_their_signatures_where_the_wire_has_them() {
    let script = r#"{"reply": [{"thinking": "hm, let me see", "signature": "SIG"}, {"text": "ok"}]}"#;
    for whole in [false, true] {
        let check = |wire, words: &str| {
            let server = ModelServer::with_script(script);
            let ask = if whole { Ask::text("go").whole() } else { Ask::text("go") };
            let answer = ask.answer(&*model(wire, &server, json!({})));
            assert_eq!(answer.words(), words);
            assert_eq!(answer.thought, "hm, let me see");
        };
        check(Wire::Messages, "thought:hm, let me see Some(\"SIG\")\ntext:ok");
        check(Wire::Chat, "thought:hm, let me see None\ntext:ok");
    }
}

#[test]
fn blocks_nobody_knows_are_kept_word_for_word() {
    let script = r#"{"reply": [
        {"vendor": "anthropic", "value": {"type": "redacted_thinking", "data": "x=="}},
        {"vendor": "anthropic", "value": {"type": "hologram", "of": [1, {"a": null}]}},
        {"vendor": "anthropic", "value": {"type": "tool_use", "id": "t", "name": "Read", "input": {"a": 1},
            "caller": {"type": "code_execution_20260120", "tool_id": "s"}}}]}"#;
    for whole in [false, true] {
        let server = ModelServer::with_script(script);
        let ask = if whole { Ask::text("go").whole() } else { Ask::text("go") };
        let answer = ask.answer(&*model(Wire::Messages, &server, json!({})));
        assert_eq!(
            answer.words(),
            "anthropic:{\"type\":\"redacted_thinking\",\"data\":\"x==\"}\n\
             anthropic:{\"type\":\"hologram\",\"of\":[1,{\"a\":null}]}\n\
             t:Read{\"a\":1}\n\
             anthropic:{\"type\":\"toolwright_fields\",\"of\":\"tool_use\",\
             \"fields\":{\"caller\":{\"type\":\"code_execution_20260120\",\"tool_id\":\"s\"}}}",
        );
    }
}

#[test]
fn a_tool_use_stays_one_whatever_its_id_and_name_are() {
    let check = |fields: &str, expect: &str| {
        let value = format!(r#"{{"type": "tool_use", "input": {{"a": 1}}{fields}}}"#);
        let script =
            format!(r#"{{"reply": [{{"vendor": "anthropic", "value": {value}}}], "stop": "tool_use"}}"#);
        for whole in [false, true] {
            let server = ModelServer::with_script(&script);
            let ask = if whole { Ask::text("go").whole() } else { Ask::text("go") };
            let answer = ask.answer(&*model(Wire::Messages, &server, json!({})));
            assert_eq!(answer.words(), expect, "{fields} whole: {whole}");
            assert_eq!(answer.stop(), StopReason::ToolUse);
        }
    };
    check(r#", "name": "Read""#, r#":Read{"a":1}"#);
    check(r#", "name": "Read", "id": null"#, r#":Read{"a":1}"#);
    check(r#", "name": "Read", "id": 7"#, r#"7:Read{"a":1}"#);
    check(r#", "name": "Read", "id": ["t"]"#, r#":Read{"a":1}"#);
    check(r#", "id": "t""#, r#"t:{"a":1}"#);
    check(r#", "id": "t", "name": null"#, r#"t:{"a":1}"#);
    check(r#", "id": "t", "name": 7"#, r#"t:7{"a":1}"#);
    check("", r#":{"a":1}"#);
}

#[test]
fn tool_input_that_is_no_json_is_malformed_and_not_lost() {
    for wire in WIRES {
        let script = r#"{"reply": [{"tool": "Read", "raw": "{\"file_path\": }"}, {"text": "and on"}]}"#;
        let server = ModelServer::with_script(script);
        let answer = Ask::text("go").answer(&*model(wire, &server, json!({})));
        assert_eq!(answer.words(), "call_1_0:Read!{\"file_path\": }\ntext:and on", "{wire:?}");
        assert_eq!(answer.stop(), StopReason::ToolUse);
    }
}

#[test]
fn a_tool_use_cut_by_the_output_limit_never_is_json() {
    for wire in WIRES {
        // The second is cut, and parses all the same.
        for raw in [r#"{\"file_path\":\"/x\",\"content\":\"par"#, r#"{\"file_path\":\"/x\"}"#] {
            let script = format!(
                r#"{{"reply": [{{"tool": "Read", "input": {{"a": 1}}}}, {{"tool": "Write", "raw": "{raw}"}}], "stop": "max_tokens"}}"#
            );
            let server = ModelServer::with_script(&script);
            let answer = Ask::text("go").answer(&*model(wire, &server, json!({})));
            let raw = raw.replace("\\\"", "\"");
            assert_eq!(answer.words(), format!("call_1_0:Read{{\"a\":1}}\ncall_1_1:Write!{raw}"), "{wire:?}");
            assert_eq!(answer.stop(), StopReason::MaxTokens);
        }
        let script = r#"{"reply": [{"tool": "Write", "input": {"a": 1}}], "stop": "max_tokens"}"#;
        let server = ModelServer::with_script(script);
        let answer = Ask::text("go").whole().answer(&*model(wire, &server, json!({})));
        assert_eq!(answer.words(), "call_1_0:Write!{\"a\":1}", "{wire:?} whole");
    }
}

#[test]
fn strict_schemas_are_rewritten_and_their_nulls_taken_out() {
    let script = r#"{"reply": [{"tool": "Read", "input": {"file_path": "/x", "offset": null, "list": [{"a": null}]}}]}"#;
    let server = ModelServer::with_script(script);
    let answer = Ask::text("go").answer(&*model(Wire::Chat, &server, json!({"strictTools": true})));
    assert_eq!(answer.words(), "call_1_0:Read{\"file_path\":\"/x\",\"list\":[{}]}");
}
