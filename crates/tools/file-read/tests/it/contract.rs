//! Read keeps the contract of every tool.

use std::sync::Arc;

use toolwright_core::Services;
use toolwright_services::Files;
use toolwright_testkit::{TempWorkspace, test_services};
use toolwright_workspace::LocalFiles;

pub(crate) fn services(workspace: &TempWorkspace) -> Services {
    let mut services = test_services(workspace);
    services.offer_forked::<dyn Files>(Arc::new(LocalFiles::new(None)), |files| files.fork());
    services
}

toolwright_testkit::contract_tests!(
    toolwright_tool_file_read::REGISTRATION,
    services = services,
    setup = |workspace, _| {
        workspace.write("src/main.rs", "fn main() {\n    println!(\"hello\");\n}\n");
        workspace.write("notes.txt", "one\ntwo\nthree\nfour\nfive");
    },
);
