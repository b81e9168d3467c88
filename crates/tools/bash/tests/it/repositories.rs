//! Reading git commands in repositories that were prepared: what git would start or read asks, and what it takes for a
//! repository is what is looked at.

use serde_json::json;
use toolwright_core::{Authority, Cancel, Environment, Registry, Services, ToolContext, Verdict};
use toolwright_testkit::TempWorkspace;
use toolwright_tool_bash::REGISTRATION;

use crate::session::{Session, variables};

/// After `setup` in a fresh repository with one commit: whether `git status` in `folder` asks.
async fn check(setup: &str, folder: &str, asks: bool) {
    let workspace = TempWorkspace::new();
    let mut session = Session::new(workspace.path(), variables());
    session.authority = Authority::Person;
    let start = "set -e; export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e\n\
                 evil='touch pwned'; git init -q .; echo a > a; mkdir sub; echo b > sub/b; git add .; git commit -q -m c\n";
    let answer = session.call(json!({"command": format!("{start}{setup}")})).await;
    assert!(!answer.is_error, "{setup}: {}", answer.text);
    let environment = Environment::new(variables(), serde_json::Map::new());
    let built = Registry::of(&[REGISTRATION]).unwrap().build(&Services::new(environment.into()));
    let call = std::sync::Arc::clone(&built.tools[0]).parse(json!({"command": "git status"})).unwrap();
    let cx = ToolContext::new("call", "main", &workspace.join(folder), Cancel::default(), |_| {});
    let verdict = call.check(&cx).await;
    assert_eq!(matches!(verdict, Verdict::Ask(_)), asks, "{setup} in {folder:?}: {verdict:?}");
}

#[tokio::test]
async fn what_git_takes_for_a_repository_is_looked_at() {
    check("", "", false).await;
    check("", "sub", false).await;
    check("git config filter.x.clean \"$evil\"", "sub", true).await;
    check("printf '\\xef\\xbb\\xbf[diff \"a\"] textconv = ./evil #]\\n' > .git/config", "", true).await;
    check("git config filter.lfs.clean 'git-lfs clean -- %f'", "", false).await;
    check("git config filter.lfs.clean \"git-lfs x || $evil\"", "", true).await;
    // An empty `.git` is none, and the folder around it may be a bare repository.
    let bare = "git init -q --bare sub/x; git -C sub/x config core.fsmonitor x; git -C sub/x config filter.x.clean y";
    check(bare, "sub/x", true).await;
    check(&format!("{bare}; mkdir sub/x/.git"), "sub/x", true).await;
    check(&format!("{bare}; mkdir sub/x/.git"), "sub/x/objects", true).await;
    check("git init -q --bare sub/x", "sub/x", false).await;
    check("mkdir sub/.git", "sub", false).await;
    check("mkdir sub/.git; git config filter.x.clean y", "sub", true).await;
    // A pointer may have any bytes, and blanks at its end belong to the name.
    let moved = |name: &str| {
        format!(
            "git config filter.x.clean y; n=$(printf '{name}'); mv .git \"$n\"; printf 'gitdir: %s\\n' \"$n\" > .git"
        )
    };
    check(&moved("a\\xff"), "", true).await;
    check(&moved("b "), "", true).await;
    check("mv .git g; printf 'gitdir: g' > .git", "", false).await;
    // A worktree has the settings of its repository.
    check("git worktree add -q sub/w; git config filter.x.clean y", "sub/w", true).await;
    check("git worktree add -q sub/w", "sub/w", false).await;
}

#[tokio::test]
async fn repositories_within_are_looked_at() {
    let within = "git init -q m; git -C m commit -q --allow-empty -m x; git add m 2>/dev/null";
    check(within, "", false).await;
    check(&format!("{within}; git -C m config filter.x.clean y"), "", true).await;
    let added = "git init -q m; git -C m commit -q --allow-empty -m x; git submodule --quiet add ./m m 2>&1";
    let absorbed = format!("{added}; git submodule --quiet absorbgitdirs 2>&1; test -f m/.git");
    check(&absorbed, "", false).await;
    check(&absorbed, "m", false).await;
    check(&format!("{absorbed}; git -C m config core.worktree /usr"), "", true).await;
}

#[tokio::test]
async fn the_top_of_the_repository_is_known_where_it_is_certain() {
    let check = async |setup: &str, folder: &str, reads: bool| {
        let workspace = TempWorkspace::new();
        let mut session = Session::new(workspace.path(), variables());
        session.authority = Authority::Person;
        let answer = session.call(json!({"command": format!("git init -q .; mkdir -p a/b; {setup}")})).await;
        assert!(!answer.is_error, "{setup}: {}", answer.text);
        let environment = Environment::new(variables(), serde_json::Map::new());
        let built = Registry::of(&[REGISTRATION]).unwrap().build(&Services::new(environment.into()));
        let command = "root=$(git rev-parse --show-toplevel); ls \"$root\"";
        let call = std::sync::Arc::clone(&built.tools[0]).parse(json!({"command": command})).unwrap();
        let cx = ToolContext::new("call", "main", &workspace.join(folder), Cancel::default(), |_| {});
        call.validate(&cx).await.unwrap();
        let quiet = call.effects().is_read_only() && call.check(&cx).await == Verdict::Defer;
        assert_eq!(quiet, reads, "{setup} in {folder:?}");
    };
    check("", "", true).await;
    check("", "a/b", true).await;
    check("git config core.worktree ../..", "a", false).await;
}
