//! What the bench needs and fetches by name: the newest `rg`, a large source tree, and a small tree of its own making.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use toolwright_testkit::TempWorkspace;

/// The package the large tree comes from.
const PACKAGE: &str = "linux-source-6.1";

/// The newest `rg`, built by cargo below the target folder.
pub(crate) fn rg() -> PathBuf {
    let root = target().join("bench/tools");
    let binary = root.join("bin/rg");
    if !binary.is_file() {
        println!("building the newest rg");
        let root = root.to_string_lossy();
        assert!(run("cargo", &["install", "--quiet", "ripgrep", "--root", &root], &target()), "no rg");
    }
    binary
}

/// A large source tree with its own ignore rules in force; none where there is no apt-get or no such package.
pub(crate) fn large_tree() -> Option<PathBuf> {
    let folder = target().join("bench");
    let tree = folder.join("linux");
    // A repository of its own, wherever the target folder lies.
    let _ = std::fs::create_dir_all(tree.join(".git"));
    if tree.join("MAINTAINERS").is_file() {
        return Some(tree);
    }
    println!("fetching {PACKAGE}");
    let script = format!(
        "mkdir -p fetch && cd fetch && apt-get download {PACKAGE} && dpkg-deb -x {PACKAGE}_*.deb . \
         && mkdir -p ../linux && tar -xf usr/src/{PACKAGE}.tar.xz -C ../linux --strip-components=1 \
         && cd .. && rm -r fetch && sed -i '/^# Debian packaging/,$d' linux/.gitignore"
    );
    run("bash", &["-ec", &script], &folder).then_some(tree)
}

/// 2,000 files of 5 to 10 KB in 100 folders, the same on every run.
pub(crate) fn small_tree() -> TempWorkspace {
    let words =
        "let mut value = buffer index for while return struct match error option result vector string self";
    let words: Vec<&str> = words.split(' ').collect();
    let mut state = 1_u64;
    let mut next = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let tree = TempWorkspace::new();
    for file in 0..2_000 {
        let (size, mut text) = (5_000 + usize::try_from(next(5_000)).unwrap_or(0), String::new());
        while text.len() < size {
            for _ in 0..=next(10) {
                let word = usize::try_from(next(words.len() as u64)).ok().and_then(|at| words.get(at));
                let _ = write!(text, "{} ", word.copied().unwrap_or_default());
            }
            text.push('\n');
        }
        if file % 100 == 7 {
            text.push_str("rare_needle\n");
        }
        tree.write(format!("mod{}/part{}/file{file}.rs", file / 200, file / 20 % 10), text);
    }
    tree
}

/// The folder that cargo builds into: this binary lies in `<target>/release`.
fn target() -> PathBuf {
    let own = std::env::current_exe().expect("a path");
    own.ancestors().nth(2).expect("a target folder").to_owned()
}

#[expect(clippy::disallowed_methods, reason = "a bench fetches what it compares with")]
fn run(program: &str, arguments: &[&str], folder: &Path) -> bool {
    std::fs::create_dir_all(folder).expect("a folder");
    let mut command = Command::new(program);
    // A build of another program must not be told to go where ours goes.
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env_remove("CARGO_TARGET_DIR");
    command.status().is_ok_and(|status| status.success())
}
