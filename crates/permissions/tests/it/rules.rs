//! The rule grammar: what each form means, and what it does not.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use toolwright_core::{Effects, Subject};
use toolwright_permissions::{Folder, Mode, RuleKind, RuleSet, Ruling, Scope, Source, denies_read};

use crate::support::{Call, rules};

/// Whether a rule in the allow list allows, and in the deny list denies.
fn matched(rule: &str, call: &Call) -> (bool, bool) {
    let outcome = |kind: &str| call.decide(&rules(&format!("{kind} {rule}"))).outcome;
    (outcome("allow") == Ruling::Allow, outcome("deny") == Ruling::Deny)
}

fn check(rule: &str, call: &Call, expect: bool) {
    assert_eq!(matched(rule, call), (expect, expect), "{rule} on {:?}", call.subjects);
}

#[test]
fn commands() {
    for (rule, text, expect) in [
        ("Bash", "ls", true),
        ("Bash(*)", "ls", true),
        ("Bash(ls)", "ls", true),
        ("Bash(ls)", "ls -la", false),
        ("Bash(ls *)", "ls", true),
        ("Bash(ls *)", "ls -la", true),
        ("Bash(ls *)", "lsof", false),
        ("Bash(ls:*)", "ls -la", true),
        ("Bash(ls:*)", "lsof", false),
        ("Bash(ls*)", "lsof", true),
        ("Bash(a:b)", "a:b", true),
        ("Bash(git * main)", "git push origin main", true),
        ("Bash(git * main)", "git push origin main2", false),
        ("Bash(* --version)", "node --version", true),
        ("Bash(git   diff *)", "git diff x", true),
        ("Bash(echo \\*)", "echo *", true),
        ("Bash(echo \\*)", "echo x", false),
        ("Bash(f (x))", "f (x)", true),
        ("Bash(LS)", "ls", false),
    ] {
        check(rule, &Call::shell(&[text]), expect);
    }
}

#[test]
fn deny_looks_at_every_form_of_a_command() {
    let mut call = Call::shell(&["sudo rm x"]);
    if let Some(Subject::Command(part)) = call.subjects.first_mut().map(|prepared| &mut prepared.subject) {
        part.for_deny.push("rm  x".into());
    }
    assert_eq!(matched("Bash(rm *)", &call), (false, true));
}

#[test]
fn paths() {
    for (rule, path, expect) in [
        ("Edit(src/**)", "src/a/b", true),
        ("Edit(src/**)", "src-evil/a", false),
        ("Edit(/src/**)", "src/a", true),
        ("Edit(//r/out/**)", "/r/out/a", true),
        ("Edit(//r/out/**)", "/r/outer/a", false),
        ("Edit(~/notes/*)", "/r/home/notes/a", true),
        ("Edit(~/notes/*)", "/r/home/notes-evil/a", false),
        ("Edit(*.md)", "docs/a.md", true),
        ("Edit(*.md)", "docs/a.mdx", false),
        ("Edit(src/[ab].rs)", "src/a.rs", true),
        ("Edit(src/[!ab].rs)", "src/a.rs", false),
        ("Edit(src/[a-c]?.rs)", "src/bx.rs", true),
        ("Edit(**/lib/*.rs)", "lib/a.rs", true),
        ("Edit(a/**/z)", "a/z", true),
        ("Edit(a/**/z)", "a/b/c/z", true),
        ("Edit(../out/*)", "/r/out/a", true),
        ("Edit(docs/)", "docs/a", true),
        ("Read(src/**)", "src/a", false),
    ] {
        let call = Call::file("Write", path);
        let (allows, denies) = matched(rule, &call);
        assert_eq!(allows, expect, "allow {rule} on {path}");
        // A read rule that denies blocks changes too.
        assert_eq!(denies, expect || rule.starts_with("Read"), "deny {rule} on {path}");
    }
}

#[test]
fn deny_takes_the_wider_reading_of_a_path() {
    for (rule, path, allows) in [
        ("Edit(secrets/**)", "vendor/secrets/x", false),
        ("Edit(./secrets/**)", "vendor/secrets/x", false),
        ("Edit(src/*)", "src/lib/x", false),
        ("Edit(.env)", "sub/.env", true),
        ("Edit(./.env)", "sub/.env", false),
        ("Edit(.ENV)", ".env", false),
        ("Edit(secrets/**)", "secrets", false),
        ("Edit(docs)", "docs/a", false),
    ] {
        assert_eq!(matched(rule, &Call::file("Edit", path)), (allows, true), "{rule} on {path}");
    }
}

#[test]
fn read_rules_reach_every_reader() {
    for tool in ["Read", "Glob", "Grep"] {
        assert_eq!(matched("Read(//r/out/**)", &Call::file(tool, "/r/out/a")), (true, true), "{tool}");
    }
}

#[test]
fn hosts() {
    let fetch = |host: &str| Call::new("WebFetch", Effects::READ_ONLY, vec![Subject::Domain(host.into())]);
    for (rule, host, expect) in [
        ("WebFetch(domain:Example.com)", "EXAMPLE.com.", true),
        ("WebFetch(domain:example.com)", "example.com.evil.example", false),
        ("WebFetch(domain:*.example.com)", "a.b.example.com", true),
        ("WebFetch(domain:*.example.com)", "example.com", false),
        ("WebFetch(domain:*.example.com)", "evilexample.com", false),
        ("WebFetch(domain:example.*)", "example.org", true),
        ("WebFetch(domain:example.*)", "example.evil.com", false),
        ("WebFetch(domain:*)", "anything.example", true),
    ] {
        check(rule, &fetch(host), expect);
    }
}

#[test]
fn remote_tools() {
    let call = Call::remote("github", "get_issue");
    for (rule, allows, denies) in [
        ("mcp__github", true, true),
        ("mcp__github__*", true, true),
        ("mcp__github__get_*", true, true),
        ("mcp__github__get_issue", true, true),
        ("mcp__git", false, false),
        ("mcp__GitHub", false, false),
        ("mcp__*", false, true),
        ("mcp__git*", false, true),
        ("*", false, true),
    ] {
        assert_eq!(matched(rule, &call), (allows, denies), "{rule}");
    }
    assert_eq!(matched("mcp__a__b", &Call::remote("a__b", "c")), (false, true));
    assert_eq!(matched("mcp__a__b__*", &Call::remote("a__b", "c")), (true, true));
    assert_eq!(matched("mcp__my_server", &Call::remote("my.server", "c")), (true, true));
}

#[test]
fn parameters_only_tighten() {
    let mut call = Call::new("Agent", Effects::DELEGATES, vec![Subject::Name("Explore".into())]);
    call.input = json!({"model": "opus", "background": true, "list": ["x"]});
    let denies = |rule: &str| matched(rule, &call).1;
    assert!(denies("Agent(model:opus)") && denies("Agent(model:op*)") && denies("Agent(background:true)"));
    assert!(!denies("Agent(model:sonnet)") && !denies("Agent(list:x)") && !denies("Task(model:opus)"));
    let mut shell = Call::shell(&["ls"]);
    shell.input = json!({"command": "ls", "run_in_background": true});
    assert_eq!(matched("Bash(run_in_background:true)", &shell), (false, true));
}

#[test]
fn aliases_are_names() {
    let mut call = Call::new("Agent", Effects::DESTROYS, vec![Subject::Name("Explore".into())]);
    call.aliases = vec!["Task".into()];
    assert_eq!(matched("Task(Explore)", &call), (true, true));
    assert_eq!(matched("Task", &call), (true, true));
}

#[test]
fn what_is_not_understood_fails_closed() {
    for rule in ["Bash()", "Bash(ls", "Bash ls", "Bash(:*)"] {
        assert_eq!(matched(rule, &Call::shell(&["ls"])), (false, true), "{rule}");
    }
    for rule in ["Read(!a)", "Read([a)", "Read(~other/x)", "Edit(a/**/../b)"] {
        assert_eq!(matched(rule, &Call::file("Edit", "z")), (false, true), "{rule}");
    }
    for kind in ["allow", "deny", "ask"] {
        let set = rules(&format!("{kind} Bash(ls"));
        assert_eq!(set.warnings().count(), 1);
    }
    assert_eq!(matched("toString", &Call::shell(&["ls"])), (false, false));
    assert_eq!(matched("__proto__", &Call::shell(&["ls"])), (false, false));
}

#[test]
fn path_rules_of_other_tools_are_never_matched_and_warn() {
    for rule in ["Write(a)", "Glob(a)", "NotebookEdit(a)"] {
        assert_eq!(matched(rule, &Call::file("Write", "a")), (false, false), "{rule}");
        let warnings = rules(&format!("deny {rule}"));
        let (_, warning) = warnings.warnings().next().expect("a warning");
        assert!(warning.contains("are written `"), "{warning}");
    }
}

#[test]
fn denied_tools_leave_the_pool() {
    let read = Call::file("Read", "a");
    let remote = Call::remote("github", "push");
    let denied = |lines: &str, call: &Call| rules(lines).denies_tool(call.identity()).map(|rule| rule.text);
    assert_eq!(denied("deny Read", &read).as_deref(), Some("Read"));
    assert_eq!(denied("deny Read(*)", &read).as_deref(), Some("Read(*)"));
    assert_eq!(denied("deny Read(.env)\nallow Read\nask Read", &read), None);
    assert_eq!(denied("deny mcp__github", &remote).as_deref(), Some("mcp__github"));
    assert_eq!(denied("deny mcp__git", &remote), None);
    assert_eq!(denied("deny mcp__github__push", &remote).as_deref(), Some("mcp__github__push"));
}

#[test]
fn anchors_follow_the_source() {
    let source = Arc::new(
        Source::new(Scope::User, "/r/home/.toolwright").in_file("/r/home/.toolwright/settings.json"),
    );
    let mut set = RuleSet::default();
    set.add(RuleKind::Deny, "Read(/keys/*)", &source, Some(7));
    let roots = Call::file("Read", "a").roots;
    let hidden = |path: &str| denies_read(&set, &roots, Path::new(path)).is_some();
    assert!(hidden("/r/home/.toolwright/keys/a") && !hidden("/r/proj/keys/a"));
    let rule = set.rules(RuleKind::Deny).first().map(|rule| rule.reference().to_string());
    let expect = "deny rule `Read(/keys/*)` (user, /r/home/.toolwright/settings.json:7)";
    assert_eq!(rule.as_deref(), Some(expect));
}

#[test]
fn folders_behind_links_anchor_both_ways() {
    let mut call = Call::file("Edit", "/link/src/a").mode(Mode::Default);
    let linked = Folder { spelled: "/link".into(), resolved: "/real".into() };
    call.roots.start = linked.clone();
    call.roots.cwd = linked;
    if let Some(prepared) = call.subjects.first_mut() {
        prepared.resolved = Some("/real/src/a".into());
    }
    assert_eq!(matched("Edit(src/**)", &call), (true, true));
}

#[test]
fn mode_names() {
    for mode in Mode::ALL {
        assert_eq!(mode.name().parse(), Ok(mode));
        assert_eq!(serde_json::to_value(mode).expect("json"), json!(mode.name()));
    }
    assert!("bypass".parse::<Mode>().is_err());
}
