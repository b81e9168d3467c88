//! Whatever a notebook looks like, what is outside the changed cell stays byte for byte, and the cell is as it should be.

use proptest::prelude::*;
use serde_json::{Value, json};
use toolwright_testkit::TempWorkspace;

use crate::answers::answer;
use crate::contract::{read, services};

/// White space between tokens.
fn space() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["", " ", "\n  ", "\t", "\n", "\r\n    "]).prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop::sample::select(vec![
            "a",
            "\"",
            "\\",
            "\n",
            "]",
            "}",
            ",",
            "{",
            "\u{e9}",
            "\u{1f600}",
            "\t",
            "\\u00e9",
        ]),
        0..8,
    )
    .prop_map(|parts| parts.concat())
}

/// A source as a string, or as a list of its lines.
fn source(text: String, as_list: bool, space: &str) -> String {
    if !as_list {
        return Value::from(text).to_string();
    }
    let lines: Vec<_> = text.split_inclusive('\n').map(|line| Value::from(line).to_string()).collect();
    format!("[{space}{}{space}]", lines.join(&format!("{space},{space}")))
}

prop_compose! {
    fn cell()(
        id in prop::option::of("[a-c]"),
        code in any::<bool>(),
        text in text(),
        as_list in any::<bool>(),
        other in text(),
        space in space(),
        reversed in any::<bool>(),
    ) -> String {
        let mut members = vec![
            format!("\"cell_type\"{space}:{space}\"{}\"", if code { "code" } else { "markdown" }),
            format!("\"odd\":{space}{}", json!({"k": [other, 1.50, {"source": "no"}]})),
            format!("\"source\":{}", source(text, as_list, &space)),
        ];
        if code {
            members.push("\"outputs\":[ {\"text\":\"]}\"} ]".into());
            members.push("\"execution_count\":1e1".into());
        }
        members.extend(id.map(|id| format!("\"id\":\"{id}\"")));
        if reversed {
            members.reverse();
        }
        format!("{{{space}{}{space}}}", members.join(&format!("{space},")))
    }
}

#[derive(Debug, Clone, Copy)]
enum Do {
    Replace,
    Insert,
    Delete,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_outside_the_changed_cell_stay(
        cells in prop::collection::vec((cell(), space()), 1..5),
        at in any::<prop::sample::Index>(),
        new in text(),
        what in prop::sample::select(vec![Do::Replace, Do::Insert, Do::Delete]),
        minor in 4..6,
    ) {
        let at = at.index(cells.len());
        let joined = |cells: &[(String, String)]| cells.iter().map(|(cell, space)| format!("{space}{cell}")).collect::<Vec<_>>().join(",");
        let head = "{ \"x\" : 1.0,\"cells\":[";
        let tail = format!("] ,\n\n\"nbformat\":4,\"nbformat_minor\":{minor} , \"y\":\"\\u00e9\"}}\n\n");
        let file = format!("{head}{}{tail}", joined(&cells));
        let ids: Vec<Option<String>> = cells.iter().map(|(cell, _)| {
            let cell: Value = serde_json::from_str(cell).expect("a cell");
            cell["id"].as_str().map(str::to_owned)
        }).collect();
        let own = |id: &String| ids.iter().filter(|other| other.as_ref() == Some(id)).count() == 1;
        let name = ids[at].clone().filter(own).unwrap_or_else(|| format!("cell-{at}"));

        let workspace = TempWorkspace::new();
        let services = services(&workspace);
        workspace.write("n.ipynb", &file);
        read(&workspace, &services, "n.ipynb");
        let input = match what {
            Do::Replace => json!({"cell_id": name, "new_source": new}),
            Do::Insert => json!({"cell_id": name, "new_source": new, "cell_type": "code", "edit_mode": "insert"}),
            Do::Delete => json!({"cell_id": name, "edit_mode": "delete"}),
        };
        let said = answer(&workspace, &services, &input);
        let after = workspace.read("n.ipynb");
        if said.contains("nothing to change") {
            prop_assert_eq!(after, file);
            return Ok(());
        }
        prop_assert!(!said.starts_with("error"), "{}", said);

        let before_cell = format!("{head}{}", joined(&cells[..at]));
        prop_assert!(after.starts_with(&before_cell), "{}", after);
        prop_assert!(after.ends_with(&tail), "{}", after);
        if at + 1 < cells.len() {
            let behind = joined(&cells[at + 1..]);
            prop_assert!(after.ends_with(&format!("{}{tail}", behind.trim_start())), "{}", after);
        }
        let old: Value = serde_json::from_str(&file).expect("a notebook");
        let now: Value = serde_json::from_str(&after).expect("still JSON");
        let mut wanted = old["cells"].as_array().expect("cells").clone();
        let found = now["cells"].as_array().expect("cells").clone();
        let text = |cell: &Value| match &cell["source"] {
            Value::String(text) => text.clone(),
            lines => lines.as_array().expect("lines").iter().filter_map(Value::as_str).collect(),
        };
        match what {
            Do::Replace => {
                prop_assert_eq!(text(&found[at]), new);
                prop_assert_eq!(found[at]["source"].is_string(), wanted[at]["source"].is_string());
                wanted[at]["source"] = found[at]["source"].clone();
                if wanted[at]["cell_type"] == "code" {
                    wanted[at]["outputs"] = json!([]);
                    wanted[at]["execution_count"] = Value::Null;
                }
                let parts = |cell: &str| cell.split("\"odd\"").nth(1).and_then(|rest| rest.split("\"no\"").next().map(str::to_owned));
                prop_assert_eq!(parts(&cells[at].0), parts(after.strip_prefix(&before_cell).unwrap_or_default()));
            }
            Do::Insert => {
                prop_assert_eq!(text(&found[at + 1]), new);
                let has_ids = minor == 5 || ids.iter().any(Option::is_some);
                prop_assert_eq!(found[at + 1].get("id").is_some(), has_ids);
                wanted.insert(at + 1, found[at + 1].clone());
            }
            Do::Delete => { wanted.remove(at); }
        }
        prop_assert_eq!(found, wanted);
    }
}
