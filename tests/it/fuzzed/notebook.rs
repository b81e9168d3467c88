//! Whatever a notebook is: showing and changing it does not panic, what is changed is one cell, and the rest stays as it is.

#[path = "memory.rs"]
mod memory;

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{Cancel, Services, ToolContext};
use toolwright_services::Files;
use toolwright_testkit::block_on;
use toolwright_workspace::notebook::{self, Notebook};

use memory::OneFile;

/// Two bytes say which cell and what is done with it, the first part of the rest is its new source, then comes the file.
pub(super) fn check(data: &[u8]) {
    let Some(([at, what], rest)) = data.split_first_chunk::<2>() else { return };
    let Ok(rest) = std::str::from_utf8(rest) else { return };
    let Some((source, file)) = rest.split_once('\u{1e}') else { return };
    let files = Arc::new(OneFile::new(file));
    let mut services = Services::default();
    services.offer::<dyn Files>(Arc::clone(&files) as Arc<dyn Files>);
    let read = json!({"file_path": "n.ipynb", "offset": at % 4, "limit": 1 + what / 64});
    let _ = call(&toolwright_tool_file_read::REGISTRATION, &services, read);

    let parsed = notebook::parse(file).ok();
    let cells = parsed.as_ref().map_or(&[][..], |notebook| &notebook.cells);
    let at = usize::from(*at) % cells.len().max(1);
    let handle = cells.get(at).map(|cell| cell.handle.clone());
    let mode = ["replace", "insert", "delete"][usize::from(what % 3)];
    let mut input = json!({"notebook_path": "n.ipynb", "new_source": source, "edit_mode": mode});
    if let Some(kind) = ["code", "markdown", "raw"].get(usize::from(what / 3 % 4)) {
        input["cell_type"] = Value::from(*kind);
    }
    let named = handle.filter(|_| what & 64 == 0 || mode != "insert");
    if let Some(handle) = &named {
        input["cell_id"] = Value::from(handle.as_str());
    }
    let done = call(&toolwright_tool_notebook_edit::REGISTRATION, &services, input);
    let text = files.text();
    if done.is_err() {
        assert_eq!(text, file, "a failed edit changes nothing");
        return;
    }
    let before = parsed.expect("only a notebook is edited");
    let after = notebook::parse(&text).expect("still a notebook");
    let (kept_before, kept_after) = match mode {
        "replace" => (without(&before, at), without(&after, at)),
        "insert" => {
            let new = if named.is_some() { at + 1 } else { 0 };
            holds(&after, new, source);
            (raw(&before), without(&after, new))
        }
        _ => (without(&before, at), raw(&after)),
    };
    assert_eq!(kept_before, kept_after, "the other cells");
    if mode == "replace" {
        holds(&after, at, source);
    }
    let outside = |notebook: &Notebook<'_>| {
        let list = notebook.list.clone().expect("cells");
        (notebook.text[..list.start].to_owned(), notebook.text[list.end..].to_owned())
    };
    assert_eq!(outside(&before), outside(&after), "what is outside of the cells");
}

/// A CR LF of the source may have become LF, as the file has it.
fn holds(notebook: &Notebook<'_>, at: usize, source: &str) {
    let found = notebook.source(&notebook.cells[at]).expect("a source");
    assert!(found == source || found == source.replace("\r\n", "\n"), "{found:?} is not {source:?}");
}

fn raw(notebook: &Notebook<'_>) -> Vec<String> {
    notebook.cells.iter().map(|cell| notebook.get(cell.range.clone()).to_owned()).collect()
}

fn without(notebook: &Notebook<'_>, at: usize) -> Vec<String> {
    let mut cells = raw(notebook);
    cells.remove(at);
    cells
}

fn call(
    registration: &toolwright_core::Registration,
    services: &Services,
    input: Value,
) -> Result<(), toolwright_core::ToolError> {
    let tool = (registration.build)(services).expect("a tool");
    let context = ToolContext::new("call", "main", std::path::Path::new("/work"), Cancel::default(), |_| {});
    block_on(async {
        let call = tool.parse(input)?;
        call.validate(&context).await?;
        call.run(&context).await.map(drop)
    })
}
