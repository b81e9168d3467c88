//! Where path rules begin: each form of anchor, seen from the start, the live folder and every added one, through links as root,
//! above the root and in the middle.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::{Strategy, any, prop, prop_assert_eq, proptest};
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

/// Whether a name is what `*` and `?` in a pattern say.
fn name_is(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => name_is(rest, name) || (!name.is_empty() && name_is(pattern, &name[1..])),
        ([b'?', rest @ ..], [_, name @ ..]) => name_is(rest, name),
        ([own, rest @ ..], [first, name @ ..]) => own.eq_ignore_ascii_case(first) && name_is(rest, name),
        _ => false,
    }
}

/// Whether a path, or a folder above it, is what a pattern says.
fn path_is(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern, path) {
        ([], _) => true,
        (["**", rest @ ..], _) => path_is(rest, path) || (!path.is_empty() && path_is(pattern, &path[1..])),
        ([own, rest @ ..], [first, path @ ..]) => {
            name_is(own.as_bytes(), first.as_bytes()) && path_is(rest, path)
        }
        _ => false,
    }
}

/// What a deny rule for a path means, said as plainly as it can be.
fn obviously_denies(pattern: &str, base: &str, path: &str) -> bool {
    if pattern == "*" {
        // `Read(*)` is `Read`.
        return true;
    }
    let (folders, rest): (Vec<&str>, &str) = if let Some(rest) = pattern.strip_prefix("//") {
        (vec!["/"], rest)
    } else if let Some(rest) = pattern.strip_prefix("~/") {
        (vec!["/home/ann", "/disk/ann"], rest)
    } else if let Some(rest) = pattern.strip_prefix('/') {
        (vec![base], rest)
    } else {
        (vec!["/r/proj", "/disk/proj", "/r/proj/sub", "/disk/proj/sub", "/r/out", "/disk/out"], pattern)
    };
    let mut names: Vec<&str> = rest.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    // However often `/**` stands at its end.
    let bare = names.iter().skip(1).all(|name| *name == "**");
    if !pattern.starts_with(['/', '~']) && bare && names.first() != Some(&"..") {
        names.insert(0, "**");
    }
    let path: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    folders.into_iter().any(|folder| {
        let mut folder: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
        let up = names.iter().take_while(|name| **name == "..").count();
        if up > folder.len() {
            return false;
        }
        folder.truncate(folder.len() - up);
        let below = path.len() >= folder.len()
            && folder.iter().zip(&path).all(|(own, name)| own.eq_ignore_ascii_case(name));
        below && path_is(&names[up..], &path[folder.len()..])
    })
}

fn names(least: usize) -> impl Strategy<Value = Vec<&'static str>> {
    let name = vec![
        "a", "b", "A", "ab", ".env", "x.pem", "secrets", "sub", "proj", "*", "**", "*.pem", "a*", "?", "s*s",
    ];
    prop::collection::vec(prop::sample::select(name), least..4)
}

proptest! {
    #[test]
    fn many_rules_deny_what_each_of_them_obviously_denies(
        patterns in prop::collection::vec((prop::sample::select(vec!["", "./", "/", "~/", "//", "//r/proj/", "../"]), names(1)), 1..40),
        start in prop::sample::select(vec!["/", "/r", "/r/proj", "/R/Proj", "/r/proj/sub", "/r/out", "/disk/out", "/home/ann", "/base"]),
        path in prop::collection::vec(
            prop::sample::select(vec!["a", "b", "AB", ".env", ".ENV", "x.pem", "secrets", "sub", "proj"]), 0..4),
        ask in any::<bool>(),
    ) {
        let base = "/base";
        let source = Arc::new(Source::new(Scope::User, base));
        let patterns: Vec<String> = patterns.iter().map(|(anchor, names)| format!("{anchor}{}", names.join("/"))).collect();
        let path = format!("{}/{}", start.trim_end_matches('/'), path.join("/"));
        let path = if path.len() > 1 { path.trim_end_matches('/') } else { &path };
        let kind = if ask { RuleKind::Ask } else { RuleKind::Deny };
        let mut rules = RuleSet::default();
        for pattern in &patterns {
            rules.add(kind, &format!("Read({pattern})"), &source, None);
        }
        let mut call = Call::new("Read", Effects::READ_ONLY, vec![Subject::path(path, PathAccess::Read)]);
        for prepared in &mut call.subjects {
            prepared.resolved = None;
        }
        call.roots = roots();
        let decision = call.decide(&rules);
        let matched = decision.rule.map(|rule| rule.text);
        let obvious = patterns.iter().find(|pattern| obviously_denies(pattern, base, path));
        prop_assert_eq!(matched, obvious.map(|pattern| format!("Read({pattern})")), "{}", path);
    }
}
