//! Where path rules begin: each form of anchor, seen from the start, the live folder and every added one, through links as root,
//! above the root and in the middle.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolwright_core::{Effects, PathAccess, Subject};
use toolwright_permissions::{
    Folder, HiddenPaths, ResolvedSubject, Roots, RuleKind, RuleSet, Ruling, Scope, Source,
};

use crate::support::Call;

fn linked(spelled: &str, resolved: &str) -> Folder {
    Folder { spelled: spelled.into(), resolved: resolved.into() }
}

/// The start `/r/proj`, which is a link to `/disk/proj`; the agent is in its folder `sub`; `../out` was added, a link to
/// `/disk/out`; home is a link too.
fn roots() -> Roots {
    Roots {
        cwd: linked("/r/proj/sub", "/disk/proj/sub"),
        additional: vec![linked("/r/out", "/disk/out")],
        project: linked("/r/proj", "/disk/proj"),
        start: linked("/r/proj", "/disk/proj"),
        ..Roots::at("/r/proj", Some(linked("/home/ann", "/disk/ann")))
    }
}

/// Whether a rule denies, and whether it allows; a walk must say the same as a decision does.
fn matched(rule: &str, path: &str, resolved: Option<&str>) -> (bool, bool) {
    let source = Arc::new(Source::new(Scope::User, linked("/home/ann/.toolwright", "/disk/ann/.toolwright")));
    let roots = roots();
    let outcome = |kind: RuleKind| {
        let mut rules = RuleSet::default();
        rules.add(kind, rule, &source, None);
        let subject = Subject::path(path, PathAccess::Read);
        let resolved = resolved.map(PathBuf::from);
        let mut call = Call::new("Read", Effects::READ_ONLY, Vec::new());
        call.subjects = vec![ResolvedSubject { subject, resolved: resolved.clone(), below: None }];
        call.roots = roots.clone();
        let outcome = call.decide(&rules).outcome;
        let walk = HiddenPaths::new(&rules, roots.clone());
        let forms = [Some(Path::new(path)), resolved.as_deref()];
        let hidden = forms.into_iter().flatten().any(|path| walk.rule(path).is_some());
        assert_eq!(hidden, outcome == Ruling::Deny, "{rule} on {path}");
        outcome
    };
    let allowed = {
        let mut plain = Call::new("Read", Effects::READ_ONLY, vec![Subject::path(path, PathAccess::Read)]);
        plain.roots = Roots { start: Folder::from("/nowhere"), additional: Vec::new(), ..roots.clone() };
        plain.decide(&RuleSet::default()).outcome == Ruling::Allow
    };
    assert!(!allowed, "without a rule it asks");
    (outcome(RuleKind::Deny) == Ruling::Deny, outcome(RuleKind::Allow) == Ruling::Allow)
}

fn denied(rule: &str, path: &str, expect: bool) {
    assert_eq!(matched(rule, path, None).0, expect, "{rule} on {path}");
}

#[test]
fn the_file_systems_root() {
    denied("Read(//etc/x)", "/etc/x", true);
    denied("Read(//etc/**)", "/etc/a/b", true);
    denied("Read(//**/key)", "/any/where/key", true);
    denied("Read(//etc/x)", "/r/proj/etc/x", false);
}

#[test]
fn home_in_both_its_forms() {
    for path in ["/home/ann/notes/a", "/disk/ann/notes/a"] {
        denied("Read(~/notes/**)", path, true);
    }
    denied("Read(~/notes/**)", "/home/ben/notes/a", false);
    denied("Read(~/.ssh/*)", "/r/proj/.ssh/id", false);
}

#[test]
fn the_folder_of_the_source() {
    for path in ["/home/ann/.toolwright/keys/a", "/disk/ann/.toolwright/keys/a"] {
        denied("Read(/keys/*)", path, true);
    }
    denied("Read(/keys/*)", "/r/proj/keys/a", false);
}

#[test]
fn the_start_the_live_folder_and_every_added_one() {
    for rule in ["Read(.env)", "Read(**/.env)", "Read(./.env)", "Read(*.e[m-o]v)", "Read(.ENV)"] {
        for folder in ["/r/proj", "/r/proj/sub", "/r/out", "/disk/proj", "/disk/proj/sub", "/disk/out"] {
            denied(rule, &format!("{folder}/.env"), true);
        }
        denied(rule, "/r/other/.env", false);
        denied(rule, "/disk/.env", false);
    }
    for folder in ["/r/proj", "/r/proj/sub", "/r/out", "/disk/out"] {
        denied("Read(./config/secrets/**)", &format!("{folder}/config/secrets/a"), true);
        denied("Read(config/secrets/**)", &format!("{folder}/config/secrets/a"), true);
    }
    denied("Read(./config/secrets/**)", "/r/proj/deep/config/secrets/a", false);
    denied("Read(secrets/**)", "/r/out/deep/secrets/a", true);
    denied("Read(../keys/*)", "/r/keys/a", true);
    denied("Read(../keys/*)", "/r/proj/keys/a", true);
    denied("Read(../keys/*)", "/disk/keys/a", true);
    denied("Read(../../keys)", "/keys", true);
}

#[test]
fn links_above_the_root_as_root_and_in_the_middle() {
    // What is spelled through the link, and what that leads to, in either way round.
    for (path, resolved) in [
        ("/r/proj/.env", Some("/disk/proj/.env")),
        ("/disk/proj/.env", None),
        ("/r/proj/alias/key", Some("/disk/proj/private/key")),
        ("/r/elsewhere/x", Some("/disk/proj/private/key")),
        ("/r/proj/private/key", Some("/vault/key")),
    ] {
        let rule = if path.ends_with(".env") { "Read(.env)" } else { "Read(./private/**)" };
        assert!(matched(rule, path, resolved).0, "{rule} on {path}");
    }
    assert!(matched("Read(./alias/**)", "/r/proj/alias/key", Some("/disk/proj/private/key")).0);
    assert!(!matched("Read(./private/**)", "/r/proj/alias/key", Some("/vault/key")).0);
}

#[test]
fn an_allow_rule_begins_at_the_start_alone_and_wants_both_forms() {
    let allows = |rule: &str, path: &str, resolved: Option<&str>| {
        let source = Arc::new(Source::new(Scope::User, "/elsewhere"));
        let mut rules = RuleSet::default();
        rules.add(RuleKind::Allow, rule, &source, None);
        let mut call = Call::new("Edit", Effects::WRITES, Vec::new());
        let subject = Subject::path(path, PathAccess::Write);
        call.subjects = vec![ResolvedSubject { subject, resolved: resolved.map(PathBuf::from), below: None }];
        call.roots = roots();
        call.decide(&rules).outcome == Ruling::Allow
    };
    assert!(allows("Edit(src/**)", "/r/proj/src/a", Some("/disk/proj/src/a")));
    assert!(allows("Edit(src/**)", "/disk/proj/src/a", None));
    assert!(!allows("Edit(src/**)", "/r/proj/sub/src/a", None));
    assert!(!allows("Edit(src/**)", "/r/out/src/a", None));
    assert!(!allows("Edit(src/**)", "/r/proj/src/a", Some("/vault/a")));
    assert!(!allows("Edit(src/**)", "/r/x", Some("/disk/proj/src/a")));
}
