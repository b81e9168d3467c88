//! Checks of the rules, the modes and the words.

use std::collections::BTreeMap;

use serde_json::{Map, json};
use toolwright_core::{Definition, Environment, Loading, Origin};

use super::*;

fn own(name: &str, loading: Loading) -> Definition {
    let mut definition = Definition::new(name, "Does something.");
    definition.origin = Origin::BuiltIn { package: "p".into() };
    definition.loading = loading;
    definition
}

fn remote(server: &str, name: &str) -> Definition {
    let mut definition = Definition::new(format!("mcp__{server}__{name}"), "x".repeat(4_000));
    definition.origin = Origin::Remote { server: server.into(), tool: name.into() };
    definition
}

/// The names that are kept back of one fixed set.
fn check(mode: DeferralMode, context_tokens: u64, always_load: &[&str], search: bool, expect: &[&str]) {
    let mut definitions = vec![
        own("Read", Loading::Always),
        own("Rare", Loading::Deferred),
        remote("a", "x"),
        remote("b", "y"),
    ];
    if search {
        definitions.push(own(TOOL_SEARCH, Loading::Deferred));
    }
    let always_load = always_load.iter().map(ToString::to_string).collect();
    let policy = DeferralPolicy { mode, context_tokens, always_load };
    let decided = policy.decide(&definitions.iter().collect::<Vec<_>>());
    let deferred = definitions.iter().zip(decided).filter(|(_, deferred)| *deferred);
    assert_eq!(deferred.map(|(definition, _)| definition.name.as_str()).collect::<Vec<_>>(), expect);
}

#[test]
fn the_first_rule_that_applies_decides() {
    let all = ["Rare", "mcp__a__x", "mcp__b__y"];
    check(DeferralMode::On, 0, &[], true, &all);
    check(DeferralMode::On, 0, &["mcp__a"], true, &["Rare", "mcp__b__y"]);
    check(DeferralMode::On, 0, &["mcp__a__x", "Rare"], true, &["mcp__b__y"]);
    check(DeferralMode::Off, 0, &[], true, &[]);
}

#[test]
fn nothing_is_kept_back_that_could_not_be_found_again() {
    check(DeferralMode::On, 0, &[], false, &[]);
    check(DeferralMode::Auto { percent: 0 }, 1_000, &[], false, &[]);
}

#[test]
fn auto_defers_above_a_share_of_the_context() {
    let all = ["Rare", "mcp__a__x", "mcp__b__y"];
    // The two remote tools take a little more than 2,000 tokens.
    check(DeferralMode::Auto { percent: 10 }, 20_000, &[], true, &all);
    check(DeferralMode::Auto { percent: 10 }, 30_000, &[], true, &[]);
    check(DeferralMode::Auto { percent: 10 }, 20_000, &["mcp__a"], true, &[]);
    check(DeferralMode::Auto { percent: 0 }, 30_000, &[], true, &all);
    check(DeferralMode::Auto { percent: 0 }, 0, &[], true, &[]);
}

#[test]
fn modes_are_read_as_people_write_them() {
    for (value, expect) in [
        ("", Some(DeferralMode::On)),
        ("true", Some(DeferralMode::On)),
        (" True ", Some(DeferralMode::On)),
        ("1", Some(DeferralMode::On)),
        ("false", Some(DeferralMode::Off)),
        ("0", Some(DeferralMode::Off)),
        ("auto", Some(DeferralMode::Auto { percent: 10 })),
        ("AUTO:5", Some(DeferralMode::Auto { percent: 5 })),
        ("auto:100", Some(DeferralMode::Auto { percent: 100 })),
        ("auto:101", None),
        ("auto:-1", None),
        ("auto:", None),
        ("maybe", None),
    ] {
        let expect = |place| expect.ok_or_else(|| DeferralModeError { place, value: value.into() });
        let variables = BTreeMap::from([("ENABLE_TOOL_SEARCH".into(), value.into())]);
        let contrary = settings(json!(value != "false"));
        assert_eq!(
            DeferralMode::of(&Environment::new(variables, contrary)),
            match value {
                // An empty variable is not set.
                "" => Ok(DeferralMode::On),
                _ => expect("ENABLE_TOOL_SEARCH"),
            }
        );
        let environment = Environment::new(BTreeMap::new(), settings(json!(value)));
        assert_eq!(DeferralMode::of(&environment), expect("enableToolSearch"));
    }
    assert_eq!(DeferralMode::of(&Environment::default()), Ok(DeferralMode::On));
    for (value, expect) in
        [(json!(false), Some(DeferralMode::Off)), (json!(true), Some(DeferralMode::On)), (json!(3), None)]
    {
        assert_eq!(DeferralMode::of(&Environment::new(BTreeMap::new(), settings(value))).ok(), expect);
    }
}

fn settings(value: Value) -> Map<String, Value> {
    Map::from_iter([("enableToolSearch".to_owned(), value)])
}

#[test]
fn an_announcement_names_what_may_be_searched_and_is_left_out_for_nothing() {
    let text = announce_deferred(["mcp__a__x", "Rare"]);
    assert!(text.is_some_and(|text| text.ends_with("them:\nmcp__a__x\nRare")));
    assert_eq!(announce_deferred([]), None);
}

#[test]
fn a_call_on_a_guess_is_answered_with_the_schema() {
    let mut definition = own("Rare", Loading::Deferred);
    definition.input_schema =
        serde_json::json!({"type": "object", "properties": {"path": {"type": "string"}}});
    let text = answer_not_loaded(&definition);
    assert!(text.starts_with("Rare was not run"), "{text}");
    assert!(text.ends_with(r#"{"type":"object","properties":{"path":{"type":"string"}}}"#), "{text}");
}
