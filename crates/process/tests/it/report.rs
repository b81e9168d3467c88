//! The exit report: there however the script ends, and not to be noticed by it.

use toolwright_process::Exit;

use crate::{bash, run, text};

async fn check(script: &str, output: &str, exit: i32, report: &str) {
    let finished = run(bash(script).bash_exit_report("builtin printf '%s' \"<$PWD>\"")).await;
    let seen = (text(&finished.stdout.head), finished.exit, text(&finished.report));
    assert_eq!(seen, (output, Exit::Code(exit), report), "{script}");
}

#[tokio::test]
async fn a_script_reports_at_its_end_and_notices_nothing() {
    check("cd /usr", "", 0, "</usr>").await;
    check("cd /usr; exit 5", "", 5, "</usr>").await;
    check("set -eu; cd /usr; false", "", 1, "</usr>").await;
    check("(cd /usr); cd /", "", 0, "</>").await;
    check("cd /usr; exec true", "", 0, "").await;
    check("trap 'echo mine' EXIT; cd /usr", "mine\n", 0, "").await;
    check("cd /usr; echo \"${BASH_ENV-none}:$LINENO:$#\"", "none:1:0\n", 0, "</usr>").await;
    check("echo ${_##*/}\necho $LINENO $0; cd /usr", "bash\n2 bash\n", 0, "</usr>").await;
    check("cd /usr; bash -c 'echo ${BASH_ENV-none}'", "none\n", 0, "</usr>").await;
    check("\n# first\ncd /usr; cat <<EOF\n$LINENO\nEOF", "3\n", 0, "</usr>").await;
    check("cd /usr; x=1 &\nwait; echo ${x-none}", "none\n", 0, "</usr>").await;
    check("! cd /usr; (exit 3)", "", 3, "</usr>").await;
    check("cd /usr; exec 250>&-", "", 0, "").await;
    check("cd /usr; set -x", "", 0, "</usr>").await;
}

#[tokio::test]
async fn a_syntax_error_shows_the_scripts_own_text() {
    let finished = run(bash("if then").bash_exit_report("pwd")).await;
    assert_eq!(finished.exit, Exit::Code(2));
    assert_eq!(
        text(&finished.stdout.head),
        "bash: -c: line 1: syntax error near unexpected token `then'\nbash: -c: line 1: `if then'\n"
    );
}
