//! The facade links what its features chose, whichever they are in this build.

use toolwright::EXPECTED;

#[cfg(all(unix, feature = "full"))]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#[path = "it/denied.rs"]
mod denied;
#[cfg(all(unix, feature = "full"))]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#[path = "it/links.rs"]
mod links;

#[test]
fn the_linked_tools_are_the_expected_ones() {
    let registry = toolwright::tools().unwrap();
    let linked: Vec<&str> = registry.registrations().map(|tool| tool.name).collect();
    let mut expected = EXPECTED.to_vec();
    expected.sort_unstable();
    assert_eq!(linked, expected);
}

#[test]
fn a_tool_that_was_dropped_is_named() {
    let expected = [EXPECTED, &["NobodyLinkedThis"]].concat();
    let error = toolwright::core::Registry::linked(&expected).unwrap_err().to_string();
    assert!(error.contains("`NobodyLinkedThis` is not linked"), "{error}");
}
