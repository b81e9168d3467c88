//! Checks case by case, and the property that whatever comes in, what goes out is acceptable.

use proptest::prelude::*;
use serde_json::json;
use toolwright_core::{Outcome, ToolInput};

use super::*;

fn message(role: Speaker, content: Vec<Block>) -> Message {
    Message { id: "m".into(), role, content, source_tool_use: None }
}

fn user(content: impl Into<Vec<Block>>) -> Message {
    message(Speaker::User, content.into())
}

fn model(content: impl Into<Vec<Block>>) -> Message {
    message(Speaker::Assistant, content.into())
}

fn text(text: &str) -> Block {
    Block::text(text)
}

fn uses(id: &str) -> Block {
    Block::ToolUse { id: id.into(), name: "Read".into(), input: ToolInput::Json(json!({"file_path": "/x"})) }
}

fn result(id: &str, text: &str) -> Block {
    Block::ToolResult {
        tool_use_id: id.into(),
        content: vec![Content::text(text)],
        outcome: Outcome::Success,
    }
}

fn dangling(id: &str) -> Block {
    Block::ToolResult {
        tool_use_id: id.into(),
        content: vec![Content::text(INTERRUPTED_RUN)],
        outcome: Outcome::Failure,
    }
}

fn thinks(signature: Option<&str>) -> Block {
    Block::Thinking { text: "hm".into(), signature: signature.map(Into::into) }
}

/// A tool use that was kept as a vendor's block.
fn raw_use(more: serde_json::Value) -> Block {
    let mut value = json!({"type": "tool_use", "input": {"a": 1}});
    value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    Block::Vendor { vendor: "anthropic".into(), value }
}

/// Speakers and contents; ids are the repair's own matter.
fn check(history: Vec<Message>, expect: Vec<Message>) {
    let shape = |messages: &[Message]| -> Vec<(Speaker, Vec<Block>)> {
        messages.iter().map(|message| (message.role, message.content.clone())).collect()
    };
    let repaired = repair(&history, &RepairOptions::default());
    assert_eq!(shape(&repaired), shape(&expect));
    assert_eq!(acceptable(&repaired), Ok(()));
}

#[test]
fn a_tool_use_that_was_kept_as_a_vendors_block_becomes_words() {
    for (more, words) in [
        (json!({"name": "Read"}), r#"(A call of Read that was not made: {"a":1})"#),
        (json!({"name": "Read", "id": null}), r#"(A call of Read that was not made: {"a":1})"#),
        (json!({"id": "t"}), r#"(A call of a tool without a name that was not made: {"a":1})"#),
    ] {
        check(
            vec![user([text("a")]), model([text("b"), raw_use(more)]), user([text("go on")])],
            vec![user([text("a")]), model([text("b"), text(words)]), user([text("go on")])],
        );
    }
}

#[test]
fn a_use_without_a_result_gets_one_in_call_order() {
    check(
        vec![
            user([text("a")]),
            model([uses("t1"), uses("t2"), uses("t3")]),
            user([result("t2", "r")]),
            user([text("go on")]),
        ],
        vec![
            user([text("a")]),
            model([uses("t1"), uses("t2"), uses("t3")]),
            user([dangling("t1"), result("t2", "r"), dangling("t3"), text("go on")]),
        ],
    );
    check(
        vec![user([text("a")]), model([uses("t")])],
        vec![user([text("a")]), model([uses("t")]), user([dangling("t")])],
    );
    let history = [user([text("a")]), model([uses("t")])];
    let options = RepairOptions { dangling: "Not run.", ..RepairOptions::default() };
    assert!(format!("{:?}", repair(&history, &options)).contains("Not run."));
}

#[test]
fn late_and_misplaced_results_go_where_they_belong() {
    check(
        vec![
            user([text("a")]),
            model([uses("t")]),
            user([text("b")]),
            model([text("c")]),
            user([result("t", "r")]),
        ],
        vec![user([text("a")]), model([uses("t")]), user([result("t", "r"), text("b")]), model([text("c")])],
    );
    check(
        vec![
            user([text("a")]),
            model([uses("t")]),
            user([text("b"), result("t", "r"), result("t", "again")]),
        ],
        vec![user([text("a")]), model([uses("t")]), user([result("t", "r"), text("b")])],
    );
    check(
        vec![user([text("a")]), model([uses("t"), result("t", "r")])],
        vec![user([text("a")]), model([uses("t")]), user([result("t", "r")])],
    );
}

#[test]
fn a_result_without_a_use_becomes_words() {
    check(
        vec![user([text("a"), result("gone", "what it said")])],
        vec![user([
            text("a"),
            text("(The result of a call that is not in this conversation any more: what it said)"),
        ])],
    );
}

#[test]
fn an_id_used_again_is_told_apart() {
    check(
        vec![
            user([text("a")]),
            model([uses("t"), uses("t")]),
            user([result("t", "1"), result("t", "2")]),
            model([uses("t"), uses("")]),
            user([result("t", "3"), result("", "4")]),
        ],
        vec![
            user([text("a")]),
            model([uses("t"), uses("t-2")]),
            user([result("t", "1"), result("t-2", "2")]),
            model([uses("t-3"), uses("call-2")]),
            user([result("t-3", "3"), result("call-2", "4")]),
        ],
    );
    // A result after the second use is not the first one's.
    check(
        vec![
            user([text("a")]),
            model([uses("t")]),
            user([text("b")]),
            model([uses("t")]),
            user([result("t", "r")]),
        ],
        vec![
            user([text("a")]),
            model([uses("t")]),
            user([dangling("t"), text("b")]),
            model([uses("t-2")]),
            user([result("t-2", "r")]),
        ],
    );
    // The name that would be made is taken.
    check(
        vec![user([text("a")]), model([uses("t"), uses("t"), uses("t-2")])],
        vec![
            user([text("a")]),
            model([uses("t"), uses("t-3"), uses("t-2")]),
            user([dangling("t"), dangling("t-3"), dangling("t-2")]),
        ],
    );
}

#[test]
fn nothing_empty_is_sent() {
    check(
        vec![
            user([text("a")]),
            model([text(" \n")]),
            user([text("")]),
            model([text("b"), text("")]),
            user([]),
        ],
        vec![user([text("a")]), model([text("b")])],
    );
    check(
        vec![user([text("a")]), model([uses("t")]), user([result("t", "  ")])],
        vec![user([text("a")]), model([uses("t")]), user([result("t", "(no output)")])],
    );
    let empty = Block::Content(Content::Media { media_type: "image/png".into(), data: String::new() });
    check(vec![user([empty])], vec![user([text("(An image or document left out: it was empty.)")])]);
}

#[test]
fn the_person_begins_and_nobody_speaks_twice() {
    check(
        vec![model([text("a")]), model([text("b")]), user([text("c")]), user([text("d")])],
        vec![user([text(LOST_START)]), model([text("a"), text("b")]), user([text("c"), text("d")])],
    );
    check(
        vec![message(Speaker::System, vec![text("s"), thinks(Some("S"))]), user([text("c")])],
        vec![user([text(LOST_START)]), message(Speaker::System, vec![text("s")]), user([text("c")])],
    );
    check(
        vec![
            user([text("a")]),
            model([uses("t")]),
            message(Speaker::System, vec![text("s")]),
            user([result("t", "r")]),
        ],
        vec![
            user([text("a")]),
            model([uses("t")]),
            user([result("t", "r")]),
            message(Speaker::System, vec![text("s")]),
        ],
    );
    check(vec![], vec![]);
}

#[test]
fn a_model_never_ends_in_a_thought_or_in_white_space() {
    check(
        vec![user([text("a")]), model([thinks(Some("S"))]), user([text("go on")])],
        vec![user([text("a"), text("go on")])],
    );
    check(
        vec![user([text("a")]), model([thinks(Some("S")), text("b \n")])],
        vec![user([text("a")]), model([thinks(Some("S")), text("b")])],
    );
    // In the middle of a conversation white space harms nobody, and changing it would cost the cache.
    check(
        vec![user([text("a")]), model([text("b ")]), user([text("c")])],
        vec![user([text("a")]), model([text("b ")]), user([text("c")])],
    );
}

#[test]
fn unsigned_thoughts_go_where_the_vendor_wants_signatures() {
    let history = [user([text("a")]), model([thinks(None), thinks(Some("S")), text("b")])];
    assert_eq!(repair(&history, &RepairOptions::default()), history.as_slice());
    let strict = RepairOptions { drop_unsigned_thinking: true, ..RepairOptions::default() };
    let expect = [user([text("a")]), model([thinks(Some("S")), text("b")])];
    assert_eq!(repair(&history, &strict), expect.as_slice());
}

#[test]
fn messages_made_while_a_tool_ran_wait_for_its_result() {
    let made = |content| Message { source_tool_use: Some("t".into()), ..user([text(content)]) };
    check(
        vec![user([text("a")]), model([uses("t")]), made("hook")],
        vec![user([text("a")]), model([uses("t")]), user([dangling("t")])],
    );
    check(
        vec![user([text("a")]), model([uses("t")]), made("hook"), user([result("t", "r")])],
        vec![user([text("a")]), model([uses("t")]), user([result("t", "r"), text("hook")])],
    );
}

#[test]
fn a_result_in_a_message_that_is_left_out_counts_for_nothing() {
    let made = |source: &str, block| Message { source_tool_use: Some(source.into()), ..user([block]) };
    check(
        vec![
            user([text("a")]),
            model([uses("t"), uses("s")]),
            made("s", result("t", "r")),
            made("t", text("hook")),
        ],
        vec![user([text("a")]), model([uses("t"), uses("s")]), user([dangling("t"), dangling("s")])],
    );
}

#[test]
fn a_tools_name_that_providers_refuse_is_respelled() {
    let named = |name: &str| Block::ToolUse {
        id: "t".into(),
        name: name.into(),
        input: ToolInput::Malformed("{".into()),
    };
    let long = "é".repeat(80);
    for (name, expect) in [("functions.Read", "functions_Read"), ("", "unnamed"), (&long, &"_".repeat(64))] {
        check(
            vec![user([text("a")]), model([named(name)]), user([result("t", "r")])],
            vec![user([text("a")]), model([named(expect)]), user([result("t", "r")])],
        );
    }
}

#[test]
fn media_a_provider_cannot_read_give_way_to_words() {
    let image = Content::Media { media_type: "image/png".into(), data: "bm90".into() };
    let answer = |content| Block::ToolResult {
        tool_use_id: "t".into(),
        content: vec![content],
        outcome: Outcome::Success,
    };
    let words = Content::text("(image/png left out: the provider could not read it)");
    let history = [model([uses("t")]), user([answer(image.clone()), Block::Content(image)])];
    let expect = [model([uses("t")]), user([answer(words.clone()), Block::Content(words)])];
    assert_eq!(replace_media(&history, "the provider could not read it"), expect);
}

#[test]
fn each_rule_of_what_is_acceptable_is_checked() {
    let broken = |history: &[Message], word: &str| {
        let error = acceptable(history).unwrap_err();
        assert!(error.contains(word), "{error}");
    };
    let start = || user([text("a")]);
    broken(&[model([text("a")])], "first");
    broken(&[start(), start()], "twice");
    broken(&[user([])], "empty");
    broken(&[Message { source_tool_use: Some("t".into()), ..start() }], "transient");
    broken(&[user([uses("t")])], "tool use");
    broken(&[user([thinks(Some("S"))])], "thought");
    broken(&[start(), model([text("b"), thinks(Some("S"))])], "thought");
    broken(&[start(), model([uses("t"), uses("t")])], "not new");
    broken(&[start(), model([uses("t")])], "before the results");
    broken(&[start(), model([uses("t")]), user([text("b")])], "asked for");
    broken(&[start(), model([uses("t")]), user([text("b"), result("t", "r")])], "asked for");
    broken(&[start(), model([uses("t")]), user([result("t", "r"), text("b"), result("t", "r")])], "front");
    broken(&[start(), model([uses("t")]), message(Speaker::System, vec![result("t", "r")])], "mouth");
    broken(&[user([result("t", "r")])], "asked for");
    broken(&[start(), model([uses("t")]), user([result("t", " ")])], "empty text");
    broken(&[user([text("\n")])], "empty text");
    broken(&[start(), model([text("b ")])], "white space");
}

fn any_content() -> impl Strategy<Value = Content> {
    prop_oneof![
        4 => "[ \nqjz]{0,3}".prop_map(Content::text),
        1 => ("(image/png)?", "(bm90)?").prop_map(|(media_type, data)| Content::Media { media_type, data }),
        1 => Just(Content::Unknown(json!({"type": "odd"}))),
    ]
}

fn any_block() -> impl Strategy<Value = Block> {
    prop_oneof![
        2 => any_content().prop_map(Block::Content),
        1 => prop::option::of("S?").prop_map(|signature| Block::Thinking { text: String::new(), signature }),
        4 => ("(a|b|a-2|c|)", "(Read|a\\.b|)").prop_map(|(id, name)| Block::ToolUse {
            id,
            name,
            input: ToolInput::Json(json!({})),
        }),
        4 => ("(a|b|a-2|c|)", prop::collection::vec(any_content(), 0..3)).prop_map(|(tool_use_id, content)| {
            Block::ToolResult { tool_use_id, content, outcome: Outcome::Success }
        }),
        1 => Just(Block::Vendor { vendor: "v".into(), value: json!({}) }),
        1 => Just(raw_use(json!({"name": "Read"}))),
    ]
}

fn any_message() -> impl Strategy<Value = Message> {
    (
        "[m-p]",
        prop_oneof![3 => Just(Speaker::User), 4 => Just(Speaker::Assistant), 1 => Just(Speaker::System)],
        prop::collection::vec(any_block(), 0..4),
        prop::option::weighted(0.2, "(a|b|z)"),
    )
        .prop_map(|(id, role, content, source_tool_use)| Message { id, role, content, source_tool_use })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn whatever_comes_what_goes_is_acceptable_and_stays(
        history in prop::collection::vec(any_message(), 0..10),
        drop_unsigned_thinking in any::<bool>(),
    ) {
        let options = RepairOptions { drop_unsigned_thinking, ..RepairOptions::default() };
        let repaired = repair(&history, &options).into_owned();
        prop_assert_eq!(acceptable(&repaired), Ok(()));
        if drop_unsigned_thinking {
            prop_assert!(!repaired.iter().flat_map(|message| &message.content).any(blocks::is_unsigned_thinking));
        }
        // Not only the short way for what is acceptable: building anew changes nothing either.
        prop_assert_eq!(&rebuild(&repaired, &options), &repaired);
        prop_assert!(matches!(repair(&repaired, &options), Cow::Borrowed(_)));
        prop_assert_eq!(acceptable(&replace_media(&repaired, "unreadable")), Ok(()));
    }

    /// What each speaker said is all there, in order. (The marked letters are in no word that repair adds.)
    #[test]
    fn no_word_is_lost(history in prop::collection::vec(any_message(), 0..10)) {
        let mut history = history;
        for message in &mut history {
            message.source_tool_use = None;
            message.content.retain(|block| !matches!(block, Block::ToolResult { .. }));
        }
        let said = |messages: &[Message], role| -> String {
            let texts = messages.iter().filter(|message| message.role == role).map(Message::text);
            texts.collect::<String>().chars().filter(|letter| "qjz".contains(*letter)).collect()
        };
        let repaired = repair(&history, &RepairOptions::default());
        for role in [Speaker::User, Speaker::Assistant, Speaker::System] {
            prop_assert_eq!(said(&repaired, role), said(&history, role));
        }
    }
}
