//! Texts whose tree once was not what bash runs, by the kind of the fault. All of them make a file: `touch` is seen as a
//! command, or the text is not read at all. Where it stands in a value that arithmetic evaluates, the text does not pass for
//! reading.

use std::path::Path;

use toolwright_core::Subject;
use toolwright_shell::{Analysis, Place, analyse};

fn analysis(text: &str) -> Analysis {
    analyse(text, &Place::new(Path::new("/work"), Some(Path::new("/home/me"))))
}

fn is_unreadable(analysis: &Analysis) -> bool {
    analysis.subjects.iter().any(|subject| matches!(subject, Subject::Unreadable(_)))
}

/// Nothing runs unseen: the text is refused, with no printed form, or the command in it is a part.
#[track_caller]
fn seen(texts: &[&str]) {
    for text in texts {
        let analysis = analysis(text);
        let is_touch =
            |subject: &Subject| matches!(subject, Subject::Command(part) if part.program == "touch");
        let refused = is_unreadable(&analysis) && analysis.printed.is_none();
        assert!(
            refused || analysis.printed.is_some() && analysis.subjects.iter().any(is_touch),
            "{text:?}: {:?}",
            analysis.subjects
        );
        assert!(!analysis.effects.is_read_only(), "{text:?}");
    }
}

#[track_caller]
fn none_reads(texts: &[&str]) {
    for text in texts {
        assert!(!analysis(text).effects.is_read_only(), "{text:?}");
    }
}

#[test]
fn single_quotes_within_quoted_braces() {
    seen(&[
        "echo \"${x:-'$(touch pwned)'}\"",
        "echo \"${x:+'$(touch pwned)'}\"",
        "echo \"${x:='$(touch pwned)'}\"",
        "echo \"${x-'$(touch pwned)'}\"",
        "echo \"${x+'`touch pwned`'}\"",
        "echo \"${x='$(touch pwned)'}\"",
        "echo \"${x:-$'$(touch pwned)'}\"",
        "[[ \"${x:-'$(touch pwned)'}\" ]]",
        "case \"${x:-'$(touch pwned)'}\" in a) ;; esac",
        "case a in \"${x:-'$(touch pwned)'}\") ;; esac",
        "cat <<< \"${x:-'$(touch pwned)'}\"",
        "cat <<EOF\n${x:-'$(touch pwned)'}\nEOF",
        "cat <<EOF\n${x:-$'$(touch pwned)'}\nEOF",
    ]);
}

#[test]
fn lines_of_here_documents_that_are_joined() {
    seen(&[
        "cat <<EOF\nEO\\\nF\ntouch pwned\nEOF",
        "cat <<EOF\nfoo\\\nEOF\necho '\nEOF\ntouch pwned #'",
        "cat <<EOF\n$\\\n(touch pwned)\nEOF",
    ]);
}

#[test]
fn delimiters_of_here_documents_with_quotes() {
    seen(&[
        "cat <<$'EOF'\nEOF\ntouch pwned\n$EOF",
        "cat <<'E\\OF'\nE\\OF\ntouch pwned\nEOF",
        "cat <<'E\"F'\nE\"F\ntouch pwned\nEF",
        "cat <<\"E'F\"\nE'F\ntouch pwned\nEF",
        "cat <<E\\'F\nE'F\ntouch pwned\nEF",
    ]);
}

#[test]
fn here_document_operators_within_braces() {
    seen(&["echo ${x:-<<EOF}\ntouch pwned\nEOF"]);
}

#[test]
fn expansions_that_were_taken_for_a_dollar_sign() {
    seen(&[
        "echo \"$(cat <<EOF\n(\nEOF\ntouch pwned)\"",
        "echo ${ touch pwned; }",
        "echo ${| touch pwned; }",
        "echo ${##<(touch pwned)}",
        "cat <<EOF\n${!x##it's}$(touch pwned)\nEOF",
    ]);
    none_reads(&[
        "x='a[$(touch pwned)]'; echo $[x+(]",
        "x='a[$(touch pwned)]'; echo ${y:x+(}",
        "x='a[$(touch pwned)]'; echo ${y:x}",
        "x='a[$(touch pwned)]'; echo ${!x~}",
        "x='a[$(touch pwned)]'; echo ${!x}",
        "x='$(touch pwned)'; echo ${b[x]~~}",
    ]);
    // A word that is not known may be any file.
    assert!(is_unreadable(&analysis("x=../OUT/SECRET.TXT; cat ${x~~}")));
}

#[test]
fn comments_within_substitutions() {
    seen(&[
        "echo \"$(ls  # )\ntouch pwned\n)\"",
        "echo $(ls # )\ntouch pwned\n)",
        "echo $( # \\\ntouch pwned\n)",
    ]);
}

#[test]
fn backslashes_within_back_quotes() {
    seen(&["echo `echo \\'; touch pwned; echo \\'`"]);
    none_reads(&["x='$(touch pwned)'; echo `echo ${x@P}`"]);
}

#[test]
fn dollar_signs_before_quotes() {
    seen(&["echo \\$'\\'; touch pwned; echo $'\\'' \\'", "echo $$'\\'; touch pwned; echo $'\\'' \\'"]);
}

#[test]
fn two_dollar_signs_before_a_brace() {
    seen(&["echo $${x; touch pwned; echo }"]);
}

#[test]
fn number_signs_right_behind_a_parenthesis() {
    seen(&["b=(1)#; touch pwned", "cat <(ls)#; touch pwned", "echo $(ls)#; touch pwned"]);
    none_reads(&["cat x<(ls)"]);
}

#[test]
fn braces_before_a_redirection() {
    none_reads(&[
        "x='a[$(touch pwned)]'; echo {b[x]}</dev/null",
        ": {PATH}</dev/null; ls",
        "exec {PATH}</dev/null; ls",
    ]);
    seen(&["echo {b[$(touch pwned)]}</dev/null"]);
}

#[test]
fn subscripts_of_elements() {
    none_reads(&[
        "x='a[$(touch pwned)]'; b=([x]+=1)",
        "x='a[$(touch pwned)]'; b=([ x]=1)",
        "x='a[$(touch pwned)]'; b=([a[0]]=1)",
        "x='a[$(touch pwned)]'; b[x]=1",
    ]);
    seen(&["b=([$(touch pwned)]=1)", "b=([a[$(touch pwned)]]=1)"]);
}

#[test]
fn subscripts_of_lengths() {
    none_reads(&[
        "b=(1); x='a[$(touch pwned)]'; echo $(( ${#b[x]} ))",
        "x='a[$(touch pwned)]'; ((${#b[x]}))",
    ]);
    seen(&["((${#b[$(touch pwned)]}))", "echo ${#b[$(touch pwned)]}", "echo ${!b[$(touch pwned)]}"]);
}

/// New versions of bash end a document within a substitution where a line begins like its end and has a `)`.
#[test]
fn lines_that_begin_like_the_end_of_a_here_document() {
    seen(&[
        "echo \"$(cat <<'EOF'\na\nEOF; touch pwned )\nEOF\n)\"",
        "echo \"$(cat <<'EOF'\na\nEOF & touch pwned; (true)\nEOF\n)\"",
        "cat <(cat <<EOF\na\nEOFx; touch pwned )\nEOF\n)",
    ]);
}
