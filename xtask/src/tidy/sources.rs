//! What every source file must have or lack: an opening, a size, no words about a machine.

use std::path::Path;

use super::Files;
use super::files::without_tests;

const LONGEST_FILE: usize = 500;
const LARGEST_CORE: usize = 3_000;

pub(super) fn check(root: &Path, files: &Files) -> Vec<String> {
    let mut wrong = Vec::new();
    for (path, text) in files {
        opening(path, text, &mut wrong);
        length(path, text, &mut wrong);
        machine(root, path, text, &mut wrong);
        habits(path, text, &mut wrong);
        if path.ends_with("/mod.rs") {
            wrong.push(format!("{path}: a module `name` lives in name.rs beside its folder name/"));
        }
    }
    core_size(files, &mut wrong);
    wrong
}

fn is_source(path: &str) -> bool {
    path.ends_with(".rs")
        && (path.starts_with("crates/") || path.starts_with("xtask/") || path.starts_with("tests/"))
}

fn opening(path: &str, text: &str, wrong: &mut Vec<String>) {
    // A compile-fail case opens with what an author would write.
    if is_source(path) && !path.starts_with("tests/compile-fail/cases/") && !text.starts_with("//!") {
        wrong.push(format!(
            "{path}:1: a module opens with `//!`: what it is for, and what it refuses to know"
        ));
    }
}

fn length(path: &str, text: &str, wrong: &mut Vec<String>) {
    let lines = without_tests(text).lines().count();
    let in_tests = path.contains("/tests/") || path.starts_with("tests/") || path.ends_with("/tests.rs");
    if is_source(path) && !in_tests && lines > LONGEST_FILE {
        wrong.push(format!("{path}: {lines} lines; at most {LONGEST_FILE} without tests: split it by topic"));
    }
}

/// What lints let pass: exports nobody can read off, and silence that outlives its reason.
fn habits(path: &str, text: &str, wrong: &mut Vec<String>) {
    if !is_source(path) {
        return;
    }
    for (index, line) in text.lines().map(str::trim_start).enumerate() {
        let at = format!("{path}:{}", index + 1);
        if line.starts_with("pub use ") && line.ends_with("::*;") {
            wrong.push(format!("{at}: name what is exported: lib.rs reads like a table of contents"));
        }
        if line.starts_with("#[allow(") || line.starts_with("#![allow(") {
            wrong.push(format!(
                "{at}: `#[expect(.., reason = \"..\")]` instead of `allow`: it ends when its reason does"
            ));
        }
    }
}

/// The place of this checkout is nobody else's. A short one (`/src`) means something else too, and is not looked for.
fn machine(root: &Path, path: &str, text: &str, wrong: &mut Vec<String>) {
    let place = format!("{}/", root.display());
    let found = text.lines().position(|line| line.contains(&place));
    if let Some(number) = found.filter(|_| root.components().count() > 2) {
        wrong.push(format!("{path}:{}: `{place}` is a place on this machine alone", number + 1));
    }
}

fn core_size(files: &Files, wrong: &mut Vec<String>) {
    let core = files.iter().filter(|(path, _)| path.starts_with("crates/core/src/"));
    let lines: usize = core.map(|(_, text)| without_tests(text).lines().count()).sum();
    if lines > LARGEST_CORE {
        wrong.push(format!(
            "crates/core: {lines} lines; at most {LARGEST_CORE}: new code goes to the smallest crate that can own it"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "/home/ann/toolwright";

    fn check_file(path: &str, text: &str, expected: &[&str]) {
        let wrong = check(Path::new(ROOT), &Files::from([(path.into(), text.into())]));
        assert_eq!(wrong.len(), expected.len(), "{path} gave {wrong:#?}");
        for (wrong, expected) in wrong.iter().zip(expected) {
            assert!(wrong.contains(expected), "{wrong} does not say {expected}");
        }
    }

    #[test]
    fn a_module_opens_with_its_purpose() {
        check_file("crates/core/src/a.rs", "//! A.\n", &[]);
        check_file("crates/core/src/a.rs", "use b;\n", &["opens with"]);
        check_file("crates/core/tests/it.rs", "\n//! A.\n", &["opens with"]);
        check_file("tests/compile-fail/cases/a.rs", "use b;\n", &[]);
        check_file("tests/third-party/agent/src/main.rs", "fn main() {}\n", &["opens with"]);
    }

    #[test]
    fn a_long_file_is_split_and_tests_do_not_count() {
        let long = format!("//! A.\n{}", "a\n".repeat(LONGEST_FILE));
        check_file("crates/engine/src/a.rs", &long, &["501 lines"]);
        check_file("crates/engine/tests/it/a.rs", &long, &[]);
        let tested = format!("//! A.\n#[cfg(test)]\nmod tests {{\n{}}}\n", "a\n".repeat(LONGEST_FILE));
        check_file("crates/engine/src/a.rs", &tested, &[]);
    }

    #[test]
    fn core_stays_small() {
        let part = format!("//! A.\n{}", "a\n".repeat(400));
        let core = |files: usize| -> Files {
            (0..files).map(|index| (format!("crates/core/src/{index}.rs"), part.clone())).collect()
        };
        assert_eq!(check(Path::new(ROOT), &core(7)), Vec::<String>::new());
        assert_eq!(check(Path::new(ROOT), &core(8)).len(), 1);
    }

    #[test]
    fn exports_are_named_and_lints_expected() {
        check_file("crates/core/src/lib.rs", "//! A.\npub use a::*;\nuse b::*;\n", &["lib.rs:2"]);
        check_file("crates/core/src/a.rs", "//! A.\n    #[allow(dead_code)]\n", &["expect"]);
        check_file("crates/core/src/a.rs", "//! A.\n#[expect(dead_code, reason = \"b\")]\n", &[]);
    }

    #[test]
    fn no_mod_rs_and_no_machine() {
        check_file("crates/engine/src/turn/mod.rs", "//! A.\n", &["name.rs"]);
        check_file("README.md", &format!("see {ROOT}/a\n"), &["README.md:1"]);
        check_file("README.md", "see /home/ann/other/a\n", &[]);
    }
}
