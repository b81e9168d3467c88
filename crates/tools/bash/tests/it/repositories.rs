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
    for (start, command) in [(folder, "git status".to_owned()), ("", format!("cd ./{folder} && git status"))]
    {
        let call = std::sync::Arc::clone(&built.tools[0]).parse(json!({"command": command})).unwrap();
        let cx = ToolContext::new("call", "main", &workspace.join(start), Cancel::default(), |_| {});
        let verdict = call.check(&cx).await;
        assert_eq!(matches!(verdict, Verdict::NotReadOnly(_)), asks, "{setup} in {folder:?}: {verdict:?}");
        assert_eq!(call.effects().is_read_only(), !asks, "{setup} in {folder:?}");
    }
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
async fn in_another_repository_settings_count_that_are_overridden() {
    let check = async |setup: &str, command: &str, start: &str, asks: bool| {
        let workspace = TempWorkspace::new();
        let mut session = Session::new(workspace.path(), variables());
        session.authority = Authority::Person;
        let first = "export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e\n\
                     set -e; git init -q .; git commit -q --allow-empty -m c; mkdir sub; git init -q other\n";
        let answer = session.call(json!({"command": format!("{first}{setup}")})).await;
        assert!(!answer.is_error, "{setup}: {}", answer.text);
        let environment = Environment::new(variables(), serde_json::Map::new());
        let built = Registry::of(&[REGISTRATION]).unwrap().build(&Services::new(environment.into()));
        let call = std::sync::Arc::clone(&built.tools[0]).parse(json!({"command": command})).unwrap();
        let cx = ToolContext::new("call", "main", &workspace.join(start), Cancel::default(), |_| {});
        let verdict = call.check(&cx).await;
        assert_eq!(matches!(verdict, Verdict::NotReadOnly(_)), asks, "{setup}; {command}: {verdict:?}");
    };
    let rigged = "git -C other config core.fsmonitor 'touch pwned;'";
    for command in ["git -C other status", "cd other && git status", "pushd other >/dev/null && git status"] {
        check("", command, "", false).await;
        check(rigged, command, "", true).await;
        check("git -C other config core.hooksPath k", command, "", true).await;
        check("git -C other config core.fsmonitor true", command, "", false).await;
    }
    check(rigged, "git status", "", false).await;
    check(rigged, "git status", "other", false).await;
    check("rm -rf .git; git -C other config core.fsmonitor x", "git -C other status", "", true).await;
    // Of the repository it starts in, none does, wherever in it the command runs and in its worktrees.
    let own = "git config core.fsmonitor 'touch pwned;'; git config core.hooksPath k";
    check(own, "cd sub && git status", "", false).await;
    check(&format!("{own}; git worktree add -q w"), "cd w && git status", "", false).await;
    // What the history names is looked into wherever it lies.
    check("git config diff.submodule diff", "git log -p -3", "", true).await;
    check("git config diff.submodule log", "git log -p -3", "", false).await;
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

/// Every command that tells of a repository, one after the other; those that find nothing fail.
const READING: &str = "git status; git status -v -uall --ignored; git diff; git diff --cached; git diff --stat HEAD; \
    git log -p -m --all; git log --stat; git show; git show --diff-merges=on; git blame a; git grep -n a; git stash list -p; \
    git stash show -p; git branch -vv; git tag -n; git for-each-ref; git describe --always; git ls-files -o -s; \
    git check-ignore -v a x; git check-attr -a a; git shortlog -sn HEAD; git cherry; git diff-tree -p HEAD; \
    git diff-index -p HEAD; git diff-files -p; git cat-file -p HEAD:a; git rev-list --objects HEAD; git name-rev HEAD; \
    git log --format='%an %(trailers)' -3; git config alias.status; git remote -v; git worktree list; git reflog; \
    git show-ref; git symbolic-ref HEAD; git rev-parse HEAD; git count-objects -v";

/// After `setup`, whether all of these ask. Where they do not, they run: they start nothing that the repository names, which
/// would make a file `pwned`, show nothing of a file that lies outside, and change none.
async fn check_all(setup: &str, asks: bool) {
    for path in ["/usr/bin:/bin", "/usr/local/bin:/usr/bin:/bin"] {
        if path.starts_with("/usr/local") && !std::path::Path::new("/usr/local/bin/git").exists() {
            continue;
        }
        let workspace = TempWorkspace::new();
        workspace.write("out/secret", "S3CR3T\n");
        workspace.create_folder("home");
        workspace.write("evil", "#!/bin/sh\n: > \"$(dirname \"$0\")/pwned\"\ncat\n");
        let program = workspace.join("evil");
        std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        workspace.create_folder("repo");
        let top = workspace.join("repo");
        let mut given = variables();
        given.insert("PATH".into(), path.into());
        given.insert("HOME".into(), workspace.join("home").to_str().unwrap().into());
        let mut session = Session::new(&top, given.clone());
        session.authority = Authority::Person;
        let start = "set -e; export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e\n\
                     git init -q -b main .; git config user.name n; git config user.email e; echo a > a; mkdir sub\n\
                     echo '* merge=x diff=x filter=x' > .gitattributes; git add .; git commit -q -m c\n\
                     git checkout -q -b o; echo b > a; git commit -q -a -m b; git checkout -q main; echo c > a\n\
                     git commit -q -a -m d; git merge -q o >/dev/null 2>&1 || echo e > a; git commit -q -a -m m\n\
                     echo s > a; git stash -q; echo f > a; echo g > g; git add g; echo h > h\n";
        let evil = program.to_str().unwrap();
        let made = session.call(json!({"command": format!("{start}evil={evil}; out={}\n{setup}", workspace.join("out").display())})).await;
        assert!(!made.is_error, "{setup}: {}", made.text);
        let _ = std::fs::remove_file(workspace.join("pwned"));
        let environment = Environment::new(given, serde_json::Map::new());
        let built = Registry::of(&[REGISTRATION]).unwrap().build(&Services::new(environment.into()));
        let call = std::sync::Arc::clone(&built.tools[0]).parse(json!({"command": READING})).unwrap();
        let cx = ToolContext::new("call", "main", &top, Cancel::default(), |_| {});
        call.validate(&cx).await.unwrap();
        assert!(call.effects().is_read_only());
        let verdict = call.check(&cx).await;
        assert_eq!(matches!(verdict, Verdict::NotReadOnly(_)), asks, "{setup}: {verdict:?}");
        assert_eq!(call.effects().is_read_only(), !asks, "{setup}");
        if asks {
            continue;
        }
        let before = files(workspace.path());
        session.authority = Authority::Analysis;
        let answer = session.call(json!({"command": READING})).await;
        assert!(!workspace.join("pwned").exists(), "{setup} with {path}: {}", answer.text);
        assert!(!answer.text.contains("S3CR3T"), "{setup} with {path}: {}", answer.text);
        assert_eq!(files(workspace.path()), before, "{setup} with {path}");
    }
}

/// Every file below a folder with its content.
pub(crate) fn files(folder: &std::path::Path) -> std::collections::BTreeMap<std::path::PathBuf, Vec<u8>> {
    let mut found = std::collections::BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => _ = found.insert(entry.path(), std::fs::read(entry.path()).unwrap_or_default()),
            }
        }
    }
    found
}

#[tokio::test]
async fn settings_that_start_programs_ask() {
    for setup in [
        "git config diff.external $evil",
        "git config diff.x.command $evil",
        "git config diff.x.textconv $evil",
        "git config filter.x.clean $evil",
        "git config filter.x.process $evil",
        "git config filter.lfs.clean \"$evil\"",
        "git config lfs.extension.x.clean $evil",
        "git config gpg.program $evil",
        "git config gpg.ssh.program $evil",
        "git config gpg.ssh.defaultKeyCommand $evil",
        "git config core.sshCommand $evil",
        "git config core.gitProxy $evil",
        "git config core.alternateRefsCommand $evil",
        "git config include.path ../evil",
        "git config includeIf.onbranch:main.path x",
        "git config extensions.worktreeConfig true; git config --worktree filter.x.clean $evil",
        "git config pretty.mine %G?",
        "git config format.pretty %G?",
        "git config branch.sort signature",
        "git config hook.x.command $evil; git config hook.x.event post-index-change",
        "git config submodule.recurse true",
        "git config core.repositoryFormatVersion 1; git config extensions.partialClone origin",
        "git config remote.origin.promisor true; git config remote.origin.url \"ext::$evil\"",
        "git config remote.origin.vcs x",
    ] {
        check_all(setup, true).await;
    }
}

#[tokio::test]
async fn settings_that_start_programs_where_nothing_overrides_them_start_none() {
    for setup in [
        "",
        "git config core.fsmonitor $evil; git config core.fsmonitorHookVersion 2",
        "mkdir k; for h in post-index-change reference-transaction post-checkout; do cp $evil k/$h; done; git config core.hooksPath k",
        "for h in post-index-change reference-transaction fsmonitor-watchman; do cp $evil .git/hooks/$h; done",
        "git config core.pager $evil; git config pager.log $evil; git config pager.status true; git config pager.branch $evil",
        "git config core.editor $evil; git config sequence.editor $evil",
        "git config alias.status \"!$evil\"; git config alias.log \"!$evil\"",
        "git config merge.x.driver $evil; git config log.diffMerges remerge",
        "git config log.showSignature true",
        "git config trace2.normalTarget $out/../pwned; git config trace2.eventTarget $out/../pwned",
        "git config trailer.x.command $evil; git config trailer.x.cmd $evil",
        "git config credential.helper \"!$evil\"; git config core.askPass $evil",
        "git config diff.tool x; git config difftool.x.cmd $evil; git config mergetool.x.cmd $evil",
        "git config interactive.diffFilter $evil; git config tar.x.command $evil; git config sendemail.x $evil",
        "git config uploadpack.packObjectsHook $evil; git config receive.procReceiveRefs refs",
        "git config core.untrackedCache true; git config core.splitIndex false; git config index.version 4; git config feature.manyFiles true",
        "git config status.submoduleSummary true; git config diff.submodule log; git config diff.autoRefreshIndex true",
        "git config diff.orderFile $out/secret; git config gui.x $evil; git config help.autocorrect immediate",
        "git config stash.showPatch true; git config column.ui always; git config color.ui always; git config rerere.enabled true",
        "git config url.x.insteadOf y; git config protocol.ext.allow always; git config remote.origin.url \"ext::$evil\"",
        "git config gc.auto 1; git config maintenance.auto true; git config fetch.writeCommitGraph true; git config core.commitGraph true",
        "git config commit.gpgSign true; git config tag.gpgSign true; git config user.signingKey x",
        "git init -q m; git -C m commit -q --allow-empty -m x; git add m 2>/dev/null; git -C m config core.fsmonitor $evil; cp $evil m/.git/hooks/post-index-change",
        "git config browser.x.cmd $evil; git config man.x.cmd $evil; git config instaweb.httpd $evil; git config web.browser x",
        "touch -d '2001-01-01' a sub; git update-index --split-index",
    ] {
        let splits = setup.contains("--split-index");
        check_all(setup, splits).await;
    }
}

#[tokio::test]
async fn files_of_git_that_lie_elsewhere_ask() {
    for setup in [
        "git config core.attributesFile $out/secret",
        "git config core.excludesFile $out/secret",
        "git config mailmap.file $out/secret",
        "git config blame.ignoreRevsFile $out/secret",
        "git config core.worktree $out",
        "ln -s $out/secret .git/packed-refs",
        "rm .git/info/exclude; ln -s $out/secret .git/info/exclude",
        "mkdir -p .git/info; ln -s $out/secret .git/info/attributes",
        "ln -s $out/secret .git/info/grafts",
        "ln -s $out/secret .git/shallow",
        "rm .git/logs/HEAD; ln -s $out/secret .git/logs/HEAD",
        "mkdir .git/rebase-merge; ln -s $out/secret .git/rebase-merge/done; cp .git/rebase-merge/done .git/rebase-merge/git-rebase-todo",
        "ln -s $out/secret .git/MERGE_MSG",
        "ln -s $out/secret .git/refs/heads/x",
        "ln -s $out .git/refs/heads/x",
        "mv .git $out/g; ln -s $out/g .git",
        "mv .git $out/g; echo gitdir: $out/g > .git",
        "mv .git $out/g; mkdir .git; cp $out/g/HEAD .git; echo $out/g > .git/commondir; mkdir .git/objects .git/refs",
        "git init -q $out/r; echo $out/r/.git/objects > .git/objects/info/alternates",
        "git init -q $out/r; echo '\"x\"' > .git/objects/info/alternates",
    ] {
        check_all(setup, true).await;
    }
    for setup in [
        "mv .git k; echo gitdir: k > .git",
        "ln -s refs/heads/main .git/refs/heads/x 2>/dev/null; ln -s $evil .git/hooks/pre-commit",
        "mv .git $out/g; git --git-dir=$out/g config core.worktree $PWD; echo gitdir: $out/g > .git",
        "git init -q r; echo $PWD/r/.git/objects > .git/objects/info/alternates",
        "mkdir w; git worktree add -q w/x; cp -r w/x/.git w/y",
    ] {
        check_all(setup, false).await;
    }
}
