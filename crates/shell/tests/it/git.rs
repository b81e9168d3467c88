//! Git commands: which read, which files of the repository they show, and which flags nobody knows.

use std::path::Path;

use toolwright_core::{Cover, PathAccess, Subject};
use toolwright_shell::{Analysis, Place, analyse};

fn place() -> Place {
    let mut place = Place::new(Path::new("/work/app"), Some(Path::new("/home/me")));
    place.repository = Some("/work".into());
    place
}

/// The paths a text touches but for the folder git runs in: `R` read, `B` read with all below, `-` where no cover is needed, `?`
/// where besides only what is there counts.
fn paths(analysis: &Analysis) -> Vec<String> {
    let shown = |subject: &Subject| match subject {
        Subject::Path { path, access, cover } => {
            let access = match access {
                PathAccess::Read => "R",
                PathAccess::ReadBelow => "B",
                _ => "W",
            };
            let cover = match cover {
                Cover::Unneeded => "-",
                Cover::IfPresent if access == "B" => "?",
                // What words may name besides has tests of its own.
                Cover::IfPresent => return None,
                _ => "",
            };
            let path = path.to_string_lossy();
            (access != "R" || !path.ends_with("/.")).then(|| format!("{access}{cover} {path}"))
        }
        _ => None,
    };
    analysis.subjects.iter().filter_map(shown).collect()
}

/// A command that reads, and the files whose content it shows.
fn shows(command: &str, expect: &[&str]) {
    let analysis = analyse(command, &place());
    assert!(analysis.effects.is_read_only(), "{command} asks");
    let mut found = paths(&analysis);
    found.sort();
    let mut expect = expect.to_vec();
    expect.sort_unstable();
    assert_eq!(found, expect, "{command}");
}

fn asks(command: &str) {
    assert!(!analyse(command, &place()).effects.is_read_only(), "{command} passes");
}

const ALL: &[&str] = &["B- /work"];

#[test]
fn a_file_of_a_commit_is_named() {
    let named = &["R- /work/.env", "R- /work/app/.env"];
    for command in [
        "git show HEAD:.env",
        "git show --stat HEAD:.env",
        "git show -s HEAD:.env",
        "git cat-file -p HEAD:.env",
        "git cat-file blob HEAD:.env",
        "git cat-file -p :.env",
        "git cat-file -p :0:.env",
        "git -P show -s 'HEAD:.env'",
    ] {
        shows(command, named);
    }
    shows("git cat-file -p HEAD:./.env", &["R /work/app/.env"]);
    shows(
        "git -C sub cat-file -p HEAD:.env",
        &["R- /work/.env", "R- /work/app/.env", "R- /work/app/sub/.env"],
    );
    shows("git cat-file -p HEAD", &[]);
    shows("git cat-file -p 0123abcd", ALL);
    shows("git cat-file -t 0123abcd", &[]);
    shows("git show HEAD:.env", named);
}

#[test]
fn paths_that_limit_are_named() {
    for command in [
        "git log -p -- .env",
        "git log -p --all -- .env",
        "git log -G KEY --oneline -- .env",
        "git show HEAD -- .env",
        "git diff HEAD~1 HEAD -- .env",
        "git diff -- .env",
        "git diff main -- .env ':!x'",
        "git grep X -- .env",
        "git grep -e X HEAD -- .env",
        "git whatchanged -p -- .env",
        "git diff-tree -p HEAD -- .env",
        "git diff -U -- .env",
        "git diff -- ':.env'",
    ] {
        shows(command, &["B /work/app/.env"]);
    }
    shows(
        "git diff -- ':(top).env' :/b",
        &["B- /work/.env", "B- /work/app/.env", "B- /work/app/b", "B- /work/b"],
    );
    shows("git diff -- '.e*'", &["B /work/app/.", "R /work/app/.e*"]);
    shows("git diff -- ':!a'", &["B? /work"]);
    shows("git blame .env", &["R /work/app/.env"]);
    shows("git blame HEAD~2 -- .env", &["R /work/app/.env", "R /work/app/HEAD~2"]);
    shows("git -C sub log -p -- .env", &["B /work/app/sub/.env"]);
    // Without `--` a word is a revision or a path.
    shows("git diff .env", &["B- /work", "B /work/app/.env"]);
    shows("git diff HEAD:.env main:.env", &["B- /work", "B- /work/.env", "B- /work/app/.env"]);
    shows("git grep -- X .env", &["B- /work", "B /work/app/.env"]);
    shows("git log -L1,3:.env", &["B- /work", "B /work/app/.env"]);
}

#[test]
fn without_a_path_everything_is_read() {
    for command in [
        "git diff --cached",
        "git log -p",
        "git log --patch-with-stat",
        "git log -S KEY --oneline",
        "git log -p --follow -- a",
        "git log --stat -u",
        "git show",
        "git stash show -p",
        "git stash show",
        "git stash list -p",
        "git reflog -p",
        "git status -v",
        "git status -vs",
        "git diff-tree -p HEAD",
        "git show --stat 0123abcd",
        "git diff 0123abcd -- a",
    ] {
        let analysis = analyse(command, &place());
        assert!(analysis.effects.is_read_only(), "{command} asks");
        assert!(paths(&analysis).contains(&"B- /work".to_owned()), "{command}: {:?}", paths(&analysis));
    }
    // The working folder alone.
    for command in [
        "git diff",
        "git diff -U --name-only",
        "git diff -w --exit-code",
        "git diff --word-diff",
        "git diff --check",
        "git diff --stat -p",
        "git grep X",
        "git grep -l X",
    ] {
        shows(command, &["B? /work"]);
    }
}

#[test]
fn names_and_numbers_read_no_file() {
    for command in [
        "git log",
        "git log --oneline --stat -20 -- .env",
        "git log --follow -- .env",
        "git log --format=%B",
        "git log --diff-filter=D --name-only",
        "git diff --stat",
        "git diff --name-only HEAD~3..HEAD -- .env",
        "git diff --cached --name-status",
        "git show HEAD --stat",
        "git show -s --format=%B HEAD",
        "git status -sb",
        "git ls-files .env",
        "git ls-tree -r HEAD --name-only",
        "git diff-tree --no-commit-id --name-only -r HEAD",
        "git check-ignore -v .env",
        "git stash show --name-only",
        "git stash list",
        "git reflog -10",
        "git rev-list --count HEAD",
    ] {
        shows(command, &[]);
    }
}

#[test]
fn what_is_listed_needs_no_question() {
    for command in [
        "git tag -n",
        "git tag -n5",
        "git tag --sort=-creatordate",
        "git tag --sort -creatordate",
        "git tag -n -l 'v*'",
        "git tag --contains HEAD",
        "git branch --list 'feat*'",
        "git branch --merged main",
        "git branch --merged",
        "git branch -vv --no-color",
        "git shortlog -sn",
        "git shortlog -sne --all",
        "git shortlog -sn main..HEAD",
        "git symbolic-ref --short HEAD",
        "git cherry -v main",
        "git describe --tags --always",
        "git config user.name",
        "git config --get remote.origin.url",
        "git config --global user.email",
        "git config --get-regexp '^alias\\.'",
        "git config --local --list",
        "git config --list --name-only",
        "git config get user.name",
        "git remote -v",
        "git remote get-url origin",
        "git reflog list",
        "git for-each-ref --sort -committerdate --format '%(refname)' refs/heads",
        "git show-ref --heads -s",
        "git worktree list --porcelain",
        "git rev-parse --short=8 HEAD",
        "git -C src log -1 --oneline",
        "git -C src -C lib status",
        "cd src && git status",
        "git log -n 5 --since='2 weeks ago' --author=Dev --date=iso",
        "git log -M50% -C --stat-width 80 --stat",
        "git blame -L 1,10 -w -C -C src/app.ts",
        "git grep -n -A3 --max-depth 2 TODO HEAD -- '*.ts'",
        "git ls-files -o --exclude-standard -x '*.o'",
    ] {
        let analysis = analyse(command, &place());
        assert!(analysis.effects.is_read_only(), "{command} asks");
    }
}

#[test]
fn what_is_not_known_asks() {
    for command in [
        "git log --outp=x",
        "git log --output x",
        "git log -p --output=x",
        "git diff --no-index a b",
        "git diff -Oorder",
        "git diff a ../b",
        "git diff a /etc/passwd",
        "git diff --ext-diff",
        "git diff --submodule=diff",
        "git log --textconv -p",
        "git log --show-signature",
        "git log --remerge-diff",
        "git log -p --diff-merges=remerge",
        "git show --diff-merges r",
        "git log --alternate-refs",
        "git log --stdin",
        "git log --format='%G?'",
        "git log --pretty='tformat:%h %GK'",
        "git for-each-ref --sort=signature:key",
        "git for-each-ref --sort -signature",
        "git branch --format='%(signature:grade)'",
        "git blame --contents /etc/passwd a",
        "git blame -S revs a",
        "git blame --ignore-revs-file /etc/passwd a",
        "git blame --textconv a",
        "git grep -f patterns",
        "git grep -O X",
        "git grep -Oless X",
        "git grep --open-files-in-pager X",
        "git grep --no-index X",
        "git grep --recurse-submodules X",
        "git grep --textconv X",
        "git ls-files -X /etc/passwd",
        "git ls-files --exclude-from=/etc/passwd",
        "git ls-files --exclude-per-directory=x",
        "git ls-files --recurse-submodules",
        "git ls-files --pathspec-from-file=x",
        "git describe --dirty",
        "git describe --broken",
        "git cat-file --textconv HEAD:a",
        "git cat-file --filters HEAD:a",
        "git cat-file --batch",
        "git status --pathspec-from-file=x",
        "git symbolic-ref HEAD refs/heads/x",
        "git symbolic-ref -d HEAD",
        "git symbolic-ref -m x HEAD",
        "git tag x",
        "git tag -v x",
        "git tag -d x",
        "git tag --sort=-creatordate x",
        "git branch x",
        "git branch -l x",
        "git branch -r x",
        "git branch -D x",
        "git branch -u x",
        "git branch --edit-description",
        "git config user.name x",
        "git config --list",
        "git config credential.helper",
        "git config http.https://x.org/.extraHeader",
        "git config --get url.x.insteadOf",
        "git config --get-regexp .",
        "git config --get-regexp '^user\\.|credential'",
        "git config -f x --list",
        "git config --file x a.b",
        "git config --blob HEAD:x --list",
        "git config --get remote.origin.proxy",
        "git config --edit",
        "git config --unset user.name",
        "git config set user.name x",
        "git remote show origin",
        "git remote update",
        "git remote get-url",
        "git reflog expire --all",
        "git reflog delete HEAD@{0}",
        "git stash",
        "git stash pop",
        "git stash show --output=x",
        "git worktree add x",
        "git worktree prune",
        "git submodule status",
        "git submodule foreach x",
        "git diff-tree --stdin",
        "git show-ref --exclude-existing",
        "git check-ignore --stdin",
        "git name-rev --stdin",
        "git rev-parse --parseopt",
        "git rev-parse --resolve-git-dir x",
        "git rev-list --stdin",
        "git rev-list --use-bitmap-index HEAD",
        "git archive HEAD",
        "git -c a.b=c status",
        "git --git-dir=x status",
        "git --work-tree x status",
        "git --exec-path=x status",
        "git -p log",
        "git --paginate log",
        "git --bare log",
        "git --namespace=x log",
        "git --attr-source=x log",
        "git -C ../x status",
        "git -C .. status",
        "git -C /etc status",
        "git -C \"$X\" status",
        "git log $X",
        "git log \"-$X\"",
        "git log \"$X\"",
        "git diff *",
        "git diff -- \"$X\"",
        "git log --help",
        "git status --help",
        "git help log",
        "git x",
        "git",
        "git --version --help",
    ] {
        asks(command);
    }
}

/// Rules that deny see the files of commands that other rules allow.
#[test]
fn commands_that_may_do_anything_name_what_they_show() {
    let check = |command: &str, expect: &str| {
        let analysis = analyse(command, &place());
        assert!(!analysis.effects.is_read_only(), "{command} passes");
        assert!(paths(&analysis).contains(&expect.to_owned()), "{command}: {:?}", paths(&analysis));
    };
    check("git show --textconv HEAD:.env", "B- /work/.env");
    check("git -c a.b=c show HEAD:.env", "B- /work/.env");
    check("git --git-dir=.git show HEAD:.env", "B- /work/.env");
    check("git diff --no-index /dev/null .env", "B /work/app/.env");
    check("git archive HEAD .env", "B /work/app/.env");
    check("git archive -o x.tar HEAD", "B- /work");
    check("git format-patch -1 --stdout", "B- /work");
    check("git hash-object .env", "R /work/app/.env");
    check("git log --output=x -p -- .env", "B /work/app/.env");
    check("git blame --contents=.env a", "R /work/app/.env");
    check("git diff \"$X\"", "B- /work");
    // A flag that is not known may show lines.
    check("git log --remerge-diff", "B- /work");
    check("git show --stat --remerge-diff", "B- /work");
    check("git commit -v", "B- /work");
    for command in
        ["git commit -m 'fix .env'", "git push", "git log --show-signature", "git diff --stat --ext-diff"]
    {
        assert_eq!(paths(&analyse(command, &place())), [""; 0], "{command}");
    }
}

/// An operand that is a file limits what is shown, and the host says whether it is one.
#[test]
fn operands_that_are_there() {
    let all = |text: &str, there: &[&str]| {
        let mut place = place();
        place.there = there.iter().map(Into::into).collect();
        let analysis = analyse(text, &place);
        let shown = analysis.subjects.iter().any(|subject| match subject {
            Subject::Path { path, access, .. } => {
                *access == PathAccess::ReadBelow && path == Path::new("/work")
            }
            _ => false,
        });
        (shown, analysis.looked_for)
    };
    for text in [
        "git diff src/a.ts",
        "git log -p src/a.ts",
        "git grep x src/a.ts",
        "git diff HEAD~1 src/a.ts",
        "git show HEAD src/a.ts",
    ] {
        assert!(all(text, &[]).0, "{text}");
        let (shown, looked_for) = all(text, &["/work/app/src/a.ts"]);
        assert!(!shown && looked_for.contains(&"/work/app/src/a.ts".into()), "{text}: {looked_for:?}");
    }
    for text in [
        "git log -p --follow src/a.ts",
        "git diff src/b.ts",
        "git diff abcdef0 src/a.ts",
        "git show abcdef0 src/a.ts",
    ] {
        assert!(all(text, &["/work/app/src/a.ts"]).0, "{text}");
    }
    // What is there now may not be there then.
    assert!(all("rm src/a.ts; git diff src/a.ts", &[]).1.is_empty());
}
