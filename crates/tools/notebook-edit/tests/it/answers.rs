//! What NotebookEdit writes, refuses and says.

use serde_json::{Value, json};
use toolwright_core::Services;
use toolwright_testkit::{TempWorkspace, block_on, context};

use crate::contract::{read, services};

pub(crate) fn answer(workspace: &TempWorkspace, services: &Services, input: &Value) -> String {
    let tool = (toolwright_tool_notebook_edit::REGISTRATION.build)(services).expect("a tool");
    let mut all = json!({"notebook_path": "n.ipynb"});
    for (key, value) in input.as_object().into_iter().flatten() {
        all[key] = value.clone();
    }
    let reply = tool.parse(all).and_then(|call| {
        block_on(async {
            let cx = context(workspace);
            call.validate(&cx).await?;
            call.run(&cx).await
        })
    });
    let text = match reply {
        Ok(reply) => reply.answer.iter().filter_map(|content| content.as_text()).collect(),
        Err(error) => format!("error: {error}"),
    };
    workspace.normalised(&text)
}

fn check(before: &str, input: Value, after: &str, expect: &str) {
    let workspace = TempWorkspace::new();
    let services = services(&workspace);
    workspace.write("n.ipynb", before);
    read(&workspace, &services, "n.ipynb");
    let said = answer(&workspace, &services, &input);
    assert_eq!(workspace.read("n.ipynb"), after, "{said}");
    assert_eq!(said, expect);
}

fn left_alone(before: &str, input: Value, expect: &str) {
    check(before, input, before, &format!("error: {expect}"));
}

#[test]
fn new_text_is_laid_out_as_the_file_is() {
    // Four blanks, keys in an order of their own, no newline at the end, a source in one string.
    let odd = "{\n    \"nbformat_minor\": 4, \"nbformat\" : 4,\n    \"cells\": [\n        {\"source\" :\"a\\nb\", \"cell_type\":\"raw\",\"metadata\":{\"x\":[1,  2]}}\n    ]}";
    check(
        odd,
        json!({"cell_id": "cell-0", "new_source": "\"q\"\t\u{e9}\nz"}),
        &odd.replace("a\\nb", "\\\"q\\\"\\t\u{e9}\\nz"),
        "Replaced the source of raw cell `cell-0` in /workspace/n.ipynb.",
    );
    check(
        odd,
        json!({"cell_id": "cell-0", "new_source": "x", "cell_type": "code", "edit_mode": "insert"}),
        &odd.replace(
            "2]}}",
            "2]}},\n        {\"cell_type\" :\"code\", \"execution_count\" :null, \"metadata\" :{}, \"outputs\" :[], \"source\" :\"x\"}",
        ),
        "Inserted code cell `cell-1` after cell `cell-0`, in /workspace/n.ipynb.",
    );
    // Minified, with escapes for what is not ASCII; ids, so a new one.
    let small = r#"{"cells":[{"id":"a","cell_type":"markdown","source":["\u00e9\n","b"]}],"nbformat":4,"nbformat_minor":5}"#;
    check(
        small,
        json!({"cell_id": "a", "new_source": "\u{1f600}\n\u{e9}\nz"}),
        &small.replace(r#"["\u00e9\n","b"]"#, r#"["\ud83d\ude00\n","\u00e9\n","z"]"#),
        "Replaced the source of markdown cell `a` in /workspace/n.ipynb.",
    );
    // Tabs; no cell whose manner could be followed.
    check(
        "{\n\t\"cells\": [],\n\t\"nbformat\": 4,\n\t\"nbformat_minor\": 4\n}\n",
        json!({"new_source": "one\ntwo\n", "cell_type": "markdown", "edit_mode": "insert"}),
        "{\n\t\"cells\": [\n\t\t{\n\t\t\t\"cell_type\": \"markdown\",\n\t\t\t\"metadata\": {},\n\t\t\t\"source\": [\n\t\t\t\t\"one\\n\",\n\t\t\t\t\"two\\n\"\n\t\t\t]\n\t\t}\n\t],\n\t\"nbformat\": 4,\n\t\"nbformat_minor\": 4\n}\n",
        "Inserted markdown cell `cell-0` at the top, as no `cell_id` was given, in /workspace/n.ipynb.",
    );
    check(
        r#"{"cells":[{}]}"#,
        json!({"cell_id": "cell-0", "new_source": "x"}),
        r#"{"cells":[{"source":["x"]}]}"#,
        "Replaced the source of cell `cell-0` in /workspace/n.ipynb.",
    );
}

#[test]
fn line_endings_and_the_mark_of_the_file_stay() {
    check(
        "\u{feff}{\r\n \"cells\": [\r\n  {\r\n   \"source\": [\r\n    \"a\"\r\n   ]\r\n  }\r\n ]\r\n}\r\n",
        json!({"cell_id": "cell-0", "new_source": "a\r\nb"}),
        "\u{feff}{\r\n \"cells\": [\r\n  {\r\n   \"source\": [\r\n    \"a\\n\",\r\n    \"b\"\r\n   ]\r\n  }\r\n ]\r\n}\r\n",
        "Replaced the source of cell `cell-0` in /workspace/n.ipynb.",
    );
}

#[test]
fn a_changed_type_has_what_the_type_needs() {
    let code = r#"{"cells": [{"cell_type": "code", "execution_count": 1, "my": {"k": 1.0}, "outputs": [{"a": "]"}], "source": ["x"]}]}"#;
    let text = r#"{"cells": [{"cell_type": "markdown", "my": {"k": 1.0}, "source": ["x"]}]}"#;
    check(
        code,
        json!({"cell_id": "cell-0", "new_source": "x", "cell_type": "markdown"}),
        text,
        "Replaced the source of markdown cell `cell-0` in /workspace/n.ipynb. Its outputs, which were of the old source, are cleared.",
    );
    check(
        r#"{"cells": [{"attachments": {}, "cell_type": "markdown", "source": ["x"]}]}"#,
        json!({"cell_id": "cell-0", "new_source": "y", "cell_type": "code"}),
        r#"{"cells": [{"cell_type": "code", "source": ["y"], "outputs": [], "execution_count": null}]}"#,
        "Replaced the source of code cell `cell-0` in /workspace/n.ipynb.",
    );
}

#[test]
fn a_cell_goes_with_its_comma() {
    let three = r#"{"cells": [{"id": "a"} , {"id": "b"},{"id": "c"}]}"#;
    let delete = |id: &str| json!({"cell_id": id, "edit_mode": "delete"});
    let said = |id: &str| format!("Deleted cell `{id}` from /workspace/n.ipynb.");
    check(three, delete("a"), r#"{"cells": [{"id": "b"},{"id": "c"}]}"#, &said("a"));
    check(three, delete("b"), r#"{"cells": [{"id": "a"} , {"id": "c"}]}"#, &said("b"));
    check(three, delete("c"), r#"{"cells": [{"id": "a"} , {"id": "b"}]}"#, &said("c"));
    check("{\"cells\": [\n {}\n]}", delete("cell-0"), r#"{"cells": []}"#, &said("cell-0"));
    check(
        r#"{"cells": [{"id": "a"}, {}, {"id": "c"}, {}]}"#,
        delete("a"),
        r#"{"cells": [{}, {"id": "c"}, {}]}"#,
        &(said("a") + " The number in the name of the 2 cells below without an id is one less now."),
    );
}

#[test]
fn what_is_not_clear_changes_nothing() {
    let cells = r#"{"cells": [{"id": "a", "source": "x"}, {"id": "d"}, {"id": "d"}, {}], "nbformat": 4}"#;
    let replace = |id: &str| json!({"cell_id": id, "new_source": "y"});
    left_alone(
        cells,
        replace("nope"),
        "/workspace/n.ipynb was left alone: there is no cell `nope`; its cells are `a`, `cell-1`, `cell-2`, `cell-3`",
    );
    left_alone(
        cells,
        replace("d"),
        "/workspace/n.ipynb was left alone: several cells have the id `d`; say which one by its place: cell-1, cell-2",
    );
    left_alone(
        cells,
        replace("cell-0"),
        "/workspace/n.ipynb was left alone: there is no cell `cell-0`; the cell at that place is called `a`",
    );
    left_alone(
        r#"{"cells": [{"id": "cell-1"}, {}]}"#,
        replace("cell-1"),
        "/workspace/n.ipynb was left alone: `cell-1` means several cells (at the places 0, 1)",
    );
    left_alone(
        r#"{"cells": []}"#,
        replace("a"),
        "/workspace/n.ipynb was left alone: there is no cell `a`; the notebook has no cells (`insert` adds one)",
    );
    left_alone(
        cells,
        json!({"cell_id": "a", "new_source": "x"}),
        "cell `a` has this source already, so there is nothing to change",
    );
    left_alone(cells, json!({"cell_id": "a"}), "`new_source` is missing; give it");
    left_alone(
        cells,
        json!({"new_source": "y"}),
        "`cell_id` is missing; give the id of the cell to change, as Read shows it",
    );
    left_alone(
        cells,
        json!({"new_source": "y", "edit_mode": "insert"}),
        "`cell_type` is missing; with `insert` give `code`, `markdown` or `raw`",
    );
    left_alone(
        "{\"cells\": [ {",
        replace("a"),
        "/workspace/n.ipynb was left alone: it is no valid JSON (EOF while parsing an object at line 1 column 13); as text, Edit changes it (Read with `limit` shows a broken notebook's lines)",
    );
    left_alone(
        r#"{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": []}]}]}"#,
        replace("cell-0"),
        "/workspace/n.ipynb was left alone: it has the old notebook format 3, whose cells are not edited; convert it first (`jupyter nbconvert --to notebook --inplace`)",
    );
}

#[test]
fn a_notebook_must_have_been_read_and_be_unchanged() {
    let workspace = TempWorkspace::new();
    let services = services(&workspace);
    workspace.write("n.ipynb", r#"{"cells": [{}]}"#);
    let delete = json!({"cell_id": "cell-0", "edit_mode": "delete"});
    assert_eq!(
        answer(&workspace, &services, &delete),
        "error: /workspace/n.ipynb was not read yet; read it first, so that nothing unseen is changed"
    );
    read(&workspace, &services, "n.ipynb");
    workspace.write("n.ipynb", r#"{"cells": [{}, {}]}"#);
    assert_eq!(
        answer(&workspace, &services, &delete),
        "error: /workspace/n.ipynb changed on disk since it was read; read it again, then decide whether the change still fits"
    );
    assert_eq!(workspace.read("n.ipynb"), r#"{"cells": [{}, {}]}"#);
}
