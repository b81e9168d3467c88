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

#[test]
fn what_cannot_be_put_together_is_lost() {
    let check = |chunks: &[String], part: &str| {
        let broken = read(chunks).unwrap_err();
        assert!(format!("{broken:?}").contains(part), "{broken:?}");
    };
    let piece = |index: u64, name: &str| json!({"tool_calls": [{"index": index, "id": format!("t{index}"), "function": {"name": name, "arguments": "{"}}]});
    check(&stream(&[piece(0, "A"), piece(1, "B"), piece(0, "A")], "tool_calls"), "has ended");
    check(&stream(&[piece(0, "")], "tool_calls"), "without a name");
    check(&["{\"error\": {\"message\": \"no memory\"}}".to_owned()], "no memory");
    check(&["nonsense".to_owned()], "makes no sense");
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
