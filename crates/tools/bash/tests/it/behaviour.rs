//! What one call does beside its output: folders, limits, cancellation, opinions.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolwright_core::{
    Cancel, ContextChange, DynCall, Environment, Progress, Registry, Services, ToolContext, Verdict,
};
use toolwright_testkit::TempWorkspace;
use toolwright_tool_bash::REGISTRATION;

use crate::session::{Session, variables};

fn parsed(input: Value) -> Arc<dyn DynCall> {
    let environment = Environment::new(variables(), serde_json::Map::new());
    let built = Registry::of(&[REGISTRATION]).unwrap().build(&Services::new(Arc::new(environment)));
    Arc::clone(&built.tools[0]).parse(input).unwrap()
}

fn context(workspace: &TempWorkspace) -> ToolContext {
    ToolContext::new("call", "main", workspace.path(), Cancel::default(), |_| {})
}

async fn check(command: &str, expect: &str) {
    let workspace = TempWorkspace::new();
    let mut session = Session::new(workspace.path(), variables());
    let answer = session.call(json!({"command": command})).await;
    let folder = workspace.path().to_str().unwrap();
    assert_eq!(answer.text.replace(folder, "{cwd}"), expect, "{command}");
}

#[tokio::test]
async fn what_the_model_reads() {
    check("true", "(no output)").await;
    check("false", "[exit code 1]").await;
    check("echo a; exit 3", "a\n[exit code 3]").await;
    check("kill -9 $$", "[ended by signal 9]").await;
    check("mkdir a; cd a", "(no output)\n[the working directory is now {cwd}/a]").await;
    check("mkdir a; ln -s a b; cd b", "(no output)\n[the working directory is now {cwd}/b]").await;
    check("echo \"$TERM:$GIT_PAGER:${BASH_ENV-}:$0:$#:$PWD\"", "dumb:cat::bash:0:{cwd}").await;
    check("tty; cat | wc -c", "not a tty\n0").await;
}

#[tokio::test]
async fn a_folder_that_is_gone_is_told() {
    let workspace = TempWorkspace::new();
    workspace.create_folder("a/b");
    let mut session = Session::new(&workspace.join("a/b"), variables());
    std::fs::remove_dir_all(workspace.join("a")).unwrap();
    let answer = session.call(json!({"command": "pwd"})).await;
    assert!(answer.text.contains("a/b no longer exists; the command ran in"), "{}", answer.text);
    assert_eq!((answer.is_error, session.cwd.as_path()), (false, workspace.path()));
}

#[tokio::test]
async fn a_cancelled_call_answers_with_what_it_has() {
    let workspace = TempWorkspace::new();
    let cancel = Cancel::default();
    let on_progress = cancel.clone();
    let seen = Arc::new(Mutex::new(Progress::default()));
    let told = Arc::clone(&seen);
    let cx = ToolContext::new("call", "main", workspace.path(), cancel, move |progress| {
        *told.lock().unwrap() = progress;
        on_progress.cancel();
    });
    let reply = parsed(json!({"command": "mkdir x; cd x; echo so far; sleep 9002"})).run(&cx).await.unwrap();
    let text = reply.answer[0].as_text().unwrap().to_owned();
    assert!(reply.outcome.is_failure() && text.starts_with("so far\n"), "{text}");
    assert!(text.contains("interrupted"), "{text}");
    assert_eq!(reply.changes, [ContextChange::SetCwd(workspace.join("x"))]);
    assert_eq!(seen.lock().unwrap().tail.as_deref(), Some("so far\n"));
}

#[tokio::test]
async fn a_long_output_is_whole_in_its_file() {
    let workspace = TempWorkspace::new();
    let mut given = variables();
    given.insert("TMPDIR".into(), workspace.path().to_str().unwrap().into());
    let mut session = Session::new(workspace.path(), given);
    let answer = session.call(json!({"command": "seq 100000"})).await;
    let file = answer.text.split_once("the whole output is in ").unwrap().1.trim_end_matches(']');
    assert!(answer.text.contains("bytes omitted") && answer.text.len() < 30_000);
    let whole = std::fs::read_to_string(file).unwrap();
    assert_eq!((whole.lines().count(), whole.lines().last()), (100_000, Some("100000")));
}

#[tokio::test]
async fn bad_input_says_what_is_right() {
    let workspace = TempWorkspace::new();
    let mut session = Session::new(workspace.path(), variables());
    for (input, words) in [
        (json!({"command": "true", "run_in_background": true}), "`run_in_background`"),
        (json!({"command": "true", "timeout": 0}), "give 1 to 600000 milliseconds"),
        (json!({"command": "  "}), "`command` is empty"),
        (json!({"comand": "true"}), "did you mean `command`?"),
    ] {
        let answer = session.call(input.clone()).await;
        assert!(answer.is_error && answer.text.contains(words), "{input}: {}", answer.text);
    }
}

#[tokio::test]
async fn removals_ask_a_person_and_rigged_repositories_ask() {
    let workspace = TempWorkspace::new();
    let cx = context(&workspace);
    let mut session = Session::new(workspace.path(), variables());
    session.call(json!({"command": "git init -q . && echo x > a"})).await;
    let verdict = async |command: &str| parsed(json!({"command": command})).check(&cx).await;
    assert!(matches!(verdict("rm -rf .").await, Verdict::AskPerson(_)));
    assert_eq!(verdict("rm -rf sub").await, Verdict::Defer);
    assert_eq!(verdict("git status").await, Verdict::Defer);
    session.call(json!({"command": "git config filter.e.clean 'touch pwned; cat'"})).await;
    assert!(
        matches!(verdict("git status").await, Verdict::NotReadOnly(why) if why.contains("filter \"e\".clean"))
    );
}

/// A watcher and a hook that a repository asks for do not run for a command that only reads.
#[tokio::test]
async fn reading_commands_start_nothing_of_the_repository() {
    let workspace = TempWorkspace::new();
    let mut session = Session::new(workspace.path(), variables());
    let rig = "git init -q . && echo x > a && git add a && git config core.fsmonitor 'touch pwned;' \
               && printf '#!/bin/sh\\ntouch pwned\\n' > .git/hooks/post-index-change && chmod +x .git/hooks/post-index-change";
    assert!(!session.call(json!({"command": rig})).await.is_error);
    std::fs::remove_file(workspace.join("pwned")).ok();
    for command in ["git status", "git diff --stat", "touch a; git status"] {
        session.call(json!({"command": command})).await;
        let reads = parsed(json!({"command": command})).effects().is_read_only();
        assert_eq!(workspace.join("pwned").exists(), !reads, "{command}");
    }
}

#[tokio::test]
async fn a_command_that_moves_in_a_known_folder_reads() {
    let workspace = TempWorkspace::new();
    let cx = context(&workspace);
    let here = workspace.path().to_str().unwrap();
    let call = parsed(json!({"command": format!("cd {here} && git status")}));
    assert!(!call.effects().is_read_only(), "without a folder it is not known where git runs");
    call.validate(&cx).await.unwrap();
    assert!(!parsed(json!({"command": "cd .. && git status"})).effects().is_read_only());
    assert!(call.effects().is_read_only() && !call.effects().is_concurrency_safe());
}
