//! Files across agents and sessions: who has read what, and the settings that bound it.

use serde_json::{Value, json};

use crate::place::Place;

fn run(place: &Place, turns: &[Value], more: &[&str]) -> Vec<Value> {
    place.write("script.json", &json!({"turns": turns}).to_string());
    let fixed = [
        "-p",
        "go",
        "--model=scripted:script.json",
        "--dangerously-skip-permissions",
        "--output-format=stream-json",
    ];
    let ran = place.run(&[&fixed, more].concat());
    assert_eq!(ran.exit, 0, "{ran:?}");
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What the tools of the main agent answered.
fn results(lines: &[Value]) -> Vec<String> {
    let users = lines.iter().filter(|line| line["type"] == "user" && line["parent_tool_use_id"].is_null());
    users.map(|line| line["message"]["content"].to_string()).collect()
}

fn call(tool: &str, input: Value) -> Value {
    json!({"reply": [{"tool": tool, "input": input}]})
}

fn read() -> Value {
    call("Read", json!({"file_path": "{cwd}/a.txt"}))
}

fn edit(old: &str, new: &str) -> Value {
    call("Edit", json!({"file_path": "{cwd}/a.txt", "old_string": old, "new_string": new}))
}

fn done() -> Value {
    json!({"reply": [{"text": "done"}]})
}

#[test]
fn what_was_read_survives_a_resume_and_a_formatter_that_changes_nothing() {
    let place = Place::new();
    place.write("a.txt", "one\n");
    run(&place, &[read(), done()], &[]);
    // The same bytes in another file of that name.
    std::fs::remove_file(place.work().join("a.txt")).unwrap();
    place.write("a.txt", "one\n");
    let said = results(&run(&place, &[edit("one", "two"), done()], &["-c"]));
    assert!(said[0].contains("1 replacement"), "{said:?}");
    place.write("a.txt", "2wo\n");
    let said = results(&run(&place, &[edit("2wo", "three"), done()], &["-c"]));
    assert!(said[0].contains("changed on disk"), "{said:?}");
}

#[test]
fn a_subagent_knows_what_was_read_before_it_began_and_tells_nothing_back() {
    let place = Place::new();
    place.write("a.txt", "one\n");
    let agent = call(
        "Agent",
        json!({"description": "edit", "prompt": "edit it", "subagent_type": "general-purpose"}),
    );
    let turns = [read(), agent, edit("one", "two"), done(), edit("two", "three"), done()];
    let said = results(&run(&place, &turns, &[]));
    assert_eq!(std::fs::read_to_string(place.work().join("a.txt")).unwrap(), "two\n");
    assert!(said[2].contains("changed on disk"), "{said:?}");
}

#[test]
fn limits_are_settings_and_are_named() {
    let place = Place::new();
    place.write("a.txt", &"0123456789\n".repeat(20));
    let check = |tool: &str, input: Value, settings: Value, said: &[&str]| {
        let (input, settings) = (input.to_string(), settings.to_string());
        let ran = place.run(&[
            "call",
            tool,
            &input,
            "--settings",
            &settings,
            "--permission-mode=bypassPermissions",
        ]);
        let all = format!("{}{}", ran.out, ran.err);
        said.iter().for_each(|said| assert!(all.contains(said), "{said}: {ran:?}"));
    };
    let file = json!({"file_path": "a.txt"});
    check("Read", file.clone(), json!({"read": {"maxTokens": 6}}), &["lines 1-3 of 20", "read.maxTokens"]);
    check("Read", file.clone(), json!({"read": {"maxLineBytes": 4}}), &["lines over 4 bytes are cut"]);
    // A setting that cannot be read is no reason to go on without the tool.
    for (settings, said) in [
        (
            json!({"read": {"maxTokens": "many"}}),
            ["the setting `read.maxTokens` is \"many\"", "give a whole number from 1"],
        ),
        (
            json!({"read": {"maxLines": 0}}),
            ["the setting `read.maxLines` is 0", "give a whole number from 1"],
        ),
        (json!({"read": {"maxBytes": 5}}), ["the setting `read.maxBytes` is 5", "`maxTokens`"]),
        (json!({"read": 7}), ["the setting `read` is 7", "expected"]),
        (json!({"edit": {"strict": "yes"}}), ["the setting `edit.strict` is \"yes\"", "give true or false"]),
        (
            json!({"edit": {"maxFileBytes": -1}}),
            ["the setting `edit.maxFileBytes` is -1", "give a whole number from 0"],
        ),
        (json!({"files": {"encoding": "utf-7"}}), ["the setting `files.encoding` is \"utf-7\"", "\"gbk\""]),
        (json!({"bash": {"maxTimeout": {}}}), ["the setting `bash", "expected"]),
    ] {
        check("Glob", json!({"pattern": "*"}), settings, &said);
    }
    let content = json!({"file_path": "a.txt", "content": "x"});
    check("Write", content, json!({"edit": {"maxFileBytes": 100}}), &["220 bytes", "edit.maxFileBytes"]);
}
