//! tests/fuzz lies outside of the workspace, so nothing builds it by the way: each target must be declared there, and its
//! seeds replayed by an ordinary test.

use super::Files;

const TARGETS: &str = "tests/fuzz/targets/";
const MANIFEST: &str = "tests/fuzz/Cargo.toml";
const REPLAY: &str = "tests/it/fuzzed.rs";

pub(super) fn check(files: &Files) -> Vec<String> {
    let text = |path: &str| files.get(path).map_or("", String::as_str);
    let targets = files.keys().filter_map(|path| path.strip_prefix(TARGETS)?.strip_suffix(".rs"));
    let mut wrong = Vec::new();
    for target in targets {
        if !text(MANIFEST).contains(&format!("name = \"{target}\"\npath = \"targets/{target}.rs\"")) {
            wrong.push(format!("{MANIFEST}: the target `{target}` needs its `[[bin]]`"));
        }
        if !text(REPLAY).contains(&format!("replay(\"{target}\", {target}::check)")) {
            wrong.push(format!("{REPLAY}: the seeds of `{target}` are not replayed"));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_files(bin: &str, replay: &str, expected: usize) {
        let files = [("tests/fuzz/targets/text.rs", "//! A.\n"), (MANIFEST, bin), (REPLAY, replay)];
        let files = files.map(|(path, text)| (path.into(), text.into())).into();
        assert_eq!(check(&files).len(), expected, "{bin} {replay}");
    }

    #[test]
    fn a_target_is_declared_and_replayed() {
        let (bin, replay) =
            ("[[bin]]\nname = \"text\"\npath = \"targets/text.rs\"\n", "replay(\"text\", text::check);");
        check_files(bin, replay, 0);
        check_files("", replay, 1);
        check_files(bin, "replay(\"other\", other::check);", 1);
    }
}
