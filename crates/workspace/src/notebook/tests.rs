//! Finding the parts of notebooks, and of what only looks like one.

use proptest::prelude::*;

use super::*;

fn check(text: &str, expect: &[(&str, &str, Option<&str>)]) {
    let notebook = parse(text).unwrap();
    let found: Vec<_> = notebook
        .cells
        .iter()
        .map(|cell| (cell.handle.clone(), cell.kind.clone(), notebook.source(cell)))
        .collect();
    let expect: Vec<_> = expect
        .iter()
        .map(|(handle, kind, source)| ((*handle).to_owned(), (*kind).to_owned(), source.map(str::to_owned)))
        .collect();
    assert_eq!(found, expect, "{text}");
}

#[test]
fn cells_have_one_name_each() {
    check(r#"{"cells":[]}"#, &[]);
    check(
        r#" {"cells" : [ {"id":"a","cell_type":"code","source":["x\n","y"]} , {"cell_type":"raw","source":"z","id":3}]}"#,
        &[("a", "code", Some("x\ny")), ("cell-1", "raw", Some("z"))],
    );
    check(
        r#"{"cells":[{"id":"d","source":""},{"id":"d","source":[]},{"id":""},{"source":7}]}"#,
        &[("cell-0", "", Some("")), ("cell-1", "", Some("")), ("cell-2", "", None), ("cell-3", "", None)],
    );
    // Brackets and quotes in strings, escaped names, a name given twice: the last counts.
    check(
        r#"{"x":"]}\"[","cells":[{"s\u006furce":"a]}\\","source":"b","o":{"source":"no"}}]}"#,
        &[("cell-0", "", Some("b"))],
    );
    check(
        r#"{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"code","input":["i"]}]},{},{"cells":[{"cell_type":"heading","source":"h"}]}]}"#,
        &[("cell-0", "code", Some("i")), ("cell-1", "heading", Some("h"))],
    );
}

#[test]
fn what_is_no_notebook_says_why() {
    for (text, expect) in [
        ("", "it is no valid JSON (EOF while parsing a value at line 1 column 0)"),
        ("[]", "it is JSON, but no notebook: the outermost value is no object"),
        ("{}", "it is JSON, but no notebook: it has no list `cells`"),
        (r#"{"cells":{}}"#, "it is JSON, but no notebook: `cells` is no list"),
        (r#"{"cells":[{},1]}"#, "it is JSON, but no notebook: cell 1 (from 0) is no object"),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), expect);
    }
    let deep = format!(r#"{{"x":{}{},"cells":[]}}"#, "[".repeat(1 << 20), "]".repeat(1 << 20));
    assert!(parse(&deep).is_ok_and(|notebook| notebook.cells.is_empty()), "depth costs no stack");
}

/// Any JSON value as text, with white space of all kinds.
fn json() -> impl Strategy<Value = String> {
    let space = prop::sample::select(vec!["", " ", "\n\t", "\r\n"]);
    let string = prop::collection::vec(
        prop::sample::select(vec![
            "a", "\\\"", "\\\\", "]", "}", "{", "[", ",", ":", "\\u00e9", "\u{e9}", "id", "cells", "source",
        ]),
        0..4,
    )
    .prop_map(|parts| format!("\"{}\"", parts.concat()));
    let leaf = prop_oneof![
        string.clone(),
        Just("null".to_owned()),
        Just("-1.5e3".to_owned()),
        Just("true".to_owned())
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        let member = (string.clone(), space.clone(), inner.clone())
            .prop_map(|(key, space, value)| format!("{space}{key}{space}:{space}{value}"));
        prop_oneof![
            (prop::collection::vec(inner, 0..5), space.clone())
                .prop_map(|(items, space)| format!("[{space}{}{space}]", items.join(&format!("{space},")))),
            (prop::collection::vec(member, 0..5), space.clone())
                .prop_map(|(members, space)| format!("{{{}{space}}}", members.join(","))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parts_of_valid_json_are_valid_json(text in json()) {
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let parsed = |range: &Range<usize>| serde_json::from_str::<serde_json::Value>(&text[range.clone()]).unwrap();
        let found: Option<Vec<_>> = items(&text, 0).map(|items| items.iter().map(parsed).collect());
        prop_assert_eq!(found.as_ref(), value.as_array());
        if let Some(members) = members(&text, 0) {
            // A name given twice counts once.
            let object: serde_json::Map<_, _> =
                members.iter().map(|member| (member.key.clone(), parsed(&member.value))).collect();
            prop_assert_eq!(Some(&object), value.as_object());
        }
    }

    #[test]
    fn no_text_is_too_odd(text in "[\\[\\]{}\":,a\\\\ \u{e9}]{0,40}", start in 0_usize..50) {
        let _ = parse(&text);
        let _ = (members(&text, start), items(&text, start));
    }
}
