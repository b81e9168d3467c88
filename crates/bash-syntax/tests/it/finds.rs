//! Texts that bash once read in another way than the parser, or whose printed form it did: each is refused, or does the same.

use std::path::Path;

use super::bash::Bash;
use super::printed::{Verdict, compare};

/// Read and printed, or refused: what counts is that it is not different.
const FINDS: &[&str] = &[
    // A substring needs an offset.
    "x=abc; echo ${x:}",
    "x=abc; echo ${x::2}",
    // The printed form held what the parser refuses: a backslash in a list within a substitution, and one before a line's end.
    r#"echo $(s=a/b; x=(${s/a'/'}); printf '<%s>' "${x[@]}")"#,
    "printf '<%s>' ''{$'\\\\\\n'\"\",}$()",
    // A single quote is text within quoted braces, but their end is looked for as if it were a quote.
    r#"echo "${u:-it's}""#,
    r#"echo "${u:-a'}" "' b""#,
    r#"echo "${u:-'a}" "b'}""#,
    r#"echo "${u:-'$(echo 'a')'}""#,
    r#"echo "${u:-'$(echo a)'}""#,
    "cat <<E\n${u:-it's}\nE",
    // A backslash in a list within a substitution is lost.
    r#"echo $(b=(\"); printf '<%s>' "${b[@]}")"#,
    r#"echo $(b=('a'\''b'); printf '<%s>' "${b[@]}")"#,
    r#"echo "$(b=("it's"); printf '<%s>' "${b[@]}")""#,
    r#"cat <(b=(\<); printf '<%s>' "${b[@]}")"#,
    // The first word of a substitution is not looked at as a reserved word `time`.
    "echo $(time case a in (a) echo b;; esac)",
    // What is behind `>&` is expanded twice.
    r#"z='$(touch m1)'; echo a >&"$z""#,
    "z='$(touch<m1)'; echo a >&$z",
    "echo a >&'$x'",
    r"echo a >&\\\\",
    r"echo a >&\'",
    "echo a >&o1",
    "echo a >&\"o 1\"",
    "echo a >&'{,}'",
    "echo a >&'{a,b}'c",
    "echo $(echo a >&'')",
    // A `$` alone keeps its word whole.
    "printf '<%s>' $x$",
    "printf '<%s>' $x,$ \"$x\"$ a$",
    "printf '<%s>' ${u:-$x$}",
    // A tilde prefix ends at a colon too.
    "printf '<%s>' ~: ~:a ${u:-~:b}",
    "case ~: in ~:) echo y;; esac",
    // The second `$` begins an expansion for the search of the end.
    "echo a${x/$${}",
    r#"echo "$$(echo a)" | tr -d 0-9"#,
    r#"echo "pid $$" "a$$""b" | tr -d 0-9"#,
    r#"echo "$(echo "pid $$" 'b')" "`echo "a$$"`" "${u:-"a$$"}" | tr -d 0-9"#,
    // Braces in quotes within quoted braces are expanded.
    r#"printf '<%s>' "${x/'{,}'}""#,
    r#"printf '<%s>' "${x/"{a,b}"/c}""#,
    r#"printf '<%s>' {a,"${u:-"x,y"}"}"#,
    // New versions end a document within a substitution at a line that begins like its end and has a `)`.
    "echo \"$(cat <<'E'\na\nE)\nb\nE\n)\"",
    "echo \"$(cat <<'E'\na\nE: touch m1 )\nb\nE\n)\"",
    "echo \"$(cat <<E\na\nE; touch m1 )\nb\nE\n)\"",
    "echo \"$(cat <<-E\na\n\tE & touch m1;)\nb\nE\n)\"",
    // Behind a redirection no word is a reserved one.
    "if (echo a) >o1 then echo b; fi",
    "{((a[1]))&>5''$()\"\" }",
    "while { false; } 2>&1 do echo; done",
    "{ (echo a) >o1; }",
    "( (echo a) >o1 )",
    // Bash looks for the end of a process substitution where it is only text.
    r#""${y+<(<}""#,
    r#"echo "${y+">(<"}""#,
    r#"echo "${x/a/<(b}""#,
    "echo ${x:0<(1+(0))} ${a[0<(1)]}",
    // A backslash takes away the meaning of a single quote that is text.
    r#""${x-\''''}""#,
    r#"echo "${u-\'b'}""#,
    // A pattern that begins with a dash is one all the same.
    "for x in -a a '-*'; do case $x in -*) echo flag $x;; *) echo none $x;; esac; done",
    "[[ -a == -* ]] && echo y; [[ a-b =~ -. ]] && echo y; [[ -f ]] && echo y",
    "touch ./-x; -? a; time -p true; time -? a",
    // What negates a bracket is a part of the pattern in the word of an expansion too.
    "echo ${u:-[!f]*} ${u:-[^f]*} \"${u:-[!f]*}\"",
    // Text of an expansion is split at any character of IFS.
    "IFS=';'; printf '<%s>' ${u:-a;b} ${u:-a:b}; IFS=:; printf '<%s>' ${u:-a;b} ${u:-a:b}",
    "IFS=é; printf '<%s>' ${u:-aéb}",
    // The message of `?` is expanded as outside of quotes.
    r#"echo "${e:?''}""#,
    r#"echo "${e:?'a b'}""#,
    r#"echo "${e:?\a}""#,
    r#"echo "${e:?a\$b"c d"}""#,
    r#"echo "${e:?$x}""#,
    r#"echo "${e:?$(echo 'a  b')}""#,
    // Old versions expand braces before they run what is in `${..}` and `<( )`, and do not read these.
    "echo ${u:-$(echo {a,b} c)}; cat <(echo {1..2} c); echo \"${u:-$(echo {a,b})}\" $(echo {a,b})",
    "echo ${u:-'a'$(echo b | { cat; }; echo 'c')}",
    "if time { true; }; then echo a; fi; time { true; }; if time true; then echo a; fi",
    "for ((i = $(touch m1; echo 9); i < 9; i++)); do echo a; done; for ((i = $(echo 1); i < 2; i++)); do echo a; done",
    // A quoted slash ends no tilde prefix.
    "printf '<%s>' ${x/a/~/} ${x/a/~} ${x/~/a}",
];

#[test]
fn finds_stay_mended() {
    let bash = Bash::new(Path::new("/bin/bash"), "finds");
    for text in FINDS {
        let verdict = compare(&bash, text);
        assert!(matches!(verdict, Verdict::Same | Verdict::Refused), "{text}\n{verdict:?}");
    }
}

#[test]
fn what_changes_how_bash_reads_has_no_printed_form() {
    let is_printed = |text: &str| matches!(super::printed::printed(text), Ok(Some(_)));
    for text in [
        "set -o posix",
        "set -e -o posix",
        "set -k; echo a=b",
        "set -euvo pipefail",
        "set -H",
        "set $x",
        "command set -o keyword",
        "builtin shopt -s expand_aliases",
        "shopt -s $x",
        "shopt -s compat32",
        "POSIXLY_CORRECT=1",
        "export BASH_COMPAT=3.2",
        "coproc cat",
        "select x in a b; do echo; done",
    ] {
        assert!(!is_printed(text), "{text}");
    }
    for text in [
        "set -e",
        "set -euo pipefail",
        "set -- -k $x",
        "set +e",
        "shopt -s nullglob",
        "set -o",
        "set a b",
        "echo set -k",
    ] {
        assert!(is_printed(text), "{text}");
    }
}
