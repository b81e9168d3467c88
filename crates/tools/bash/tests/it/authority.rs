//! What runs, by who let it: the text as it was written where somebody has seen it, else what is printed from the analysis.

use serde_json::json;
use toolwright_core::Authority;
use toolwright_testkit::TempWorkspace;

use crate::session::{Session, variables};

const SEEN: [Authority; 3] = [Authority::Person, Authority::ExactRule, Authority::Bypass];

#[tokio::test]
async fn a_text_that_nobody_has_seen_runs_as_printed() {
    let written = "echo $BASH_EXECUTION_STRING; : 'a'\\b";
    let printed = "echo ${BASH_EXECUTION_STRING}; : 'ab'";
    for authority in [Authority::Analysis].into_iter().chain(SEEN) {
        let workspace = TempWorkspace::new();
        let mut session = Session::new(workspace.path(), variables());
        session.authority = authority;
        let answer = session.call(json!({"command": written})).await;
        let ran = if authority == Authority::Analysis { printed } else { written };
        assert_eq!(answer.text, ran, "{authority:?}");
        let recorded = session.recorded(json!({"command": written}));
        let other = (authority == Authority::Analysis).then(|| format!("{printed}\n"));
        assert_eq!(recorded, other, "{authority:?}");
    }
}

#[tokio::test]
async fn a_text_without_printed_form_runs_only_where_somebody_has_seen_it() {
    for command in [
        "touch made; coproc true",
        "touch made; select x in a; do break; done </dev/null",
        "shopt -s expand_aliases; alias t=touch\nt made",
        "set -o posix; touch made",
        "set -k; touch made",
        "touch made\n(",
        "touch made\r",
        &format!("touch made #{}", "x".repeat(10_000)),
    ] {
        let workspace = TempWorkspace::new();
        let mut session = Session::new(workspace.path(), variables());
        session.authority = Authority::Analysis;
        let answer = session.call(json!({"command": command})).await;
        let refused = "Bash was not run: nobody has seen this command, and it has no form that is sure to do";
        assert!(answer.is_error && answer.text.starts_with(refused), "{command}: {}", answer.text);
        assert!(!answer.text.contains("it was not analysed"), "{command}: {}", answer.text);
        assert_eq!(std::fs::read_dir(workspace.path()).unwrap().count(), 0, "{command}");
        for authority in SEEN {
            session.authority = authority;
            session.call(json!({"command": command})).await;
            assert_eq!(std::fs::read_dir(workspace.path()).unwrap().count(), 1, "{authority:?}: {command}");
            session.authority = Authority::Person;
            session.call(json!({"command": "rm made*"})).await;
        }
    }
}
