//! What fuzzing runs for minutes (`tests/fuzz`), run once on each of its seeds, finds of earlier runs among them.

#[path = "fuzzed/notebook.rs"]
mod notebook;
#[path = "fuzzed/patch.rs"]
mod patch;
#[path = "fuzzed/rule.rs"]
mod rule;
#[path = "fuzzed/shell.rs"]
mod shell;
#[path = "fuzzed/splice.rs"]
mod splice;
#[path = "fuzzed/syntax.rs"]
mod syntax;
#[path = "fuzzed/text.rs"]
mod text;

use std::path::Path;

fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut seeds: Vec<_> =
        folder.read_dir().expect("seeds").map(|entry| entry.expect("a seed").path()).collect();
    seeds.sort();
    assert!(!seeds.is_empty(), "{target} has no seeds");
    for seed in seeds {
        println!("{}", seed.display());
        check(&std::fs::read(&seed).expect("a seed"));
    }
}

#[test]
fn seeds_of_text() {
    replay("text", text::check);
}

#[test]
fn seeds_of_splice() {
    replay("splice", splice::check);
}

#[test]
fn seeds_of_notebook() {
    replay("notebook", notebook::check);
}

#[test]
fn seeds_of_patch() {
    replay("patch", patch::check);
}

#[test]
fn seeds_of_shell() {
    replay("shell", shell::check);
}

#[test]
fn seeds_of_rule() {
    replay("rule", rule::check);
}

#[test]
fn seeds_of_syntax() {
    replay("syntax", syntax::check);
}
