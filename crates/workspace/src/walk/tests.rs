//! The walker on small trees: what is seen, what is hidden and counted, how it ends.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use toolwright_core::DecidedPaths;
use toolwright_services::{AllowAllPaths, DeniedPaths};
use toolwright_testkit::TempWorkspace;

use super::{
    Bounds, Flow, Order, Root, Rules, Walk, WalkError, Walked, absolute, each_file, files, hidden_by_rules,
    in_order, shown, threads,
};

struct Hides(&'static str);

impl DeniedPaths for Hides {
    fn denies_read(&self, path: &Path) -> Option<String> {
        path.to_string_lossy().contains(self.0).then(|| format!("Read(**/{}/**)", self.0))
    }

    fn named(&self) -> &[PathBuf] {
        &[]
    }
}

fn open(path: &Path) -> Root {
    Root::open(path, &DecidedPaths::default(), &AllowAllPaths).expect("a folder")
}

fn tree(names: &[(&str, &str)]) -> TempWorkspace {
    let workspace = TempWorkspace::new();
    names.iter().for_each(|(name, content)| workspace.write(name, content));
    workspace
}

fn check(workspace: &TempWorkspace, root: &str, policy: &dyn DeniedPaths, rules: Rules, expect: &[&str]) {
    let bounds = Bounds::default();
    let root = if root.is_empty() { workspace.path().to_owned() } else { workspace.join(root) };
    let opened = open(&root);
    let walk = Walk { root: &opened, policy, bounds: &bounds, rules };
    let found = files(&walk, Order::Path, 100, |_| true);
    let mut walk = in_order(&walk);
    let met: Vec<_> = std::iter::from_fn(|| walk.next(|_| true)).map(|met| met.path()).collect();
    assert_eq!(met, found.paths);
    let names: Vec<_> =
        found.paths.iter().map(|path| path.strip_prefix(&root).expect("below").to_owned()).collect();
    assert_eq!(names.iter().map(|path| path.to_str().expect("text")).collect::<Vec<_>>(), expect);
}

#[cfg(unix)]
#[test]
fn rules_are_read_from_files_and_never_through_a_link_out_of_the_tree() {
    use std::os::unix::fs::symlink;
    let workspace = tree(&[
        ("outside", "a\n"),
        ("p/.git/config", ""),
        ("p/a", ""),
        ("p/sub/.keep", ""),
        ("p/sub/a", ""),
        ("p/tree/.git", "gitdir: ../linked\n"),
        ("p/tree/a", ""),
        ("p/linked/commondir", "../common\n"),
    ]);
    symlink("../outside", workspace.join("p/.gitignore")).unwrap();
    symlink("/net/host/ignore", workspace.join("p/.ignore")).unwrap();
    // Nobody ever writes to it: whoever opens it waits.
    rustix::fs::mkfifoat(rustix::fs::CWD, workspace.join("p/sub/.ignore"), rustix::fs::Mode::RWXU).unwrap();
    // Git's own folder may lie elsewhere.
    workspace.write("git/exclude", "a\n");
    std::fs::create_dir(workspace.join("p/common")).unwrap();
    symlink("../../git", workspace.join("p/common/info")).unwrap();
    let seen = ["a", "linked/commondir", "sub/.keep", "sub/a"];
    check(&workspace, "p", &AllowAllPaths, Rules::Obeyed, &seen);
}

#[test]
fn rules_hold_where_they_should() {
    let usual = [
        (".git/config", ""),
        (".gitignore", "target/\n*.log\n!keep.log\n"),
        (".ignore", "big\n"),
        (".hidden", ""),
        ("a.log", ""),
        ("keep.log", ""),
        ("big", ""),
        ("target/out.txt", ""),
        ("sub/.git", "gitdir: elsewhere\n"),
        ("sub/b.rs", ""),
    ];
    let workspace = tree(&usual);
    let visible = [".gitignore", ".hidden", ".ignore", "keep.log", "sub/b.rs"];
    check(&workspace, "", &AllowAllPaths, Rules::Obeyed, &visible);
    let all = [".gitignore", ".hidden", ".ignore", "a.log", "big", "keep.log", "sub/b.rs", "target/out.txt"];
    check(&workspace, "", &AllowAllPaths, Rules::Off, &all);
    // A folder that was named is entered although it is ignored.
    check(&workspace, "target", &AllowAllPaths, Rules::Obeyed, &["out.txt"]);
    check(
        &workspace,
        "",
        &Hides("sub"),
        Rules::Off,
        &[".gitignore", ".hidden", ".ignore", "a.log", "big", "keep.log", "target/out.txt"],
    );
}

#[test]
fn rules_above_a_repository_do_not_reach_into_it() {
    let workspace = tree(&[(".gitignore", "*\n"), ("project/.git/config", ""), ("project/a.txt", "")]);
    check(&workspace, "project", &AllowAllPaths, Rules::Obeyed, &["a.txt"]);
    // Without a repository, `.gitignore` says nothing.
    let workspace = tree(&[(".gitignore", "*\n"), ("project/a.txt", "")]);
    check(&workspace, "project", &AllowAllPaths, Rules::Obeyed, &["a.txt"]);
}

#[test]
fn a_linked_working_tree_has_the_excludes_of_its_repository() {
    let workspace = tree(&[
        ("main/.git/info/exclude", "secret\n"),
        ("main/.git/worktrees/other/commondir", "../..\n"),
        ("other/.git", "gitdir: ../main/.git/worktrees/other\n"),
        ("other/a", ""),
        ("other/secret", ""),
    ]);
    check(&workspace, "other", &AllowAllPaths, Rules::Obeyed, &["a"]);
}

#[test]
fn names_stand_in_the_order_of_whole_paths() {
    let workspace = tree(&[("a/b", ""), ("a-b", ""), ("a0", ""), ("a.txt", "")]);
    check(&workspace, "", &AllowAllPaths, Rules::Obeyed, &["a-b", "a.txt", "a/b", "a0"]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_except_the_named_root() {
    let workspace = tree(&[("real/a.txt", "")]);
    std::os::unix::fs::symlink("..", workspace.join("real/up")).expect("linked");
    std::os::unix::fs::symlink("real", workspace.join("link")).expect("linked");
    check(&workspace, "", &AllowAllPaths, Rules::Obeyed, &["real/a.txt"]);
    check(&workspace, "link", &AllowAllPaths, Rules::Obeyed, &["a.txt"]);
}

#[test]
fn newest_come_first_and_ties_stand_by_path() {
    let workspace = tree(&[("old", ""), ("b", ""), ("a", "")]);
    workspace.set_modified("old", 1_000);
    workspace.set_modified("a", 2_000);
    workspace.set_modified("b", 2_000);
    let (bounds, policy) = (Bounds::default(), AllowAllPaths);
    let walk = Walk { root: &open(workspace.path()), policy: &policy, bounds: &bounds, rules: Rules::Obeyed };
    let found = files(&walk, Order::NewestFirst, 100, |_| true);
    assert_eq!(found.paths, ["a", "b", "old"].map(|name| workspace.join(name)));
}

#[test]
fn what_rules_hide_is_counted() {
    let workspace = tree(&[
        (".git/x", ""),
        (".gitignore", "gen/\n"),
        ("a.rs", ""),
        ("gen/b.rs", ""),
        ("gen/c.rs", ""),
        ("gen/d.txt", ""),
    ]);
    let (bounds, policy) = (Bounds::default(), AllowAllPaths);
    let walk = Walk { root: &open(workspace.path()), policy: &policy, bounds: &bounds, rules: Rules::Obeyed };
    let rust = |path: &Path| path.extension().is_some_and(|extension| extension == "rs");
    let walked = files(&walk, Order::Path, 10, rust).walked;
    assert_eq!(hidden_by_rules(&walk, &walked, 100, rust), 2);
    assert_eq!(hidden_by_rules(&walk, &walked, 1, rust), 1);
}

#[test]
fn the_first_are_kept_and_all_are_counted() {
    let names: Vec<String> = (0..500).map(|number| format!("d{}/f{number:03}", number % 3)).collect();
    let workspace = TempWorkspace::new();
    names.iter().for_each(|name| workspace.write(name, ""));
    let (bounds, policy) = (Bounds::default(), AllowAllPaths);
    let walk = Walk { root: &open(workspace.path()), policy: &policy, bounds: &bounds, rules: Rules::Obeyed };
    let found = files(&walk, Order::Path, 2, |_| true);
    assert_eq!(found.paths, ["d0/f000", "d0/f003"].map(|name| workspace.join(name)));
    assert_eq!((found.total, found.walked.seen), (500, 500));
}

#[test]
fn a_walk_ends_when_told() {
    let workspace = tree(&[("a", ""), ("b", ""), ("c", "")]);
    let (bounds, policy) = (Bounds::default(), AllowAllPaths);
    let walk = Walk { root: &open(workspace.path()), policy: &policy, bounds: &bounds, rules: Rules::Obeyed };
    assert!(each_file(&walk, || Box::new(|_| Flow::Stop)).seen >= 1);
    bounds.cancel.cancel();
    let walked = each_file(&walk, || Box::new(|_| Flow::Continue));
    assert!(walked.cancelled && walked.seen == 0, "{walked:?}");
}

/// A policy that cancels when it is asked the third time.
struct Cancels<'a>(&'a Bounds, AtomicUsize);

impl DeniedPaths for Cancels<'_> {
    fn denies_read(&self, _: &Path) -> Option<String> {
        if self.1.fetch_add(1, Relaxed) == 2 {
            self.0.cancel.cancel();
        }
        None
    }

    fn named(&self) -> &[PathBuf] {
        &[]
    }
}

#[test]
fn after_a_cancellation_no_more_entries_are_looked_at() {
    let workspace = TempWorkspace::new();
    (0..400).for_each(|number| workspace.write(format!("folder{number}/file"), ""));
    (0..400).for_each(|number| workspace.write(format!("file{number}"), ""));
    let check = |walk_all: &dyn Fn(&Walk<'_>) -> Walked, most: usize| {
        let bounds = Bounds::default();
        let policy = Cancels(&bounds, AtomicUsize::new(0));
        let walk =
            Walk { root: &open(workspace.path()), policy: &policy, bounds: &bounds, rules: Rules::Obeyed };
        let walked = walk_all(&walk);
        assert!(walked.cancelled, "{walked:?}");
        let asked = policy.1.into_inner();
        assert!(asked <= most, "asked {asked} times");
    };
    // Each thread may be on its way to ask once.
    let find = |walk: &Walk<'_>| files(walk, Order::NewestFirst, 10, |_| true).walked;
    check(&find, 3 + threads());
    let each = |walk: &Walk<'_>| {
        let mut walk = in_order(walk);
        while walk.next(|_| true).is_some() {}
        walk.end()
    };
    check(&each, 3);
}

#[test]
fn a_root_that_is_none_says_why() {
    let workspace = tree(&[("source/main.rs", ""), ("secret/x", "")]);
    let fails = |root: &str| {
        let root = workspace.join(root);
        Root::open(&root, &DecidedPaths::default(), &Hides("secret")).expect_err("no folder")
    };
    assert_eq!(
        workspace.normalised(&fails("sourec").to_string()),
        "/workspace/sourec does not exist; did you mean /workspace/source?"
    );
    assert!(matches!(fails("source/main.rs"), WalkError::NotADirectory { .. }));
    assert!(matches!(fails("source/main.rs/x"), WalkError::Missing { .. }));
    assert!(matches!(fails("secret"), WalkError::Denied { .. }));
    // A hidden name is not betrayed by a guess.
    assert!(!fails("secre").to_string().contains("secret"));
}

#[test]
fn the_misspelt_part_of_a_path_is_corrected() {
    let workspace = tree(&[("source/main.rs", "")]);
    let check = |path: &str| {
        let path = workspace.join(path);
        let error = Root::open(&path, &DecidedPaths::default(), &AllowAllPaths).expect_err("no folder");
        let WalkError::Missing { near, .. } = error else { panic!("{error}") };
        assert_eq!(near, [workspace.join("source/main.rs")], "{}", path.display());
    };
    check("sorce/main.rs");
    check("source/mian.rs");
    let workspace = tree(&[("my\u{a0}source/main.rs", "")]);
    let error = Root::open(&workspace.join("my source"), &DecidedPaths::default(), &AllowAllPaths);
    let said = error.expect_err("no folder").to_string();
    assert!(
        said.contains("(it has U+00A0 (no-break space) where the path given has U+0020 (space))?"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_not_its_own_guess() {
    let workspace = TempWorkspace::new();
    std::os::unix::fs::symlink("nowhere", workspace.join("link")).expect("linked");
    let error = Root::open(&workspace.join("link"), &DecidedPaths::default(), &AllowAllPaths);
    assert!(matches!(error, Err(WalkError::Missing { near, .. }) if near.is_empty()));
}

#[test]
fn paths_are_read_and_written_in_one_way() {
    let cwd = Path::new("/home/x");
    for (given, expect) in
        [("a", "/home/x/a"), ("./a/../b/", "/home/x/b"), ("../../../c", "/c"), ("/d", "/d"), ("", "/home/x")]
    {
        assert_eq!(absolute(cwd, given), Path::new(expect), "{given}");
    }
    for (path, expect) in [
        ("/home/x/a b", "a b"),
        ("/home/xy", "/home/xy"),
        ("/home/x", "/home/x"),
        ("/home/x/a\n\"b", r#""a\n\"b""#),
    ] {
        assert_eq!(shown(Path::new(path), cwd), expect);
    }
}
