//! Notebooks as the model reads them.

use serde_json::{Value, json};
use toolwright_testkit::TempWorkspace;

use crate::answers::answer;
use crate::pictures::{contents, png};

fn check(notebook: &Value, input: &Value, expect: &str) {
    let workspace = TempWorkspace::new();
    workspace.write("n.ipynb", notebook.to_string());
    let mut all = json!({"file_path": "n.ipynb"});
    for (key, value) in input.as_object().into_iter().flatten() {
        all[key] = value.clone();
    }
    assert_eq!(answer(&workspace, all), expect);
}

fn code(outputs: Value) -> Value {
    json!({"cells": [{"cell_type": "code", "id": "c", "source": ["x"], "outputs": outputs, "execution_count": null}]})
}

#[test]
fn cells_are_shown_with_their_names() {
    let cells = json!({"cells": [
        {"cell_type": "raw", "source": "a"}, {"cell_type": "raw", "source": ["b\n"], "id": "twice"},
        {"cell_type": "raw", "source": 7, "id": "twice"}
    ]});
    check(
        &cells,
        &json!({}),
        "[notebook: cells 1-3 of 3]\n<cell id=\"cell-0\" type=\"raw\">\na\n</cell>\n<cell id=\"cell-1\" type=\"raw\">\nb\n</cell>\n\
         <cell id=\"cell-2\" type=\"raw\">\n[its source is missing or no text]\n</cell>\n",
    );
    check(
        &cells,
        &json!({"offset": 2, "limit": 1}),
        "[notebook: cells 2-2 of 3]\n<cell id=\"cell-1\" type=\"raw\">\nb\n</cell>\n\n[go on with offset 3]",
    );
    check(
        &cells,
        &json!({"offset": 9}),
        "[notebook: nothing to show: it has 3 cells, and cell 9 is past its end]\n",
    );
    check(
        &json!({"nbformat": 3, "worksheets": [{"cells": [
            {"cell_type": "code", "input": ["i"], "prompt_number": 4, "outputs": [
                {"output_type": "pyout", "text": ["out"]}, {"output_type": "stream", "stream": "stderr", "text": "w"}]}
        ]}]}),
        &json!({}),
        "[notebook: cells 1-1 of 1]\n<cell id=\"cell-0\" type=\"code\" execution_count=\"4\">\ni\n<output type=\"result\">\nout\n\
         </output>\n<output type=\"stderr\">\nw\n</output>\n</cell>\n",
    );
}

#[test]
fn outputs_are_shown_in_their_plainest_form() {
    let cell = |outputs: &str| {
        format!("[notebook: cells 1-1 of 1]\n<cell id=\"c\" type=\"code\">\nx\n{outputs}</cell>\n")
    };
    check(
        &code(
            json!([{"output_type": "execute_result", "data": {"text/html": "<b>", "text/plain": ["1\n", "2"]}}]),
        ),
        &json!({}),
        &cell("<output type=\"result\">\n1\n2\n</output>\n"),
    );
    check(
        &code(
            json!([{"output_type": "display_data", "metadata": {}, "data": {"text/html": "<b>", "x/y": 1}}]),
        ),
        &json!({}),
        &cell("[a result not shown (text/html, x/y): jq '.cells[0].outputs[0]' FILE]\n"),
    );
    check(
        &code(
            json!([{"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\u{1b}[0;31mE\u{1b}[0m: v", "at"]}]),
        ),
        &json!({}),
        &cell("<output type=\"error\">\nE: v\nat\n</output>\n"),
    );
    check(
        &code(json!(["odd", {"output_type": "stream"}])),
        &json!({}),
        &cell("[an output in no known form]\n<output type=\"stream\">\n</output>\n"),
    );
    check(
        &code(
            json!([{"output_type": "stream", "name": "stderr", "text": ["10%\r", "50%\r", "100%\n", "ab\u{8}c"]}]),
        ),
        &json!({}),
        &cell("<output type=\"stderr\">\n100%\nac\n</output>\n"),
    );
    let long = "\u{e9}".repeat(5_000);
    check(
        &code(json!([{"output_type": "stream", "name": "stdout", "text": long}])),
        &json!({}),
        &cell(&format!(
            "<output type=\"stdout\">\n{}\n[.. 6000 bytes left out ..]\n{}\n[for all of it: jq '.cells[0].outputs[0]' FILE]\n</output>\n",
            "\u{e9}".repeat(1_500),
            "\u{e9}".repeat(500)
        )),
    );
}

#[test]
fn pictures_are_media_and_damaged_ones_are_words() {
    let workspace = TempWorkspace::new();
    let good = crate::pictures::base64(&png(2, 1));
    let picture = |data: &str| json!({"output_type": "display_data", "data": {"image/png": format!("{data}\n"), "text/plain": "<Figure>"}});
    workspace.write("n.ipynb", code(json!([picture(&good), picture("AAAA"), picture("?")])).to_string());
    let contents = contents(&workspace, json!({"file_path": "n.ipynb"})).expect("a notebook");
    assert_eq!(contents.len(), 3);
    assert_eq!(contents[1], json!({"type": "media", "media_type": "image/png", "data": good}));
    assert_eq!(
        contents[2]["text"],
        "<output type=\"result\">\n<Figure>\n</output>\n\
         [a picture (image/png) is not shown: damaged, or of a kind that is not shown (.cells[0].outputs[1])]\n\
         <output type=\"result\">\n<Figure>\n</output>\n\
         [a picture (image/png) is not shown: damaged, or of a kind that is not shown (.cells[0].outputs[2])]\n\
         <output type=\"result\">\n<Figure>\n</output>\n</cell>\n"
    );
}

#[test]
fn a_large_notebook_is_shown_in_parts() {
    let workspace = TempWorkspace::new();
    let cells: Vec<_> = (0..30).map(|_| json!({"cell_type": "raw", "source": "y".repeat(10_000)})).collect();
    workspace.write("n.ipynb", json!({"cells": cells}).to_string());
    let shown = answer(&workspace, json!({"file_path": "n.ipynb"}));
    assert!(shown.starts_with("[notebook: cells 1-10 of 30]") && shown.ends_with("[go on with offset 11]"));
    workspace.write("empty.ipynb", "");
    assert_eq!(
        answer(&workspace, json!({"file_path": "empty.ipynb"})),
        "error: /workspace/empty.ipynb is named like a notebook, but it is empty; with `limit` its lines are shown as text, which Edit can repair"
    );
    workspace.write("torn.ipynb", "{\"cells\": [\n{");
    let shown = answer(&workspace, json!({"file_path": "torn.ipynb"}));
    assert!(shown.starts_with("error: ") && shown.contains("it is no valid JSON"), "{shown}");
    assert_eq!(
        answer(&workspace, json!({"file_path": "torn.ipynb", "limit": 5})),
        "1\t{\"cells\": [\n2\t{\n"
    );
    workspace.write("wide.ipynb", [b"\xFF\xFE".as_slice(), b"{\0}\0"].concat());
    assert_eq!(
        answer(&workspace, json!({"file_path": "wide.ipynb", "limit": 5})),
        "1\t{}\n\n[stored as UTF-16LE, which changes keep]"
    );
}
