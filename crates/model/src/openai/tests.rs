//! Streams of compatible servers, without one.

use proptest::prelude::*;
use serde_json::{Value, json};
use toolwright_core::{Block, Content, StopReason, ToolInput};

use super::answer::{Answer, Broken};
use crate::ModelEvent;

fn read(chunks: &[String]) -> Result<(String, StopReason), Broken> {
    let mut words = Vec::new();
    let mut stop = None;
    let mut emit = |event| match event {
        ModelEvent::BlockFinished { block, .. } => words.push(match block {
            Block::ToolUse { id, name, input: ToolInput::Json(value) } => format!("{id}:{name}{value}"),
            Block::Content(Content::Text { text }) => text,
            other => format!("{other:?}"),
        }),
        ModelEvent::Finished { stop: reason, .. } => stop = Some(reason),
        _ => {}
    };
    let mut answer = Answer::new(false);
    for chunk in chunks {
        answer.take(chunk, &mut emit)?;
    }
    answer.end(&mut emit)?;
    Ok((words.join("\n"), stop.unwrap()))
}

fn stream(deltas: &[Value], finish: &str) -> Vec<String> {
    let chunk = |delta: &Value| json!({"choices": [{"delta": delta}]}).to_string();
    let last = json!({"choices": [{"delta": {}, "finish_reason": finish}]}).to_string();
    deltas.iter().map(chunk).chain([last]).collect()
}

#[test]
fn odd_servers() {
    let check = |deltas: &[Value], finish: &str, words: &str, stop: StopReason| {
        assert_eq!(read(&stream(deltas, finish)).unwrap(), (words.to_owned(), stop));
    };
    let call = |fields: Value| json!({"tool_calls": [fields]});
    let whole = |id: &str| call(json!({"id": id, "function": {"name": "Read", "arguments": "{\"a\":1}"}}));
    // Whole calls without numbers, `stop` all the same.
    check(&[whole("a"), whole("b")], "stop", "a:Read{\"a\":1}\nb:Read{\"a\":1}", StopReason::ToolUse);
    // The id and the name again with every piece.
    let piece =
        |text: &str| call(json!({"index": 0, "id": "a", "function": {"name": "Read", "arguments": text}}));
    check(&[piece("{\"a\""), piece(":1}")], "tool_calls", "a:Read{\"a\":1}", StopReason::ToolUse);
    // JSON instead of its text; no id.
    let json = call(json!({"index": 0, "function": {"name": "Read", "arguments": {"a": 1}}}));
    check(&[json], "tool_calls", "call_0:Read{\"a\":1}", StopReason::ToolUse);
    // Both names of a thought; text before, between and behind; nulls.
    let thought = json!({"reasoning": "hm", "reasoning_content": "hm", "content": null, "tool_calls": null});
    let text = json!({"content": "so", "role": "assistant"});
    let words = "Thinking { text: \"hm\", signature: None }\nso\na:Read{\"a\":1}\nso";
    check(&[thought, text.clone(), whole("a"), text], "tool_calls", words, StopReason::ToolUse);
    check(&[json!({"refusal": "no"})], "stop", "no", StopReason::Refusal);
    check(&[json!({"content": "x"})], "content_filter", "x", StopReason::Refusal);
}

/// Pieces of tool calls: `0 a Read {"x"` is number, id, name and arguments, of which `-` stands for none; the rest of a text
/// without these is text. A comma begins the next event.
fn pieces(words: &str) -> Vec<Value> {
    let piece = |words: &str| {
        let mut words = words.trim().splitn(4, ' ');
        let mut next = || words.next().unwrap_or("-");
        let (number, id, name, arguments) = (next(), next(), next(), next());
        if number == "text" {
            return json!({"content": id});
        }
        let mut call = json!({"function": {}});
        if let Ok(number) = number.parse::<u64>() {
            call["index"] = json!(number);
        }
        for (place, word) in [("/id", id), ("/function/name", name), ("/function/arguments", arguments)] {
            let (parent, field) = place.rsplit_once('/').unwrap();
            match word {
                "-" => {}
                "''" => call.pointer_mut(parent).unwrap()[field] = json!(""),
                word => call.pointer_mut(parent).unwrap()[field] = json!(word),
            }
        }
        json!({"tool_calls": [call]})
    };
    words.split(';').map(piece).collect()
}

#[test]
fn pieces_of_calls_go_to_the_call_they_belong_to() {
    let check = |words: &str, expect: &str| {
        let found = read(&stream(&pieces(words), "tool_calls")).map(|(words, _)| words.replace('\n', " "));
        assert_eq!(found.unwrap_or_else(|broken| format!("{broken:?}")), expect, "{words}");
    };
    let two = "a:Read{\"x\":1} b:Glob{\"y\":2}";
    // Two ids with one number, in one piece each and in several.
    check(r#"0 a Read {"x":1}; 0 b Glob {"y":2}"#, two);
    check(r#"0 a Read ''; 0 - - {"x":1}; 0 b Glob ''; 0 - - {"y"; 0 - - :2}"#, two);
    check(r#"0 a Read {"x":1}; 0 b Read {"x":1}"#, "a:Read{\"x\":1} b:Read{\"x\":1}");
    check(r#"0 a Read ''; 0 b Read ''"#, "a:Read{} b:Read{}");
    check(r#"0 a Read {"x"; 0 b Read {"x"; 0 a - :1}; 0 b - :2}"#, "a:Read{\"x\":1} b:Read{\"x\":2}");
    // No number and no id.
    let unnamed = "call_0:Read{\"x\":1} call_1:Glob{\"y\":2}";
    check(r#"- - Read {"x":1}; - - Glob {"y":2}"#, unnamed);
    check(r#"- - Read {"x"; - - - :1}; - - Glob ''; - - - {"y":2}"#, unnamed);
    check(r#"- - Read {"x":1}; - - Read {"x":1}"#, "call_0:Read{\"x\":1} call_1:Read{\"x\":1}");
    check(r#"- - Read {"x"; - - Read :1}"#, "call_0:Read{\"x\":1}");
    check(r#"0 - Read {"x":1}; 0 - Read {"x":2}"#, "call_0:Read{\"x\":1} call_1:Read{\"x\":2}");
    // No number, an id with each piece or with the first.
    check(r#"- a Read {"x"; - a - :1}; - b Glob {"y":2}"#, two);
    check(r#"- a Read {"x"; - - - :1}; - b Glob {"y"; - - - :2}"#, two);
    // A head and a tail with different numbers.
    check(r#"0 a Read ''; 1 - - {"x":1}"#, "a:Read{\"x\":1}");
    check(r#"0 a Read ''; 1 a - {"x":1}"#, "a:Read{\"x\":1}");
    // The name later, the empty name first, the id later.
    check(r#"0 a - -; 0 - Read {"x":1}; 1 b - -; 1 - Glob {"y":2}"#, two);
    check(r#"0 a '' ''; 0 a Read {"x"; 0 a '' :1}; 1 b '' ''; 1 b Glob {"y":2}"#, two);
    check(r#"0 a - {"x"; 0 - Read :1}"#, "a:Read{\"x\":1}");
    check(r#"0 - Read ''; 0 a - {"x":1}"#, "a:Read{\"x\":1}");
    check(r#"0 a - -; 0 - Read {"x":1}; 0 b - -; 0 - Glob {"y":2}"#, two);
    // By turns.
    check(r#"0 a Read {"x"; 1 b Glob {"y"; 0 - - :1}; 1 - - :2}"#, two);
    check(r#"0 a Read {"x"; 1 b Glob {"y"; 0 a Read :1}; 1 b Glob :2}"#, two);
    check(r#"0 a Read ''; 1 b Glob ''; 1 - - {"y":2}; 0 - - {"x":1}"#, two);
    check(r#"- a Read {"x"; - b Glob {"y"; - a - :1}; - b - :2}"#, two);
    // Text between the pieces of one call, and blanks behind its end.
    check(r#"0 a Read {"x"; text so; 0 - - :1}"#, "a:Read{\"x\":1} so");
    check(r#"0 a Read {"x":1}; text so; 0 - - ''; 1 b Glob {"y":2}"#, "a:Read{\"x\":1} so b:Glob{\"y\":2}");
    // A new id with each piece, with or without the name.
    check(r#"0 a Read ''; 0 b - {"x"; 0 c - :1}; 0 d - ''"#, "a:Read{\"x\":1}");
    check(r#"0 a Read {"x"; 0 b Read :1}"#, "a:Read{\"x\":1}");
    check(r#"- a Read ''; - b - {"x"; - c - :1}"#, "a:Read{\"x\":1}");
    // The same id again: said twice, or used twice.
    check(r#"0 a Read {"x":1}; 0 a Read {"x":1}"#, "a:Read{\"x\":1}");
    check(r#"0 a Read {"x":1}; 1 a Read {"x":1}"#, "a:Read{\"x\":1} a:Read{\"x\":1}");
    check(r#"- a Read {"x":1}; - a Glob {"y":2}"#, "a:Read{\"x\":1} a:Glob{\"y\":2}");
    // An empty object first.
    check(r#"0 a Read {}; 0 - - {"x"; 0 - - :1}"#, "a:Read{\"x\":1}");
    check(r#"0 a Read {}; 1 b Glob {"y":2}"#, "a:Read{} b:Glob{\"y\":2}");
}

#[test]
fn calls_of_an_answer_in_one_piece_are_never_merged() {
    let check = |calls: Value, expect: &str| {
        let message = json!({"choices": [{"message": {"tool_calls": calls}, "finish_reason": "tool_calls"}]});
        assert_eq!(read(&[message.to_string()]).unwrap().0.replace('\n', " "), expect);
    };
    let call = |fields: Value, name: &str, arguments: Value| {
        let mut call = fields;
        call["function"] = json!({"name": name, "arguments": arguments});
        call
    };
    let none = || json!({});
    check(
        json!([call(none(), "Read", json!("{\"x\":1}")), call(none(), "Glob", json!({"y": 2}))]),
        "call_0:Read{\"x\":1} call_1:Glob{\"y\":2}",
    );
    check(
        json!([call(none(), "Now", json!("")), call(none(), "Now", Value::Null)]),
        "call_0:Now{} call_1:Now{}",
    );
    let same = || json!({"id": "a", "index": 0});
    check(json!([call(same(), "Now", json!("{}")), call(same(), "Now", json!("{}"))]), "a:Now{} a:Now{}");
    check(call(none(), "Now", json!("{}")), "call_0:Now{}");
}

#[test]
fn an_odd_field_costs_nothing() {
    let check = |place: &str, value: Value| {
        let mut first =
            json!({"model": "m", "choices": [{"delta": {"role": "assistant", "content": "hello"}}]});
        let mut last = json!({"choices": [{"delta": {}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 5, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 1}}});
        let changed = if place.starts_with("/usage") { &mut last } else { &mut first };
        let (parent, field) = place.rsplit_once('/').unwrap();
        match changed.pointer_mut(parent).unwrap() {
            Value::Array(items) => items[0] = value.clone(),
            object => object[field] = value.clone(),
        }
        let mut words = Vec::new();
        let mut emit = |event| match event {
            ModelEvent::TextDelta { text, .. } => words.push(text),
            ModelEvent::Finished { stop, .. } => words.push(format!("{stop:?}")),
            _ => {}
        };
        let mut answer = Answer::new(false);
        answer.take(&first.to_string(), &mut emit).unwrap();
        answer.take(&json!({"choices": [{"delta": {"content": "!"}}]}).to_string(), &mut emit).unwrap();
        answer.take(&last.to_string(), &mut emit).unwrap();
        answer.end(&mut emit).unwrap();
        let expected = if place.starts_with("/choices") {
            words.concat().contains("!EndTurn")
        } else {
            words.concat() == "hello!EndTurn"
        };
        assert!(expected, "{place} = {value}: {words:?}");
    };
    for odd in [json!(null), json!(-1), json!(1.5), json!("7"), json!([]), json!({}), json!(true)] {
        for place in [
            "/model",
            "/choices",
            "/choices/0",
            "/choices/0/delta",
            "/choices/0/delta/content",
            "/choices/0/delta/tool_calls",
            "/choices/0/delta/reasoning_content",
            "/choices/0/delta/refusal_",
            "/error_",
            "/usage",
            "/usage/prompt_tokens",
            "/usage/completion_tokens",
            "/usage/prompt_tokens_details",
            "/usage/prompt_tokens_details/cached_tokens",
        ] {
            check(place, odd.clone());
        }
    }
    for none in [json!(null), json!(false), json!(""), json!({})] {
        check("/error", none);
    }
}

#[test]
fn content_and_thoughts_in_parts() {
    let part = |kind: &str, text: Value| json!({"type": kind, kind: text});
    let parts = json!([
        part("thinking", json!([part("text", json!("hm"))])),
        part("text", json!("so")),
        part("text", json!("!"))
    ]);
    let words = read(&stream(&[json!({"content": parts})], "stop")).unwrap().0;
    assert_eq!(words, "Thinking { text: \"hm\", signature: None }\nso!");
    assert_eq!(read(&stream(&[json!({"content": ["so", "!"]})], "stop")).unwrap().0, "so!");
}

#[test]
fn an_end_without_a_reason_is_an_end_where_it_is_marked() {
    let chunk = json!({"choices": [{"delta": {"content": "so"}, "finish_reason": null}]}).to_string();
    let mut answer = Answer::new(false);
    answer.take(&chunk, &mut |_| {}).unwrap();
    answer.is_done();
    assert!(answer.end(&mut |_| {}).is_ok());
    let mut nothing = Answer::new(false);
    nothing.take("{}", &mut |_| {}).unwrap();
    nothing.is_done();
    assert!(nothing.end(&mut |_| {}).is_err());
}

#[test]
fn an_empty_field_for_thoughts_is_kept_with_calls_alone() {
    let check = |deltas: &[Value], expect: &str| {
        assert_eq!(read(&stream(deltas, "stop")).unwrap().0.replace('\n', " "), expect);
    };
    let empty = json!({"reasoning_content": "", "content": ""});
    let call =
        json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "Read", "arguments": "{}"}}]});
    check(&[empty.clone(), call.clone()], "Thinking { text: \"\", signature: None } a:Read{}");
    check(&[json!({"reasoning_content": null}), call.clone()], "a:Read{}");
    check(
        &[json!({"reasoning_content": "hm"}), empty.clone(), call],
        "Thinking { text: \"hm\", signature: None } a:Read{}",
    );
    check(&[empty, json!({"content": "so"})], "so");
}

#[test]
fn what_cannot_be_put_together_is_lost() {
    let check = |chunks: &[String], part: &str| {
        let broken = read(chunks).unwrap_err();
        assert!(format!("{broken:?}").contains(part), "{broken:?}");
    };
    let ended = r#"0 a Read {"x":1}; 1 b Glob {"y":2}; 0 - - {"z""#;
    check(&stream(&pieces(ended), "tool_calls"), "has ended");
    check(&stream(&pieces("0 a '' {"), "tool_calls"), "has no name");
    check(&["{\"error\": {\"message\": \"no memory\"}}".to_owned()], "no memory");
    check(&["nonsense".to_owned()], "makes no sense");
    check(&["[]".to_owned()], "is no object");
    let mut cut = stream(&[json!({"content": "x"})], "stop");
    cut.pop();
    check(&cut, "closed in the middle");
    check(&[], "closed in the middle");
}

proptest! {
    /// Any change of a good stream ends in one way or the other, and never in a panic.
    #[test]
    fn any_damage_is_survived(line in 0usize..3, at in 0usize..80, with in "\\PC{0,6}") {
        let call = json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "R", "arguments": "{}"}}]});
        let mut chunks = stream(&[json!({"content": "x"}), call], "tool_calls");
        if let Some(chunk) = chunks.get_mut(line) {
            let at = at.min(chunk.len());
            chunk.replace_range(at..at, &with);
        }
        let _ = read(&chunks);
    }
}

#[tokio::test]
async fn a_local_server_is_found_and_named() {
    let server = toolwright_testkit::ModelServer::with_script("[]");
    let port: u16 = server.url().rsplit(':').next().unwrap().parse().unwrap();
    let found = super::local::ask("llama.cpp", port).await.unwrap();
    assert_eq!((found.base_url, found.models), (format!("{}/v1", server.url()), vec!["scripted".to_owned()]));
    drop(server);
    assert_eq!(super::local::ask("llama.cpp", port).await, None);
}
