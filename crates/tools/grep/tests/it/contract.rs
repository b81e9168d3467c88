//! The contract every tool keeps.

toolwright_testkit::contract_tests!(
    toolwright_tool_grep::REGISTRATION,
    setup = |workspace, _| {
        workspace.write(".git/HEAD", "");
        workspace.write(".gitignore", "target/\n");
        workspace.write("target/out.rs", "// generated\n");
        workspace.write(
            "src/main.rs",
            "fn main() {\n    // TODO: say it, TODO\n    run();\n}\n\n\n// TODO again\n",
        );
        workspace.write("src/lib.rs", "pub fn run() {}\n");
        workspace.write("notes.md", "todo\n");
        for (age, name) in ["src/main.rs", "src/lib.rs", "notes.md"].iter().enumerate() {
            workspace.set_modified(name, 1_000_000 - age as u64);
        }
    },
);
