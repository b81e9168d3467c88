//! The scripted model by itself.

use std::path::Path;

use futures_util::StreamExt;
use serde_json::json;
use toolwright_core::{Block, Cancel, Content, Definition, Message, Outcome, Speaker, StopReason, ToolInput};
use toolwright_model::scripted::Script;
use toolwright_model::{ModelErrorKind, Scripted};

use crate::support::Ask;

fn scripted(script: &str) -> Scripted {
    Scripted::new(script.parse::<Script>().unwrap(), Path::new("/place"))
}

fn answered(text: &str) -> Ask {
    let mut ask = Ask::text("go");
    let input = ToolInput::Json(json!({}));
    ask.messages.push(Message {
        id: "m2".into(),
        role: Speaker::Assistant,
        content: vec![Block::ToolUse { id: "call_1_0".into(), name: "Read".into(), input }],
        source_tool_use: None,
    });
    let content = vec![Content::text(text)];
    let result = Block::ToolResult { tool_use_id: "call_1_0".into(), content, outcome: Outcome::Success };
    ask.messages.push(Message {
        id: "m3".into(),
        role: Speaker::User,
        content: vec![result],
        source_tool_use: None,
    });
    ask
}

#[test]
fn turns_answer_in_order_with_placeholders_filled() {
    let script = r#"
        {"expect": {"last_user_text": "go", "system": "You help"}, "reply": [{"tool": "Read", "input": {"file_path": "{cwd}/{last_user_text}"}}]}
        {"expect": {"tool_result": "42"}, "reply": [{"text": "It says {last_result}, not {this}."}]}"#;
    let model = scripted(script);
    let first = Ask::text("go").answer(&model);
    assert_eq!(
        (first.words().as_str(), first.stop()),
        ("call_1_0:Read{\"file_path\":\"/place/go\"}", StopReason::ToolUse)
    );
    let second = answered("4242").answer(&model);
    assert_eq!(second.words(), "text:It says 4242, not {this}.");
    assert_eq!(second.text, "It says 4242, not {this}.");
    assert_eq!(model.left(), 0);
}

#[test]
fn a_turn_with_when_stands_outside_the_order() {
    let model = scripted(
        r#"[{"when": {"first_user_text": "count"}, "reply": [{"text": "two"}]}, {"reply": [{"text": "first"}]}, {"reply": [{"text": "second"}]}]"#,
    );
    let said: Vec<_> = ["a", "please count", "b"].map(|text| Ask::text(text).answer(&model).words()).into();
    assert_eq!(said, ["text:first", "text:two", "text:second"]);
}

#[test]
fn ids_of_an_earlier_run_are_not_used_again() {
    let model = scripted(r#"[{"reply": [{"tool": "Read", "input": {}}]}]"#);
    assert_eq!(answered("x").answer(&model).words(), "call_1_0_2:Read{}");
}

#[test]
fn what_does_not_fit_names_the_turn() {
    let check = |script: &str, ask: Ask, expect: &str| {
        let answer = ask.answer(&scripted(script));
        assert_eq!(answer.error().kind, ModelErrorKind::Script);
        assert_eq!(answer.error().to_string(), expect);
    };
    check(
        r#"{"expect": {"last_user_text": "stop"}}"#,
        Ask::text("go"),
        "turn 1 of the script does not fit the request: the last user text should contain \"stop\", and is \"go\"",
    );
    check(
        r#"{"expect": {"tool_result": "yes"}}"#,
        answered("no"),
        "turn 1 of the script does not fit the request: a tool result should contain \"yes\", and they are \"no\"",
    );
    let mut ask = Ask::text("go");
    ask.tools.push((Definition::new("Glob", "Finds."), false));
    check(
        r#"{"expect": {"tool": "Bash"}}"#,
        ask,
        "turn 1 of the script does not fit the request: the tool Bash should be offered, and these are: Glob",
    );
    check(
        r#"{"expect": {"delivery": "whole"}}"#,
        Ask::text("go"),
        "turn 1 of the script does not fit the request: delivery should be whole, and is stream",
    );
    check(
        "[]",
        Ask::text("go"),
        "the script has run out: all of its 0 turns are used, and one more request came, after the user text \"go\". \
         Add a turn.",
    );
}

#[test]
fn faults_on_purpose() {
    let check = |fail: &str, kind: ModelErrorKind, words: &str, text: &str| {
        let script = format!(
            r#"{{"reply": [{{"text": "one"}}, {{"tool": "Read", "input": {{"a": 1}}}}], "fail": {fail}}}"#
        );
        let answer = Ask::text("go").answer(&scripted(&script));
        assert_eq!(
            (answer.error().kind, answer.words().as_str(), answer.text.as_str()),
            (kind, words, text),
            "{fail}"
        );
    };
    check(r#"{"error": "overloaded"}"#, ModelErrorKind::Overloaded, "", "");
    check(r#"{"http": {"status": 429, "retry_after": 1}}"#, ModelErrorKind::RateLimited, "", "");
    check(r#""drop""#, ModelErrorKind::Unreachable, "", "");
    check(r#"{"cut": {"bytes": 2}}"#, ModelErrorKind::Lost, "", "");
    check(r#"{"cut": {"bytes": 5}}"#, ModelErrorKind::Lost, "text:one", "one");
    check(r#"{"garbled": {"blocks": 1}}"#, ModelErrorKind::Lost, "text:one", "one");
    check(r#"{"error_event": {"blocks": 0}}"#, ModelErrorKind::Lost, "", "");
}

#[tokio::test]
async fn a_stall_lasts_until_it_is_cancelled() {
    let model = scripted(r#"{"reply": [{"text": "one"}], "fail": {"stall": {"blocks": 1}}}"#);
    let cancel = Cancel::default();
    let mut stream = Ask::text("go").stream(&model, cancel.clone());
    for _ in ["started", "delta", "block"] {
        assert!(stream.next().await.unwrap().is_ok());
    }
    assert!(futures_util::poll!(stream.next()).is_pending());
    cancel.cancel();
    assert_eq!(stream.next().await.unwrap().unwrap_err().kind, ModelErrorKind::Cancelled);
    assert!(stream.next().await.is_none());
}

#[test]
fn scripts_that_are_none_say_where() {
    let check = |text: &str, expect: &str| {
        let error = text.parse::<Script>().unwrap_err().to_string();
        assert!(error.contains(expect), "{error}");
    };
    check("", "a script is {\"turns\"");
    check("{\"turns\": [{\"replies\": []}]}", "unknown field `replies`");
    check("{\"reply\": []}\n\n{\"reply\": 3}", "line 3: ");
    check("[{\"reply\": [{\"texts\": \"x\"}]}]", "line 1 column");
}
