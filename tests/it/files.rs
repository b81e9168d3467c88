//! The file tools on their cases, called directly.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{Cancel, DynTool, Registry, Services, ToolContext};
use toolwright_services::Files;
use toolwright_testkit::{TempWorkspace, block_on, context};
use toolwright_tests::cases::{self, Case, Verdict};
use toolwright_workspace::LocalFiles;

/// One state for all calls of a case.
struct Tools {
    tools: Vec<Arc<dyn DynTool>>,
    context: ToolContext,
}

impl Tools {
    fn new(workspace: &TempWorkspace) -> Self {
        let mut services = Services::default();
        services.offer_forked::<dyn Files>(Arc::new(LocalFiles::new(None)), |files| files.fork());
        let registry = Registry::of(&[
            toolwright_tool_file_edit::REGISTRATION,
            toolwright_tool_file_read::REGISTRATION,
            toolwright_tool_file_write::REGISTRATION,
            toolwright_tool_notebook_edit::REGISTRATION,
        ]);
        Self { tools: registry.expect("four tools").build(&services).tools, context: context(workspace) }
    }

    fn call(&self, line: &Value) -> Value {
        let name = line["tool"].as_str().expect("a tool's name");
        let tool = self.tools.iter().find(|tool| tool.definition().answers_to(name)).expect("a file tool");
        let reply = block_on(async {
            let call = Arc::clone(tool).parse(line["input"].clone())?;
            call.validate(&self.context).await?;
            call.run(&self.context).await
        });
        match reply {
            Ok(reply) => json!({"is_error": reply.outcome.is_failure(), "content": reply.answer}),
            Err(error) => json!({"is_error": true, "content": [{"type": "text", "text": error.to_string()}]}),
        }
    }
}

fn suite(lines: &str) {
    let cases = cases::parse(lines).expect("cases");
    let mut failed = Vec::new();
    for case in &cases {
        let verdict = one(case);
        if verdict != Verdict::Passed {
            println!("{}: {verdict}", case.id);
        }
        if matches!(verdict, Verdict::Failed(_)) {
            failed.push(format!("{} ({}): {verdict}\n  because: {}", case.id, case.grade, case.why));
        }
    }
    assert!(failed.is_empty(), "{} of {} cases:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

fn one(case: &Case) -> Verdict {
    let workspace = TempWorkspace::new();
    let tools = Tools::new(&workspace);
    cases::run(case, workspace.path(), &mut |line| tools.call(line))
}

#[test]
fn read() {
    suite(include_str!("../cases/files/read.jsonl"));
}

#[test]
fn edit() {
    suite(include_str!("../cases/files/edit.jsonl"));
}

#[test]
fn write() {
    suite(include_str!("../cases/files/write.jsonl"));
}

#[test]
fn notebook_edit() {
    suite(include_str!("../cases/files/notebook.jsonl"));
}

#[test]
fn a_cancelled_read_of_a_large_file_ends() {
    let workspace = TempWorkspace::new();
    workspace.write("big.txt", "line\n".repeat(1 << 20));
    let files = LocalFiles::new(None);
    let cancel = Cancel::default();
    cancel.cancel();
    let window = toolwright_services::Window { first_line: 1 << 20, lines: 1, bytes: 100, line_bytes: 100 };
    let error = block_on(files.read(&workspace.join("big.txt"), window, &cancel)).expect_err("cancelled");
    assert!(matches!(error, toolwright_services::FilesError::Cancelled { .. }), "{error}");
}
