//! What an error leaves undone: the rest of a line, a command whose redirect fails, a folder that is not entered.

use std::path::Path;

use toolwright_core::Subject;
use toolwright_shell::{Place, analyse};

/// Whether it only reads, and names the file `outside` where it may read it.
fn passes(text: &str) -> bool {
    let analysis = analyse(text, &Place::new(Path::new("/work"), None));
    let named = analysis.subjects.iter().any(|subject| match subject {
        Subject::Path { path, .. } => path.ends_with("outside") || path == Path::new("/**"),
        _ => false,
    });
    analysis.effects.is_read_only() && !named
}

#[test]
fn the_rest_of_a_line_may_not_run() {
    for error in [
        "$((1/0))",
        "$((1%n))",
        "$((2**-1))",
        "$((08))",
        "$((z = 5, 1/0))",
        "${n:0:-9}",
        "${n:0:n}",
        "$((n /= 0))",
        "$(( 10#9a ))",
        "\"$((1/0))\"",
        "${y:-$((1/0))}",
        "${n:$((1/0))}",
    ] {
        for after in ["x=a", "for x in a; do :; done", "eval x=a", "{ x=a; }", "if true; then x=a; fi"] {
            let text = format!("n=0; x=outside\n: {error}; {after}\ncat \"$x\"");
            assert!(!passes(&text), "{text}");
            let text = format!("n=0; x='a[$(touch f)]'\n: {error}; {after}; x=1\necho $((x))");
            assert!(!passes(&text), "{text}");
        }
    }
    for text in [
        "x=outside\na[-5]=1; x=a\ncat $x",
        "x=outside\n{ : $((1/0))\nx=a\n}\ncat $x",
        "x=outside\nfor i in 1 2; do\n: $((1/0))\nx=a\ndone; x=a\ncat $x",
        "cd sub/deep; : $((1/0)); cd ..\ncat ../../outside",
    ] {
        assert!(!passes(text), "{text}");
    }
}

#[test]
fn what_is_no_error_changes_nothing() {
    for text in [
        "n=3\nn=$((n + 1)); x=a\ncat \"$x\"; echo \"$n\" $((n * 2))",
        "n=3; half=$((n / 2))\necho $((half + 1))",
        "x=abcdef\ny=${x:0:3}\necho \"$y\"",
        "for ((i = 0; i < 3; i++)); do x=a; done\necho \"$((i))\"",
        "x=outside; (: $((1/0)); x=a); x=a\ncat $x",
        "x=outside; y=$(: $((1/0))); x=a\ncat $x",
        "b=$((1/0))\nx=a\ncat $x",
    ] {
        assert!(passes(text), "{text}");
    }
}

#[test]
fn a_redirect_may_fail() {
    for body in [
        "{ x=a; } <gone",
        "if true; then x=a; else x=a; fi <gone",
        "case a in *) x=a;; esac <gone",
        "for x in a; do :; done <gone",
        "{ x=a; } <&9",
        "x=a <gone",
    ] {
        let text = format!("x=outside; {body}; cat $x");
        assert!(!passes(&text), "{text}");
        let text = format!("x='a[$(touch f)]'; {body}; x=$((x))");
        assert!(!passes(&text), "{text}");
    }
    assert!(passes("x=outside; { x=a; } 2>/dev/null; cat $x"));
    assert!(passes("x=outside; { x=a; } 2>&1; cat $x"));
}

#[test]
fn behind_a_negation_the_folder_was_not_entered() {
    assert!(!passes("! cd gone && cat outside"));
    let analysis = analyse("! cd gone && cat ../a", &Place::new(Path::new("/work/in"), None));
    let above = |subject: &Subject| matches!(subject, Subject::Path { path, .. } if path == Path::new("/work/in/../a"));
    assert!(analysis.subjects.iter().any(above), "{:?}", analysis.subjects);
    assert!(passes("! cd sub || cat a"));
}

#[test]
fn letters_that_make_ps_read_its_words_anew() {
    for text in ["ps -auxe", "ps -eaux", "ps -e -ux", "ps -ef -aux", "ps -egx", "ps -aux -C e", "ps -aux -Ce"]
    {
        assert!(!passes(text), "{text}");
    }
    for text in [
        "ps -aux",
        "ps -aux --sort=-%mem",
        "ps -ef",
        "ps -eo pid,args",
        "ps -fu me",
        "ps -ep1,2",
        "ps -C node",
    ] {
        assert!(passes(text), "{text}");
    }
}

#[test]
fn an_escaped_glob_may_be_an_expression_of_find() {
    assert!(!passes("x='\\-delet*'; find a $x"));
}

#[test]
fn a_glob_as_the_value_of_a_flag() {
    for text in [
        "grep -rn x src --include=*.ts",
        "grep -r x . --include=*.{ts,js}",
        "du --exclude=*.o .",
        "rg --glob=*.ts x",
    ] {
        assert!(passes(text), "{text}");
    }
    for text in
        ["grep x --file=*", "sort --out*", "bat --paging=* a", "grep -[rR] x .", "realpath --relative-to=* a"]
    {
        assert!(!passes(text), "{text}");
    }
}
