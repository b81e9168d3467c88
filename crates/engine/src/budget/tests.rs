//! Checks of what is stored and shown.

use proptest::prelude::*;

use super::*;

fn budget(message: usize) -> Budget {
    Budget::new(BudgetLimits { message, head: 20, tail: 10 }, Path::new("/s/results"))
}

fn text(content: &[Content]) -> &str {
    content.iter().find_map(Content::as_text).unwrap_or_default()
}

#[test]
fn a_large_text_is_stored_and_shown_from_both_ends() {
    let whole = (0..100).map(|number| format!("line {number}\n")).collect::<String>();
    let image = Content::Media { media_type: "image/png".into(), data: "x".repeat(5_000) };
    let Budgeted { content, store } = budget(10_000).apply(vec![image.clone(), Content::text(&whole)], 100);
    let store = store.unwrap();
    assert_eq!(store.text, whole);
    assert_eq!(content[0], image);
    assert_eq!(
        text(&content),
        format!(
            "line 0\nline 1\n[768 of 790 characters left out here (100 lines in all). The whole text is in /s/results/{}; \
             read or search it there, in parts.]\nline 99\n",
            store.name
        )
    );
}

#[test]
fn within_the_limit_nothing_changes() {
    let check = |content: Vec<Content>, limit: usize, stored: bool| {
        let budgeted = budget(10_000).apply(content.clone(), limit);
        assert_eq!(budgeted.store.is_some(), stored, "{limit}");
        if !stored {
            assert_eq!(budgeted.content, content);
        }
    };
    check(vec![Content::text("é".repeat(100))], 100, false);
    check(vec![Content::text("é".repeat(101))], 100, true);
    check(vec![Content::text("a".repeat(60)), Content::text("b".repeat(60))], 100, true);
    check(vec![Content::text("a".repeat(20_000))], usize::MAX, false);
    check(vec![Content::Media { media_type: "image/png".into(), data: "x".repeat(500) }], 100, false);
    check(vec![], 0, false);
    check(vec![Content::text("a")], 0, true);
}

#[test]
fn results_of_one_message_share_a_limit() {
    let mut budget = budget(2_500);
    let mut stored =
        |length: usize| budget.apply(vec![Content::text("a".repeat(length))], 1_500).store.is_some();
    assert!(!stored(1_000));
    assert!(!stored(1_000));
    assert!(stored(1_000));
    // Too small for a preview to win anything.
    assert!(!stored(400));
    budget.begin_message();
    assert!(budget.apply(vec![Content::text("a".repeat(1_000))], 1_500).store.is_none());
}

proptest! {
    #[test]
    fn a_preview_is_short_and_cut_between_characters(
        whole in "[a-zé🦀\n]{0,300}",
        limit in 0..120_usize,
    ) {
        let mut budget = budget(100_000);
        let Budgeted { content, store } = budget.apply(vec![Content::text(&whole)], limit);
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
