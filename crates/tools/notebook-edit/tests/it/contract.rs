//! NotebookEdit keeps the contract of every tool.

use std::sync::Arc;

use toolwright_core::{Cancel, Services};
use toolwright_services::Files;
use toolwright_testkit::{TempWorkspace, block_on, test_services};
use toolwright_workspace::LocalFiles;

pub(crate) fn services(workspace: &TempWorkspace) -> Services {
    let mut services = test_services(workspace);
    services.offer_forked::<dyn Files>(Arc::new(LocalFiles::new(None)), |files| files.fork());
    services
}

/// Reads a notebook as an agent would.
pub(crate) fn read(workspace: &TempWorkspace, services: &Services, name: &str) {
    let files = services.require::<dyn Files>().expect("files");
    let bytes = block_on(files.read_bytes(&workspace.join(name), 1 << 20, &Cancel::default()))
        .expect("a file that can be read");
    files.shown(&workspace.join(name), &bytes).expect("a file that is there");
}

toolwright_testkit::contract_tests!(
    toolwright_tool_notebook_edit::REGISTRATION,
    services = services,
    setup = |workspace, services| {
        workspace.write(
            "plot.ipynb",
            r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "title",
   "metadata": {},
   "source": [
    "# Plot"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 2,
   "id": "load",
   "metadata": {},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "3\n"
     ]
    }
   ],
   "source": [
    "import csv\n",
    "print(3)"
   ]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
"##,
        );
        read(workspace, services, "plot.ipynb");
    },
);
