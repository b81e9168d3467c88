//! Checks of what is stored and shown.

use proptest::prelude::*;

use super::*;

fn budget(message: usize) -> Budget {
    Budget::new(BudgetLimits { message, head: 20, tail: 10 }, Some(Path::new("/s/results")))
}

fn text(content: &[Content]) -> &str {
    content.iter().find_map(Content::as_text).unwrap_or_default()
}

#[test]
fn a_large_text_is_stored_and_shown_from_both_ends() {
    let whole = (0..100).map(|number| format!("line {number}\n")).collect::<String>();
    let image = Content::Media { media_type: "image/png".into(), data: "x".repeat(5_000) };
    let Budgeted { content, store, .. } =
        budget(10_000).apply(vec![image.clone(), Content::text(&whole)], 100, u64::MAX);
    let store = store.unwrap();
    assert_eq!(store.text, whole);
    assert_eq!(content[0], image);
    assert_eq!(
        text(&content),
        format!(
            "line 0\nline 1\n[768 of 790 characters left out here (100 lines in all). The whole text is in /s/results/{}; \
             read or search it there, in parts (offset and limit).]\nline 99\n",
            store.name
        )
    );
}

#[test]
fn within_the_limit_nothing_changes() {
    let check = |content: Vec<Content>, limit: usize, stored: bool| {
        let budgeted = budget(10_000).apply(content.clone(), limit, u64::MAX);
        assert_eq!(budgeted.store.is_some(), stored, "{limit}");
        if !stored {
            assert_eq!(budgeted.content, content);
        }
    };
    check(vec![Content::text("é".repeat(100))], 100, false);
    check(vec![Content::text("é".repeat(101))], 100, true);
    check(vec![Content::text("a".repeat(60)), Content::text("b".repeat(60))], 100, true);
    check(vec![Content::text("a".repeat(9_000))], usize::MAX, false);
    check(vec![Content::text("a".repeat(20_000))], usize::MAX, true);
    check(vec![Content::Media { media_type: "image/png".into(), data: "x".repeat(500) }], 100, false);
    check(vec![], 0, false);
    check(vec![Content::text("a")], 0, true);
}

#[test]
fn results_of_one_message_share_a_limit() {
    let mut budget = budget(3_000);
    let mut stored = |length: usize| {
        budget.apply(vec![Content::text("a".repeat(length))], 1_500, u64::MAX).store.is_some()
    };
    assert!(!stored(1_000));
    assert!(!stored(1_000));
    assert!(stored(1_000));
    // Too small for a preview to win anything.
    assert!(!stored(400));
    budget.begin_message();
    assert!(budget.apply(vec![Content::text("a".repeat(1_000))], 1_500, u64::MAX).store.is_none());
}

#[test]
fn a_tool_that_bounds_itself_shares_the_limit_of_its_message() {
    let mut budget = budget(2_500);
    let mut apply =
        |length: usize| budget.apply(vec![Content::text("a".repeat(length))], usize::MAX, u64::MAX);
    assert!(!apply(2_000).shortened);
    let second = apply(2_000);
    assert!(second.shortened && second.store.is_some());
    assert!(text(&second.content).contains("in parts (offset and limit)"), "{second:?}");
}

#[test]
fn a_message_keeps_its_limit_however_many_results_it_has() {
    let check = |results: usize, length: usize| {
        let mut budget = Budget::new(BudgetLimits::default(), Some(Path::new("/s/results")));
        let all = (0..results).map(|_| {
            let content = vec![Content::text("some words and a line feed\n".repeat(length / 27))];
            characters(&budget.apply(content, usize::MAX, u64::MAX).content)
        });
        let sum: usize = all.sum();
        assert!(sum <= 200_000, "{results} of {length}: {sum}");
        assert!(
            results * length < 200_000 || length > 200_000 || sum > 80_000,
            "{results} of {length}: {sum}"
        );
    };
    for results in [1, 2, 20, 100] {
        for length in [1_000, 24_000, 72_000, 120_000, 1_000_000] {
            check(results, length);
        }
    }
}

#[test]
fn where_nothing_can_be_stored_the_rest_is_lost() {
    let content = || vec![Content::text("line\n".repeat(1_000))];
    let limits = BudgetLimits { message: 10_000, head: 20, tail: 10 };
    for (folder, room) in [(None, u64::MAX), (Some(Path::new("/s")), 4_999)] {
        let budgeted = Budget::new(limits, folder).apply(content(), 100, room);
        assert!(budgeted.shortened && budgeted.store.is_none());
        let shown = text(&budgeted.content).to_owned();
        assert!(shown.contains("kept nowhere; ask for less") && shown.len() < 200, "{shown}");
    }
    assert!(Budget::new(limits, Some(Path::new("/s"))).apply(content(), 100, 5_000).store.is_some());
}

proptest! {
    #[test]
    fn a_preview_is_short_and_cut_between_characters(
        whole in "[a-zé🦀\n]{0,300}",
        limit in 0..120_usize,
    ) {
        let mut budget = budget(100_000);
        let Budgeted { content, store, .. } = budget.apply(vec![Content::text(&whole)], limit, u64::MAX);
        prop_assert_eq!(store.is_some(), whole.chars().count() > limit);
        if let Some(store) = store {
            let shown = text(&content);
            prop_assert_eq!(&store.text, &whole);
            let named = shown.contains(&store.name);
            prop_assert!(named);
            let (beginning, rest) = shown.split_once('[').unwrap_or_default();
            let (_, ending) = rest.rsplit_once("]\n").unwrap_or_default();
            prop_assert!(whole.starts_with(beginning.trim_end_matches('\n')));
            prop_assert!(whole.ends_with(ending));
            prop_assert!(beginning.chars().count() <= limit / 2 + 1 && ending.chars().count() <= limit / 4);
        }
    }
}
