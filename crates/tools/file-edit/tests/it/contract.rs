//! Edit keeps the contract of every tool.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};
use toolwright_core::{Cancel, Environment, Services};
use toolwright_services::{Files, Window};
use toolwright_testkit::{TempWorkspace, block_on, test_services};
use toolwright_workspace::LocalFiles;

pub(crate) fn services(workspace: &TempWorkspace) -> Services {
    let mut services = test_services(workspace);
    services.offer_forked::<dyn Files>(Arc::new(LocalFiles::new(None)), |files| files.fork());
    services
}

/// The same with settings.
pub(crate) fn services_with(settings: Map<String, Value>) -> Services {
    let mut services = Services::new(Arc::new(Environment::new(BTreeMap::new(), settings)));
    services.offer_forked::<dyn Files>(Arc::new(LocalFiles::new(None)), |files| files.fork());
    services
}

/// Reads a file as an agent would.
pub(crate) fn read(workspace: &TempWorkspace, services: &Services, name: &str) {
    let files = services.require::<dyn Files>().expect("files");
    let window = Window { first_line: 1, lines: 10, bytes: 10_000, line_bytes: 1_000 };
    block_on(files.read(&workspace.join(name), window, &Cancel::default())).expect("a file that can be read");
}

toolwright_testkit::contract_tests!(
    toolwright_tool_file_edit::REGISTRATION,
    services = services,
    setup = |workspace, services| {
        workspace.write("src/main.rs", "fn main() {\n    println!(\"hello\");\n}\n");
        let lines: Vec<_> = (1..=30).map(|line| if line % 9 == 1 { "item\n" } else { "\n" }).collect();
        workspace.write("notes.txt", lines.concat());
        read(workspace, services, "src/main.rs");
        read(workspace, services, "notes.txt");
    },
);
