//! Write keeps the contract of every tool.

use std::sync::Arc;

use toolwright_core::{Cancel, Services};
use toolwright_services::{Files, Window};
use toolwright_testkit::{TempWorkspace, block_on, context, test_services};
use toolwright_workspace::LocalFiles;

fn services(workspace: &TempWorkspace) -> Services {
    let mut services = test_services(workspace);
    services.offer_forked::<dyn Files>(Arc::new(LocalFiles::new(None)), |files| files.fork());
    services
}

toolwright_testkit::contract_tests!(
    toolwright_tool_file_write::REGISTRATION,
    services = services,
    setup = |workspace, services| {
        workspace.write("notes.txt", "one\ntwo\nthree\n");
        workspace.write("dos.txt", "a\r\nb\r\n");
        let files = services.require::<dyn Files>().expect("files");
        let window = Window { first_line: 1, lines: 10, bytes: 10_000, line_bytes: 1_000 };
        for name in ["notes.txt", "dos.txt"] {
            block_on(files.read(&workspace.join(name), window, &Cancel::default())).expect("a file");
        }
    },
);

#[test]
fn an_unread_file_is_left_alone() {
    let workspace = TempWorkspace::new();
    workspace.write("f.txt", "keep\n");
    let tool = (toolwright_tool_file_write::REGISTRATION.build)(&services(&workspace)).expect("a tool");
    let call = tool.parse(serde_json::json!({"path": "f.txt", "text": "lost\n"})).expect("an input");
    let error = block_on(call.run(&context(&workspace))).expect_err("it was not read");
    assert!(error.message.ends_with("was not read yet; read it first, so that nothing unseen is changed"));
    assert_eq!(workspace.read("f.txt"), "keep\n");
}
