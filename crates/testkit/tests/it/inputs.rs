//! How a call's input is read: by the names of its fields and in no other way.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_core::{Definition, DynReply, Effects, tool_fn};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the input is read and not used")]
struct Input {
    path: Option<String>,
    #[serde(default)]
    edits: Vec<Edit>,
    #[serde(default)]
    words: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "the input is read and not used")]
struct Edit {
    old: String,
    #[schemars(extend("x-aliases" = ["replacement"]))]
    new: Option<String>,
    #[schemars(extend("x-aliases" = ["new", "count"]))]
    times: Option<u8>,
}

fn check(input: Value, expected: &str) {
    let tool = tool_fn(Definition::new("Open", "Opens."), Effects::READ_ONLY, |_: Arc<Input>, _| async {
        Ok(DynReply::text(""))
    });
    let said = tool.parse(input.clone()).map_or_else(|error| error.message, |call| call.input().to_string());
    assert!(said.contains(expected), "{input}: {said}");
}

#[test]
fn fields_have_names() {
    check(json!({"path": "a", "edits": [{"old": "b"}], "words": ["c"]}), "{");
    check(json!({"path": "a", "edits": "[{\"old\": \"b\"}]"}), r#""edits":[{"old":"b"}]"#);
    check(json!(["a"]), "Open: the input is a list; give an object with `path`, `edits`, `words`");
    check(json!([]), "the input is a list");
    check(json!("[\"a\"]"), "the input is a text; give an object");
    check(json!(null), "the input is null; give an object");
    check(json!({"edits": [["b"]]}), "`edits[0]` is a list; give an object with `old`");
    check(json!({"edits": "[[\"b\"]]"}), "`edits[0]` is a list");
    check(json!({"words": [["b"]]}), "`words[0]`");
}

#[test]
fn an_alias_is_read_as_the_field_it_stands_for() {
    check(json!({"edits": [{"old": "a", "replacement": "b"}]}), r#"{"old":"a","new":"b"}"#);
    check(json!({"edits": [{"old": "a", "count": 2}]}), r#"{"old":"a","times":2}"#);
    // The name of a field always means that field.
    check(json!({"edits": [{"old": "a", "new": "b"}]}), r#"{"old":"a","new":"b"}"#);
    check(json!({"edits": [{"old": "a", "new": "b", "times": 2}]}), r#""times":2"#);
    check(
        json!({"edits": [{"old": "a"}, {"old": "a", "new": "b", "replacement": "c"}]}),
        "`edits[1].replacement` is another name for `edits[1].new`, and both were given; give `edits[1].new` alone",
    );
}
