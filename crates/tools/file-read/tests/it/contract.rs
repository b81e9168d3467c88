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

const PLOT: &str = r#"{"cells": [
 {"cell_type": "markdown", "id": "title", "metadata": {}, "source": ["A plot\n", "of three"]},
 {"cell_type": "code", "execution_count": 3, "metadata": {}, "source": "print(3)",
  "outputs": [{"output_type": "stream", "name": "stdout", "text": ["3\n"]}]}
], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}"#;

toolwright_testkit::contract_tests!(
    toolwright_tool_file_read::REGISTRATION,
    services = services,
    setup = |workspace, _| {
        workspace.write("src/main.rs", "fn main() {\n    println!(\"hello\");\n}\n");
        workspace.write("plot.ipynb", PLOT);
        workspace.write("notes.txt", "one\ntwo\nthree\nfour\nfive");
    },
);
