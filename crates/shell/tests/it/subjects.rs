//! The subjects of single texts, in short words.

use std::path::Path;

use toolwright_core::{Cover, PathAccess, Reach, Subject};
use toolwright_shell::{Place, analyse};

/// `r:` reads only, `p:` needs a pattern, `x:` the exact text; `R W D` a path read, written, removed, `+` with own cover.
fn check(text: &str, expect: &[&str]) {
    let place = Place::new(Path::new("/work"), Some(Path::new("/home/me")));
    let analysis = analyse(text, &place);
    let short = |subject: &Subject| match subject {
        Subject::Command(part) => {
            let reach = match part.reach {
                Reach::ReadOnly => "r",
                Reach::Pattern => "p",
                Reach::ExactText => "x",
            };
            format!("{reach}:{}", part.for_allow)
        }
        Subject::Path { path, access, cover } => {
            let access = match access {
                PathAccess::Read => "R",
                PathAccess::ReadBelow => "B",
                PathAccess::MayWrite => "M",
                PathAccess::Write => "W",
                PathAccess::WriteBelow => "V",
                PathAccess::Remove => "D",
            };
            let cover = match cover {
                Cover::Own => "+".into(),
                Cover::With(number) => number.to_string(),
                Cover::Unneeded => "-".into(),
                Cover::IfPresent => String::new(),
            };
            format!("{access}{cover} {}", path.display())
        }
        Subject::Unreadable(_) => "?".into(),
        Subject::Domain(host) => format!("host {host}"),
        other => format!("{other:?}"),
    };
    let (whole, subjects) = analysis.subjects.split_first().unwrap();
    assert_eq!(*whole, Subject::Text(text.into()));
    // What words may name besides has tests of its own.
    let known =
        subjects.iter().filter(|subject| !matches!(subject, Subject::Path { cover: Cover::IfPresent, .. }));
    assert_eq!(known.map(short).collect::<Vec<_>>(), expect, "{text}");
}

#[test]
fn parts_from_everywhere() {
    check("git status && rm x", &["r:git status", "p:rm x", "R0 /work/.", "D1 /work/x"]);
    check("git log > .bashrc", &["r:git log", "W+ /work/.bashrc", "R0 /work/."]);
    check("echo \"$(npm test)\"", &["p:npm test", "r:echo \"$(npm test)\""]);
    // What it prints may be a pattern, for which bash would list a folder.
    check("echo $(npm test)", &["p:npm test", "p:echo $(npm test)"]);
    check("npm  test\t--x 2>&1", &["p:npm test --x"]);
    check("timeout -k 5 30 npm test", &["p:npm test"]);
    check("RUST_BACKTRACE=1 cargo test", &["p:cargo test"]);
    check("X=1 cargo test", &["p:X=1 cargo test"]);
    check("find . -delete", &["x:find . -delete", "R0 /work/.", "V0 /work/."]);
    check("cd src && cat a", &["r:cd src", "r:cat a", "R0 /work/src", "R1 /work/src/a"]);
    check("cd src; cat a", &["r:cd src", "r:cat a", "R0 /work/src", "R1 /work/a", "R1 /work/src/a"]);
    check("if then", &["?"]);
    check("$X y", &["?", "p:$X y"]);
    check("cat < /dev/tcp/x.org/80", &["r:cat", "host x.org"]);
    check(
        "for f in *.md; do n=$(wc -l < \"$f\"); echo \"$n\"; done",
        &["r:wc -l", "r:echo \"$n\"", "R+ /work/*.md"],
    );
    check("wc -l < *.md", &["r:wc -l", "R+ /work/*.md"]);
    check("for f in *.md; do echo a > \"$f\"; done", &["?", "p:echo a", "R+ /work/*.md"]);
    check("for f in /dev/t*/h/80; do wc -l < $f; done", &["?", "p:wc -l", "R+ /dev/t*/h/80"]);
    check("PATH=.\nls", &["p:PATH=.", "p:ls", "R1 /work/."]);
    // Assigned by an expression, an expansion or a redirection, it is assigned all the same.
    check("((PATH=1)); git log", &["p:PATH=", "p:git log", "R1 /work/."]);
    check("for ((HOME=1; 0; )); do :; done; git log", &["p:HOME=", "p::", "p:git log", "R2 /work/."]);
    check(
        "echo $((x=1, PATH=2)); git log",
        &["p:PATH=", "p:echo $((x=1, PATH=2))", "p:git log", "R2 /work/."],
    );
    check("echo ${GIT_DIR:=x}; git log", &["p:GIT_DIR=", "p:echo ${GIT_DIR:=x}", "p:git log", "R2 /work/."]);
    check(": {PATH}</dev/null; git log", &["?", "p:PATH=", "p::", "p:git log", "R2 /work/."]);
    check(
        "cat /etc/os-release /etc/passwd",
        &["r:cat /etc/os-release /etc/passwd", "R- /etc/os-release", "R0 /etc/passwd"],
    );
}

/// Texts that look like reading and are not, or read where nobody can say.
#[test]
fn not_read_only() {
    let texts = [
        "git log --pretty --output=x",
        "git log -M --output=x",
        "git diff --color-words --ext-diff",
        "date -I 010100002020",
        "git for-each-ref --format='%(signature:grade)'",
        "git tag x",
        "git branch x",
        "git config user.name x",
        "od -w /etc/shadow x y | sh",
        "awk '/}/{print > \"f\"}' a",
        "awk 'BEGIN{ARGV[1]=\"/etc/passwd\";ARGC=2}{print}'",
        "jq --indent 2 env",
        "jq -n '$ENV'",
        "ps e",
        "nice cd src && cat a",
        "x=../out; true || x=a; cat $x; rm b",
        "echo $[a[$(rm x)]]",
        "echo \"$[a[0]]\"",
        "for ((;;)); do x=$x; done; cat $x",
        "ls() { rm x; }; ls",
        "alias ls=rm; ls",
        "test \"$a\" 'x[$(rm y)]'",
        "[ -v x ]",
        "printf -v x y",
        "printf \"$f\" a",
        "read -a x",
        "read 'x[$(rm y)]'",
        "sort $x",
        "uniq a b",
        "find . $x",
        "find * -name a",
        "sed $x a",
        "sed -n \"$x\" a",
        "tree -R -H . -L 1",
        "diff -l a b",
        "md5sum -c list",
        "command -p ls",
        "time -o x ls",
        "\\time -o x ls",
        "./ls",
        "ls | xargs cat",
        "PATH=. ; ls",
        "xxd -ic a b",
        "xxd a --",
        "xxd a -l",
        "xxd -c -r a",
        "xxd *",
        "tree -Po '*' f",
        "tree -Lo 1 f",
        "tree -LR 1",
        "tree -l",
        "tree --fromfile f",
        "strings @a",
        "strings -- @a",
        "strings *",
        "uniq f*",
        "uniq a -c",
        "diff a*",
        "diff -l a b",
        "ls -LR",
        "ls -RL a",
        "ls --dereference --recursive",
        "find -L .",
        "find . -newermx y",
        "rg -z x",
        "du -L .",
        "sed -ne 'w f' a",
        "sed -i p a",
        "sed p a -e 'w f'",
        "sed -nf s a",
        "jq env a",
        "jq -L. . a",
        "jq --arg a",
        "jq --rawfile a b . c",
        "awk -f p a",
        "awk 1 -F ../f",
        "awk 1 a -v x=1",
        "awk 1 x=1 a",
        "awk -v \"$x\" 1 a",
        "awk -v 'ENVIRON=1' 1",
        "date -s x",
        "date x",
        "date -f f",
        "date +%F x",
        "date --set=x",
        "ps -eo pid,environ",
        "ps -eo pid e",
        "ps auxe",
        "ps -o pid,env",
        "ps -E",
        "hostname x",
        "hostname -F f",
        "sort --out=f a",
        "sort --comp=sh a",
        "sort -T. a",
        "sort -nof a",
        "sort --files0-from=f",
        "wc --files0-from=f",
        "file -C -m f",
        "file -f f",
        "less +!touch a",
        "less -o f a",
        "less *",
        "more +/x a",
        "bat cache --build",
        "bat --pager=sh a",
        "bat --paging=always a",
        "tar xf a.tar",
        "tar tIf sh a.tar",
        "tar tf host:a",
        "tar tf a.tar --to-command=sh",
        "tar -tf a.tar -I sh",
        "tar tf *",
        "gzip a",
        "gzip -d a.gz",
        "gunzip a.gz",
        "zcat a",
        "zcat -f a",
        "unzip a.zip",
        "unzip -l 'a*'",
        "unzip -l a.zip -d x",
        "openssl x509 -in a -out b",
        "openssl x509 -in http://x/y -text",
        "openssl x509 -req -in a",
        "openssl enc -in a",
        "bc f",
        "tput init",
        "tput -T x cols",
        "ss -K",
        "ss -D f",
        "ss -F f",
        "netstat -tlp",
        "top",
        "top -n 1",
        "whereis -B . -f ls",
        "python3 -m json.tool a",
        "java --version",
        "x=1 ls",
        "LANG=C LD_PRELOAD=./x ls",
        "cat <(rm x)",
        "echo > x",
        "cat <> x",
        "echo `rm x`",
        "echo \"`rm x`\"",
        "echo ${x:-`rm y`}",
        "echo $(( $(rm x) ))",
        "((x[$(rm y)]))",
        "case a in `rm x`) ;; esac",
        "until false; do ls; rm x; done",
        "select x in a; do ls; done",
        "yarn --version",
        "node -p 1",
        "cat a &> b",
        "rg --pre=x a",
        "cat $(ls)",
        "set -x; ls",
        "shopt -s expand_aliases; ls",
        "exec ls",
        "trap ls EXIT",
        "enable -f x ls",
        "hash -p x ls; ls",
    ];
    let place = Place::new(Path::new("/work"), Some(Path::new("/home/me")));
    let passing: Vec<_> =
        texts.into_iter().filter(|text| analyse(text, &place).effects.is_read_only()).collect();
    assert!(passing.is_empty(), "{passing:?}");
}

/// A value that may not have been given does not hide the one before.
#[test]
fn every_value_a_variable_may_have_is_a_path() {
    check("x=s; true || x=a; cat $x", &["r:true", "r:cat $x", "R1 /work/a", "R1 /work/s"]);
    check("x=s; if true; then x=a; fi; cat $x", &["r:true", "r:cat $x", "R1 /work/a", "R1 /work/s"]);
    check("for f in a b; do cat \"$f\"; done", &["r:cat \"$f\"", "R0 /work/a", "R0 /work/b"]);
    check("x=s; for i in 1; do x=a; done; cat $x", &["p:cat $x", "R0 /**"]);
}

#[test]
fn paths_of_file_commands() {
    check("cp a b", &["p:cp a b", "R0 /work/a", "W0 /work/b", "W0 /work/b/a"]);
    check("cp -t.. a", &["p:cp -t.. a", "W0 /work/..", "W0 /work/a", "W0 /work/../a"]);
    check("mv a ../b", &["p:mv a ../b", "D0 /work/a", "W0 /work/../b", "W0 /work/../b/a"]);
    // Where the target is a folder, a source keeps its name in it.
    for text in [
        "cp x/.envrc sub",
        "mv x/.envrc sub/",
        "ln -sf ../x/.envrc sub",
        "install -m 644 x/.envrc a sub",
        "cp -t sub x/.envrc",
        "cp --target=sub x/.envrc a",
        "cp --target-directory sub x/.envrc",
        "mv -vtsub x/.envrc",
        "cp -r x/.envrc/ sub",
    ] {
        let placed = Subject::Path {
            path: "/work/sub/.envrc".into(),
            access: PathAccess::Write,
            cover: Cover::With(0),
        };
        let subjects = analyse(text, &Place::new(Path::new("/work"), None)).subjects;
        assert!(subjects.contains(&placed), "{text}: {subjects:?}");
    }
    check("rm -rf build ~/x", &["p:rm -rf build ~/x", "D0 /work/build", "D0 /home/me/x"]);
    check("rm \"$x\"", &["p:rm \"$x\"", "D0 /**"]);
    check("cat *.md", &["r:cat *.md", "R0 /work/*.md"]);
    check("sed -i.bak s/a/b/ f", &["p:sed -i.bak s/a/b/ f", "W0 /work/f"]);
    check("sed -i -e p -e 'w /x' f", &["p:sed -i -e p -e 'w /x' f", "W0 /**", "W0 /work/w /x", "W0 /work/f"]);
    check("sed -i 's/a/b/w /x' f", &["p:sed -i 's/a/b/w /x' f", "W0 /**", "W0 /work/f"]);
    check("cd a && touch b", &["r:cd a", "p:touch b", "R0 /work/a", "W1 /work/a/b"]);
}

#[test]
fn literal_scripts_are_seen_by_deny_rules() {
    let texts = [
        "sh -c 'rm x'",
        "env -i sh -c 'cd a && rm x'",
        "eval rm x",
        "sudo rm x",
        "find . -exec rm x \\;",
        "xargs -n1 rm x",
        "timeout 5 bash -lc 'rm x'",
        "trap 'rm x' EXIT",
        "/bin/rm x",
        "'rm' x",
        "A=1 command rm x",
        "{ rm x; }",
    ];
    for text in texts {
        let analysis = analyse(text, &Place::new(Path::new("/work"), None));
        let matches = |form: &String| form == "rm x" || form.starts_with("rm x ");
        let seen = |subject: &Subject| matches!(subject, Subject::Command(part) if part.for_deny.iter().any(matches));
        assert!(analysis.subjects.iter().any(seen), "{text}: {:?}", analysis.subjects);
    }
}

/// Commands that read everything below a folder say so.
#[test]
fn copies_and_archives_read_everything_below() {
    check(
        "cp -r a b",
        &["p:cp -r a b", "B0 /work/a", "W0 /work/b", "W0 /work/b/a", "V0 /work/b/a", "V0 /work/b"],
    );
    check(
        "cp -at b a",
        &[
            "p:cp -at b a",
            "W0 /work/b",
            "W0 /work/a",
            "B0 /work/b",
            "B0 /work/a",
            "W0 /work/b/b",
            "W0 /work/b/a",
            "V0 /work/b/b",
            "V0 /work/b/a",
            "V0 /work/a",
        ],
    );
    check(
        "rsync -a a/ b",
        &["p:rsync -a a/ b", "B0 /work/a/", "W0 /work/b", "W0 /work/b/a", "V0 /work/b/a", "V0 /work/b"],
    );
    let reads = |text: &str, path: &str, access: PathAccess| {
        let cover = Cover::With(0);
        let subject = Subject::Path { path: path.into(), access, cover };
        let subjects = analyse(text, &Place::new(Path::new("/work"), None)).subjects;
        assert!(subjects.contains(&subject), "{text}: {subjects:?}");
    };
    use PathAccess::{Read, ReadBelow, Write};
    reads("tar czf o.tgz src", "/work/src", ReadBelow);
    reads("tar czf o.tgz src", "/work/o.tgz", Write);
    reads("tar -chf o.tar src", "/**", Read);
    reads("zip -r o.zip src", "/work/src", ReadBelow);
    reads("zip -r o.zip src", "/work/o.zip", Write);
    reads("rg --pre=a x", "/work/.", ReadBelow);
    reads("grep -r --unknown x src", "/work/src", ReadBelow);
    reads("find src -exec cat {} +", "/work/src", ReadBelow);
    reads("grep -R --unknown x src", "/**", Read);
}

#[test]
fn limits_fail_closed() {
    for text in [
        "echo \0",
        "echo a\u{202e}b",
        "\x1b[2J",
        &"(".repeat(5_000),
        &format!("{}ls{}", "(".repeat(200), ")".repeat(200)),
    ] {
        let analysis = analyse(text, &Place::default());
        assert!(matches!(analysis.subjects.get(1), Some(Subject::Unreadable(_))), "{text:.40}");
        assert!(analysis.effects.is_destructive());
    }
    let long = format!("rm x; echo {}", "a".repeat(10_000));
    let analysis = analyse(&long, &Place::default());
    assert!(matches!(analysis.subjects.get(1), Some(Subject::Unreadable(_))));
    let seen = |subject: &Subject| matches!(subject, Subject::Command(part) if part.for_deny.contains(&"rm x".into()));
    assert!(analysis.subjects.iter().any(seen), "deny rules still see what could be read");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]
    #[test]
    fn no_text_panics(text in ".{0,60}", pieces in "[a$(){}<>|&;'\"`\\\\ \n=!*\\[\\]#-]{0,40}") {
        let place = Place::new(Path::new("/work"), None);
        let _ = (analyse(&text, &place), analyse(&pieces, &place));
    }
}

/// Words that may stand for something else than they were taken for: the host looks.
#[test]
fn globs_and_files_are_named() {
    let of = |text: &str| {
        let analysis = analyse(text, &Place::new(Path::new("/work"), None));
        assert!(analysis.effects.is_read_only(), "{text}");
        let globs = analysis.globs.iter().map(|(folder, pattern)| folder.join(pattern));
        globs.chain(analysis.files).map(|path| path.display().to_string()).collect::<Vec<_>>()
    };
    for text in ["sort *", "wc -l *", "du -sh *", "grep x *", "ls -d *", "tail -n 1 *", "tree *", "file *"] {
        assert_eq!(of(text), ["/work/*"], "{text}");
    }
    assert_eq!(of("cd src && head *.md ?x/y"), ["/work/src/*.md", "/work/src/?x"]);
    assert!(of("sort ./* a* src/*").is_empty());
    assert_eq!(of("diff a ../b"), ["/work/a", "/work/../b"]);
    assert!(of("diff -r --no-dereference a b").is_empty());
}

/// What is read below a folder, and not its names alone.
#[test]
fn content_below_folders() {
    check("grep -rn x src", &["r:grep -rn x src", "B0 /work/src"]);
    check("grep -d recurse x", &["r:grep -d recurse x", "B0 /work/."]);
    check("grep x a", &["r:grep x a", "R0 /work/a"]);
    check("grep x", &["r:grep x"]);
    check("rg x", &["r:rg x", "B0 /work/."]);
    check("rg --files ../out", &["r:rg --files ../out", "R0 /work/../out"]);
    check("diff -r --no-dereference a b", &["r:diff -r --no-dereference a b", "B0 /work/a", "B0 /work/b"]);
    check("diff a b", &["r:diff a b", "R0 /work/a", "R0 /work/b"]);
    check("tree src", &["r:tree src", "R0 /work/src"]);
    check("column -nc ../f", &["r:column -nc ../f", "R0 /work/../f"]);
    check("head a -n ../f", &["r:head a -n ../f", "R0 /work/a", "R0 /work/../f"]);
    check("tail a -n 5; date +%F -d x", &["r:tail a -n 5", "r:date +%F -d x", "R0 /work/a"]);
    check("awk -F, 1 a -", &["r:awk -F, 1 a -", "R0 /work/a"]);
    check("echo ../*", &["r:echo ../*", "R0 /work/../*"]);
    check("expr out/* : x", &["r:expr out/* : x", "R0 /work/out/*"]);
    check("date -r f", &["r:date -r f", "R0 /work/f"]);
    check("jq -r .a f", &["r:jq -r .a f", "R0 /work/f"]);
    check("rg -f p x", &["r:rg -f p x", "B0 /work/p", "B0 /work/x"]);
}

/// The programs whose rows were relied on: where a name stands for another program, the text is not read-only.
#[test]
fn programs_of_the_system_are_named() {
    let programs = |text: &str| analyse(text, &Place::new(Path::new("/work"), None)).programs;
    assert_eq!(programs("ls | grep a; echo \"$(git log)\"; cd x && ls"), ["ls", "grep", "git"]);
    assert_eq!(programs("timeout 5 cat a"), ["timeout", "cat"]);
    assert_eq!(programs("zcat a.gz | egrep x"), ["zcat", "gzip", "egrep", "grep"]);
    assert!(programs("ls; rm x").is_empty());
}

/// Forms for deny rules, and what words may become, stay small whatever a text repeats.
#[test]
fn forms_and_words_are_bounded() {
    let many = |piece: &str| piece.repeat(9_900 / piece.len());
    let texts = [
        many("env "),
        many("env sudo nice a rm "),
        format!("env {}", many("bash -c ls ")),
        format!("env {}", many("sed a ")),
        format!("ls {}", many("<a ")),
        format!("cat {}", many("{1..9}{1..7} ")),
        format!("a='{}'; cat {}", "x ".repeat(60), "$a ".repeat(3_000)),
        format!("for a in {}; do sudo $a {}; done", "a b c d e f g h ".repeat(3), "rm ".repeat(3_000)),
        format!("a=x{}; echo $a", "; a=$a$a".repeat(1_100)),
        format!("{}ls", many("eval ")),
    ];
    for text in texts {
        let size = |subject: &Subject| match subject {
            Subject::Command(part) => part.for_deny.iter().map(String::len).sum(),
            _ => 0,
        };
        let bytes: usize = analyse(&text, &Place::default()).subjects.iter().map(size).sum();
        assert!(bytes < 300_000, "{text:.40}: {bytes} bytes of forms");
    }
}
