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
                PathAccess::Write => "W",
                PathAccess::Remove => "D",
            };
            let cover = match cover {
                Cover::Own => "+".into(),
                Cover::With(number) => number.to_string(),
            };
            format!("{access}{cover} {}", path.display())
        }
        Subject::Unreadable(_) => "?".into(),
        Subject::Domain(host) => format!("host {host}"),
        other => format!("{other:?}"),
    };
    assert_eq!(analysis.subjects.iter().map(short).collect::<Vec<_>>(), expect, "{text}");
}

#[test]
fn parts_from_everywhere() {
    check("git status && rm x", &["r:git status", "p:rm x", "R0 /work/.", "D1 /work/x"]);
    check("git log > .bashrc", &["r:git log", "W+ /work/.bashrc", "R0 /work/."]);
    check(
        "echo $(npm test)",
        &["r:echo $(npm test)", "p:npm test"].iter().rev().copied().collect::<Vec<_>>().as_slice(),
    );
    check("npm  test\t--x 2>&1", &["p:npm test --x"]);
    check("timeout -k 5 30 npm test", &["p:npm test"]);
    check("RUST_BACKTRACE=1 cargo test", &["p:cargo test"]);
    check("X=1 cargo test", &["p:X=1 cargo test"]);
    check("find . -delete", &["x:find . -delete", "R0 /work/."]);
    check("cd src && cat a", &["r:cd src", "r:cat a", "R0 /work/src", "R1 /work/src/a"]);
    check("cd src; cat a", &["r:cd src", "r:cat a", "R0 /work/src", "R1 /work/src/a", "R1 /work/a"]);
    check("if then", &["?"]);
    check("$X y", &["?", "p:$X y"]);
    check("cat < /dev/tcp/x.org/80", &["r:cat", "host x.org"]);
    check("PATH=.\nls", &["p:ls", "R0 /work/."]);
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
        assert!(matches!(analysis.subjects.first(), Some(Subject::Unreadable(_))), "{text:.40}");
        assert!(analysis.effects.is_destructive());
    }
    let long = format!("rm x; echo {}", "a".repeat(10_000));
    let analysis = analyse(&long, &Place::default());
    assert!(matches!(analysis.subjects.first(), Some(Subject::Unreadable(_))));
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
