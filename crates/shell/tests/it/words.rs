//! What is known of words that come from elsewhere: names of files, and names of commits.

use std::path::Path;

use toolwright_shell::{Analysis, Names, Place, analyse};

fn analysis(text: &str) -> Analysis {
    analyse(text, &Place::new(Path::new("/work"), None))
}

/// Whether it only reads if the host finds no harm in the names, each as `/pattern` or `/folder/**`, `!` where they are split
/// and `@` where links among them are followed.
fn names(text: &str) -> Option<Vec<String>> {
    let analysis = analysis(text);
    let short = |names: &Names| match names {
        Names::Meant(pattern) => pattern.display().to_string(),
        Names::Below { folder, split, followed } => {
            let split = if *split { "!" } else { "" };
            let followed = if *followed { "@" } else { "" };
            format!("{split}{followed}{}**", folder.display())
        }
    };
    analysis.effects.is_read_only().then(|| analysis.names.iter().map(short).collect())
}

fn check(text: &str, expect: Option<&[&str]>) {
    let expect = expect.map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    assert_eq!(names(text), expect, "{text}");
}

#[test]
fn names_that_find_gives() {
    check("find src -type f -print0 | xargs -0 wc -l", Some(&[]));
    check("find src -type f | xargs wc -l", Some(&["!/work/src/**"]));
    check("find src lib/ -name '*.ts' | xargs -r grep -n x", Some(&["!@/work/src/**", "!@/work/lib/**"]));
    check("find . -name '*.ts' -not -path '*/node_modules/*' -print0 | xargs -0 cat", Some(&["@/work/./**"]));
    check("find . \\( -name a -o -name b \\) -exec grep x {} +", Some(&["@/work/./**"]));
    check("find . -type f -o -name b -print0 | xargs -0 cat", Some(&["@/work/./**"]));
    check("find . -type f | grep -v test | sort -u | head -20 | xargs wc -l", Some(&["!/work/./**"]));
    check("find . -type f | tail -n +2 | xargs -d '\\n' wc -l", Some(&["!/work/./**"]));
    check("find . -type f | xargs -I{} head -1 {}", Some(&["!/work/./**"]));
    for text in [
        "find . -type f | xargs rm",
        "find . -type f | xargs sort -o x",
        "find . -type f | xargs -I{} sh -c 'wc {}'",
        "find . -type f | xargs",
        "find -L . -type f | xargs wc -l",
        "find . -type f -print0 | xargs wc -l",
        "find . -type f | xargs -0 wc -l",
        "find 'a b' -type f | xargs wc -l",
        "find . -type f -printf '%l' | xargs cat",
        "find . -type f | cut -c2- | xargs wc -l",
        "find . -type f | head -c 20 | xargs wc -l",
        "find . -type f | grep -o b | xargs wc -l",
        "find . -type f | grep b other | xargs wc -l",
        "find . -type f | sort other | xargs wc -l",
        "find . -type f | sed s/a/b/ | xargs wc -l",
        "find . -type f 2>&1 | xargs wc -l",
        "find . -type f; ls | xargs cat",
        "find . -type f -print0 | sort | xargs -0 cat",
        "ls | xargs cat",
    ] {
        check(text, None);
    }
}

#[test]
fn names_that_a_loop_takes_from_a_glob() {
    check("for f in src/*; do wc -l \"$f\"; done", Some(&[]));
    check("for f in src/*; do wc -l $f; done", Some(&["/work/src/*"]));
    check("for f in */*.md; do x=$f; sort $x.md; done", Some(&["/work/*/*.md"]));
    check("for f in *.md; do n=$(wc -l < \"$f\"); echo \"$f $n\"; done", Some(&[]));
    check("for f in src/**/*.md; do cat $f; done", None);
    check("for f in src/*; do sort \"$f$(ls)\"; done", None);
    check("for f in *; do sort \"$f $(ls)\"; done", None);
}

#[test]
fn names_of_commits() {
    for text in [
        "x=$(git rev-parse HEAD); git show --stat $x",
        "x=$(git rev-parse --short HEAD~2 2>/dev/null); git log --oneline \"$x..HEAD\"",
        "git diff $(git merge-base main HEAD)",
        "base=$(git merge-base origin/main HEAD)\ngit diff $base...HEAD -- src && git log --oneline ${base}..HEAD",
        "git show --stat \"$(git rev-list -1 main)\"",
        "x=$(git rev-parse --verify -q main); echo $x",
    ] {
        check(text, Some(&[]));
    }
    for text in [
        "x=$(git rev-parse HEAD); git branch $x",
        "x=$(git rev-parse HEAD); git reset $x",
        "x=$(git rev-parse main); git show $x",
        "x=$(git rev-parse HEAD:a); git show $x",
        "x=$(git rev-parse HEAD --show-prefix); git show $x",
        "x=$(git rev-parse --abbrev-ref HEAD); git log $x",
        "x=$(git rev-parse --verify abcdef0); git show $x",
        "x=$(git rev-parse HEADS); git show $x",
        "x=$(git merge-base --all a b); git show $x",
        "x=$(git rev-list main); git show $x",
        "x=$(git rev-parse HEAD; ls); git show $x",
        "x=$(git rev-parse HEAD | cat f); git show $x",
        "x=$(GIT_DIR=a git rev-parse HEAD); git show $x",
        "x=$(git rev-parse HEAD); $x",
        "x=$(git rev-parse HEAD); sort -$x a",
        "x=$(git rev-parse HEAD); echo $((x))",
        "x=$(git rev-parse HEAD); [[ $x -eq 1 ]]",
        "x=$(git rev-parse HEAD); for i in 1 2; do git show --stat $x; x=--output=f; done",
    ] {
        check(text, None);
    }
    // What it names it is not known to be.
    let reads = format!("{:?}", analysis("x=$(git rev-parse HEAD); cat $x a").subjects);
    assert!(
        reads.contains("\"/**\"") || !analysis("x=$(git rev-parse HEAD); cat $x a").effects.is_read_only()
    );
    let shown = format!("{:?}", analysis("x=$(git rev-parse HEAD); git show $x:.env").subjects);
    assert!(shown.contains("/work/.env"), "{shown}");
}

#[test]
fn numbers_within_braces_however_many() {
    for text in [
        "for i in {1..100}; do echo $i; done",
        "for i in {1..7000}; do :; done",
        "echo {1..65} x{10..-100}",
        "for i in $(seq 1 200); do echo $i; done",
    ] {
        check(text, Some(&[]));
    }
    // Between the letters lie signs of patterns; which files these are is not known.
    check("echo {A..z}", None);
    let reads = format!("{:?}", analysis("for i in {1..100}; do cat f$i; done").subjects);
    let asks = !analysis("for i in {1..100}; do cat f$i; done").effects.is_read_only();
    assert!(asks || reads.contains("\"/**\"") || reads.contains("/work/f*"), "{reads}");
}

#[test]
fn links_below_are_looked_for() {
    let followed = |text: &str| {
        let found = analysis(text);
        let names: Vec<String> = found.followed.iter().map(|path| path.display().to_string()).collect();
        found.effects.is_read_only().then_some(names)
    };
    let check = |text: &str, expect: Option<&[&str]>| {
        let expect = expect.map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(followed(text), expect, "{text}");
        // Where there are some, what is read may be anywhere.
        let place = Place { links: true, ..Place::new(Path::new("/work"), None) };
        let there = analyse(text, &place);
        if expect.is_some_and(|names| !names.is_empty()) {
            assert!(!there.effects.is_read_only(), "{text}");
            assert!(format!("{:?}", there.subjects).contains("\"/**\""), "{text}");
        }
    };
    check("grep -R x .", Some(&["/work/."]));
    check("grep -Rn x", Some(&["/work/."]));
    check("grep --dereference-recursive x src lib", Some(&["/work/src", "/work/lib"]));
    check("cd sub && grep -R x src", Some(&["/work/sub/src"]));
    check("grep -r x .", Some(&[]));
    check("diff -r a b", Some(&["/work/a", "/work/b"]));
    check("diff -rq --no-dereference a b", Some(&[]));
    check("grep -R x src/*", None);
    check("grep -R x \"$y\"", None);
    check("diff -r a $y", None);
    check("diff -r a/* b", None);
    check("rg -L x", None);
    check("diff -rl a b", None);
}

#[test]
fn the_folder_that_pwd_prints() {
    let reads = |text: &str| format!("{:?}", analysis(text).subjects);
    for (text, path) in [
        ("cat \"$(pwd)/a\"", "\"/work/a\""),
        ("cat $(pwd -L)/a", "\"/work/a\""),
        ("cd sub && cat \"$(pwd)\"/a", "\"/work/sub/a\""),
        ("x=$(pwd); ls \"$x/src\"", "\"/work/src\""),
        ("(cd sub && ls $(pwd)); ls `pwd`/b", "\"/work/b\""),
    ] {
        check(text, Some(&[]));
        assert!(reads(text).contains(path) && !reads(text).contains("/**"), "{text}: {}", reads(text));
    }
    for text in [
        "cd sub; cat \"$(pwd)/a\"",
        "cat \"$(pwd -P)/a\"",
        "cat \"$(pwd; echo x)/a\"",
        "cat \"$(pwd | tail -1)/a\"",
        "cat \"$(X=1 pwd)/a\"",
        "cat \"$(/bin/pwd)/a\"",
        "pwd() { echo /etc; }; cat \"$(pwd)/a\"",
        "for i in 1 2; do cat \"$(pwd)/a\"; pwd() { echo /etc; }; done",
        "for i in 1 2; do cat \"$(pwd)/a\"; cd sub; done",
    ] {
        let known = analysis(text).effects.is_read_only() && !reads(text).contains("/**");
        assert!(!known, "{text}: {}", reads(text));
    }
}

#[test]
fn variables_that_change_looks_alone() {
    for text in [
        "LS_COLORS= ls",
        "LS_COLORS='di=1' GREP_COLORS='mt=1' grep --color x a",
        "TIME_STYLE=long-iso ls -l",
        "LANGUAGE=en_GB:en ls",
        "GIT_PAGER=cat git log -3",
        "PAGER= git log -3",
        "GIT_OPTIONAL_LOCKS=0 git status",
    ] {
        check(text, Some(&[]));
    }
    for text in [
        "FOO=1 ls",
        "LANGUAGE=../../x ls",
        "LANGUAGE=$x ls",
        "GIT_PAGER=less git log",
        "GIT_PAGER='cat; touch f' git log",
        "PAGER=$(cat VERSION) git log",
        "GIT_OPTIONAL_LOCKS=1 git status",
        "GIT_DIR=x git log",
        "LD_PRELOAD= ls",
        "LESSOPEN= less a",
        "PATH=$PATH ls",
        "LS_COLORS+=x:y ls",
        "LS_COLORS[0]=x ls",
        "LS_COLORS= touch f",
        "LS_COLORS=; ls",
        "LS_COLORS=\"$(touch f)\" ls",
    ] {
        check(text, None);
    }
}
