//! How bash starts: which variables and folders a command finds, and which program its words stand for.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, json};
use toolwright_core::{Authority, Cancel, Environment, Registry, Services, ToolContext, Verdict};
use toolwright_services::WorkingFolders;
use toolwright_testkit::TempWorkspace;
use toolwright_tool_bash::REGISTRATION;

use crate::session::{Session, variables};

fn with(more: &[(&str, &str)]) -> BTreeMap<String, String> {
    let mut given = variables();
    given.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    given
}

async fn check(more: &[(&str, &str)], authority: Authority, command: &str, expect: &str) {
    let workspace = TempWorkspace::new();
    let mut session = Session::new(workspace.path(), with(more));
    session.authority = authority;
    let answer = session.call(json!({"command": command})).await;
    assert_eq!(answer.text, expect, "{command} with {more:?}");
}

#[tokio::test]
async fn nothing_of_the_callers_shell_is_handed_over() {
    let analysis = Authority::Analysis;
    for authority in [analysis, Authority::Person] {
        check(&[("BASH_FUNC_ls%%", "() { echo function; }")], authority, "type -t ls", "file").await;
        check(&[("SHELLOPTS", "noglob:xtrace"), ("PS4", "$(echo x)")], authority, "echo $-", "hBc").await;
        check(&[("BASHOPTS", "failglob")], authority, "shopt failglob || true", "failglob       \toff").await;
        check(&[("POSIXLY_CORRECT", "1")], authority, "[[ -o posix ]] || echo off", "off").await;
        check(
            &[("GLOBIGNORE", "*"), ("ENV", "x"), ("BASH_ENV", "x")],
            authority,
            "echo none$GLOBIGNORE$ENV$BASH_ENV",
            "none",
        )
        .await;
        check(&[("OLDPWD", "/usr")], authority, "echo ${OLDPWD-none}", "none").await;
    }
}

/// Bash reads `~/.bashrc` for `-c` too where it takes itself for one that a remote login started.
#[tokio::test]
async fn no_start_up_file_is_read() {
    let home = TempWorkspace::new();
    for name in [".bashrc", ".bash_profile", ".profile"] {
        home.write(name, "echo a start-up file; PATH=/no/such/folder");
    }
    let home = home.path().to_str().unwrap();
    for authority in [Authority::Analysis, Authority::ExactRule, Authority::Person, Authority::Bypass] {
        let remote = [("HOME", home), ("SSH_CLIENT", "1"), ("SSH2_CLIENT", "1"), ("SHLVL", "0")];
        check(&remote, authority, "ls /usr/bin/env", "/usr/bin/env").await;
        #[cfg(target_os = "linux")]
        check(
            &remote,
            authority,
            "mapfile -d '' -n 4 words </proc/self/cmdline; printf '<%s>' \"${words[@]}\"",
            "<bash><--norc><--noprofile><-c>",
        )
        .await;
    }
}

#[tokio::test]
async fn variables_that_change_programs_are_not_those_of_a_reading_call() {
    let git = [
        ("GIT_DIR", "/no/such/folder"),
        ("GIT_EXTERNAL_DIFF", "x"),
        ("LESSOPEN", "|x"),
        ("LD_LIBRARY_PATH", ""),
    ];
    let shown =
        "declare -p GIT_DIR GIT_EXTERNAL_DIFF LESSOPEN LD_LIBRARY_PATH LC_TIME 2>&1 | grep -c declare.-x";
    for authority in [Authority::Person, Authority::Bypass, Authority::ExactRule] {
        check(&[&git[..], &[("LC_TIME", "C")]].concat(), authority, shown, "5").await;
    }
    let workspace = TempWorkspace::new();
    let mut session = Session::new(workspace.path(), with(&[("GIT_DIR", "/no/such/folder")]));
    let begun = session.call(json!({"command": "unset GIT_DIR; git init -q -b main ."})).await;
    assert!(!begun.is_error, "{}", begun.text);
    let answer = session.call(json!({"command": "git status"})).await;
    assert!(answer.text.contains("On branch main"), "{}", answer.text);
    session.authority = Authority::Person;
    let answer = session.call(json!({"command": "git status"})).await;
    assert!(answer.text.contains("not a git repository"), "{}", answer.text);
}

#[tokio::test]
async fn the_folder_before_is_that_of_an_earlier_call() {
    let workspace = TempWorkspace::new();
    workspace.create_folder("a/b");
    let mut session = Session::new(workspace.path(), with(&[("OLDPWD", "/usr")]));
    for (command, expect, folder) in [
        ("cd - 2>&1", "OLDPWD not set", ""),
        ("cd a/b", "", "a/b"),
        ("echo $OLDPWD", "{cwd}\n", "a/b"),
        ("cd -", "{cwd}\n", ""),
        ("cd -", "{cwd}/a/b\n", "a/b"),
        ("trap 'echo mine' EXIT; cd ..", "mine\n[the folder it ended in is not known", "a/b"),
        ("cd ..; exec true", "[the folder it ended in is not known", "a/b"),
        ("exec true", "(no output)", "a/b"),
        ("trap 'echo mine' EXIT", "mine", "a/b"),
    ] {
        let answer = session.call(json!({"command": command})).await;
        let text = answer.text.replace(workspace.path().to_str().unwrap(), "{cwd}");
        assert!((text + "\n").contains(expect), "{command}: {}", answer.text);
        assert_eq!(session.cwd, workspace.join(folder), "{command}");
    }
}

/// Whoever agreed to a text agreed to what bash makes of it.
#[tokio::test]
async fn the_shell_is_none_of_the_project() {
    let workspace = TempWorkspace::new();
    for folder in ["proj/bin", "proj/node_modules/.bin", "outside"] {
        workspace.write(format!("{folder}/bash"), "#!/bin/sh\necho {} of $0\n".replace("{}", folder));
        let program = workspace.join(format!("{folder}/bash"));
        std::fs::set_permissions(program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    std::os::unix::fs::symlink(workspace.join("proj/bin"), workspace.join("link")).unwrap();
    workspace.create_folder("proj/sub");
    let here = workspace.path().to_str().unwrap();
    for authority in [Authority::Analysis, Authority::ExactRule, Authority::Person, Authority::Bypass] {
        for (path, expect) in [
            ("{}/proj/bin:/usr/bin:/bin", "real"),
            ("bin:/usr/bin:/bin", "real"),
            (":/usr/bin:/bin", "real"),
            ("{}/proj/node_modules/.bin:/usr/bin:/bin", "real"),
            ("{}/link:/usr/bin:/bin", "real"),
            ("{}/proj/sub/../bin:/usr/bin:/bin", "real"),
            ("/proc/self/cwd/bin:/usr/bin:/bin", "real"),
            ("{}/proj/bin", "Bash: there is no `bash` on the PATH that lies outside the project; install it"),
            ("", "Bash: there is no `bash` on the PATH that lies outside the project; install it"),
            // A shell that the person put on the PATH.
            ("{}/outside:/usr/bin:/bin", "outside of {}/outside/bash"),
        ] {
            let mut session =
                Session::new(&workspace.join("proj"), with(&[("PATH", &path.replace("{}", here))]));
            session.authority = authority;
            let answer = session.call(json!({"command": "echo real"})).await;
            assert_eq!(answer.text.trim(), expect.replace("{}", here), "PATH={path}");
        }
    }
}

#[tokio::test]
async fn a_name_that_stands_for_a_program_of_the_project_asks() {
    let workspace = TempWorkspace::new();
    for folder in ["proj/bin", "proj/node_modules/.bin", "proj/.venv/bin", "added/bin", "other/bin"] {
        for name in ["ls", "git", "git-lfs"] {
            workspace.write(format!("{folder}/{name}"), "#!/bin/sh\n");
            let program = workspace.join(format!("{folder}/{name}"));
            std::fs::set_permissions(program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        }
    }
    workspace.write("proj/plain/ls", "");
    std::os::unix::fs::symlink(workspace.join("proj/bin"), workspace.join("link")).unwrap();
    let here = workspace.path().to_str().unwrap();
    let check = async |path: &str, command: &str, asks: bool| {
        let path = path.replace("{}", here);
        let environment = Environment::new(with(&[("PATH", &path)]), Map::new());
        let mut services = Services::new(Arc::new(environment));
        services.offer::<dyn WorkingFolders>(Arc::new(vec![workspace.join("added")]));
        let built = Registry::of(&[REGISTRATION]).unwrap().build(&services);
        let call = Arc::clone(&built.tools[0]).parse(json!({"command": command})).unwrap();
        let cx = ToolContext::new("call", "main", &workspace.join("proj"), Cancel::default(), |_| {});
        let verdict = call.check(&cx).await;
        assert_eq!(matches!(verdict, Verdict::NotReadOnly(_)), asks, "{path} {command}: {verdict:?}");
    };
    let system = "/usr/bin:/bin";
    check(system, "ls", false).await;
    check(&format!("{{}}/proj/bin:{system}"), "ls", true).await;
    check(&format!("{system}:{{}}/proj/bin"), "ls", false).await;
    check(&format!("{{}}/added/bin:{system}"), "ls | wc -l", true).await;
    check(&format!("{{}}/other/bin:{system}"), "ls", false).await;
    check(&format!("{{}}/link:{system}"), "ls", true).await;
    check(&format!("{{}}/proj/plain:{system}"), "ls", false).await;
    check(&format!("bin:{system}"), "ls", true).await;
    check(&format!(":{system}"), "ls", true).await;
    check(&format!("{system}:bin"), "ls", false).await;
    check(&format!("~/bin:{system}"), "ls", true).await;
    check(&format!("/proc/self/cwd/bin:{system}"), "ls", true).await;
    check(&format!("{{}}/proj/node_modules/.bin:{system}"), "cat x | ls", true).await;
    check(&format!("{{}}/proj/node_modules/.bin:{system}"), "cat x", false).await;
    check(&format!("{{}}/proj/../proj/.venv/bin:{system}"), "git log", true).await;
    check(&format!("{{}}/proj/bin:{system}"), "echo a; true", false).await;
    check(&format!("{{}}/proj/bin:{system}"), "git status", true).await;
    check("", "ls", true).await;
    // A rule decides on what only it lets through.
    check(&format!("{{}}/proj/bin:{system}"), "make", false).await;
}
