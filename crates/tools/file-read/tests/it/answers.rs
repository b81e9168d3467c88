//! What the model reads of a file.

use serde_json::{Value, json};
use toolwright_testkit::{TempWorkspace, block_on, context};

use crate::contract::services;

pub(crate) fn answer(workspace: &TempWorkspace, input: Value) -> String {
    let tool = (toolwright_tool_file_read::REGISTRATION.build)(&services(workspace)).expect("a tool");
    let call = tool.parse(input).expect("an input");
    let text = block_on(async {
        let cx = context(workspace);
        call.validate(&cx).await?;
        call.run(&cx).await
    });
    let text = match text {
        Ok(reply) => reply.answer.iter().filter_map(|content| content.as_text()).collect(),
        Err(error) => format!("error: {error}"),
    };
    workspace.normalised(&text)
}

fn check(content: impl AsRef<[u8]>, input: Value, expect: &str) {
    let workspace = TempWorkspace::new();
    workspace.write("f.txt", content);
    let mut all = json!({"file_path": "f.txt"});
    for (key, value) in input.as_object().into_iter().flatten() {
        all[key] = value.clone();
    }
    assert_eq!(answer(&workspace, all), expect);
}

#[test]
fn lines_are_shown_as_they_are_with_their_numbers() {
    check("alpha\n\tbeta\n\n  gamma", json!({}), "1\talpha\n2\t\tbeta\n3\t\n4\t  gamma\n");
    check("a\r\nb\r\n", json!({"offset": 2}), "2\tb\n");
    check("", json!({}), "[the file is empty: 0 lines]");
    check("\n", json!({}), "1\t\n");
    check(
        "a\nb\nc\n",
        json!({"offset": "2", "limit": 1.0}),
        "2\tb\n\n[lines 2-2 of 3 are shown; go on with offset 3]",
    );
    check(
        "a\nb\n",
        json!({"offset": 5}),
        "[nothing to show: the file has 2 lines, and line 5 is past its end]",
    );
    check("a\n", json!({"limit": 0}), "error: `limit` is 0; give at least 1, or leave it out");
    check(b"\xFF\xFEa\0\r\0\n\0", json!({}), "1\ta\n\n[stored as UTF-16LE, which changes keep]");
}

#[test]
fn long_lines_and_long_files_are_cut_and_say_so() {
    let long = "x".repeat(1_999) + "\u{e9}tail";
    check(
        format!("a\n{long}\n"),
        json!({}),
        &format!(
            "1\ta\n2\t{}… [cut: 5 more bytes]\n\n[lines over 2000 bytes are cut; for the rest of line 2: sed -n 2p FILE | cut -b 2001-]",
            "x".repeat(1_999)
        ),
    );
    let workspace = TempWorkspace::new();
    workspace.write("f.txt", format!("{}\n", "y".repeat(99)).repeat(30_000));
    let shown = answer(&workspace, json!({"file_path": "f.txt", "limit": 25_000}));
    assert!(
        shown.ends_with(
            "[lines 1-1000 are shown (the setting `read.maxTokens` is 25000); go on with offset 1001]"
        ),
        "{}",
        &shown[shown.len() - 80..]
    );
}

#[test]
fn what_cannot_be_shown_says_what_it_is_and_what_to_do() {
    let workspace = TempWorkspace::new();
    workspace.write("src/main.rs", "");
    workspace.write("not.png", "text");
    workspace.write("bad.ipynb", "{\"cells\": [ {");
    workspace.write("good.ipynb", "{\"cells\": []}");
    workspace.write("x.bin", b"AB\0CD");
    for (path, expect) in [
        (
            "src",
            "error: /workspace/src is a folder, not a file; to list what is in it, search it for the pattern `*` (Glob), then give a file's path",
        ),
        (
            "src/main.rss",
            "error: there is no file /workspace/src/main.rss; did you mean /workspace/src/main.rs?",
        ),
        (
            "zzz/main.rs",
            "error: there is no file /workspace/zzz/main.rs; its folder does not exist either, the nearest that does is /workspace",
        ),
        (
            "not.png",
            "error: /workspace/not.png is named like a PNG image, but holds plain text: it is broken, or misnamed (`file` or `cat` shows what it is)",
        ),
        (
            "bad.ipynb",
            "error: /workspace/bad.ipynb is named like a notebook, but it is no valid JSON (EOF while parsing an object at line 1 column 13); with `limit` its lines are shown as text, which Edit can repair",
        ),
        ("good.ipynb", "[notebook: it has no cells]\n"),
        (
            "x.bin",
            "error: /workspace/x.bin is binary (it has bytes that no text has), not text, and was left alone; a command that knows this kind of file can look into it",
        ),
        ("", "error: `file_path` is empty; give the path of a file"),
    ] {
        assert_eq!(answer(&workspace, json!({"path": path})), expect);
    }
}
