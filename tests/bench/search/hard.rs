//! What is hard to search: a folder of very many entries, a file of nothing, a line without end, text that a pattern is slow on.

use std::fs::File;

use toolwright_testkit::TempWorkspace;

/// All of that.
pub(crate) fn tree() -> TempWorkspace {
    let tree = TempWorkspace::new();
    std::fs::create_dir(tree.join("entries")).expect("a folder");
    for number in 0..200_000 {
        File::create(tree.join("entries").join(number.to_string())).expect("a file");
    }
    let sparse = File::create(tree.join("sparse")).expect("a file");
    sparse.set_len(2 << 30).expect("a sparse file");
    tree.write("line", "word ".repeat(6_000_000));
    tree.write("slow", ("a".repeat(64) + "\n").repeat(10_000));
    tree
}
