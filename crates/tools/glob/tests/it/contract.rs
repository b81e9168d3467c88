//! The contract every tool keeps.

toolwright_testkit::contract_tests!(
    toolwright_tool_glob::REGISTRATION,
    setup = |workspace, _| {
        let files =
            ["src/main.rs", "src/lib.rs", "docs/guide.md", "docs/note.txt", "target/x.rs", ".git/HEAD"];
        for (age, name) in files.iter().enumerate() {
            workspace.write(name, "");
            workspace.set_modified(name, 1_000_000 - age as u64);
        }
        workspace.write(".gitignore", "target/\n");
    },
);
