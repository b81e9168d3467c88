//! `tool-search`: queries in, names out, a line each.

use crate::place::Place;

const CATALOGUE: &str = r#"[
    {"server": "talk", "name": "post_message", "title": "Post", "description": "Posts a message to a channel.",
     "input_schema": {"type": "object", "properties": {"channel": {"type": "string"}}}},
    {"server": "disk", "name": "read_file", "description": null, "input_schema": null},
    {"server": "disk", "name": "move_file", "description": "Moves a file."}
]"#;

#[test]
fn each_query_has_a_line_of_names() {
    let place = Place::new();
    place.write("tools.json", CATALOGUE);
    let input = "{\"query\": \"send a message\", \"k\": 1}\n\n{\"query\": \"file\", \"k\": null}\n{\"query\": \"+file move\"}";
    let ran = place.run_with(&["tool-search", "--catalogue", "tools.json"], input);
    let expect = "[\"mcp__talk__post_message\"]\n\
                  [\"mcp__disk__read_file\",\"mcp__disk__move_file\"]\n\
                  [\"mcp__disk__move_file\",\"mcp__disk__read_file\"]\n";
    assert_eq!((ran.exit, ran.out.as_str(), ran.err.as_str()), (0, expect, ""));
}

#[test]
fn what_is_no_query_has_an_empty_line_and_is_told() {
    let place = Place::new();
    place.write("tools.json", CATALOGUE);
    let input = "nonsense\n{\"k\": 3}\n{\"query\": \"file\", \"k\": \"many\"}\n{\"query\": \"read\"}";
    let ran = place.run_with(&["tool-search", "--catalogue", "tools.json"], input);
    assert_eq!((ran.exit, ran.out.as_str()), (1, "[]\n[]\n[]\n[\"mcp__disk__read_file\"]\n"));
    let told = |line: &str| assert!(ran.err.contains(line), "{}", ran.err);
    told("line 1 of standard input: it is no JSON");
    told("line 2 of standard input: write it like {\"query\"");
    told("line 3 of standard input: ");
}

#[test]
fn what_is_no_catalogue_is_told() {
    let place = Place::new();
    let check = |text: Option<&str>, expect: &str| {
        if let Some(text) = text {
            place.write("tools.json", text);
        }
        let ran = place.run(&["tool-search", "--catalogue", "tools.json"]);
        assert_eq!((ran.exit, ran.out.as_str()), (1, ""));
        assert!(ran.err.contains(expect), "{}", ran.err);
    };
    check(None, "tools.json cannot be read: ");
    check(Some("{}"), "tools.json is no catalogue: ");
    check(
        Some(r#"[{"server": "a"}]"#),
        "tools.json: tool 0 has no `server` or no `name`; it should be a list",
    );
}
