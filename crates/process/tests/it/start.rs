//! How a child begins: which program, which descriptors, which session, which signals.

use std::os::unix::fs::PermissionsExt as _;

use toolwright_process::{Exit, Process, Variables};

use crate::{bash, run, text};

#[tokio::test]
async fn a_program_is_the_first_of_the_childs_path_that_may_be_executed() {
    let folder = tempfile::tempdir().unwrap();
    for (name, mode) in [("plain", 0o644), ("first", 0o755), ("second", 0o755)] {
        let path = folder.path().join(name);
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("tool"), format!("#!/bin/sh\necho {name}\n")).unwrap();
        std::fs::set_permissions(path.join("tool"), std::fs::Permissions::from_mode(mode)).unwrap();
    }
    std::fs::create_dir_all(folder.path().join("folders/tool")).unwrap();
    let check = async |program: &str, path: &str, said: &str| {
        let variables = Variables::default().with("PATH", path);
        let ended = Process::new(program, folder.path(), variables).run(&Default::default()).await;
        let ended = ended.map_or_else(|error| error.to_string(), |ended| text(&ended.stdout.head).to_owned());
        assert!(ended.contains(said), "{program} with PATH={path}: {ended}");
    };
    let absolute = folder.path().join("second").to_string_lossy().into_owned();
    // Relative folders and the empty one are taken from the child's folder.
    check("tool", "missing:plain:folders:first:second", "first").await;
    check("tool", &format!("{absolute}:first"), "second").await;
    check("tool", "missing:plain:folders", "tool").await;
    check("first/tool", "", "first").await;
    check("./first/tool", "second", "first").await;
    std::fs::copy(folder.path().join("first/tool"), folder.path().join("tool")).unwrap();
    check("tool", "missing::second", "first").await;
}

#[tokio::test]
async fn it_has_no_descriptor_of_the_host() {
    let held = tempfile::Builder::new().prefix("held-by-the-host").tempfile().unwrap();
    let finished = run(bash("exec ls -l /proc/self/fd")).await;
    let said = text(&finished.stdout.head);
    assert!(said.contains("0 -> /dev/null") && !said.contains("held-by-the-host"), "{said}");
    drop(held);
}

#[tokio::test]
async fn it_leads_a_session_and_takes_signals_as_any_program_does() {
    let leads =
        run(bash("read -r _ _ _ _ _ session _ < /proc/$$/stat; [ $session = $$ ] && echo leads")).await;
    assert_eq!(text(&leads.stdout.head), "leads\n");
    let signals = run(bash("exec grep -E 'SigBlk|SigIgn' /proc/self/status")).await;
    let masks = text(&signals.stdout.head).lines().map(|line| line.split_once('\t').unwrap().1);
    let [blocked, ignored] =
        masks.map(|mask| u64::from_str_radix(mask, 16).unwrap()).collect::<Vec<_>>()[..].try_into().unwrap();
    // A host made of Rust ignores SIGPIPE.
    assert_eq!((blocked, ignored & (1 << (13 - 1))), (0, 0));
}

#[tokio::test]
async fn every_signal_that_ends_it_is_told() {
    for signal in [1, 13, 15, 34, 64] {
        let finished = run(bash(&format!("kill -{signal} $$; sleep 9002"))).await;
        assert_eq!(finished.exit, Exit::Signal(signal));
    }
}

#[tokio::test]
async fn what_was_dropped_is_no_zombie_once_another_was_started() {
    let running = bash("exec sleep 9001.9").start().unwrap();
    drop(running);
    let zombies = || {
        let own = std::process::id().to_string();
        let entries = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        let stats = entries.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
        stats.filter(|stat| stat.contains("(sleep) Z") && stat.split(' ').nth(3) == Some(&own)).count()
    };
    for _ in 0..1_000 {
        run(bash("true")).await;
        if zombies() == 0 {
            return;
        }
    }
    assert_eq!(zombies(), 0);
}
