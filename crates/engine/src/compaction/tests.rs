//! When a conversation is shortened, and what is left of it.

use serde_json::json;
use toolwright_core::{Block, Content, Message, Outcome, Speaker, StopReason, ToolInput, Usage};

use super::{CompactionLimits, NoSummary, Reduction, ask_for_summary};
use crate::repair::{RepairOptions, acceptable, repair};

fn message(role: Speaker, content: Vec<Block>) -> Message {
    Message { id: "m".into(), role, content, source_tool_use: None }
}

fn said(text: &str) -> Message {
    Message::user("m", text)
}

fn calls(id: &str, command: &str) -> Message {
    let input = ToolInput::Json(json!({"command": command}));
    message(Speaker::Assistant, vec![Block::ToolUse { id: id.into(), name: "Bash".into(), input }])
}

fn result(id: &str, text: &str) -> Message {
    let content = vec![Content::text(text)];
    let outcome = Outcome::Success;
    message(Speaker::User, vec![Block::ToolResult { tool_use_id: id.into(), content, outcome }])
}

#[test]
fn above_the_share_of_what_is_not_reserved() {
    let check = |used: (u64, u64), context_tokens: u64, expect: bool| {
        let limits = CompactionLimits { context_tokens, reserved_tokens: 100, percent: 90 };
        assert_eq!(limits.is_crowded(&Usage::new(used.0, used.1)), expect, "{used:?} of {context_tokens}");
    };
    check((810, 0), 1_000, false);
    check((811, 0), 1_000, true);
    check((800, 11), 1_000, true);
    check((u64::MAX, u64::MAX), 1_000, true);
    check((u64::MAX, 0), 0, false);
    check((1, 0), 50, true);
}

#[test]
fn what_came_from_the_cache_counts() {
    let mut usage = Usage::new(1, 0);
    usage.cache_read_input_tokens = 700;
    assert!(CompactionLimits::of(1_000).is_crowded(&usage));
    assert!(!CompactionLimits::of(1_200).is_crowded(&usage));
}

#[test]
fn the_end_stays_and_no_result_loses_its_tool_use() {
    let conversation = [
        said("do it"),
        calls("a", "one"),
        result("a", &"x".repeat(90)),
        calls("b", "two"),
        result("b", &"y".repeat(90)),
    ];
    let check = |context_tokens: u64, expect: usize| {
        let kept = CompactionLimits::of(context_tokens).kept(&conversation);
        assert_eq!(kept, expect, "{context_tokens}");
    };
    check(0, 0);
    // The last result alone fits, but not with its tool use.
    check(240, 0);
    check(300, 2);
    check(500, 2);
    check(560, 4);
    // Never all of it.
    check(1_000_000, 4);
}

#[test]
fn less_and_less_is_sent() {
    let conversation = [
        said(&"long ".repeat(900)),
        calls("a", &"c".repeat(3_000)),
        result("a", &"x".repeat(90_000)),
        calls("b", "two"),
        result("b", "short"),
    ];
    let check = |reduction: Reduction, messages: usize, most: usize| {
        let asked = ask_for_summary(&conversation, reduction, None);
        let asked = repair(&asked, &RepairOptions::default());
        assert_eq!(acceptable(&asked), Ok(()), "{reduction:?}");
        let length: usize = asked.iter().map(super::length).sum();
        assert_eq!(asked.len(), messages, "{reduction:?}");
        assert!(
            length <= most && asked.last().unwrap().text().contains("Call no tool"),
            "{reduction:?}: {length}"
        );
    };
    check(Reduction::Nothing, 5, 100_000);
    check(Reduction::LongTexts, 5, 9_000);
    // The prompt with which the conversation begins stands before the newer half, in one message with it.
    check(Reduction::OlderHalf, 3, 8_500);
    let all = std::iter::successors(Some(Reduction::Nothing), |reduction| reduction.further());
    assert!(all.is_sorted());
}

#[test]
fn what_stands_for_the_rest() {
    let limits = CompactionLimits::of(1_000);
    let prompt = Message::user("p", "fix the parser");
    let whole = limits.summary_message("s".into(), " Fixed half of it. ", Some(&prompt), &[]);
    insta::assert_snapshot!(whole.text(), @r"
    The conversation was longer than fits. What came before is summarised here:

    Fixed half of it.

    The person's last words were:

    fix the parser

    Go on from where it stopped, without speaking of the summary. Read a file again before you rely on its exact text.
    ");
    let kept = limits.summary_message("s".into(), "Fixed.", Some(&prompt), std::slice::from_ref(&prompt));
    assert!(!kept.text().contains("last words"));
    // A tenth of the context: of a longer prompt both ends.
    let long = Message::user("p", format!("{} {} {}", "begin", "x".repeat(500), "end"));
    let cut = limits.summary_message("s".into(), "Fixed.", Some(&long), &[]).text();
    let tail = format!("{} end", "x".repeat(129));
    assert!(cut.contains("were:\n\nbegin x") && cut.contains(&tail), "{cut}");
    assert!(cut.contains("[.. 110 characters of this message are left out ..]"), "{cut}");
}

#[test]
fn an_earlier_summary_and_the_prompt_are_hardly_shortened() {
    let earlier = said(&format!("summary {} last fact", "x".repeat(15_000)));
    let conversation = [earlier, calls("a", "one"), result("a", &"x".repeat(90_000)), said("go on")];
    for reduction in [Reduction::LongTexts, Reduction::OlderHalf] {
        let asked = ask_for_summary(&conversation, reduction, None);
        assert!(asked.first().unwrap().text().ends_with("last fact"), "{reduction:?}");
    }
}

#[test]
fn what_is_no_summary() {
    let check = |stop: StopReason, text: &str, expect: Option<NoSummary>| {
        assert_eq!(NoSummary::of(stop, text), expect, "{stop:?} {text}");
    };
    check(StopReason::EndTurn, "1. Request: ..", None);
    check(StopReason::StopSequence, "1. Request: ..", None);
    check(StopReason::EndTurn, " \n", Some(NoSummary::Empty));
    check(StopReason::ToolUse, "Let me look first.", Some(NoSummary::ToolUse));
    check(StopReason::MaxTokens, "1. Req", Some(NoSummary::Cut));
    check(StopReason::ContextFull, "1. Req", Some(NoSummary::ContextFull));
    check(StopReason::Refusal, "I cannot help with that.", Some(NoSummary::Refused));
    check(StopReason::PauseTurn, "wait", Some(NoSummary::Paused));
    let again = ask_for_summary(&[said("do it")], Reduction::Nothing, Some(NoSummary::Cut));
    let words = again.last().unwrap().text();
    assert!(words.contains("of no use: it was cut off at the output limit."), "{words}");
}
