//! Texts made to pass for reading: none may.

use std::path::Path;

use toolwright_core::{PathAccess, Subject};
use toolwright_shell::{Analysis, Place, analyse};

fn analysis(text: &str) -> Analysis {
    analyse(text, &Place::new(Path::new("/work"), Some(Path::new("/home/me"))))
}

/// Whether it would run without a question: it reads, below the working folder alone.
fn passes(text: &str) -> bool {
    let analysis = analysis(text);
    let inside = |subject: &Subject| match subject {
        Subject::Path { path, access, .. } => {
            let climbs = path.components().any(|part| part == std::path::Component::ParentDir);
            access.is_read() && path.starts_with("/work") && !climbs
        }
        _ => true,
    };
    // Into other folders the host would look.
    let stays = analysis.git_folders.iter().all(|folder| folder == Path::new("/work"));
    // In some places names are looked at first.
    let unseen = analysis.names.is_empty() && analysis.followed.is_empty();
    stays && unseen && analysis.effects.is_read_only() && analysis.subjects.iter().all(inside)
}

fn none_passes(texts: &[&str]) {
    let passing: Vec<_> = texts.iter().filter(|text| passes(text)).collect();
    assert!(passing.is_empty(), "these pass: {passing:#?}");
}

#[test]
fn a_variable_has_every_value_it_may_have() {
    none_passes(&[
        "x=a; true && x=../out && false && x=a; cat $x",
        "x=-print; true && x=-delete && false && x=-print; find . $x",
        "x=a; true && x=../out || x=a && cat $x",
        "x=a; for i in 1; do x=../out; break; x=a; done; cat $x",
        "x=a; while true; do x=../out; continue; x=a; done; cat $x",
        "x=a; for i in 1; do if true; then x=../out; break; fi; x=a; done; cat $x",
        "true && x='a[$(touch f)]'; (( x = x ))",
        "for i in 1; do ((x=1)); x='a[$(touch f)]'; break; ((x=1)); done; echo $((x))",
    ]);
}

#[test]
fn the_folder_is_every_one_it_may_be() {
    none_passes(&[
        "cd evil && false && cd ..; git status",
        "true && cd evil && false && cd /work; git status",
        "for i in 1; do cd evil; break; cd ..; done; git status",
        "cd evil && true || cd /work && git status",
    ]);
}

#[test]
fn a_variable_by_which_programs_open_a_file_names_one_of_the_system() {
    none_passes(&[
        "TZ=../x ls -l",
        "TZ=/work/x date",
        "TZ=:x date",
        "TZ=UTC/../../x date",
        "TZ=$x date",
        "TZ=../x; ls -l",
        "LC_ALL=../x ls",
        "LC_TIME=./x date",
        "LANG=$(cat x) ls",
        "TERM=/work/x tput cols",
        "date -d 'TZ=\"../../x\" now'",
        "date --date='TZ=\"/work/x\" now'",
    ]);
    for text in [
        "TZ=UTC date",
        "TZ=Europe/Berlin date +%H",
        "TZ=CET-1CEST,M3.5.0,M10.5.0/3 date",
        "LC_ALL=C sort a",
        "LC_ALL=en_US.UTF-8 LANG=C ls",
        "date -d 'TZ=\"Europe/Berlin\" 09:00 next Fri'",
    ] {
        assert!(passes(text), "{text}");
    }
}

#[test]
fn a_heading_hides_no_column() {
    none_passes(&[
        "ps -o pid=X,environ=Y",
        "ps -o pid=X,environ",
        "ps -o pid=,environ",
        "ps -C bash -o comm=,environ=",
        "ps -o 'pid=X environ'",
    ]);
    assert!(passes("ps -o pid,comm=PROGRAM") && passes("ps -o pid= -o comm="));
}

#[test]
fn a_flag_known_in_part_is_not_known() {
    none_passes(&[
        "git diff \"-$x\"",
        "git log \"--$x\"",
        "git log --o\"$(echo utput=f)\"",
        "git tag -l \"-$x\" v1",
        "git show -\"`echo -output=f`\"",
    ]);
}

#[test]
fn built_ins_that_set_what_an_argument_names() {
    none_passes(&["printf '%n' PATH; ls", "printf 'a%5n' PATH; ls", "printf 'a%-*.3ln' 5 PATH"]);
    assert!(passes("printf '%s\\n' a; printf '%d%%name\\n' 3"));
}

#[test]
fn what_the_project_names_is_not_started() {
    none_passes(&["go --version", "cargo --version", "yarn --version"]);
}

#[test]
fn arithmetic_evaluates_names() {
    none_passes(&[
        "bash='x[$(touch f)]'; echo $(( $0 ))",
        "echo $(( $* ))",
        "echo $(( $- ))",
        ": 'a[$(touch f)]'; echo $(( $_ ))",
    ]);
    assert!(passes("echo $(( $? + $# ))"));
}

#[test]
fn process_substitution_within_an_expansion() {
    none_passes(&["echo ${x:-<(touch f)}", "echo ${x:+>(touch f)}", "echo ${x#<(touch f)}"]);
}

#[test]
fn quotes_in_the_comments_of_awk() {
    none_passes(&[
        "awk '{ # \"\n print > \"f\" # \"\n}' a",
        "awk 'BEGIN { # \"\n system(\"touch f\") # \"\n}'",
        "awk 'BEGIN { SYMTAB[\"ARGV\"][1]=\"/etc/passwd\" } 1' a",
    ]);
}

#[test]
fn links_that_are_followed_lead_anywhere() {
    none_passes(&["grep -R x .", "rg -L x", "rg --follow x", "fd -L x", "diff -r a b", "du -L .", "tree -l"]);
}

#[test]
fn the_target_of_a_copy_is_seen_wherever_it_stands() {
    let writes = |text: &str, target: &str| {
        let path = |subject: &Subject| match subject {
            Subject::Path { path, access, .. } => *access == PathAccess::Write && path == Path::new(target),
            _ => false,
        };
        assert!(analysis(text).subjects.iter().any(path), "{text}: {:?}", analysis(text).subjects);
    };
    writes("cp -tlink a", "/work/link");
    writes("cp -rvtlink a", "/work/link");
    writes("mv -tlink a", "/work/link");
    let anywhere = analysis("cp -rL a b").subjects;
    assert!(
        anywhere
            .iter()
            .any(|subject| matches!(subject, Subject::Path { path, .. } if path == Path::new("/**")))
    );
}

#[test]
fn reading_that_needs_no_question() {
    for text in [
        "head -n -1 a",
        "grep -e -x a",
        "n=3; head -n \"$n\" a",
        "while IFS= read -r line; do echo \"$line\"; done < a",
        "x=a; true && x=b; cat $x",
        "for f in a b; do for g in c d; do cat \"$f/$g\"; done; done",
        "cd src && ls && cat a",
        "git --version; node -v; ls --help",
        "n=$(wc -l < a); basename \"$(pwd)\"; seq 1 \"$n\"",
    ] {
        assert!(passes(text), "{text}: {:?}", analysis(text).subjects);
    }
}

#[test]
fn characters_that_are_not_seen() {
    none_passes(&["ls \u{2028}touch f", "ls \u{200b}x", "ls \u{200d}x", "l\u{200d}s", "ls \u{202e}x"]);
    assert!(passes("grep -rn '\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}' a"));
}

#[test]
fn brackets_that_double_the_parsers_work_are_not_read() {
    for text in [
        "(".repeat(40),
        format!("{}ls;{}", "(".repeat(40), ")".repeat(40)),
        format!("(( {}", "a (".repeat(40)),
    ] {
        let subjects = analysis(&text).subjects;
        assert!(
            matches!(subjects.as_slice(), [Subject::Text(_), Subject::Unreadable(_), ..]),
            "{text}: {subjects:?}"
        );
    }
    // Braces that do not close are text.
    assert!(passes(&format!("cat {}", "{b,".repeat(40))));
    none_passes(&[&format!("cat {}../b,c}}", "{".repeat(40))]);
    assert!(passes("cat {a,{b,{c,d}e}f{1..3}}"));
    assert!(passes("((((1 + (2 * (3)))))) && (((ls; pwd) | cat) && (cat a))"));
}

#[test]
fn delimiters_that_the_tokenizer_never_finds_are_not_read() {
    let texts = [
        "cat <<$(  ",
        "cat <<'' ",
        "cat <<''\\\n ",
        "cat <<''< ",
        "cat <<\\ $( (",
        "cat <<<<<<<<\\ $( ( $(",
        "cat <<-`  ",
    ];
    for text in texts {
        let subjects = analysis(text).subjects;
        assert!(
            subjects.iter().any(|subject| matches!(subject, Subject::Unreadable(_))),
            "{text}: {subjects:?}"
        );
    }
    for text in [
        "cat <<'E'\n$(rm x)\nE\n",
        "cat <<-E\n\tx\n\tE\n",
        "cat << \"E\"\nx\nE\n",
        "cat <<< \"$(ls)\"",
        "echo $((1<<3)) $((1 << (2)))",
        "cat <<E | grep x\n$(ls)\nE\n",
    ] {
        assert!(passes(text), "{text}: {:?}", analysis(text));
    }
}

#[test]
fn numbers_that_the_parser_cannot_hold_are_not_read() {
    none_passes(&[
        "cat x 99999999999> /tmp/f",
        "cat {99999999999999999999..1}",
        "cat ~99999999999999999999/x",
        "cat ~-99999999999999999999/x",
    ]);
    assert!(passes("echo 99999999999999999999 99999999999999999999x"));
}

#[test]
fn quotes_within_a_quoted_expansion_do_not_protect() {
    none_passes(&[
        "echo \"${x:+'$(touch f)'}\"",
        "echo \"${x='$(touch f)'}\"",
        "[[ \"${x:-'$(touch f)'}\" ]]",
        "case \"${x:-'$(touch f)'}\" in a) ;; esac",
        "cat <<< \"${x:-'$(touch f)'}\"",
        "cat <<EOF\n${x:-'`touch f`'}\nEOF",
        "echo \"${x#'$(touch f)'}\"",
    ]);
}

#[test]
fn assignments_within_expansions_and_redirections() {
    none_passes(&[
        "i=0; : $((1,i=1)); cat f$i",
        "i=0; : ${x:i++:1}; cat f$i",
        "i=0; : $((x=1+(i=1))); cat f$i",
        "for ((i=0; i<1; i++)); do :; done; cat f$i",
        "x='a[$(touch f)]'; b=([a[0]]=1)",
        "((${#b[$(touch f)]}))",
    ]);
}

#[test]
fn a_value_that_doubles_is_not_known() {
    let text = format!("a=x{}; echo $a", "; a=$a$a".repeat(40));
    assert!(!analysis(&text).subjects.is_empty());
    none_passes(&[&format!("a=../x{}; cat $a", "; a=$a$a".repeat(20))]);
}

#[test]
fn a_variable_that_may_not_have_been_set_is_what_was_inherited() {
    none_passes(&[
        "false && token=x; echo $token",
        "for token in $(true); do :; done; echo $token",
        "for i in 1 2; do echo $token; token=1; done",
        "if [ a = b ]; then token=x; fi; echo \"${token:-y}\"",
        "case $1 in a) token=x ;; esac; echo $token",
        "while true; do token=x; break; done; cat <<< \"$token\"",
        "echo $GITHUB_TOKEN",
        "echo ${GITHUB_TOKEN:-a}",
        "[[ $GITHUB_TOKEN == x* ]]",
        "cat <<X\n$GITHUB_TOKEN\nX",
        "for x in $GITHUB_TOKEN; do ls $x; done",
        "x=$GITHUB_TOKEN; ls",
        "(x=$GITHUB_TOKEN); ls",
        "i=$((i+1))",
    ]);
    for text in [
        "if true; then x=a; else x=b; fi; cat $x",
        "case a in a) x=a ;; *) x=b ;; esac; cat $x",
        "i=0; while ((i < 3)); do echo $i; i=$((i+1)); done",
        "i=0; for f in a b; do ((i++)); done; echo $i",
        "for f in a b; do cat $f; done; echo $f",
        "x='a b'; cat $x",
        "x='a  b'; for f in $x; do cat $f; done",
        "x=; cat $x a",
        "echo $HOME $LANG $LC_ALL ${EDITOR:-vi}",
    ] {
        assert!(passes(text), "{text}: {:?}", analysis(text).subjects);
    }
    none_passes(&["x='a ../b'; cat $x", "x='-delete .'; find $x", "IFS=x; x=ax../b; cat $x"]);
}

/// What a script assigns to them is evaluated, or is not what it finds in them.
#[test]
fn variables_that_bash_itself_sets() {
    for text in [
        "RANDOM='a[$(touch f)]'",
        "OPTIND='a[$(touch f)]' ls",
        "RANDOM=('a[$(touch f)]')",
        "for OPTIND in 'a[$(touch f)]'; do ls; done",
        "printf -v UID '%s' 'a[$(touch f)]'",
        "read OPTIND",
        "_=1; echo 'a[$(touch f)]'; echo $((_))",
        "OPTARG=1; getopts a: x; echo $((OPTARG))",
        "BASH_REMATCH=1; [[ 'a[$(touch f)]' =~ .* ]]; echo $((BASH_REMATCH))",
    ] {
        let subjects = analysis(text).subjects;
        assert!(matches!(subjects.get(1), Some(Subject::Unreadable(_))), "{text}: {subjects:?}");
    }
    none_passes(&["RANDOM=5; cat f$RANDOM", "PWD=a; cat $PWD/b", "SECONDS=0; cat f$SECONDS"]);
}

/// A here-document without expansions is data: it counts towards no limit but that of all.
#[test]
fn a_message_in_a_here_document_may_be_long() {
    let line = "It's (1 of 2: \"quoted `and` $(so) on\\ ) \u{e4} \u{1f600}\n";
    let message: String = line.chars().cycle().take(10_000).collect();
    let commit = |message: &str| format!("git commit -m \"$(cat <<'EOF'\n{message}\nEOF\n)\"");
    let unreadable = |text: &str| {
        let subjects = analysis(text).subjects;
        subjects.iter().any(|subject| matches!(subject, Subject::Unreadable(_)))
    };
    let text = commit(&message);
    assert!(!unreadable(&text), "{:?}", analysis(&text).subjects.get(1));
    assert!(analysis(&text).printed.is_some());
    assert!(!unreadable(&commit(&"x".repeat(10_000))));
    assert!(unreadable(&commit(&"x".repeat(24_000))));
    assert!(!unreadable(&format!("echo {}", "x".repeat(9_995))));
    assert!(unreadable(&format!("echo {}", "x".repeat(9_996))));
    // Text that is expanded, or that stands in a text of its own, is code.
    assert!(unreadable(&format!("cat <<EOF\n{}$x\nEOF", "x".repeat(10_000))));
    assert!(unreadable(&format!("bash -c \"cat <<'EOF'\n{}\nEOF\"", "x".repeat(10_000))));
}

/// Names of regular files below a folder of the project, handed to a program that reads.
#[test]
fn names_that_find_gives() {
    for text in [
        "find . -type f -name '*.rs' -exec grep x {} +",
        "find src -type f -exec wc -l {} \\;",
        "find . -type f -print0 | xargs -0 grep -n x",
        "find . -type f -name '*.rs' -print0 | xargs -0 -r -n 5 grep -l TODO",
        "find . -type f -print0 2>/dev/null | xargs -0 -I{} grep x {}",
        "ls | xargs -n1 echo",
    ] {
        assert!(passes(text), "{text}: {:?}", analysis(text).subjects);
    }
    none_passes(&[
        "find . -name '*.rs' -print0 | xargs -0 grep x",
        "find . -type f -print0 | xargs -0 uniq",
        "find . -type f -print0 | xargs -0 rm",
        "find . -type f -print0; xargs -0 grep x",
        "{ find . -type f -print0; echo a; } | xargs -0 grep x",
        "find . -type f -print0 | xargs -0 grep x < other",
        "find . -type f -print0 | { xargs -0 grep x; } < other",
        "find . -type f -o -name x -print0 | xargs -0 grep x",
        "find -L . -type f -print0 | xargs -0 grep x",
        "find . ! -type f -print0 | xargs -0 grep x",
        "find . -type f -print0 2>&1 | xargs -0 grep x",
        "find . -type f -print0 |& xargs -0 grep x",
        "find . -type f -print0 | xargs grep x",
        "find .. -type f -print0 | xargs -0 grep x",
        "find $x -type f -print0 | xargs -0 grep x",
        "find * -type f -print0 | xargs -0 grep x",
        "find . -type f -execdir grep x {} +",
        "find . -type f -exec grep x {} ';' -exec rm {} ';'",
        "find . -exec grep x {} +",
        "find . -type f -exec uniq {} +",
        "find . -type f -exec sh -c 'cat {}' ';'",
        "find . -type f -exec cat -{} +",
    ]);
    let below = analysis("find src -type f -exec cat {} +").subjects;
    assert!(below.contains(&Subject::Path {
        path: "/work/src/".into(),
        access: PathAccess::ReadBelow,
        cover: toolwright_core::Cover::With(0),
    }));
}

/// The names that a glob stands for are shown or tell what there is, whatever the program does with them.
#[test]
fn a_glob_reads_its_folder() {
    none_passes(&["echo /*", "expr ../* : a", "for f in /etc/*; do echo a; done", "a=(../*); echo a"]);
    assert!(passes("echo *; for f in src/*.rs; do echo \"$f\"; done; a=(*.md)"));
}

/// What a program starts is a program, also where the shell has a command of that name.
#[test]
fn programs_behind_wrappers_are_named() {
    let programs = |text: &str| analysis(text).programs;
    assert_eq!(programs("'time' ls"), ["time", "ls"]);
    assert_eq!(programs("timeout 11 pwd; echo a; command echo b"), ["timeout", "pwd"]);
    assert_eq!(programs("ls | xargs echo"), ["ls", "xargs", "echo"]);
    assert_eq!(programs("find . -type f -exec cat {} +"), ["find", "cat"]);
}
