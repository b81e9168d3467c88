//! What Edit refuses, and what it says.

use serde_json::json;
use toolwright_core::Services;
use toolwright_testkit::{TempWorkspace, block_on, context};

use crate::contract::{read, services, services_with};

fn answer(workspace: &TempWorkspace, services: &Services, old: &str, new: &str, all: bool) -> String {
    let tool = (toolwright_tool_file_edit::REGISTRATION.build)(services).expect("a tool");
    let input = json!({"file_path": "f.txt", "old_str": old, "new_str": new, "replace_all": all});
    let call = tool.parse(input).expect("an input");
    let reply = block_on(async {
        let cx = context(workspace);
        call.validate(&cx).await?;
        call.run(&cx).await
    });
    let text = match reply {
        Ok(reply) => reply.answer.iter().filter_map(|content| content.as_text()).collect(),
        Err(error) => format!("error: {error}"),
    };
    workspace.normalised(&text)
}

fn check(before: &str, (old, new, all): (&str, &str, bool), after: &str, expect: &str) {
    let workspace = TempWorkspace::new();
    let services = services(&workspace);
    workspace.write("f.txt", before);
    read(&workspace, &services, "f.txt");
    assert_eq!(answer(&workspace, &services, old, new, all), expect);
    assert_eq!(workspace.read("f.txt"), after);
}

#[test]
fn text_is_replaced_literally_and_shown() {
    check(
        "a.b\naXb\n",
        ("a.b", "$& $1 \\1", false),
        "$& $1 \\1\naXb\n",
        "Edited /workspace/f.txt (1 replacement). It now reads:\n1\t$& $1 \\1\n2\taXb",
    );
    check(
        "foo foo\n",
        ("foo", "foobar", true),
        "foobar foobar\n",
        "Edited /workspace/f.txt (2 replacements). It now reads:\n1\tfoobar foobar",
    );
    check("aaaa", ("aa", "b", true), "bb", "Edited /workspace/f.txt (2 replacements). It now reads:\n1\tbb");
    check(
        "a\r\nb\r\n",
        ("a\r\nb", "x\ny", false),
        "x\r\ny\r\n",
        "Edited /workspace/f.txt (1 replacement). It now reads:\n1\tx\n2\ty",
    );
    check("", ("", "first\n", false), "first\n", "Created /workspace/f.txt.");
}

#[test]
fn what_is_not_clear_changes_nothing() {
    let left_alone = |before: &str, change, expect: &str| check(before, change, before, expect);
    left_alone(
        "aaa",
        ("aa", "b", false),
        "error: `old_string` is in /workspace/f.txt 2 times (lines 1, 1), so which one is meant is not clear; the file was left alone. Give more of the lines around the one, or set `replace_all` to change them all",
    );
    left_alone(
        "x\ny\nx\n",
        ("x", "b", false),
        "error: `old_string` is in /workspace/f.txt 2 times (lines 1, 3), so which one is meant is not clear; the file was left alone. Give more of the lines around the one, or set `replace_all` to change them all",
    );
    left_alone(
        "abc",
        ("", "b", false),
        "error: `old_string` is empty, which creates a file, but /workspace/f.txt has content already; give the text to replace as `old_string`",
    );
    left_alone(
        "abc",
        ("abc", "abc", false),
        "error: `old_string` and `new_string` are the same, so there is nothing to change; the file was left alone",
    );
    left_alone(
        "a\nb",
        ("a\r\nb", "a\nb", false),
        "error: `old_string` and `new_string` differ in line endings alone, which Edit keeps as the file has them; convert the file with a command",
    );
    left_alone(
        "one \u{2013} two",
        ("one - two", "x", false),
        "error: `old_string` is not in /workspace/f.txt, which was left alone. Line 1 looks like it, but has U+2013 (\u{2013}) where `old_string` has U+002D (-); give the characters that the file has (`\\u` and four digits, in JSON), or replace a shorter text beside them",
    );
    left_alone(
        "say \u{201c}hi\u{201d}",
        ("say \"hi\"", "x", true),
        "error: `old_string` is not in /workspace/f.txt, which was left alone. Line 1 looks like it, but has U+201C (\u{201c}) where `old_string` has U+0022 (\"); U+201D (\u{201d}) where `old_string` has U+0022 (\"); give the characters that the file has (`\\u` and four digits, in JSON), or replace a shorter text beside them",
    );
}

#[test]
fn indentation_that_looks_alike_is_never_taken_away() {
    for indent in ["\u{a0}\u{a0}", "\u{3000}", "\u{2003}", "\u{b}", " \u{a0}", "\u{a0}\t", "\u{200b} "] {
        let text = format!("{indent}one(x);\n{indent}two(x);\n");
        for old in ["  one(x);", "  one(x);\n  two(x);", "\tone(x);\n\ttwo(x);\n", "    one(x);"] {
            let workspace = TempWorkspace::new();
            let services = services(&workspace);
            workspace.write("f.txt", &text);
            read(&workspace, &services, "f.txt");
            let answer = answer(&workspace, &services, old, &old.replace('x', "y"), false);
            assert_eq!(workspace.read("f.txt"), text, "{indent:?} {old:?}");
            assert!(answer.contains("U+"), "{indent:?} {old:?}: {answer}");
        }
    }
}

#[test]
fn one_place_that_differs_little_is_taken_and_said() {
    check(
        "if a {\r\n\tgo(1);  \r\n}\r\n",
        ("    go(1);\n", "    go(1);\n    go(2);\n", false),
        "if a {\r\n\tgo(1);  \r\n\tgo(2);\r\n}\r\n",
        "Edited /workspace/f.txt (1 replacement, found although its indentation differs; `new_string` was indented as the file is). It now reads:\n1\tif a {\n2\t\tgo(1);  \n3\t\tgo(2);\n4\t}",
    );
    check(
        "say \u{201c}hi\u{201d}\n",
        ("say \"hi\"", "say \"ho\"", false),
        "say \u{201c}ho\u{201d}\n",
        "Edited /workspace/f.txt (1 replacement, found although its quotes differ; new quotes were written as the file has them). It now reads:\n1\tsay \u{201c}ho\u{201d}",
    );
}

#[test]
fn a_setting_keeps_to_the_exact_text() {
    let workspace = TempWorkspace::new();
    let settings = json!({"edit": {"strict": true}});
    let services = services_with(settings.as_object().cloned().unwrap_or_default());
    workspace.write("f.txt", "\tgo(1);\n");
    read(&workspace, &services, "f.txt");
    assert_eq!(
        answer(&workspace, &services, "    go(1);", "    go(2);", false),
        "error: `old_string` is not in /workspace/f.txt, which was left alone. It differs in blanks or tabs (the indentation, perhaps). These lines are closest:\n1\t\tgo(1);\n(The setting `edit.strict` is on: only the exact text is replaced)"
    );
    assert_eq!(workspace.read("f.txt"), "\tgo(1);\n");
}

#[test]
fn a_file_must_have_been_read() {
    let workspace = TempWorkspace::new();
    let services = services(&workspace);
    workspace.write("f.txt", "a\n");
    let refused =
        "error: /workspace/f.txt was not read yet; read it first, so that nothing unseen is changed";
    assert_eq!(answer(&workspace, &services, "a", "b", false), refused);
    assert_eq!(workspace.read("f.txt"), "a\n");
}
